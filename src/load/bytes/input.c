/* input.c: reads a whole input into memory. */
#include "load/bytes/input.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "load/bytes/mapping.h"

enum {
    FIRST_BYTES = 1 << 16,
    READ_MAX = 1 << 24,
    MAP_FROM_BYTES = 1 << 20,
    STREAM_FROM_BYTES = 256 << 10
};

static void unmap(struct source_file *file)
{
    mapping_free(file->bytes, file->size_bytes);
    file->bytes = NULL;
    file->size_bytes = 0;
}

static void release(struct source_file *file)
{
    free((void *)file->bytes);
    file->bytes = NULL;
    file->size_bytes = 0;
}

void input_forget(const uint8_t *from, const uint8_t *to)
{
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)from + page_bytes - 1) / page_bytes * page_bytes;
    const uintptr_t end = (uintptr_t)to / page_bytes * page_bytes;

    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void input_drop(struct source_file *file)
{
    if (file->release)
        file->release(file);
    file->release = NULL;
}

void input_replace(struct source_file *file, void *bytes, size_t len)
{
    input_drop(file);
    file->bytes = bytes;
    file->size_bytes = len;
    file->release = release;
}

static bool fail_errno(struct err *err, const char *path)
{
    return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
}

/* Reserves WANT bytes.  Failure is an error of the input, not of the program, because files may
 * claim any size. */
static bool make_room(byte_vec *bytes, size_t want, const char *path, struct err *err)
{
    unsigned char *grown;

    if (want <= bytes->capacity)
        return true;
    grown = realloc(bytes->data, want);
    if (!grown)
        return err_set(err, ERR_INPUT, "%s: %zu bytes do not fit into memory", path, want);
    bytes->data = grown;
    bytes->capacity = want;
    return true;
}

