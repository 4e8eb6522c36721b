/* target_path.c: resolves the path of an output file. */
#include "export/sinks/sink_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

enum { MAX_LINKS = 40, FOLDER_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC };

struct walk {
    const char *path;  /* as given, for messages */
    int folder_fd;
    char *rest;        /* heap; the components to resolve */
    unsigned n_links;
};

static bool fail(const struct walk *w, struct err *err, const char *why)
{
    return err_set(err, ERR_INPUT, "%s: cannot be written: %s", w->path, why);
}

/* Continues at FD; false when it is -1. */
static bool enter(struct walk *w, int fd, struct err *err)
{
    if (fd < 0)
        return fail(w, err, strerror(errno));
    close(w->folder_fd);
    w->folder_fd = fd;
    return true;
}

static bool may_follow(const struct walk *w, const struct stat *link)
{
    const mode_t open_to_all = S_ISVTX | S_IWOTH;
    struct stat folder;

    return fstat(w->folder_fd, &folder) == 0 &&
           ((folder.st_mode & open_to_all) != open_to_all || link->st_uid == geteuid() ||
            link->st_uid == folder.st_uid);
}

/* True for links in /proc/self/fd to open files that are neither regular nor folders. */
static bool is_open_file(const struct walk *w, const char *name, struct stat *st)
{
    struct statfs fs;

    return fstatfs(w->folder_fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC &&
           fstatat(w->folder_fd, name, st, 0) == 0 && !S_ISREG(st->st_mode) &&
           !S_ISDIR(st->st_mode);
}

/* Inserts the target of the link NAME before the rest. */
static bool follow(struct walk *w, const char *name, const struct stat *link, struct err *err)
{
    char text[PATH_MAX];
    const ssize_t n = readlinkat(w->folder_fd, name, text, sizeof text);
    struct strbuf rest = {0};

    if (!may_follow(w, link))
        return fail(w, err, "a link of another user in a world-writable folder is not followed");
    if (n < 0 || n == sizeof text)
        return fail(w, err, strerror(n < 0 ? errno : ENAMETOOLONG));
    if (++w->n_links > MAX_LINKS)
        return fail(w, err, strerror(ELOOP));
    sb_add(&rest, text, (size_t)n);
    sb_addf(&rest, "/%s", w->rest);
    /* A trailing slash would require a folder. */
    if (!*w->rest)
        sb_truncate(&rest, rest.len - 1);
    free(w->rest);
    w->rest = sb_take(&rest);
    return w->rest[0] != '/' || enter(w, open("/", FOLDER_FLAGS), err);
}

/* Removes the first component of the rest; heap, NULL: none. */
static char *next_name(struct walk *w)
{
    const size_t begin = strspn(w->rest, "/");
    const size_t len = strcspn(w->rest + begin, "/");
    char *name = len ? xmemdupz(w->rest + begin, len) : NULL;

    memmove(w->rest, w->rest + begin + len, strlen(w->rest + begin + len) + 1);
    return name;
}

/* Resolves one component. *AT_END: it was the last one; T is then complete except for its
 * folder. */
static bool step(struct walk *w, const char *name, struct target_path *t, bool *at_end,
                 struct err *err)
{
    const bool is_last = *w->rest == '\0'; /* a component before a slash must be a folder */
    const bool exists = fstatat(w->folder_fd, name, &t->st, AT_SYMLINK_NOFOLLOW) == 0;
    const bool is_link = exists && S_ISLNK(t->st.st_mode);

    if (!exists && (errno != ENOENT || !is_last))
        return fail(w, err, strerror(errno));
    t->is_descriptor = is_link && is_last && is_open_file(w, name, &t->st);
    if (is_link && !t->is_descriptor)
        return follow(w, name, &t->st, err);
    *at_end = is_last;
    t->exists = exists;
    return is_last || enter(w, openat(w->folder_fd, name, FOLDER_FLAGS | O_NOFOLLOW), err);
}

bool target_path_find(const char *path, struct target_path *t, struct err *err)
{
    struct walk w = {.path = path, .rest = xstrdup(path)};
    bool at_end = false, ok = true;

    *t = (struct target_path){.folder_fd = -1};
    w.folder_fd = open(*path == '/' ? "/" : ".", FOLDER_FLAGS);
    if (w.folder_fd < 0)
        ok = fail(&w, err, strerror(errno));
    while (ok && !at_end) {
        char *name = next_name(&w);

        free(t->name);
        t->name = name ? name : xstrdup(".");
        ok = step(&w, t->name, t, &at_end, err);
    }
    free(w.rest);
    t->folder_fd = w.folder_fd;
    if (!ok)
        target_path_done(t);
    return ok;
}

void target_path_done(struct target_path *t)
{
    if (t->folder_fd >= 0)
        close(t->folder_fd);
    free(t->name);
    *t = (struct target_path){.folder_fd = -1};
}
