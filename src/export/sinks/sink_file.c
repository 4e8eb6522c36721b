/* sink_file.c: atomic files: written unnamed in the same folder, synced, then renamed. */
#include "export/sinks/sink_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/signals.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint.h"

enum {
    BUFFER_BYTES = 1 << 16,
    LOOK_MS = 50, /* interval of polling for signals and cancellation */
    MAX_NAMES = 1000,
};

static void hold_signals(sigset_t *old)
{
    sigset_t held;

    sigemptyset(&held);
    for (int i = 0; i < N_END_SIGNALS; i++)
        sigaddset(&held, end_signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, old);
}

static bool signal_waits(void)
{
    sigset_t pending;

    sigpending(&pending);
    for (int i = 0; i < N_END_SIGNALS; i++)
        if (sigismember(&pending, end_signals[i]))
            return true;
    return false;
}

static bool fail(struct sink_file *f, struct err *err, const char *what)
{
    const int why = errno;

    f->failed = true;
    return err_set(err, ERR_INPUT, "%s: %s: %s", f->path, what, strerror(why));
}

/* True with ERR after a signal or a cancellation. */
static bool is_stopped(struct sink_file *f, struct err *err)
{
    if (!signal_waits() && !cancel_asked(f->cancel))
        return false;
    f->failed = true;
    err_set(err, ERR_CANCELLED, "%s: not written", f->path);
    return true;
}

