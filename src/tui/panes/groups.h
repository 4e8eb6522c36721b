/* groups.h: what is below each row: its operations by type, and the one that
 * costs most.  Made once for a result so that a row is looked up, not summed. */
#ifndef TFPROF_TUI_GROUPS_H
#define TFPROF_TUI_GROUPS_H

#include "render/row_facts.h"

struct op_share {
    strid op;
    uint32_t n;     /* accounted operations of that type */
    int64_t figure; /* their sum */
};

/* What row_types() and row_devices() say of a row. */
struct row_kinds {
    row_id row;
    text_list types, devices;
};

/* Rows with more nodes of their own than this are looked through once. */
enum { GROUPS_MANY = 4096 };

struct groups;

/* Of the tree of R (given), by METRIC (METRIC_COUNT: none), with one reference;
 * NULL when cancelled.  What BEFORE (may be NULL) knows of that tree is taken
 * from there. */
struct groups *groups_new(struct result *r, enum metric_id metric, const struct groups *before,
                          struct cancel_mark cancel);
struct groups *groups_ref(struct groups *g); /* NULL gives NULL */
void groups_unref(struct groups *g);         /* NULL is fine */
/* True when G is right for R and METRIC, too. */
bool groups_fit(const struct groups *g, struct result *r, enum metric_id metric);

/* Of ROW's members (of all below it when it has none) the node with the largest
 * figure; NODE_NONE when there is none. */
node_id groups_costliest(const struct groups *g, row_id row);
/* Of a row of a view of many nodes with more than GROUPS_MANY of its own; NULL
 * for others. */
const struct row_kinds *groups_kinds(const struct groups *g, row_id row);
/* The accounted operations at and below ROW by type, costliest first; *N of
 * them, which the caller frees. */
struct op_share *groups_ops(const struct groups *g, row_id row, size_t *n);

#endif
