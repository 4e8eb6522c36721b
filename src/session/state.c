/* state.c: persistent state of the screen and the prompt. */
#include "session/state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/sinks/sink_file.h"

/* First and last line of a state file; a file without both is truncated. */
static const char head[] = "tfprof state 1\n";
static const char tail[] = "end\n";

/* The folder that the variable NAME holds, else DEFAULT_PATH below the home folder. Relative paths
 * are ignored, as the XDG base directory specification requires. */
static char *xdg_dir(const char *name, const char *default_path)
{
    const char *dir = getenv(name), *home = getenv("HOME");
    struct strbuf sb = {0};

    if (dir && *dir == '/')
        sb_addf(&sb, "%s/tfprof", dir);
    else if (home && *home == '/')
        sb_addf(&sb, "%s/%s/tfprof", home, default_path);
    else
        return NULL;
    return sb_take(&sb);
}

char *state_dir(void)
{
    return xdg_dir("XDG_STATE_HOME", ".local/state");
}

char *config_dir(void)
{
    return xdg_dir("XDG_CONFIG_HOME", ".config");
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    /* FNV-1a over the bytes and the NUL, which separates names. */
    do {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    } while (*text++);
    return hash;
}

void state_name(struct strbuf *sb, const char *const *files, size_t n_files)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < n_files; i++) {
        char *real = realpath(files[i], NULL);

        if (!real && errno == ENOMEM)
            xalloc_fail(); /* another name would hide existing notes */
        hash = hash_text(hash, real ? real : files[i]);
        free(real);
    }
    sb_addf(sb, "profile-%016" PRIx64, hash);
}

void state_name_for_command(struct strbuf *sb, const struct command_line *cl)
{
    const struct options *o = &cl->options;
    const char *named[] = {o->graph_path, o->run_meta_path, o->op_log_path, o->checkpoint_path,
                           o->profile_path};
    struct words all = {0};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            words_add(&all, named[i]);
    for (size_t i = 0; i < cl->files.n; i++)
        words_add(&all, cl->files.items[i]);
    state_name(sb, (const char *const *)all.items, all.n);
    words_done(&all);
}

char *state_path(const char *dir, const char *name)
{
    struct strbuf sb = {0};

    if (!dir)
        return NULL;
    sb_addf(&sb, "%s/%s", dir, name);
    return sb_take(&sb);
}

/* Appends the contents of FD, at most STATE_BYTES_MAX + 1 bytes. */
static bool read_all(int fd, struct strbuf *sb)
{
    char bytes[8192];
    ssize_t n;

    while (sb->len <= STATE_BYTES_MAX && (n = read(fd, bytes, sizeof bytes)) != 0) {
        if (n < 0)
            return false;
        sb_add(sb, bytes, (size_t)n);
    }
    return true;
}

