/* advise_trace_memory.c: memory that steps of a trace allocate and never free (formats-trace.md
 * section 7). */
#include <stdlib.h>

#include "activity/memory_steps.h"
#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/advise/advise_places.h"

/* Minimum number of steps. The last step is ignored, since its memory may be freed after the end of
 * the trace. */
enum { STEPS_LEAST = 3 };

COMPARE_VALUES(by_number, int64_t)

/* Number of steps in R; *LAST is the highest step number. */
static size_t count_steps(const struct recorder *r, int64_t *last)
{
    int64_t *steps = xreallocarray(NULL, (size_t)r->n_steps + 1, sizeof *steps);
    size_t n = 0;

    *last = 0;
    for (uint32_t i = 0; i < r->n_steps; i++)
        steps[i] = r->steps[i].step;
    if (r->n_steps) {
        qsort(steps, r->n_steps, sizeof *steps, by_number);
        *last = steps[r->n_steps - 1];
    }
    for (uint32_t i = 0; i < r->n_steps; i++)
        n += i == 0 || steps[i] != steps[i - 1];
    free(steps);
    return n;
}

/* Reports a leak from the N rows of one device, sorted by step, when each of N_STEPS steps but the
 * last leaves memory behind. */
static void check_device(struct advise *a, const struct recorder *r, size_t n_steps,
                         int64_t last, const struct memory_left *left, size_t n)
{
    int64_t sum_bytes = 0;
    size_t n_leaving = 0;
    struct strbuf line = {0};
    amounts all = {0};

    for (size_t i = 0; i < n; i++) {
        if (left[i].step == STEP_OUTSIDE || left[i].step == last)
            continue;
        n_leaving += i == 0 || left[i - 1].step != left[i].step;
        sum_bytes = clamp_add(sum_bytes, left[i].bytes);
        amounts_add(&all, left[i].node, left[i].stack, left[i].bytes, left[i].n_allocations);
    }
    if (n_steps >= STEPS_LEAST && n_leaving + 1 == n_steps) {
        advise_report(a);
        advise_add_device(a, &line, r->rank, left->device);
        sb_adds(&line, ": memory grows by ");
        format_memory(&line, sum_bytes / (int64_t)n_leaving);
        sb_addf(&line, " a step: each of %zu steps allocates memory that is not freed later", n_leaving);
        advise_line(a, &line);
        amounts_merge(&all);
        amounts_report(a, &all, UNIT_BYTES, sum_bytes, "allocation", "memory grows in each step");
    }
    vec_done(&all);
}

bool check_growth(struct advise *a, struct err *err)
{
    const struct profile *p = a->profile;

    for (uint32_t i = 0; i < p->n_recorders && !cancel_asked(a->cancel); i++) {
        const struct recorder *r = &p->recorders[i];
        int64_t last;
        const size_t n_steps = count_steps(r, &last);
        const struct memory_left *left;
        struct memory_steps m;

        memory_steps_make(&m, p, r);
        left = m.left.data;
        for (size_t from = 0, to; from < m.left.n; from = to) {
            for (to = from; to < m.left.n && left[to].device == left[from].device; to++)
                continue;
            check_device(a, r, n_steps, last, left + from, to - from);
        }
        memory_steps_done(&m);
    }
    return !cancel_asked(a->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}
