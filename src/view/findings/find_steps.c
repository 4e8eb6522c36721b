/* find_steps.c: differing steps: slow steps, growing memory, and changing shapes. */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/memory_steps.h"
#include "base/compare.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/findings/findings_priv.h"

enum { STEPS_LEAST = 4 };

/* ---- slow steps */

static int64_t median_step(const struct find_device *d)
{
    int64_t *durations = xreallocarray(NULL, d->steps.n + 1, sizeof *durations), median_ps;

    for (size_t i = 0; i < d->steps.n; i++)
        durations[i] = d->steps.data[i].dur_ps;
    median_ps = lower_median(durations, d->steps.n);
    free(durations);
    return median_ps;
}

/* First step with the median time; STEP_NONE. */
static uint32_t step_of_median(const struct find_device *d, int64_t median_ps)
{
    for (size_t i = 0; i < d->steps.n; i++)
        if (d->steps.data[i].dur_ps == median_ps)
            return d->steps.data[i].step;
    return STEP_NONE;
}

/* Sets the row whose work grew most from step MEDIAN to step SLOW. */
static void set_growth(const struct find_device *d, struct finding *f, uint32_t slow, uint32_t median)
{
    struct node_times *nodes = node_times_new();
    int64_t most_ps;
    uint32_t id;

    vec_each(const struct work, w, &d->works) {
        const uint32_t of = d->s->kinds[w->kind].id;

        if (of != NODE_NONE && (w->step == slow || w->step == median))
            node_times_add(nodes, of, w->step == slow ? w->end_ps - w->start_ps
                                                      : w->start_ps - w->end_ps);
    }
    id = node_times_most(nodes, &most_ps);
    if (most_ps > f->lost_ps / 10)
        finding_set_row(d, f, id);
    node_times_free(nodes);
}

static void find_slow_step(struct find_device *d, const struct finding_rule *rule)
{
    const int64_t median_ps = median_step(d);
    const struct device_step *slowest = NULL;
    struct finding f = finding_new(d, rule, 0);
    struct strbuf claim = {0};

    f.count = 0;
    for (size_t i = 1; i < d->steps.n && d->steps.n >= STEPS_LEAST; i++) {
        const struct device_step *step = &d->steps.data[i];

        if (step->dur_ps < median_ps + (median_ps + 1) / 2)
            continue;
        f.lost_ps = clamp_add(f.lost_ps, step->dur_ps - median_ps);
        f.count++;
        if (!slowest || step->dur_ps > slowest->dur_ps)
            slowest = step;
    }
    f.part = f.lost_ps;
    if (!slowest || !is_share(f.lost_ps, d->total_ps, 5))
        return;
    f.step = slowest->number;
    set_growth(d, &f, slowest->step, step_of_median(d, median_ps));
    sb_addf(&claim, "step %" PRId64 " takes ", slowest->number);
    format_time_apart(&claim, slowest->dur_ps);
    sb_adds(&claim, ", the median step ");
    format_time_apart(&claim, median_ps);
    finding_add(d, f, &claim);
}

const struct finding_rule finding_slow_step = {
    .id = "slow-step",
    .checker = "StepChecker",
    .condition = "a step after the first takes at least 1.5 times the median, and such steps cost at least "
                 "5 % of the step time",
    .fix = "compare this step with a typical one: input, compilation, checkpoints, other programs",
    .command = "breakdown",
    .find = find_slow_step,
};

/* ---- memory that grows */

/* Memory that a rank's steps leave allocated on one device. */
struct leftover {
    strid device;
    int64_t bytes, peak_bytes;
    uint64_t n_steps, n_allocations;
    uint32_t node, stack; /* of the largest contribution */
};

static void measure_leftover(const struct find_device *d, const struct memory_steps *m, struct leftover *left)
{
    uint8_t *leaves = xcalloc(d->steps.n + 1, 1);
    struct node_times *nodes = node_times_new();
    int64_t most_bytes = -1, sum_bytes;

    vec_each(const struct memory_left, part, &m->left) {
        const uint32_t at = part->device == left->device ? place_of_number(d, part->step) : STEP_NONE;

        if (at == STEP_NONE || at + 1 == d->steps.n)
            continue;
        left->n_steps += !leaves[at];
        leaves[at] = 1;
        left->bytes = clamp_add(left->bytes, part->bytes);
        left->n_allocations += part->n_allocations;
        node_times_add(nodes, part->node, part->bytes);
    }
    left->node = node_times_most(nodes, &sum_bytes);
    vec_each(const struct memory_left, part, &m->left)
        if (part->node == left->node && part->bytes > most_bytes) {
            most_bytes = part->bytes;
            left->stack = part->stack;
        }
    vec_each(const struct memory_use, use, &m->uses)
        if (use->device == left->device)
            KEEP_MAX(left->peak_bytes, use->peak_bytes);
    node_times_free(nodes);
    free(leaves);
}

static void judge_leftover(struct find_device *d, const struct finding_rule *rule,
                           const struct leftover *left)
{
    const int64_t n = (int64_t)left->n_steps;
    struct finding f = finding_new(d, rule, 0);
    struct strbuf claim = {0};

    if (left->n_steps + 1 < d->steps.n || left->bytes / n < INT64_C(1) << 20)
        return;
    f.part = left->bytes;
    f.whole = left->peak_bytes > left->bytes ? left->peak_bytes : left->bytes;
    f.count = left->n_allocations;
    f.device = left->device;
    finding_set_stack(d, &f, left->stack);
    finding_set_row(d, &f, left->node);
    sb_adds(&claim, "each step leaves ");
    format_memory(&claim, left->bytes / n);
    sb_adds(&claim, " that is not freed later");
    finding_add(d, f, &claim);
}

