/* input.c: a whole input in memory, whatever it comes from. */
#include "load/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { FIRST_BYTES = 1 << 16, READ_MOST = 1 << 24, PEEK_BYTES = 1 << 16 };

static void release(struct source_file *file)
{
    free((void *)file->bytes);
    file->bytes = NULL;
    file->size_bytes = 0;
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

/* Makes room for WANT bytes; a size that a file merely claims may be absurd, so
 * this is an error of the input, not the end of the program. */
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

/* Reads until the end; EXPECTED is a guess. */
static bool read_all(int fd, const char *path, size_t expected, bool bounded, byte_vec *bytes,
                     struct cancel_mark cancel, struct err *err)
{
    size_t room = expected ? expected + 1 : FIRST_BYTES; /* + 1 to see the end */

    for (;;) {
        ssize_t n;
        size_t want;

        if (cancel_asked(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (bytes->n == bytes->capacity) {
            if (!make_room(bytes, bytes->n ? bytes->n * 2 : room, path, err))
                return false;
        }
        want = bytes->capacity - bytes->n;
        n = read(fd, bytes->data + bytes->n, want < READ_MOST ? want : READ_MOST);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(err, path);
        if (n == 0)
            return true;
        bytes->n += (size_t)n;
        if (bounded && bytes->n > INPUT_STREAM_MOST)
            return err_set(err, ERR_INPUT, "%s: more than %" PRIu64 " bytes from a stream", path,
                           INPUT_STREAM_MOST);
    }
}

/* Devices can be endless; an empty one (/dev/null) is an empty file, and what a
 * person types is fine. */
static bool check_kind(int fd, const struct stat *st, const char *path, struct err *err)
{
    char byte;

    if (S_ISDIR(st->st_mode))
        return err_set(err, ERR_INPUT, "%s: is a folder", path);
    if (S_ISBLK(st->st_mode) ||
        (S_ISCHR(st->st_mode) && !isatty(fd) && read(fd, &byte, 1) != 0))
        return err_set(err, ERR_INPUT, "%s: is a device, not a file", path);
    return true;
}

static bool read_packed(int fd, const char *path, byte_vec *bytes, struct cancel_mark cancel,
                        struct err *err)
{
    struct stat st;
    bool regular;

    if (fstat(fd, &st) != 0)
        return fail_errno(err, path);
    if (!check_kind(fd, &st, path, err))
        return false;
    regular = S_ISREG(st.st_mode);
    return read_all(fd, path, regular && st.st_size > 0 ? (size_t)st.st_size : 0, !regular, bytes,
                    cancel, err);
}

static bool unpack(const char *path, byte_vec *bytes, struct cancel_mark cancel, struct err *err)
{
    byte_vec unpacked = {0};
    uint64_t most = (uint64_t)bytes->n * INPUT_GZIP_RATIO + INPUT_GZIP_FLOOR;
    bool done = gunzip(bytes->data, bytes->n, most, &unpacked, cancel, err);

    if (!done) {
        if (err->kind == ERR_INPUT)
            err_prefix(err, "%s", path);
        vec_done(&unpacked);
        return false;
    }
    vec_done(bytes);
    *bytes = unpacked;
    return true;
}

bool input_read(const char *path, struct source_file *file, struct cancel_mark cancel,
                struct err *err)
{
    byte_vec bytes = {0};
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t file_size;
    bool done;

    if (fd < 0)
        return fail_errno(err, path);
    done = read_packed(fd, path, &bytes, cancel, err);
    if (!is_stdin)
        close(fd);
    file_size = bytes.n;
    if (done && gunzip_wanted(bytes.data, bytes.n))
        done = unpack(path, &bytes, cancel, err);
    if (!done) {
        vec_done(&bytes);
        return false;
    }
    *file = (struct source_file){.path = xstrdup(path),
                                 .bytes = bytes.data,
                                 .size_bytes = bytes.n,
                                 .file_size_bytes = file_size,
                                 .release = release};
    return true;
}

bool input_peek(const char *path, byte_vec *head, struct err *err)
{
    struct cancel_mark never = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    byte_vec unpacked = {0};
    struct err cut = {0};
    ssize_t n;

    if (fd < 0)
        return fail_errno(err, path);
    vec_reserve(head, PEEK_BYTES);
    do
        n = read(fd, head->data, PEEK_BYTES);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        fail_errno(err, path);
    close(fd);
    head->n = n > 0 ? (size_t)n : 0;
    if (gunzip_wanted(head->data, head->n)) {
        /* Only the head is there, so this ends in an error, with its output. */
        gunzip(head->data, head->n, PEEK_BYTES, &unpacked, never, &cut);
        err_done(&cut);
        vec_done(head);
        *head = unpacked;
    }
    return n >= 0;
}
