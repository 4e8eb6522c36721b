/* trace_out.c: data of traces, whose nodes have parts, in a profile file. */
#include "export/trace_out.h"


#include "base/satmath.h"
#include "model/format.h"
#include "model/profile_kind.h"

static bool ran(const struct profile *p, node_id id)
{
    struct exec_walk walk = profile_execs(p, id);
    struct exec e;

    while (exec_next(&walk, &e))
        if (e.run_count)
            return true;
    return false;
}

struct common_calls common_calls(const struct profile *p, const struct flops *flops, node_id node)
{
    struct common_calls c = {.stack = *profile_stack(p, p->stack[node]), .state = FLOPS_NO_RULE};
    bool has_stack = false, has_count = false;

    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const node_id id = p->n_nodes + i;
        const struct call_stack *stack = profile_stack(p, p->stack[id]);

        if (!has_stack)
            c.stack = *stack;
        c.stacks_differ |= c.stack.leaf != stack->leaf;
        c.stack = stack_common(&p->call_stacks, c.stack, *stack);
        has_stack = true;
        if (!ran(p, id))
            continue;
        c.counts_differ |= has_count && c.float_ops != flops->count[id];
        c.float_ops = flops->count[id];
        c.state = flops->state[id];
        has_count = true;
    }
    if (c.counts_differ) {
        c.float_ops = 0;
        c.state = FLOPS_UNKNOWN_SHAPE;
    }
    return c;
}

static bool is_of_rank(const struct result *r, uint32_t rank_index)
{
    const int64_t rank = profile_rank_number(r->profile, rank_index);

    return rank != INT64_MIN && (r->options.rank < 0 || rank == r->options.rank);
}

bool trace_exec_is_kept(const struct result *r, struct exec *e)
{
    if (!r->profile->n_recorders)
        return true;
    if (!is_of_rank(r, rank_of_ranked(e->step)) || step_of_ranked(e->step) == STEP_OUTSIDE)
        return false;
    e->step = step_of_ranked(e->step);
    return true;
}

bool trace_out_check(const struct result *r, struct err *err)
{
    const struct profile *p = r->profile;

    for (uint32_t i = 1; i < p->n_recorders && r->options.rank < 0; i++)
        if (profile_rank_number(p, i) != INT64_MIN)
            return err_set(err, ERR_USAGE, "a profile has one rank: choose it by -rank");
    return true;
}

/* Numbers of lost data, for the note. */
struct lost {
    uint32_t n_stacks, n_counts;
    int64_t stacks_ps, outside_ps;
};

static void count_lost(const struct result *r, const struct flops *flops, struct lost *lost)
{
    const struct profile *p = r->profile;

    for (node_id node = 0; node < p->n_nodes; node++) {
        const struct common_calls c = common_calls(p, flops, node);
        struct exec_walk walk = profile_execs(p, node);
        struct exec e;

        lost->n_stacks += c.stacks_differ;
        lost->n_counts += c.counts_differ;
        while (exec_next(&walk, &e)) {
            const int64_t time_ps = clamp_add(e.cpu_ps, e.accelerator_ps);

            if (c.stacks_differ)
                lost->stacks_ps = clamp_add(lost->stacks_ps, time_ps);
            if (step_of_ranked(e.step) == STEP_OUTSIDE)
                lost->outside_ps = clamp_add(lost->outside_ps, time_ps);
        }
    }
}

void trace_out_note(struct result *r, const struct flops *flops)
{
    struct lost lost = {0};
    struct strbuf time = {0};

    if (!r->profile->part_begin || !r->profile->n_recorders)
        return;
    count_lost(r, flops, &lost);
    note_add(&r->notes, "a profile has one call stack and one count for each node, and no kernels, "
                        "shapes of calls, memory over time and ranks of a trace");
    if (lost.n_stacks) {
        format_time(&time, lost.stacks_ps);
        note_add(&r->notes, "profile: %u nodes, %s, are called from several lines; the profile "
                            "stores only the common outermost frames", lost.n_stacks, sb_text(&time));
    }
    if (lost.n_counts)
        note_add(&r->notes, "profile: %u nodes have different operation counts per call; the "
                            "profile stores no count for them", lost.n_counts);
    if (lost.outside_ps) {
        sb_clear(&time);
        format_time(&time, lost.outside_ps);
        note_add(&r->notes, "profile: %s outside of steps is omitted", sb_text(&time));
    }
    sb_done(&time);
}
