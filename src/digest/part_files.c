/* part_files.c: merges parts in files.  Each file is read twice, first to validate it, because
 * output in a pipe cannot be taken back. */
#include "digest/part_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "base/xalloc.h"

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
