/* step_times.c: the time of each step of a profile, and the slowest or median step. */
#include "view/step_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/programs.h"

/* ---- times */

/* True if an earlier rank has a record of the same op: ops of several ranks have one record each,
 * but only one figure. */
static bool earlier_rank_ran(const struct profile *p, node_id node, const struct exec *e)
{
    for (uint32_t i = 0; i < rank_of_ranked(e->step); i++)
        if (profile_ran_at(p, node, ranked_step(i, step_of_ranked(e->step))))
            return true;
    return false;
}

/* Time of NODE (`micros`) at the step of its execution E; 0 if it was counted with an earlier
 * rank. */
static int64_t time_ps(struct figures *f, node_id node, const struct exec *e)
{
    const struct profile *p = f->profile;
    bool saturated = false;

    if (p->n_recorders < 2)
        return sat_add(e->accelerator_ps, e->cpu_ps, &saturated);
    if (earlier_rank_ran(p, node, e))
        return 0;
    f->step = step_of_ranked(e->step);
    return metric_self(f, METRIC_MICROS, node, &saturated);
}

static void add_node(struct step_times *t, struct figures *f, node_id node)
{
    const struct profile *p = t->profile;
    struct exec_walk walk = profile_execs(p, node);
    struct exec e;

    while (exec_next(&walk, &e)) {
        const int64_t step = profile_step_number(p, e.step);
        bool saturated = false;
        size_t at = 0;

        LOWER_BOUND(at, p->n_steps, i, p->steps[i] < step);
        if (at < p->n_steps && p->steps[at] == step)
            t->times_ps[at] = sat_add(t->times_ps[at], time_ps(f, node, &e), &saturated);
    }
}

bool step_times_update(struct step_times *t, const struct profile *p, int64_t rank,
                       struct cancel_mark cancel)
{
    enum { CANCEL_EVERY = 4096 };
    struct figures f = {.profile = p, .static_float_ops = p->static_float_ops, .rank = rank};

    if (t->profile == p && t->rank == rank)
        return true;
    step_times_done(t);
    t->times_ps = xcalloc(p->n_steps + (size_t)1, sizeof *t->times_ps);
    t->profile = p;
    t->rank = rank;
    for (node_id node = 0; node < p->n_nodes; node++) {
        if (node % CANCEL_EVERY == 0 && cancel_asked(cancel)) {
            step_times_done(t);
            return false;
        }
        add_node(t, &f, node);
    }
    return true;
}

void step_times_done(struct step_times *t)
{
    free(t->times_ps);
    *t = (struct step_times){.profile = NULL};
}

/* ---- choices */

const char *step_choice_name(int64_t step)
{
    return step == STEP_WORST ? "worst" : step == STEP_MEDIAN ? "median" : NULL;
}

bool step_is_chosen(int64_t step)
{
    return step_choice_name(step) || step == STEP_NAMED;
}

COMPARE_VALUES(by_time, int64_t)

/* Index of the first step that an option can name; negative numbers mean averages. */
static uint32_t first_named(const struct profile *p)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_steps, i, p->steps[i] < 0);
    return (uint32_t)at;
}

/* Number of steps from FIRST on that can be chosen. A capture's work before the first mark comes
 * last, and is a step only if there is no other. */
static uint32_t n_choices(const struct profile *p, uint32_t first)
{
    const uint32_t n = p->n_steps - first;

    return n > 1 && p->programs && p->programs->unmarked_step == p->steps[p->n_steps - 1] ? n - 1 : n;
}

uint32_t step_times_choose(const struct step_times *t, int64_t choice)
{
    uint32_t at = first_named(t->profile);
    const uint32_t n = n_choices(t->profile, at);
    int64_t *sorted = xalloc_huge(n, sizeof *sorted);
    int64_t time;

    memcpy(sorted, t->times_ps + at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_time);
    time = sorted[choice == STEP_MEDIAN ? (n - 1) / 2 : n - 1];
    free(sorted);
    while (t->times_ps[at] != time)
        at++;
    return at;
}

/* Sets *CHOSEN to the step whose mark is called NAME. */
static bool choose_named(const struct profile *p, const char *option, const char *name,
                         int64_t *chosen, struct err *err)
{
    const struct programs *c = p->programs;

    for (size_t i = 0; c && i < c->n_step_names; i++)
        if (text_is(intern_string(&p->strings, c->step_names[i]), name)) {
            *chosen = (int64_t)i;
            return true;
        }
    return err_set(err, ERR_INPUT, "-%s=%s not found; %s", option, name,
                   c && c->n_step_names ? "summary lists the steps" : "steps of the profile have no names");
}

bool step_choose(struct step_times *t, const struct profile *p, const char *option,
                 const struct step_option *step, int64_t rank, struct cancel_mark cancel,
                 int64_t *chosen, struct err *err)
{
    *chosen = step->number;
    if (!step_is_chosen(step->number))
        return true;
    if (step->number == STEP_NAMED)
        return choose_named(p, option, step->name, chosen, err);
    if (first_named(p) == p->n_steps)
        return err_set(err, ERR_INPUT, "-%s=%s not found; the profile has no steps", option,
                       step_choice_name(step->number));
    if (!step_times_update(t, p, rank, cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    *chosen = p->steps[step_times_choose(t, step->number)];
    return true;
}

void step_add_name(struct strbuf *sb, const struct profile *p, int64_t step)
{
    const strid name = program_step_name(p->programs, step);

    if (name != STRID_EMPTY) {
        sb_adds(sb, ": ");
        sb_add(sb, intern_text(&p->strings, name), intern_len(&p->strings, name));
    }
}
