/* run_columns.c: figures of executions.  For many nodes there is a fast path: only the requested
 * figures are summed, in ticks and bytes; they cannot overflow (profile.exec_sums_fit), so nothing
 * is checked. */
#include "model/run_columns.h"

#include <assert.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/varint.h"
#include "model/exec_head.h"
#include "model/recorder.h"

bool run_columns_fit(const struct figures *f)
{
    return f->profile->exec_sums_fit && f->profile->n_recorders <= 1 && !f->counted_devices;
}

/* Sums of a node; times in ticks. */
struct sums {
    uint64_t value[EXEC_FIGURES];
};

/* Figures of a pass as a compile-time constant, so that unused ones cost nothing. */
enum pass { PASS_TIMES, PASS_ALL };

static inline void add_times(struct sums *s, const uint8_t *at, uint64_t widths)
{
    const unsigned flags = head_flags(widths);

    s->value[EXEC_CPU_TIME] +=
        head_stored(at, widths, flags & FLAG_CPU_TIME ? HEAD_SPAN : HEAD_CPU);
    s->value[EXEC_ACCELERATOR_TIME] +=
        head_stored(at, widths, flags & FLAG_ACCELERATOR_TIME ? HEAD_SPAN : HEAD_ACCELERATOR);
}

static inline void add_others(struct sums *s, const uint8_t *at, uint64_t widths)
{
    const uint8_t *memory = at + head_skip(widths, HEAD_REQUESTED);
    const uint64_t requested = head_next(&memory, widths, HEAD_REQUESTED);

    s->value[EXEC_OCCURRENCE] += head_stored(at, widths, HEAD_RUN_COUNT);
    s->value[EXEC_WAIT_TIME] += head_stored(at, widths, HEAD_WAIT);
    s->value[EXEC_BYTES] += requested;
    s->value[EXEC_PEAK_BYTES] += head_next(&memory, widths, HEAD_PEAK) ^ requested;
    s->value[EXEC_RESIDUAL_BYTES] += (uint64_t)from_zigzag(head_next(&memory, widths, HEAD_RESIDUAL)) ^ requested;
    s->value[EXEC_OUTPUT_BYTES] +=
        head_next(&memory, widths, HEAD_OUTPUT) ^ head_output_base(head_flags(widths), requested);
}

static inline void add_record(struct sums *s, struct packed_exec record, enum pass pass)
{
    const uint64_t widths = record.layout->widths;

    add_times(s, record.at, widths);
    if (pass == PASS_ALL)
        add_others(s, record.at, widths);
}

enum { NODES_AHEAD = 24, RECORDS_AHEAD = 64 };

/* A pass over the records; `step` is the step's index in the profile. */
struct reading {
    const struct profile *profile;
    int64_t step; /* or STEP_AVERAGE, STEP_ALL */
    bool is_one_step;
    uint32_t index;
    size_t ahead; /* prefetch distance in records, from a node's first record */
    strid async_device; /* without CPU time; STRID_NONE: no node has it */
};

static inline int64_t step_at(const struct profile *p, uint32_t k)
{
    const struct packed_exec record = profile_record(p, p->exec_positions[k]);

    return (int64_t)head_stored(record.at, record.layout->widths, HEAD_STEP);
}

/* Returns the first record in [AT, END) that is not before the step. A node with as many records as
 * there are steps probably has one per step, which is tried first. */
static inline uint32_t find_step(const struct reading *r, uint32_t at, uint32_t end)
{
    enum { FEW = 8 };
    const struct profile *p = r->profile;
    size_t found = at;

    if (end - at == p->n_steps && step_at(p, at + r->index) == r->step &&
        (r->index == 0 || step_at(p, at + r->index - 1) < r->step))
        return at + r->index;
    if (end - at > FEW) {
        LOWER_BOUND(found, end, k, step_at(p, (uint32_t)k) < r->step);
        return (uint32_t)found;
    }
    while (at < end && step_at(p, at) < r->step)
        at++;
    return at;
}

/* Prefetches the record of a later node to hide cache misses. Always inlined, because compilers may
 * treat it as free of effects and remove calls. */
__attribute__((always_inline)) static inline void prefetch_record(const struct reading *r, uint32_t at)
{
    enum { RECORD_BYTES = 32 };
    const struct profile *p = r->profile;
    const size_t later = at + r->ahead;
    const uint8_t *record =
        profile_record_bytes(p, p->exec_positions[later < p->exec_begin[p->n_nodes] ? later : at]);

    __builtin_prefetch(record);
    __builtin_prefetch(record + RECORD_BYTES);
}

static inline void sum_step(const struct reading *r, node_id node, struct sums *s, enum pass pass)
{
    const struct profile *p = r->profile;
    const uint32_t end = p->exec_begin[node + 1];
    uint32_t at = p->exec_begin[node];

    if (at == end)
        return;
    prefetch_record(r, at);
    for (at = find_step(r, at, end); at < end && step_at(p, at) == r->step; at++)
        add_record(s, profile_record(p, p->exec_positions[at]), pass);
}

