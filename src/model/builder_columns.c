/* builder_columns.c: node columns under construction, generated from NODE_COLUMNS. */
#include <string.h>

#include "base/xalloc.h"
#include "model/builder_priv.h"

/* ---- elements */

#define GET_DENSE(column, node) ((column).data[node])
#define SET_DENSE(column, node, value) ((column).data[node] = (value))

#define GET_FIXED GET_DENSE
#define SET_FIXED SET_DENSE

#define GET_LAST(column, node) ((node) < (column).n ? (column).data[node] : 0)
#define SET_LAST(column, node, value)                       \
    do {                                                    \
        if ((node) >= (column).n && (value) != 0)           \
            vec_resize_zero(&(column), (size_t)(node) + 1); \
        if ((node) < (column).n)                            \
            (column).data[node] = (value);                  \
    } while (0)

#define GET_FIRST GET_LAST
#define SET_FIRST(column, node, value)       \
    do {                                     \
        if (GET_LAST(column, node) == 0)     \
            SET_LAST(column, node, value);   \
    } while (0)

#define GETTER(member, type, kind, vector, ...)                      \
    type builder_get_##member(const struct builder *b, node_id node) \
    {                                                                \
        return GET_##vector(b->member, node);                        \
    }
NODE_COLUMNS(GETTER)

#define SETTER(member, type, vector)                                       \
    void builder_set_##member(struct builder *b, node_id node, type value) \
    {                                                                      \
        SET_##vector(b->member, node, value);                              \
    }
#define SETTER_FIXED(member, type)
#define SETTER_DENSE(member, type) SETTER(member, type, DENSE)
#define SETTER_LAST(member, type) SETTER(member, type, LAST)
#define SETTER_FIRST(member, type) SETTER(member, type, FIRST)
#define SETTER_OF(member, type, kind, vector, ...) SETTER_##vector(member, type)
NODE_COLUMNS(SETTER_OF)

/* ---- nodes and parts */

#define ADD_DENSE(column, type) vec_push(&(column), (type){0});
#define ADD_FIXED ADD_DENSE
#define ADD_LAST(column, type)
#define ADD_FIRST(column, type)

void builder_columns_add(struct builder *b, strid name, strid op)
{
    const node_id node = builder_n_nodes(b);

#define ADD(member, type, kind, vector, ...) ADD_##vector(b->member, type)
    NODE_COLUMNS(ADD)
    b->name.data[node] = name;
    b->op.data[node] = op;
}

void builder_columns_add_part(struct builder *b, const struct part_def *part)
{
    const node_id id = builder_n_nodes(b);

#define SET_SAME(member, vector) SET_##vector(b->member, id, builder_get_##member(b, part->node));
#define SET_OWN(member, vector) SET_##vector(b->member, id, part->member);
#define SET_NONE(member, vector)
#define ADD_PART(member, type, kind, vector, has, ...) \
    ADD_##vector(b->member, type) SET_##has(member, vector)
    NODE_COLUMNS(ADD_PART)
}

/* ---- whole columns */

void builder_columns_done(struct builder *b)
{
#define DONE(member, ...) vec_done(&b->member);
    NODE_COLUMNS(DONE)
}

void builder_columns_copy(struct builder *to, const struct builder *from)
{
#define COPY(member, ...) vec_copy(&to->member, &from->member);
    NODE_COLUMNS(COPY)
}

#define PACK_DENSE(b, member, n_ids) PACK_COLUMN(b, (b)->profile->member, member)
#define PACK_FIXED PACK_DENSE
/* Zero pages that are never written take no memory. */
#define PACK_LAST(b, member, n_ids)                                        \
    do {                                                                   \
        if ((b)->member.n)                                                 \
            vec_resize_zero(&(b)->member, n_ids);                          \
        else                                                               \
            (b)->member.data = xcalloc(n_ids, sizeof *(b)->member.data);   \
        (b)->member.n = (n_ids);                                           \
        PACK_DENSE(b, member, n_ids);                                      \
    } while (0)
#define PACK_FIRST PACK_LAST

void builder_columns_pack(struct builder *b)
{
    const size_t n_ids = b->name.n;

#define PACK(member, type, kind, vector, ...) PACK_##vector(b, member, n_ids);
    NODE_COLUMNS(PACK)
}
