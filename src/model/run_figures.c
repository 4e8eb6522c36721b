/* run_figures.c: figures of a node at a step, on average, and over ranks. */
#include "model/run_figures.h"

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "model/capture.h"
#include "model/recording.h"

static void put(struct run_figures *r, enum exec_figure which, int64_t value, bool saturated)
{
    bool met_limit = saturated;

    r->value[which] = sat_add(r->value[which], value, &met_limit);
    r->saturated |= (unsigned)met_limit << which;
}

/* The figures of E alone. */
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

/* Divides by N_STEPS, rounding to zero, times to whole ticks: an average is not more precise than
 * the file. */
static void take_average(struct run_figures *r, int64_t n_steps, int64_t tick_ps)
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

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        if (!profile_ran_at(p, profile_whole(p, node), ranked_step(i, step)))
            continue;
        s->n_ranks++;
        if (profile_exec(p, node, ranked_step(i, step), &e))
            add_exec(&s->sum, &e);
    }
}

static void divide(struct run_figures *r, int64_t n, int64_t tick_ps)
{
    if (n > 1)
        take_average(r, n, tick_ps);
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

/* The first step >= MIN in which the whole NODE ran on a rank of F, or STEP_LIMIT.  Searching by it
 * avoids a pass over all steps of the file. */
static int64_t next_ranked_step(const struct figures *f, node_id node, int64_t min)
{
    const struct profile *p = f->profile;
    const node_id whole = profile_whole(p, node);
    int64_t next = STEP_LIMIT;

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];
        size_t at = p->exec_begin[whole];
        const size_t end = p->exec_begin[whole + 1];
        int64_t found;

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        LOWER_BOUND(at, end, k, profile_record_step(p, p->exec_places[k]) < ranked_step(i, min));
        if (at == end)
            continue;
        found = profile_record_step(p, p->exec_places[at]);
        if (found >> STEP_BITS == (int64_t)i && step_of_ranked(found) < next)
            next = step_of_ranked(found);
    }
    return next;
}

/* Figures of traces of several ranks: first over ranks, then over steps (formats-trace.md section
 * 8). */
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

    if (f->profile->n_recordings > 1) {
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
        n_steps = f->profile->n_steps_of_node[profile_whole(f->profile, node)];
    divide(r, n_steps, f->profile->clock.tick_ps);
}
