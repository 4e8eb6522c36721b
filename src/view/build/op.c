/* op.c: the op view: one row per operation type (semantics.md section 4.3). The order of the rows
 * depends on the options; list.c sorts them. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "view/build/builders.h"

struct op_name {
    struct text text;
    strid op;
};

COMPARE_CHAIN(by_text, struct op_name, THEN(text_compare(a->text, b->text)))

/* The distinct operation types in name order; the caller frees the array. */
static struct op_name *distinct_ops(const struct profile *p, uint32_t *n)
{
    uint8_t *seen = xcalloc(p->strings.n, 1);
    struct op_name *ops = NULL;
    uint32_t count = 0;

    for (node_id node = 0; node < profile_n_ids(p); node++) {
        count += !seen[p->op[node]];
        seen[p->op[node]] = 1;
    }
    ops = xreallocarray(NULL, count, sizeof *ops);
    *n = 0;
    for (strid op = 0; op < p->strings.n && *n < count; op++)
        if (seen[op])
            ops[(*n)++] = (struct op_name){intern_string(&p->strings, op), op};
    free(seen);
    qsort(ops, count, sizeof *ops, by_text);
    return ops;
}

struct tree *op_build(const struct tree_request *request, struct err *err UNUSED)
{
    const struct profile *p = request->profile;
    struct tree *t = tree_new(p);
    uint32_t n;
    struct op_name *ops = distinct_ops(p, &n);
    row_id *row_of_id, *row_of_op = xreallocarray(NULL, p->strings.n, sizeof *row_of_op);

    t->n_rows = n + 1;
    t->parent = arena_calloc(&t->arena, t->n_rows, sizeof *t->parent);
    t->end = ARENA_NEW(&t->arena, row_id, t->n_rows);
    t->depth = ARENA_NEW(&t->arena, uint32_t, t->n_rows);
    t->name = ARENA_NEW(&t->arena, strid, t->n_rows);
    t->own = ARENA_NEW(&t->arena, struct text, 1);
    t->own[0] = (struct text){ROOT_NAME, sizeof ROOT_NAME - 1};
    t->n_own = 1;
    t->parent[0] = ROW_NONE;
    for (row_id row = 0; row <= n; row++) {
        t->end[row] = row ? row + 1 : t->n_rows;
        t->depth[row] = row > 0;
        t->name[row] = row ? ops[row - 1].op : t->n_base;
        if (row)
            row_of_op[ops[row - 1].op] = row;
    }
    t->row_of_node = row_of_id = ARENA_NEW(&t->arena, row_id, profile_n_ids(p));
    for (node_id node = 0; node < profile_n_ids(p); node++)
        row_of_id[node] = row_of_op[p->op[node]];
    if (p->n_parts) {
        t->row_of_node = ARENA_NEW(&t->arena, row_id, p->n_nodes);
        tree_fill_part_members(t, row_of_id);
    } else {
        tree_fill_members(t);
    }
    tree_mark_names(t);
    EACH(free, ops, row_of_op);
    return t;
}
