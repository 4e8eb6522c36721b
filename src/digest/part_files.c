/* part_files.c: merges parts in files, k-way.  Each file is read twice, first to validate it,
 * because output in a pipe cannot be taken back. */
#include "digest/part_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"
#include "base/min_heap.h"
#include "base/system/open_input.h"
#include "base/xalloc.h"

struct heap {
    struct part_in **ins; /* [n]; the part with the smallest key is first */
    size_t n;
};

static bool is_before(const struct heap *h UNUSED, struct part_in *const *a, struct part_in *const *b)
{
    return digest_key_compare(&(*a)->record.key, &(*b)->record.key) < 0;
}

static void sift_down(struct heap *h, size_t at)
{
    HEAP_SIFT_DOWN(struct part_in *, h->ins, h->n, at, is_before, h)
}

/* Reads the first record of each part and builds the heap. */
static bool fill(struct heap *h, struct part_in *ins, size_t n, size_t *failed, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!part_in_next(&ins[i], err)) {
            *failed = i;
            return false;
        }
        if (!ins[i].ended)
            h->ins[h->n++] = &ins[i];
    }
    for (size_t at = h->n / 2; at-- > 0;)
        sift_down(h, at);
    return true;
}

/* Moves the part on top to its next record. */
static bool advance(struct heap *h, struct part_in *ins, size_t *failed, struct err *err)
{
    if (!part_in_next(h->ins[0], err)) {
        *failed = (size_t)(h->ins[0] - ins);
        return false;
    }
    if (h->ins[0]->ended)
        h->ins[0] = h->ins[--h->n];
    sift_down(h, 0);
    return true;
}

bool digest_merge(struct part_in *ins, size_t n, struct part_out *out, struct cancel_mark cancel,
                  size_t *failed, struct err *err)
{
    struct heap h = {.ins = xcalloc(n + 1, sizeof(struct part_in *))};
    struct digest_record sum = {.figures = {0}};
    bool ok;

    *failed = n;
    ok = fill(&h, ins, n, failed, err);
    while (ok && h.n) {
        if (cancel_asked(cancel)) {
            ok = err_set(err, ERR_CANCELLED, "merge: cancelled");
            break;
        }
        digest_record_clear(&sum);
        sb_add(&sum.key, h.ins[0]->record.key.data, h.ins[0]->record.key.len);
        while (ok && h.n && digest_key_compare(&sum.key, &h.ins[0]->record.key) == 0) {
            digest_record_merge(&sum, &h.ins[0]->record);
            ok = advance(&h, ins, failed, err);
        }
        ok = ok && part_out_add(out, &sum, err);
    }
    digest_record_done(&sum);
    free(h.ins);
    return ok && part_out_end(out, err);
}

/* Bytes of all buffers together, and the bounds of one. */
enum { ALL_BUFFERS_BYTES = 64 << 20, LEAST_BUFFER_BYTES = 4 << 10, MOST_BUFFER_BYTES = 256 << 10 };

/* A file and its stat() data of the first opening. */
struct part_file {
    const char *path;
    struct stat st;
    bool is_known;
};

static bool has_changed(const struct stat *a, const struct stat *b)
{
    return a->st_dev != b->st_dev || a->st_ino != b->st_ino || a->st_size != b->st_size ||
           a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

/* Reads from the file, which is opened for this call only. */
static bool read_file(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                      struct err *err)
{
    struct part_file *file = context;
    struct stat st;
    const int fd = open_input(file->path, INPUT_REGULAR, &st, err);
    ssize_t got;

    if (fd < 0)
        return false;
    if (file->is_known && has_changed(&st, &file->st)) {
        close(fd);
        return err_set(err, ERR_INPUT, "%s: changed while it was read", file->path);
    }
    file->st = st;
    file->is_known = true;
    do
        got = pread(fd, bytes, len, (off_t)at);
    while (got < 0 && errno == EINTR);
    *n = got < 0 ? 0 : (size_t)got;
    if (got < 0)
        err_set(err, ERR_INPUT, "%s: cannot be read: %s", file->path, strerror(errno));
    close(fd);
    return got >= 0;
}

static size_t buffer_bytes(size_t n)
{
    const size_t share = ALL_BUFFERS_BYTES / (n ? n : 1);

    return share < LEAST_BUFFER_BYTES  ? LEAST_BUFFER_BYTES
           : share > MOST_BUFFER_BYTES ? MOST_BUFFER_BYTES
                                       : share;
}

/* Prefixes errors about the bytes ("offset N") with the name of the file. */
static void name_file(const char *path, struct err *err)
{
    if (strncmp(err_text(err), "offset ", 7) == 0)
        err_prefix(err, "%s", path);
}

/* False with ERR when FILE is damaged. */
static bool check_file(struct part_file *file, struct cancel_mark cancel, struct err *err)
{
    struct part_in in;
    bool ok = true;

    part_in_init(&in, read_file, file, MOST_BUFFER_BYTES);
    while (ok && !in.ended)
        ok = cancel_asked(cancel) ? err_set(err, ERR_CANCELLED, "merge: cancelled")
                                  : part_in_next(&in, err);
    part_in_done(&in);
    if (!ok)
        name_file(file->path, err);
    return ok;
}

/* Moves the valid files to the front and returns their number.  ERR is set when cancelled. */
static size_t check_all(const struct part_files_request *q, struct part_file *files,
                        struct err *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < q->n && err->kind == ERR_NONE; i++) {
        struct part_file file = {.path = q->paths[i]};
        struct err why = {0};

        if (check_file(&file, q->cancel, &why)) {
            files[kept++] = file;
        } else if (why.kind == ERR_CANCELLED) {
            *err = why;
        } else {
            q->damaged(q->context, &why);
            err_done(&why);
        }
    }
    return kept;
}

bool part_files_merge(const struct part_files_request *q, struct part_out *out, size_t *n_damaged,
                      struct err *err)
{
    struct part_file *files = xcalloc(q->n + 1, sizeof *files);
    const size_t n = check_all(q, files, err);
    struct part_in *ins = xcalloc(n + 1, sizeof *ins);
    size_t failed = n;
    bool ok;

    for (size_t i = 0; i < n; i++)
        part_in_init(&ins[i], read_file, &files[i], buffer_bytes(n));
    ok = err->kind == ERR_NONE && digest_merge(ins, n, out, q->cancel, &failed, err);
    if (!ok && failed < n)
        name_file(files[failed].path, err);
    for (size_t i = 0; i < n; i++)
        part_in_done(&ins[i]);
    *n_damaged = q->n - n;
    EACH(free, ins, files);
    return ok;
}