/* Sums all steps of a node; returns the divisor of the average. */
static inline uint32_t sum_steps(const struct reading *r, node_id node, struct sums *s, enum pass pass)
{
    const struct profile *p = r->profile;
    const uint32_t end = p->exec_begin[node + 1];
    int64_t last = STEP_OUTSIDE;
    uint32_t n_steps = 0;

    for (uint32_t at = p->exec_begin[node]; at < end; at++) {
        const int64_t step = step_at(p, at);

        prefetch_record(r, at);
        if (step == STEP_OUTSIDE && r->step != STEP_ALL)
            continue;
        n_steps += step != last;
        last = step;
        add_record(s, profile_record(p, p->exec_positions[at]), pass);
    }
    return r->step == STEP_ALL ? 1 : n_steps;
}

static inline void read_nodes(const struct reading *r, node_id from, node_id end,
                              const struct run_columns *to, enum pass pass)
{
    const uint64_t tick_ps = (uint64_t)r->profile->clock.tick_ps;

    for (node_id node = from; node < end; node++) {
        struct sums s = {.value = {0}};
        uint32_t n_steps = 1;

        if (r->is_one_step)
            sum_step(r, node, &s, pass);
        else
            n_steps = sum_steps(r, node, &s, pass);
        s.value[EXEC_TIME] = s.value[EXEC_ACCELERATOR_TIME] + s.value[EXEC_CPU_TIME];
        for (int i = pass == PASS_ALL ? 0 : EXEC_TIME; i < EXEC_FIGURES; i++) {
            if (!to->value[i])
                continue;
            if (n_steps > 1)
                s.value[i] = (uint64_t)((int64_t)s.value[i] / n_steps); /* whole ticks */
            if (i == EXEC_CPU_TIME && r->async_device != STRID_NONE && r->profile->device[node] == r->async_device)
                s.value[i] = 0;
            to->value[i][node - from] = (int64_t)(i < EXEC_TIME ? s.value[i] : s.value[i] * tick_ps);
        }
    }
}

void run_columns_read(const struct figures *f, node_id from, node_id end,
                      const struct run_columns *to)
{
    const struct profile *p = f->profile;
    struct reading r = {
        .profile = p,
        .step = f->step,
        .is_one_step = f->step >= 0 || f->step == STEP_OUTSIDE,
        .async_device = profile_async_device(p)};
    bool only_times = !to->value[EXEC_WAIT_TIME];
    size_t index = 0;

    assert(end <= p->n_nodes);
    for (int i = 0; i < EXEC_TIME; i++)
        only_times = only_times && !to->value[i];
    LOWER_BOUND(index, p->n_steps, i, p->steps[i] < r.step);
    r.index = index < p->n_steps ? (uint32_t)index : 0;
    r.ahead = r.is_one_step ? (size_t)NODES_AHEAD * p->n_steps + r.index : RECORDS_AHEAD;
    if (only_times)
        read_nodes(&r, from, end, to, PASS_TIMES);
    else
        read_nodes(&r, from, end, to, PASS_ALL);
}

/* ---- figures of a node at a step, on average, and over ranks */

static void put(struct run_figures *r, enum exec_figure which, int64_t value, bool saturated)
{
    bool met_limit = saturated;

    r->value[which] = sat_add(r->value[which], value, &met_limit);
    r->saturated |= (unsigned)met_limit << which;
}

/* Returns the figures of a single execution. */
static struct run_figures run_of(const struct exec *e)
{
    bool saturated = false;
    struct run_figures r = {.value = {
                                [EXEC_BYTES] = e->requested_bytes,
                                [EXEC_PEAK_BYTES] = e->peak_bytes,
                                [EXEC_RESIDUAL_BYTES] = e->residual_bytes,
                                [EXEC_OUTPUT_BYTES] = e->output_bytes,
                                [EXEC_OCCURRENCE] = e->run_count,
                                [EXEC_ACCELERATOR_TIME] = e->accelerator_ps,
                                [EXEC_CPU_TIME] = e->cpu_ps,
                                [EXEC_WAIT_TIME] = e->wait_ps,
                            }};

    r.value[EXEC_TIME] = sat_add(e->accelerator_ps, e->cpu_ps, &saturated);
    r.saturated = (unsigned)saturated << EXEC_TIME;
    return r;
}

static void add_exec(struct run_figures *r, const struct exec *e)
{
    const struct run_figures one = run_of(e);

    for (int i = 0; i < EXEC_FIGURES; i++)
        put(r, (enum exec_figure)i, one.value[i], one.saturated >> i & 1);
}

/* Divides by N_STEPS, rounding towards zero and times to whole ticks, the precision of the file. */
static void set_average(struct run_figures *r, int64_t n_steps, int64_t tick_ps)
{
    for (int i = 0; i < EXEC_FIGURES; i++)
        r->value[i] /= n_steps;
    for (int i = EXEC_TIME; i < EXEC_FIGURES; i++)
        r->value[i] -= r->value[i] % tick_ps;
}

