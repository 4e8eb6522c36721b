/* result_priv.h: what a result keeps for itself; private to view/. */
#ifndef TFPROF_VIEW_RESULT_PRIV_H
#define TFPROF_VIEW_RESULT_PRIV_H

#include "base/vec.h"
#include "base/xalloc.h"
#include "view/steps.h"

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
    const struct comparison *comparison; /* NULL: none of profiles */
    struct node_figures nodes[FIGURE_SETS];
    struct column_pool *pool; /* alive as long as the columns are */
    bool may_be_negative;
    struct arena arena; /* lists of children */
    VEC(struct child_list) children;
    struct column *children_of; /* uint32_t by row: 0, or which list of children, from 1 on */
    struct child_scratch scratch;
};

/* A result of RUN's columns, which it takes references to. */
struct result *result_new(const struct query_run *run, enum view_id view_id);

#endif
