/* sink_file.c: files that are written whole or not at all: a nameless file in
 * the same folder, fsync, then a rename. */
#include "export/sink_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/signals.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint.h"

enum { BUFFER_BYTES = 1 << 16 };

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

static bool write_all(struct sink_file *f, const char *bytes, size_t len, struct err *err)
{
    for (size_t done = 0; done < len;) {
        ssize_t n;

        if (signal_waits()) {
            f->failed = true;
            return err_set(err, ERR_CANCELLED, "%s: not written", f->path);
        }
        n = write(f->fd, bytes + done, len - done);
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

    if (len >= BUFFER_BYTES) /* a copy would gather nothing */
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

/* The input that is the file of ST, or NULL.  Standard input may be a file
 * too. */
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

/* A file in FOLDER without a name, or where the file system has none such, a
 * temporary one. */
static bool open_hidden(struct sink_file *f, const char *folder, struct err *err)
{
    f->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (f->fd >= 0)
        return true;
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOSYS || errno == EINVAL) {
        struct strbuf name = {0};
        mode_t mask = umask(0);

        umask(mask);
        sb_addf(&name, "%s/.tfprof-XXXXXX", folder);
        f->temp = sb_take(&name);
        f->fd = mkostemp(f->temp, O_CLOEXEC);
        if (f->fd >= 0)
            return fchmod(f->fd, 0666 & ~mask) == 0 || fail(f, err, "cannot be written");
        free(f->temp);
        f->temp = NULL;
    }
    return fail(f, err, "cannot be written");
}

/* The file exists: is it ours to replace?  Fills fd where it is no regular
 * file and so is written in place. */
static bool open_existing(struct sink_file *f, const struct stat *st,
                          const struct profile *inputs, struct err *err)
{
    const char *input = same_input(inputs, st);

    if (S_ISDIR(st->st_mode))
        return err_set(err, ERR_INPUT, "%s: cannot be written: it is a folder", f->path);
    if (!S_ISREG(st->st_mode)) {
        f->direct = true;
        f->fd = open(f->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return f->fd >= 0 || fail(f, err, "cannot be written");
    }
    if (input)
        return err_set(err, ERR_INPUT, "%s: not written: it is the input %s", f->path, input);
    if (!(st->st_mode & 0222) || access(f->target, W_OK) != 0)
        return err_set(err, ERR_INPUT, "%s: cannot be written: it is read-only", f->path);
    return true;
}

static bool open_target(struct sink_file *f, const struct profile *inputs, struct err *err)
{
    struct stat st;
    const bool exists = stat(f->target, &st) == 0;
    char *folder_of, *folder;
    bool ok;

    if (exists && !open_existing(f, &st, inputs, err))
        return false;
    if (f->direct)
        return true;
    folder_of = xstrdup(f->target);
    folder = dirname(folder_of);
    ok = open_hidden(f, folder, err);
    if (ok && exists && fchmod(f->fd, st.st_mode & 07777) != 0)
        ok = fail(f, err, "cannot be written");
    /* Another owner's file becomes ours unless we may give it back. */
    if (ok && exists && fchown(f->fd, st.st_uid, st.st_gid) != 0)
        errno = 0;
    free(folder_of);
    return ok;
}

/* Memory is out: a file that has a temporary name does not stay. */
static void remove_temporary(void *arg)
{
    const struct sink_file *f = arg;

    if (f->temp)
        unlink(f->temp);
}

bool sink_file_open(struct sink_file *f, const char *path, const struct profile *inputs,
                    struct err *err)
{
    char *real = realpath(path, NULL);

    *f = (struct sink_file){.sink = {.write = write_bytes}, .fd = -1};
    f->path = xstrdup(path);
    f->target = xstrdup(real ? real : path);
    free(real);
    hold_signals(&f->old_signals);
    f->buffer = xmalloc(BUFFER_BYTES);
    f->no_memory = (struct xalloc_hook){.run = remove_temporary, .arg = f};
    xalloc_hook_add(&f->no_memory);
    if (open_target(f, inputs, err))
        return true;
    sink_file_abandon(f);
    return false;
}

/* Gives the nameless file a temporary name beside the target, since a link
 * cannot replace a file that is there and a rename can. */
static bool name_hidden(struct sink_file *f, struct err *err)
{
    char from[64];

    snprintf(from, sizeof from, "/proc/self/fd/%d", f->fd);
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        struct strbuf name = {0};

        sb_addf(&name, "%s.tfprof-%ld-%u", f->target, (long)getpid(), attempt);
        if (linkat(AT_FDCWD, from, AT_FDCWD, sb_text(&name), AT_SYMLINK_FOLLOW) == 0) {
            f->temp = sb_take(&name);
            return true;
        }
        sb_done(&name);
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
    /* A set of files may be larger than the number of open ones. */
    return close_file(f, err);
}

bool sink_file_commit(struct sink_file *f, struct err *err)
{
    if (!f->direct) {
        if (rename(f->temp, f->target) != 0)
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
    if (f->temp)
        unlink(f->temp);
    if (f->fd >= 0)
        close(f->fd);
    free(f->temp);
    free(f->target);
    free(f->path);
    free(f->buffer);
    f->path = NULL;
    pthread_sigmask(SIG_SETMASK, &f->old_signals, NULL);
}