/* Sums over ranks, and the number of ranks on which the whole node ran. */
struct rank_sum {
    struct run_figures sum;
    int64_t n_ranks;
};

/* Adds NODE's executions at STEP on the ranks of F. */
static void add_ranks(const struct figures *f, node_id node, int64_t step, struct rank_sum *s)
{
    const struct profile *p = f->profile;
    struct exec e;

    for (uint32_t i = 0; i < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        if (!profile_ran_at(p, profile_node_of_part(p, node), ranked_step(i, step)))
            continue;
        s->n_ranks++;
        if (profile_exec(p, node, ranked_step(i, step), &e))
            add_exec(&s->sum, &e);
    }
}

static void divide(struct run_figures *r, int64_t n, int64_t tick_ps)
{
    if (n > 1)
        set_average(r, n, tick_ps);
}

/* Adds the figures of one step: the average over ranks, or their sum for RANK_ALL. */
static bool add_step(const struct figures *f, node_id node, int64_t step, struct run_figures *to)
{
    struct rank_sum s = {.n_ranks = 0};

    add_ranks(f, node, step, &s);
    if (f->rank == RANK_AVERAGE)
        divide(&s.sum, s.n_ranks, f->profile->clock.tick_ps);
    for (int i = 0; i < EXEC_FIGURES; i++)
        put(to, (enum exec_figure)i, s.sum.value[i], s.sum.saturated >> i & 1);
    return s.n_ranks > 0;
}

/* Returns the first step >= MIN in which the whole NODE ran on a rank of F, or STEP_LIMIT. Avoids a
 * pass over all steps of the file. */
static int64_t next_ranked_step(const struct figures *f, node_id node, int64_t min)
{
    const struct profile *p = f->profile;
    const node_id whole = profile_node_of_part(p, node);
    int64_t next = STEP_LIMIT;

    for (uint32_t i = 0; i < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];
        size_t at = p->exec_begin[whole];
        const size_t end = p->exec_begin[whole + 1];
        int64_t found;

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        LOWER_BOUND(at, end, k, profile_record_step(p, p->exec_positions[k]) < ranked_step(i, min));
        if (at == end)
            continue;
        found = profile_record_step(p, p->exec_positions[at]);
        if (found >> STEP_BITS == (int64_t)i && step_of_ranked(found) < next)
            next = step_of_ranked(found);
    }
    return next;
}

/* Figures of traces with several ranks: averaged or summed over ranks, then steps (formats-trace.md
 * section 8). */
static void read_ranked(const struct figures *f, node_id node, struct run_figures *r)
{
    const struct profile *p = f->profile;
    int64_t n_steps = 0;

    *r = (struct run_figures){.saturated = 0};
    if (f->step >= 0 || f->step == STEP_OUTSIDE) {
        add_step(f, node, f->step, r);
        return;
    }
    for (int64_t s = 0; (s = next_ranked_step(f, node, s)) < STEP_LIMIT; s++)
        if (profile_has_step(p, s))
            n_steps += add_step(f, node, s, r);
    if (f->step == STEP_ALL)
        add_step(f, node, STEP_OUTSIDE, r);
    else
        divide(r, n_steps, p->clock.tick_ps);
}

/* Figures of a capture's executions on the counted devices. */
static void read_counted(const struct figures *f, node_id node, struct run_figures *r)
{
    struct exec_walk walk = profile_execs(f->profile, node);
    int64_t n_steps = 0;
    struct exec e;

    *r = (struct run_figures){.saturated = 0};
    while (exec_next_on(&walk, f->counted_devices, &e)) {
        if (f->step >= 0 && e.step != f->step)
            continue;
        add_exec(r, &e);
        n_steps++;
    }
    if (f->step != STEP_ALL)
        divide(r, n_steps, f->profile->clock.tick_ps);
}

void run_figures_read(const struct figures *f, node_id node, struct run_figures *r)
{
    struct exec_walk walk = profile_execs(f->profile, node);
    int64_t n_steps = 0;
    struct exec e;

    if (f->profile->n_recorders > 1) {
        read_ranked(f, node, r);
        return;
    }
    if (f->counted_devices) {
        read_counted(f, node, r);
        return;
    }
    if (f->step >= 0 || f->step == STEP_OUTSIDE) {
        if (profile_exec(f->profile, node, f->step, &e))
            *r = run_of(&e);
        else
            *r = (struct run_figures){.saturated = 0};
        return;
    }
    *r = (struct run_figures){.saturated = 0};
    while (exec_next(&walk, &e)) {
        /* Executions outside of steps do not count in averages. */
        if (f->step != STEP_ALL && e.step == STEP_OUTSIDE)
            continue;
        add_exec(r, &e);
        n_steps++;
    }
    if (f->step == STEP_ALL)
        return;
    if (node >= f->profile->n_nodes && n_steps)
        n_steps = f->profile->n_steps_of_node[profile_node_of_part(f->profile, node)];
    divide(r, n_steps, f->profile->clock.tick_ps);
}