/* Waits until the stream has bytes, or ends; false with ERR when cancelled. */
static bool wait_readable(int fd, struct cancel_mark cancel, struct err *err)
{
    enum { LOOK_MS = 50 };
    struct pollfd stream = {.fd = fd, .events = POLLIN};

    do
        if (cancel_asked(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
    while (poll(&stream, 1, cancel.token ? LOOK_MS : -1) == 0);
    return true;
}

bool input_read_all(int fd, const char *path, size_t expected, uint64_t max, byte_vec *bytes,
                    struct cancel_mark cancel, struct err *err)
{
    const size_t room = expected ? expected : FIRST_BYTES;

    while (!expected || bytes->n < expected) {
        ssize_t n;
        size_t want;

        if (!wait_readable(fd, cancel, err) ||
            (bytes->n == bytes->capacity &&
             !make_room(bytes, bytes->n ? bytes->n * 2 : room, path, err)))
            return false;
        want = bytes->capacity - bytes->n;
        want = expected && expected - bytes->n < want ? expected - bytes->n : want;
        n = read(fd, bytes->data + bytes->n, want < READ_MAX ? want : READ_MAX);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return fail_errno(err, path);
        if (n == 0)
            return true;
        bytes->n += (size_t)n;
        if (bytes->n > max)
            return err_set(err, ERR_INPUT, "%s: more than %" PRIu64 " bytes from a stream", path,
                           max);
    }
    return true;
}

static uint64_t max_unpacked(size_t packed_bytes)
{
    return (uint64_t)packed_bytes * INPUT_GZIP_RATIO + INPUT_GZIP_FLOOR;
}

/* Decompresses BYTES.  For damaged data keeps the part before the damage and sets *FAULT (heap) to
 * the reason; fails if that part is empty. */
static bool unpack(const char *path, byte_vec *bytes, char **fault, struct cancel_mark cancel,
                   struct err *err)
{
    byte_vec unpacked = {0};
    bool done = gunzip(bytes->data, bytes->n, max_unpacked(bytes->n), &unpacked, NULL, cancel, err);

    if (!done) {
        if (err->kind == ERR_INPUT)
            err_prefix(err, "%s", path);
        if (err->kind != ERR_INPUT || !unpacked.n) {
            vec_done(&unpacked);
            return false;
        }
        *fault = xstrdup(err_text(err));
        err_done(err);
    }
    vec_done(bytes);
    *bytes = unpacked;
    return true;
}

/* Copies the input and decompresses it, or starts to, see input_begin(). */
static bool copy_input(int fd, const char *path, const struct stat *st, struct source_file *file,
                       struct gunzip_stream **unpacking, struct cancel_mark cancel, struct err *err)
{
    bool regular = S_ISREG(st->st_mode);
    size_t expected = regular && st->st_size > 0 ? (size_t)st->st_size : 0;
    byte_vec bytes = {0};

    if (!input_read_all(fd, path, expected, expected ? UINT64_MAX : INPUT_STREAM_MAX, &bytes,
                        cancel, err))
        goto failed;
    file->file_size_bytes = bytes.n;
    if (unpacking && bytes.n >= STREAM_FROM_BYTES && gunzip_wanted(bytes.data, bytes.n)) {
        *unpacking = gunzip_start(bytes.data, bytes.n, max_unpacked(bytes.n), cancel);
        if (*unpacking)
            return true;
    }
    if (gunzip_wanted(bytes.data, bytes.n) && !unpack(path, &bytes, &file->fault, cancel, err))
        goto failed;
    vec_fit(&bytes);
    file->bytes = bytes.data;
    file->size_bytes = bytes.n;
    file->release = release;
    return true;
failed:
    vec_done(&bytes);
    return false;
}

/* Maps a large uncompressed regular file; false: it has to be copied. */
static bool map_input(int fd, const struct stat *st, struct source_file *file)
{
    unsigned char magic[2];

    if (!S_ISREG(st->st_mode) || st->st_size < MAP_FROM_BYTES ||
        (uint64_t)st->st_size > SIZE_MAX / 2 || pread(fd, magic, 2, 0) != 2 ||
        gunzip_wanted(magic, 2))
        return false;
    file->bytes = mapping_new(fd, (size_t)st->st_size);
    if (!file->bytes)
        return false;
    file->size_bytes = file->file_size_bytes = (size_t)st->st_size;
    file->release = unmap;
    return true;
}

bool input_begin(const char *path, enum input_kind kind, struct source_file *file,
                 struct gunzip_stream **unpacking, struct cancel_mark cancel, struct err *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    struct stat st;
    const int fd = open_input(path, kind, &st, err);
    bool done;

    *file = (struct source_file){.path = NULL};
    if (fd < 0)
        return false;
    done = (!is_stdin && map_input(fd, &st, file)) ||
           copy_input(fd, path, &st, file, unpacking, cancel, err);
    close(fd);
    if (done)
        file->path = xstrdup(path);
    return done;
}

bool input_is_packed(const char *path)
{
    struct err ignored = {0};
    struct stat st;
    const int fd = open_input(path, INPUT_REGULAR, &st, &ignored);
    unsigned char magic[2];
    bool packed;

    err_done(&ignored);
    if (fd < 0)
        return false;
    packed =
        st.st_size >= STREAM_FROM_BYTES && pread(fd, magic, 2, 0) == 2 && gunzip_wanted(magic, 2);
    close(fd);
    return packed;
}

bool input_read(const char *path, struct source_file *file, struct cancel_mark cancel,
                struct err *err)
{
    return input_begin(path, INPUT_ANY, file, NULL, cancel, err) && input_is_whole(file, err);
}

bool input_is_whole(struct source_file *file, struct err *err)
{
    if (!file->fault)
        return true;
    return err_set(err, ERR_INPUT, "%s", file->fault);
}

bool input_check(const struct source_file *file, struct err *err)
{
    return file->release != unmap || mapping_lost_pages(file->bytes) == 0 ||
           err_set(err, ERR_INPUT, "%s: was truncated or became unreadable after it was opened",
                   file->path);
}

/* Reads the first MAX bytes of FD in a growing buffer; single reads may be short. */
static bool read_head(int fd, size_t max, byte_vec *head)
{
    size_t room = max < FIRST_BYTES ? max : FIRST_BYTES;

    while (head->n < max) {
        ssize_t n;

        if (head->n == room)
            room = room < max / 2 ? 2 * room : max;
        vec_reserve(head, room);
        n = read(fd, head->data + head->n, room - head->n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        head->n += (size_t)n;
    }
    return true;
}

bool input_peek(const char *path, size_t max, byte_vec *head, struct err *err)
{
    struct cancel_mark never = {0};
    struct stat st;
    const int fd = open_input(path, INPUT_REGULAR, &st, err);
    byte_vec unpacked = {0};
    struct err cut = {0};
    bool ok;

    if (fd < 0)
        return false;
    ok = read_head(fd, max, head) || fail_errno(err, path);
    close(fd);
    if (gunzip_wanted(head->data, head->n)) {
        /* fails at the end of the head, when all of it is decompressed */
        gunzip(head->data, head->n, max, &unpacked, NULL, never, &cut);
        err_done(&cut);
        vec_done(head);
        *head = unpacked;
    }
    return ok;
}
