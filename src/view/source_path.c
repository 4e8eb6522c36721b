/* source_path.c: maps source paths to local paths (-source_map). */
#include "view/source_path.h"

#include <string.h>

#include "base/regex/regexes.h"

struct lookup {
    const char *path;
    size_t path_len;
    struct strbuf *found;
    bool done;
};

/* A comma in a path is escaped by a backslash, as in all lists. */
static void try_pair(const char *pair, size_t len, size_t offset UNUSED, void *arg)
{
    struct lookup *l = arg;
    const char *equals = strchr(pair, '=');
    const size_t from_len = equals ? (size_t)(equals - pair) : 0;

    if (l->done || !equals || from_len > l->path_len || memcmp(l->path, pair, from_len) != 0)
        return;
    sb_add(l->found, equals + 1, len - from_len - 1);
    sb_add(l->found, l->path + from_len, l->path_len - from_len);
    l->done = true;
}

void source_path(struct strbuf *sb, const char *map, const struct profile *p,
                 const struct frame *frame)
{
    struct lookup l = {profile_text(p, frame->file), intern_len(&p->strings, frame->file), sb,
                       false};

    if (map)
        regexes_split(map, try_pair, &l);
    if (!l.done)
        sb_add(sb, l.path, l.path_len);
}