/* Opens or creates a file of lines; refuses pipes and devices, which may block. */
static int open_lines(const char *path)
{
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* Reads the file PATH; false if it does not exist or, with a note, cannot be read. */
static bool read_file(const char *path, struct strbuf *sb, struct notes *notes)
{
    struct err err = {0};
    struct stat st;
    int fd = open_input(path, INPUT_REGULAR, &st, &err);
    bool ok = fd >= 0 && read_all(fd, sb);

    if (fd >= 0 && !ok)
        err_set(&err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (!ok && errno != ENOENT)
        note_add(notes, "%s: starting with empty state", err_text(&err));
    err_done(&err);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool state_read_raw(const char *path, struct strbuf *sb, struct notes *notes)
{
    if (!read_file(path, sb, notes))
        return false;
    if (sb->len > STATE_BYTES_MAX)
        note_add(notes, "%s: larger than %d bytes", path, STATE_BYTES_MAX);
    else if (memchr(sb_text(sb), '\0', sb->len))
        note_add(notes, "%s: no text: it contains NUL", path);
    else
        return true;
    return false;
}

static bool is_whole(const struct strbuf *sb)
{
    const size_t n_head = sizeof head - 1, n_tail = sizeof tail - 1;

    return sb->len >= n_head + n_tail && sb->len <= STATE_BYTES_MAX &&
           !memcmp(sb->data, head, n_head) && sb->data[sb->len - n_tail - 1] == '\n' &&
           !memcmp(sb->data + sb->len - n_tail, tail, n_tail) && !memchr(sb->data, '\0', sb->len);
}

bool state_load(const char *dir, const char *name, struct strbuf *lines, struct notes *notes)
{
    char *path = state_path(dir, name);
    struct strbuf sb = {0};
    bool ok = path && read_file(path, &sb, notes);

    if (ok && !is_whole(&sb)) {
        note_add(notes, "%s: damaged, starting with empty state", path);
        ok = false;
    }
    if (ok)
        sb_add(lines, sb.data + sizeof head - 1, sb.len - (sizeof head - 1) - (sizeof tail - 1));
    sb_done(&sb);
    free(path);
    return ok;
}

bool state_make_dir(const char *path)
{
    char *copy = xstrdup(path);
    bool ok = true;

    for (char *slash = copy + 1; ok && (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        ok = mkdir(copy, 0700) == 0 || errno == EEXIST;
    }
    ok = ok && (mkdir(copy, 0700) == 0 || errno == EEXIST);
    free(copy);
    return ok;
}

static bool write_file(const char *path, const struct strbuf *text, struct notes *notes)
{
    struct sink_file file;
    struct err err = {0};
    bool ok = sink_file_open(&file, &(struct sink_file_request){.path = path}, &err);

    if (ok) {
        ok = file.sink.write(&file.sink, text->data, text->len, &err) &&
             sink_file_finish(&file, &err) && sink_file_commit(&file, &err);
        sink_file_abandon(&file);
    }
    if (!ok)
        note_add(notes, "state is not saved: %s", err_text(&err));
    err_done(&err);
    return ok;
}

/* Writes BEFORE, TEXT and the tail as the file NAME. */
static bool save(const char *dir, const char *name, const char *before, const char *text,
                 size_t len, const char *behind, struct notes *notes)
{
    struct strbuf sb = {0};
    char *path;
    bool ok;

    if (!dir)
        return false;
    if (!state_make_dir(dir)) {
        note_add(notes, "state is not saved: %s: %s", dir, strerror(errno));
        return false;
    }
    path = state_path(dir, name);
    sb_adds(&sb, before);
    sb_add(&sb, text, len);
    sb_adds(&sb, behind);
    ok = write_file(path, &sb, notes);
    sb_done(&sb);
    free(path);
    return ok;
}

bool state_save(const char *dir, const char *name, const char *lines, size_t len,
                struct notes *notes)
{
    return save(dir, name, head, lines, len, tail, notes);
}

bool state_save_raw(const char *dir, const char *name, const char *text, size_t len,
                    struct notes *notes)
{
    return save(dir, name, "", text, len, "", notes);
}

/* ---- history */

void history_done(struct history *h)
{
    for (size_t i = 0; i < h->lines.n; i++)
        free(h->lines.data[i]);
    vec_done(&h->lines);
}

/* Keeps the last HISTORY_MAX lines. */
static void cut(struct history *h)
{
    size_t extra = h->lines.n > HISTORY_MAX ? h->lines.n - HISTORY_MAX : 0;

    for (size_t i = 0; i < extra; i++)
        free(h->lines.data[i]);
    if (extra)
        memmove(h->lines.data, h->lines.data + extra, HISTORY_MAX * sizeof *h->lines.data);
    h->lines.n -= extra;
}

/* Adds the lines of TEXT, except those with control characters. */
static void add_lines(struct history *h, const char *text, size_t len)
{
    while (len) {
        const char *end = memchr(text, '\n', len);
        size_t n = end ? (size_t)(end - text) : len;

        if (n && utf8_is_plain(text, n))
            vec_push(&h->lines, xmemdupz(text, n));
        n += end != NULL;
        text += n;
        len -= n;
    }
    cut(h);
}

void history_load(struct history *h, const char *dir, const char *name, struct notes *notes)
{
    char *path = state_path(dir, name);
    struct strbuf sb = {0};

    if (path && read_file(path, &sb, notes))
        add_lines(h, sb_text(&sb), sb.len);
    sb_done(&sb);
    free(path);
}

/* Locks FD exclusively; false if another program holds the lock for 200 ms. */
static bool lock(int fd)
{
    const struct timespec wait = {.tv_nsec = 5000000};

    for (int i = 0; i < 40; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return false;
        nanosleep(&wait, NULL);
    }
    return false;
}

static bool is_file_at(int fd, const char *path)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

/* Opens and locks the file at PATH; retries if another program replaced the file meanwhile. */
static int open_locked(const char *path, bool *locked)
{
    int fd = open_lines(path);

    *locked = fd >= 0 && lock(fd);
    while (*locked && !is_file_at(fd, path)) {
        close(fd);
        fd = open_lines(path);
        *locked = fd >= 0 && lock(fd);
    }
    return fd;
}

/* Appends LINE to the file of SIZE bytes, on its own line and atomically. */
static bool write_line(int fd, off_t size, const char *line)
{
    struct strbuf sb = {0};
    char last = '\n';
    bool ok;

    /* A killed program may have left an incomplete line. */
    if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
        sb_addc(&sb, '\n');
    sb_addf(&sb, "%s\n", line);
    ok = write(fd, sb.data, sb.len) == (ssize_t)sb.len;
    if (!ok && ftruncate(fd, size) != 0) {
        /* The incomplete line stays; the next writer starts a new line. */
    }
    sb_done(&sb);
    return ok;
}

/* Replaces the file by the newer half of its lines, including those of other programs, and LINE. */
static void rewrite_newer_half(int fd, const char *path, const char *line, struct notes *notes)
{
    struct strbuf sb = {0};
    struct history kept = {0};

    if (lseek(fd, 0, SEEK_SET) != 0 || !read_all(fd, &sb))
        sb_clear(&sb);
    add_lines(&kept, sb_text(&sb), sb.len);
    sb_clear(&sb);
    for (size_t i = kept.lines.n / 2; i < kept.lines.n; i++)
        sb_addf(&sb, "%s\n", kept.lines.data[i]);
    sb_addf(&sb, "%s\n", line);
    write_file(path, &sb, notes);
    sb_done(&sb);
    history_done(&kept);
}

/* Appends LINE to the file. A file at its size limit is rewritten under the lock, so that no line
 * of another program is lost. */
static void append_line(const char *path, const char *line, struct notes *notes)
{
    bool locked;
    int fd = open_locked(path, &locked);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;

    if (locked && size > STATE_BYTES_MAX / 2)
        rewrite_newer_half(fd, path, line, notes);
    else if (size < 0 || !write_line(fd, size, line))
        note_add(notes, "%s: the history is not saved (%s)", path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

void history_add(struct history *h, const char *line, const char *dir, const char *name,
                 struct notes *notes)
{
    size_t len = strlen(line);
    char *path;

    if (!len || len > STATE_BYTES_MAX / 4 || !utf8_is_plain(line, len) ||
        (h->lines.n && !strcmp(h->lines.data[h->lines.n - 1], line)))
        return;
    vec_push(&h->lines, xmemdupz(line, len));
    cut(h);
    if (!dir)
        return;
    path = state_path(dir, name);
    if (state_make_dir(dir))
        append_line(path, line, notes);
    else
        note_add(notes, "%s: the history is not saved (%s)", path, strerror(errno));
    free(path);
}
