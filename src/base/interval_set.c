/* interval_set.c: a union of intervals. */
#include "base/interval_set.h"

#include "base/lower_bound.h"

static int64_t before(const interval_set *set, int64_t at_ps)
{
    const struct interval *last;
    size_t at = 0;

    LOWER_BOUND(at, set->n, i, set->data[i].start_ps < at_ps);
    if (!at)
        return 0;
    last = &set->data[at - 1];
    return clamp_add(last->before_ps,
                     clamp_sub(at_ps < last->end_ps ? at_ps : last->end_ps, last->start_ps));
}

int64_t interval_set_within(const interval_set *set, int64_t start_ps, int64_t end_ps)
{
    return clamp_sub(before(set, end_ps), before(set, start_ps));
}
