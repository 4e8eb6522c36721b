/* file_stamps.c: detects changed files. */
#include "tui/file_stamps.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static struct file_stamp stamp_of(char *path)
{
    struct file_stamp stamp = {.path = path, .is_stream = strcmp(path, "-") == 0};
    struct stat st;

    if (stamp.is_stream || stat(path, &st) != 0)
        return stamp;
    stamp.is_there = true;
    stamp.is_stream = !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    stamp.dev = st.st_dev;
    stamp.inode = st.st_ino;
    stamp.size_bytes = st.st_size;
    stamp.changed_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    return stamp;
}

static bool same_stamp(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->is_there == b->is_there && a->is_stream == b->is_stream && a->dev == b->dev && a->inode == b->inode &&
           a->size_bytes == b->size_bytes && a->changed_ns == b->changed_ns;
}

void file_stamps_add(struct file_stamps *s, const char *path)
{
    for (size_t i = 0; i < s->list.n; i++)
        if (strcmp(s->list.data[i].path, path) == 0)
            return;
    vec_push(&s->list, stamp_of(xstrdup(path)));
}

void file_stamps_copy(struct file_stamps *to, const struct file_stamps *from)
{
    for (size_t i = 0; i < from->list.n; i++) {
        struct file_stamp stamp = from->list.data[i];

        stamp.path = xstrdup(stamp.path);
        vec_push(&to->list, stamp);
    }
}

const char *file_stamps_changed(const struct file_stamps *s)
{
    for (size_t i = 0; i < s->list.n; i++) {
        const struct file_stamp now = stamp_of(s->list.data[i].path);

        if (!s->list.data[i].is_stream && !same_stamp(&now, &s->list.data[i]))
            return now.path;
    }
    return NULL;
}

const char *file_stamps_stream(const struct file_stamps *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.data[i].is_stream)
            return s->list.data[i].path;
    return NULL;
}

void file_stamps_done(struct file_stamps *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        free(s->list.data[i].path);
    vec_done(&s->list);
}
