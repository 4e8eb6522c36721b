/* naive_query.h: the views once more, written as slowly and plainly as
 * semantics.md section 4 says them: recursion, visited sets, no caches.  The
 * pipeline is compared with it. */
#ifndef TFPROF_TESTS_NAIVE_QUERY_H
#define TFPROF_TESTS_NAIVE_QUERY_H

#include "base/strbuf.h"
#include "model/profile.h"
#include "opt/options.h"

/* One line for every displayed row in display order: depth, name, accounted,
 * number of accounted nodes, self and total of every metric, definition
 * count, hidden nodes.  The op view's root is left out. */
void naive_query(struct strbuf *out, const struct profile *p, enum view_id view,
                 const struct options *o);
/* The same line for figures from elsewhere. */
struct naive_line {
    int depth;
    const char *name;
    size_t name_len;
    int accounted;
    long own;
    int64_t self[METRIC_COUNT], total[METRIC_COUNT];
    int64_t defs, hidden;
};
void naive_print(struct strbuf *out, const struct naive_line *line);

#endif