static void find_growth(struct find_device *d, const struct finding_rule *rule)
{
    const struct profile *p = d->run->p;

    if (!d->is_first_of_rank || d->steps.n < STEPS_LEAST)
        return;
    array_each(const struct recorder, r, p->recorders, p->n_recorders) {
        struct memory_steps m;

        if (!r->has_event_host || r->event_host != d->s->ranks.data[d->rank].host)
            continue;
        memory_steps_make(&m, p, r);
        vec_each(const struct memory_use, use, &m.uses) {
            struct leftover left = {.device = use->device, .node = NODE_NONE};

            if (use > m.uses.data && use[-1].device == left.device)
                continue; /* uses are sorted by device first */
            measure_leftover(d, &m, &left);
            judge_leftover(d, rule, &left);
        }
        memory_steps_done(&m);
    }
}

const struct finding_rule finding_memory_growth = {
    .id = "memory-growth",
    .checker = "MemoryChecker",
    .condition = "each step except the last leaves memory that is not freed later, at least 1 MiB a step",
    .fix = "free memory of finished steps: detach tensors, store numbers instead of tensors",
    .command = "memory",
    .find = find_growth,
};

/* ---- changing shapes */

/* Adds the calls of part ID to order-independent fingerprints of the steps. Returns the number of
 * steps in which it ran. */
static uint64_t add_calls(const struct find_device *d, uint32_t rank_index, node_id id, uint64_t *prints)
{
    const struct profile *p = d->run->p;
    const strid of[2] = {p->op[id], p->call_dims[id - p->n_nodes]};
    const uint64_t hash = hash_bytes(of, sizeof of);
    struct exec_walk walk = profile_execs(p, id);
    uint64_t n = 0;
    struct exec e;

    while (exec_next(&walk, &e)) {
        const uint32_t at = rank_of_ranked(e.step) == rank_index && e.step >= 0
                                ? place_of_number(d, step_of_ranked(e.step))
                                : STEP_NONE;

        if (at == STEP_NONE || !e.run_count)
            continue;
        prints[at] += hash * (uint64_t)e.run_count;
        n++;
    }
    return n;
}

COMPARE_VALUES(by_print, uint64_t)

/* Number of different multisets of operators with shapes. *WORST: the part with the most time that
 * is not in all steps. */
static size_t count_multisets(const struct find_device *d, uint32_t rank_index, uint32_t *worst)
{
    const struct profile *p = d->run->p;
    uint64_t *prints = xcalloc(d->steps.n + 1, sizeof *prints);
    struct node_times *parts = node_times_new();
    uint8_t *differs = xcalloc((size_t)p->n_parts + 1, 1);
    size_t n = 0;

    for (uint32_t id = p->n_nodes; id < profile_n_ids(p) && !cancel_asked(d->run->cancel); id++) {
        if (p->call_dims[id - p->n_nodes] == STRID_EMPTY)
            continue;
        differs[id - p->n_nodes] = add_calls(d, rank_index, id, prints) < d->steps.n;
        if (differs[id - p->n_nodes])
            node_times_add(parts, id, 0);
    }
    for (size_t i = 0; i < d->works.n; i++) {
        const uint32_t id = d->s->kinds[d->works.data[i].kind].id;

        if (id != NODE_NONE && id >= p->n_nodes && differs[id - p->n_nodes])
            node_times_add(parts, id, d->works.data[i].end_ps - d->works.data[i].start_ps);
    }
    *worst = node_times_heaviest(parts, p, true);
    qsort(prints, d->steps.n, sizeof *prints, by_print);
    for (size_t i = 0; i < d->steps.n; i++)
        n += i == 0 || prints[i] != prints[i - 1];
    node_times_free(parts);
    EACH(free, differs, prints);
    return n;
}

static void find_shapes(struct find_device *d, const struct finding_rule *rule)
{
    const struct profile *p = d->run->p;
    struct finding f = finding_new(d, rule, d->host->allocation_ps);
    struct strbuf claim = {0};
    uint32_t worst;
    size_t n = 0;

    if (d->steps.n < STEPS_LEAST || !is_share(f.lost_ps, d->total_ps, 1))
        return;
    for (uint32_t i = 0; i < p->n_recorders && !n; i++)
        if (p->recorders[i].has_event_host && p->recorders[i].has_calls_with_shapes &&
            p->recorders[i].event_host == d->s->ranks.data[d->rank].host)
            n = count_multisets(d, p->recorders[i].rank_index, &worst);
    if (!n || 4 * n < 3 * d->steps.n)
        return;
    f.count = d->host->n_allocations;
    finding_set_row(d, &f, worst);
    sb_addf(&claim, "%zu of %zu steps have shapes of their own; allocating memory takes ", n, d->steps.n);
    format_time_apart(&claim, f.lost_ps);
    finding_add(d, f, &claim);
}

const struct finding_rule finding_dynamic_shapes = {
    .id = "dynamic-shapes",
    .checker = "ShapeChecker",
    .condition = "at least 3/4 of the steps have operators with shapes of their own, and allocating memory "
                 "takes at least 1 % of the step time",
    .fix = "pad inputs to a few sizes, or allow segments of the allocator to grow",
    .command = "op",
    .find = find_shapes,
};
