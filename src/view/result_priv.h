/* result_priv.h: private part of a result; private to view/. */
#pragma once

#include "base/vec.h"
#include "view/stages.h"

struct child_list {
    const row_id *rows;
    uint32_t n;
};

struct child_scratch {
    VEC(row_id) rows;
    VEC(struct sort_key) keys;
};

struct result_priv {
    struct columns c;
    const struct comparison *comparison; /* comparison of two profiles; NULL: none */
    struct node_figures nodes[FIGURE_SETS];
    struct column_pool *pool; /* lives as long as the columns */
    bool may_be_negative;
    struct arena arena; /* memory for lists of children */
    VEC(struct child_list) children;
    uint64_t *has_list; /* bits by row: its children are listed; touched where rows are read */
    struct column *children_of; /* uint32_t by row: index of its list of children, if it has one */
    struct child_scratch scratch;
};

/* A result that references the columns of RUN. */
struct result *result_new(const struct query_run *run, enum view_id view_id);