static bool write_all(struct sink_file *f, const char *bytes, size_t len, struct err *err)
{
    for (size_t done = 0; done < len;) {
        ssize_t n;

        if (is_stopped(f, err))
            return false;
        n = write(f->fd, bytes + done, len - done);
        if (n < 0 && errno == EAGAIN) { /* a pipe without a reader, or a stopped terminal */
            poll(&(struct pollfd){f->fd, POLLOUT, 0}, 1, LOOK_MS);
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(f, err, "cannot be written");
        done += (size_t)n;
    }
    return true;
}

static bool flush(struct sink_file *f, struct err *err)
{
    const size_t len = f->used_bytes;

    f->used_bytes = 0;
    return write_all(f, f->buffer, len, err);
}

static bool write_bytes(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    struct sink_file *f = (struct sink_file *)s;
    const char *from = bytes;

    if (len >= BUFFER_BYTES) /* large writes bypass the buffer */
        return flush(f, err) && write_all(f, from, len, err);
    while (len) {
        const size_t room = BUFFER_BYTES - f->used_bytes;
        const size_t n = len < room ? len : room;

        memcpy(f->buffer + f->used_bytes, from, n);
        f->used_bytes += n;
        from += n;
        len -= n;
        if (f->used_bytes == BUFFER_BYTES && !flush(f, err))
            return false;
    }
    return true;
}

static bool write_at(struct sink *s, const void *bytes, size_t len, uint64_t at, struct err *err)
{
    struct sink_file *f = (struct sink_file *)s;
    const char *from = bytes;

    while (len) {
        ssize_t n;

        if (is_stopped(f, err))
            return false;
        n = pwrite(f->fd, from, len, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(f, err, "cannot be written");
        from += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

static bool read_at(struct sink *s, void *bytes, size_t len, uint64_t at, struct err *err)
{
    struct sink_file *f = (struct sink_file *)s;
    char *to = bytes;

    while (len) {
        const ssize_t n = pread(f->fd, to, len, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(f, err, "cannot be read again");
        if (!n) {
            memset(to, 0, len);
            break;
        }
        to += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

/* The input with the same device and inode as ST, or NULL.  Standard input may be a file too. */
static const char *same_input(const struct profile *inputs, const struct stat *st)
{
    for (size_t i = 0; inputs && i < inputs->n_files; i++) {
        const char *path = inputs->files[i].path;
        struct stat input;

        if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &input) : stat(path, &input)) == 0 &&
            input.st_dev == st->st_dev && input.st_ino == st->st_ino)
            return strcmp(path, "-") == 0 ? "on standard input" : path;
    }
    if (inputs && inputs->checkpoint &&
        checkpoint_has_file(inputs->checkpoint, st->st_dev, st->st_ino))
        return "of the checkpoint";
    return NULL;
}

/* The ATTEMPT-th temporary name in the folder of the target. */
static char *temp_name(const struct sink_file *f, unsigned attempt)
{
    enum { MAX_BYTES = 200 }; /* file names have at most 255 */
    struct strbuf name = {0};

    sb_addf(&name, "%.*s.tfprof-%ld-%u", MAX_BYTES, f->target.name, (long)getpid(), attempt);
    return sb_take(&name);
}

/* Opens an unnamed file in the target's folder or, if the file system does not support that, a
 * temporary one. */
static bool open_hidden(struct sink_file *f, mode_t mode, struct err *err)
{
    const int folder = f->target.folder_fd;

    f->fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (f->fd >= 0)
        return true;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOSYS && errno != EINVAL)
        return fail(f, err, "cannot be written");
    for (unsigned attempt = 0; attempt < MAX_NAMES; attempt++) {
        f->temp = temp_name(f, attempt);
        f->fd = openat(folder, f->temp, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
        if (f->fd >= 0)
            return true;
        free(f->temp);
        f->temp = NULL;
        if (errno != EEXIST)
            break;
    }
    return fail(f, err, "cannot be written");
}

/* Runs when memory is exhausted: removes the temporary file. */
static void remove_temporary(void *arg)
{
    const struct sink_file *f = arg;

    if (f->temp)
        unlinkat(f->target.folder_fd, f->temp, 0);
}

/* Gives the new file the mode of the file that it replaces.  The sandbox forbids chmod(), but
 * allows creating a file with any mode; for that the umask is cleared for a moment.  No other
 * process can inherit it, because the sandbox allows none to start. */
static bool set_mode(struct sink_file *f, mode_t mode, struct err *err)
{
    mode_t mask;
    bool ok;

    if (fchmod(f->fd, mode) == 0)
        return true;
    if (errno != EPERM)
        return fail(f, err, "cannot be written");
    remove_temporary(f);
    free(f->temp);
    f->temp = NULL;
    close(f->fd);
    mask = umask(0);
    ok = open_hidden(f, mode, err);
    umask(mask);
    return ok;
}

/* Opens a file that is not regular, to be written in place.  Polls, because opening a pipe without
 * a reader fails or blocks. */
static bool open_direct(struct sink_file *f, struct err *err)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
                      (f->target.is_descriptor ? 0 : O_NOFOLLOW);
    struct stat st;

    f->direct = true;
    for (;;) {
        f->fd = openat(f->target.folder_fd, f->target.name, flags);
        if (f->fd >= 0 || errno != ENXIO || !S_ISFIFO(f->target.st.st_mode))
            break;
        if (is_stopped(f, err))
            return false;
        poll(NULL, 0, LOOK_MS);
    }
    if (f->fd < 0)
        return fail(f, err, "cannot be written");
    /* The name may refer to another file now. */
    return (fstat(f->fd, &st) == 0 && !S_ISREG(st.st_mode)) ||
           err_set(err, ERR_INPUT, "%s: cannot be written: it was replaced", f->path);
}

/* False with ERR when the existing file must not be replaced. */
static bool check_existing(struct sink_file *f, const struct profile *inputs, struct err *err)
{
    const struct stat *st = &f->target.st;
    const char *input = same_input(inputs, st);

    if (S_ISDIR(st->st_mode))
        return err_set(err, ERR_INPUT, "%s: cannot be written: it is a folder", f->path);
    if (!S_ISREG(st->st_mode))
        return true;
    if (input)
        return err_set(err, ERR_INPUT, "%s: not written: it is the input %s", f->path, input);
    if (!(st->st_mode & 0222) || faccessat(f->target.folder_fd, f->target.name, W_OK, 0) != 0)
        return err_set(err, ERR_INPUT, "%s: cannot be written: it is read-only", f->path);
    return true;
}

static bool open_target(struct sink_file *f, const struct profile *inputs, struct err *err)
{
    const struct stat *st = &f->target.st;
    const bool exists = f->target.exists;

    if (exists && !check_existing(f, inputs, err))
        return false;
    if (exists && !S_ISREG(st->st_mode)) {
        f->sink.write_at = NULL;
        return open_direct(f, err);
    }
    if (!open_hidden(f, 0666, err) || (exists && !set_mode(f, st->st_mode & 07777, err)))
        return false;
    /* A replaced file keeps its owner if chown() is allowed, which the sandbox forbids. */
    if (exists && fchown(f->fd, st->st_uid, st->st_gid) != 0)
        errno = 0;
    return true;
}

/* A set of files may exceed the limit of open files, so all share the folder descriptor of the
 * first one. */
static void share_folder(struct sink_file *f, const struct sink_file *first)
{
    struct stat ours, theirs;

    if (!first || fstat(f->target.folder_fd, &ours) != 0 ||
        fstat(first->target.folder_fd, &theirs) != 0 || ours.st_dev != theirs.st_dev ||
        ours.st_ino != theirs.st_ino)
        return;
    close(f->target.folder_fd);
    f->target.folder_fd = first->target.folder_fd;
    f->shares_folder = true;
}

bool sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                    struct err *err)
{
    *f = (struct sink_file){.sink = {write_bytes, write_at, read_at}, .fd = -1,
                            .cancel = request->cancel};
    if (!target_path_find(request->path, &f->target, err))
        return false;
    share_folder(f, request->first);
    f->path = xstrdup(request->path);
    hold_signals(&f->old_signals);
    f->buffer = xmalloc(BUFFER_BYTES);
    f->no_memory = (struct xalloc_hook){.run = remove_temporary, .arg = f};
    xalloc_hook_add(&f->no_memory);
    if (open_target(f, request->inputs, err))
        return true;
    sink_file_abandon(f);
    return false;
}

/* Links the unnamed file to a temporary name in the folder of the target; only a rename, not a
 * link, can replace an existing file. */
static bool name_hidden(struct sink_file *f, struct err *err)
{
    char from[64];

    snprintf(from, sizeof from, "/proc/self/fd/%d", f->fd);
    for (unsigned attempt = 0; attempt < MAX_NAMES; attempt++) {
        char *name = temp_name(f, attempt);

        if (linkat(AT_FDCWD, from, f->target.folder_fd, name, AT_SYMLINK_FOLLOW) == 0) {
            f->temp = name;
            return true;
        }
        free(name);
        if (errno != EEXIST)
            break;
    }
    return fail(f, err, "cannot be written");
}

static bool close_file(struct sink_file *f, struct err *err)
{
    const int fd = f->fd;

    f->fd = -1;
    free(f->buffer);
    f->buffer = NULL;
    return fd < 0 || close(fd) == 0 || errno == EINTR || fail(f, err, "cannot be written");
}

bool sink_file_finish(struct sink_file *f, struct err *err)
{
    if (f->failed || !flush(f, err))
        return false;
    if (f->direct)
        return true;
    if (fsync(f->fd) != 0 && errno != EINVAL && errno != EROFS)
        return fail(f, err, "cannot be written");
    if (!f->temp && !name_hidden(f, err))
        return false;
    /* A set of files may exceed the limit of open files. */
    return close_file(f, err);
}

bool sink_file_commit(struct sink_file *f, struct err *err)
{
    if (!f->direct) {
        const int folder = f->target.folder_fd;

        if (renameat(folder, f->temp, folder, f->target.name) != 0)
            return fail(f, err, "cannot be written");
        free(f->temp);
        f->temp = NULL;
    }
    if (!close_file(f, err))
        return false;
    sink_file_abandon(f);
    return true;
}

void sink_file_abandon(struct sink_file *f)
{
    if (!f->path)
        return;
    xalloc_hook_remove(&f->no_memory);
    remove_temporary(f);
    if (f->fd >= 0)
        close(f->fd);
    if (f->shares_folder)
        f->target.folder_fd = -1;
    target_path_done(&f->target);
    EACH(free, f->temp, f->path, f->buffer);
    f->path = NULL;
    pthread_sigmask(SIG_SETMASK, &f->old_signals, NULL);
}
