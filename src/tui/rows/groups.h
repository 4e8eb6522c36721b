/* groups.h: operations by type below each row, and the most expensive one. Computed once for a
 * result, so that a query is a look-up. */
#pragma once

#include "render/row_facts.h"

struct op_share {
    strid op;
    uint32_t n;     /* number of accounted operations of that type */
    int64_t figure; /* sum of their figures */
};

/* Results of row_types() and row_devices() for a row. */
struct row_kinds {
    row_id row;
    text_list types, devices;
};

/* Types and devices of rows with more own nodes than this are computed in advance. */
enum { GROUPS_MANY = 4096 };

struct groups;

/* Groups of the tree of R (given) by METRIC (METRIC_COUNT: none), with one reference; NULL if
 * cancelled. Shares what BEFORE (may be NULL) has of that tree. */
struct groups *groups_new(struct result *r, enum metric_id metric, const struct groups *before,
                          struct cancel_mark cancel);
struct groups *groups_ref(struct groups *g); /* NULL returns NULL */
void groups_unref(struct groups *g);         /* NULL is fine */
/* True when G is also valid for R and METRIC. */
bool groups_fit(const struct groups *g, struct result *r, enum metric_id metric);

/* The most expensive of ROW's members (without members, of all below it); NODE_NONE: none. */
node_id groups_costliest(const struct groups *g, row_id row);
/* Types and devices of a row with more than GROUPS_MANY own nodes; NULL for other rows. */
const struct row_kinds *groups_kinds(const struct groups *g, row_id row);
/* The accounted operations at and below ROW by type, most expensive first. Sets *N; the caller
 * frees the array. */
struct op_share *groups_ops(const struct groups *g, row_id row, size_t *n);
