/* bind.c: parses the shapes of -bind. */
#include "shapes/shape_graph.h"

#include <string.h>

#include "base/satmath.h"

/* Sizes separated by x; an empty text is a scalar. */
static bool read_shape(const char *text, size_t len, struct arena *arena, const struct dims **s)
{
    int64_t d[DIMS_MAX_RANK];
    size_t rank = 0, at = 0;

    while (at < len) {
        if (rank == DIMS_MAX_RANK)
            return false;
        d[rank] = 0;
        if (text[at] == '?') {
            d[rank] = DIM_UNKNOWN;
            at++;
        } else {
            size_t start = at;

            for (; at < len && text[at] >= '0' && text[at] <= '9'; at++) {
                if (!append_digit(&d[rank], text[at]))
                    return false;
            }
            if (at == start)
                return false;
        }
        rank++;
        if (at < len && (text[at] != 'x' || ++at == len))
            return false;
    }
    *s = dims_new(arena, rank, d);
    return true;
}

bool bind_parse(const struct profile *p, const char *text, struct arena *arena,
                const struct shape_binding **bindings, size_t *n, struct err *err)
{
    struct shape_binding *list;
    size_t max = 1;

    *n = 0;
    *bindings = NULL;
    for (const char *at = text; at && *at; at++)
        max += *at == ',';
    list = ARENA_NEW(arena, struct shape_binding, max);
    for (const char *at = text; at && *at;) {
        size_t len = strcspn(at, ",");
        const char *equals = memrchr(at, '=', len);
        struct shape_binding *b = &list[*n];

        if (len > 0) {
            if (!equals || equals == at ||
                !read_shape(equals + 1, (size_t)(at + len - equals) - 1, arena, &b->shape))
                return err_set(err, ERR_USAGE, "-bind: '%.*s' is not NODE=2x3x?", (int)len, at);
            b->node = profile_find(p, at, (size_t)(equals - at));
            if (b->node == NODE_NONE)
                return err_set(err, ERR_USAGE, "-bind: there is no node '%.*s'",
                               (int)(equals - at), at);
            ++*n;
        }
        at += len + (at[len] == ',');
    }
    *bindings = list;
    return true;
}
