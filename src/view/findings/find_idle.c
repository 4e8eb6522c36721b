/* find_idle.c: causes of idle time: input, launches, the host, blocking calls, copies, compilations. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "view/findings/findings_priv.h"

static void add_wait(struct strbuf *sb, int64_t ps, const char *behind)
{
    sb_adds(sb, "the device waits ");
    format_time_apart(sb, ps);
    sb_adds(sb, behind);
}

/* Slice of LIST during which D waits longest; Python frames only if there is no other; NULL. *N:
 * number of slices with waits. */
static const struct host_slice *longest_wait(const struct find_device *d,
                                             const struct host_slice *list, size_t n_list,
                                             uint64_t *n)
{
    struct node_times *by_name[2] = {node_times_new(), node_times_new()};
    const struct host_slice *longest = NULL;
    int64_t most_ps, longest_ps = 0;
    uint32_t name;
    bool nodes;

    *n = 0;
    for (size_t i = 0; i < n_list; i++) {
        const int64_t ps = interval_set_within(&d->waits, list[i].start_ps, list[i].end_ps);

        if (ps > 0)
            node_times_add(by_name[list[i].node != NODE_NONE], list[i].node == NODE_NONE
                                                                   ? list[i].name
                                                                   : list[i].node, ps);
        *n += ps > 0;
    }
    nodes = node_times_most(by_name[1], &most_ps) != NODE_NONE;
    name = node_times_most(by_name[nodes], &most_ps);
    for (size_t i = 0; i < n_list; i++) {
        const bool has_name = nodes ? list[i].node == name
                                    : list[i].node == NODE_NONE && list[i].name == name;
        const int64_t ps =
            has_name ? interval_set_within(&d->waits, list[i].start_ps, list[i].end_ps) : 0;

        if (ps > longest_ps) {
            longest_ps = ps;
            longest = &list[i];
        }
    }
    EACH(node_times_free, by_name[0], by_name[1]);
    return longest;
}

static void find_input(struct find_device *d, const struct finding_rule *rule)
{
    struct finding f = finding_new(d, rule, d->input_ps);
    const struct host_slice *slice;
    struct strbuf claim = {0};

    if (!is_share(d->input_ps, d->total_ps, 5))
        return;
    slice = longest_wait(d, d->host->inputs.data, d->host->inputs.n, &f.count);
    if (slice && slice->node != NODE_NONE) {
        finding_set_row(d, &f, slice->node);
        finding_set_source(d, &f, slice->node);
    } else if (slice) {
        f.op = slice->name;
    }
    add_wait(&claim, d->input_ps, " for input");
    finding_add(d, f, &claim);
}

const struct finding_rule finding_input_late = {
    .id = "input-late",
    .checker = "InputChecker",
    .condition = "the device waits for input for at least 5 % of the step time",
    .fix = "use more workers, prefetch, or prepare the data before training",
    .command = "breakdown",
    .find = find_input,
};

/* ---- host time */

/* True when at least a fifth of the kernels with a short launch take less time than the launch. */
static bool is_launch_bound(const struct find_device *d, uint64_t *n_short)
{
    const int64_t longest_ps = 50 * PS_PER_US;
    uint64_t n = 0;

    *n_short = 0;
    vec_each(const struct work, w, &d->works) {
        if (d->s->kinds[w->kind].event_class != EVENT_COMPUTE || w->launch_ps == INSTANT_UNKNOWN ||
            w->launch_dur_ps > longest_ps)
            continue;
        n++;
        *n_short += w->end_ps - w->start_ps < w->launch_dur_ps;
    }
    return n && is_share((int64_t)*n_short, (int64_t)n, 20) && is_share(d->host_ps, d->total_ps, 20);
}

static void find_launch(struct find_device *d, const struct finding_rule *rule)
{
    struct finding f = finding_new(d, rule, d->host_ps);
    struct strbuf claim = {0};

    if (!is_launch_bound(d, &f.count))
        return;
    add_wait(&claim, d->host_ps, " for launches");
    sb_addf(&claim, "; %" PRIu64 " kernels are shorter than their launch", f.count);
    finding_add(d, f, &claim);
}

const struct finding_rule finding_launch_bound = {
    .id = "launch-bound",
    .checker = "LaunchChecker",
    .condition = "the device waits for launches for at least 20 % of the step time, and at least 20 % of "
                 "the kernels are shorter than the call that launches them",
    .fix = "fuse operators, compile the model, or replay a captured graph",
    .command = "kernels",
    .find = find_launch,
};

static void find_host(struct find_device *d, const struct finding_rule *rule)
{
    struct finding f = finding_new(d, rule, d->host_ps);
    struct strbuf claim = {0};

    if (!is_share(d->host_ps, d->total_ps, 10) || is_launch_bound(d, &f.count))
        return;
    f.count = 1;
    finding_set_row(d, &f, node_times_heaviest(d->host_nodes, d->run->p, false));
    add_wait(&claim, d->host_ps, " for the CPU");
    finding_add(d, f, &claim);
}

const struct finding_rule finding_host_bound = {
    .id = "host-bound",
    .checker = "IdleChecker",
    .condition = "the device waits for the CPU for at least 10 % of the step time",
    .fix = "do less work on the CPU between launches, or move it off the thread that launches",
    .command = "gaps",
    .find = find_host,
};

/* ---- blocking calls */

/* Sets the row to the operator whose blocking calls cost the most time. */
static void set_worst_operator(struct find_device *d, struct finding *f, uint64_t *n_steps)
{
    const struct host_facts *h = d->host;
    struct node_times *operators = node_times_new(), *calls = node_times_new();
    uint8_t *steps = xcalloc(d->s->steps.n + 1, 1);
    node_id worst, call;
    int64_t most_ps;

    f->count = *n_steps = 0;
    for (size_t i = 0; i < h->calls.n; i++) {
        if (!h->calls.data[i].lost_ps)
            continue;
        node_times_add(operators, h->calls.data[i].operator_node, h->calls.data[i].lost_ps);
        f->count++;
        *n_steps += !steps[h->calls.data[i].step];
        steps[h->calls.data[i].step] = 1;
    }
    worst = node_times_most(operators, &most_ps);
    for (size_t i = 0; i < h->calls.n; i++)
        if (h->calls.data[i].operator_node == worst && h->calls.data[i].lost_ps)
            node_times_add(calls, h->calls.data[i].node, h->calls.data[i].lost_ps);
    call = node_times_most(calls, &most_ps);
    finding_set_row(d, f, worst);
    if (call != NODE_NONE)
        finding_set_source(d, f, call);
    free(steps);
    EACH(node_times_free, operators, calls);
}

static void find_sync(struct find_device *d, const struct finding_rule *rule)
{
    struct finding f = finding_new(d, rule, d->sync_ps);
    struct strbuf claim = {0};
    uint64_t n_steps;

    if (!is_share(d->sync_ps, d->total_ps, 2))
        return;
    set_worst_operator(d, &f, &n_steps);
    if (2 * n_steps < d->steps.n)
        return;
    sb_addf(&claim, "%" PRIu64 " blocking call%s the device without work for ", f.count,
            f.count == 1 ? " leaves" : "s leave");
    format_time_apart(&claim, d->sync_ps);
    sb_addf(&claim, " in %" PRIu64 " step%s", n_steps, n_steps == 1 ? "" : "s");
    finding_add(d, f, &claim);
}

const struct finding_rule finding_blocking_sync = {
    .id = "blocking-sync",
    .checker = "SynchronizationChecker",
    .condition = "blocking calls leave the device without work for at least 2 % of the step time, in at "
                 "least half of the steps",
    .fix = "keep the value on the device, or read it every N steps",
    .command = "gaps",
    .find = find_sync,
};

/* ---- copies */

static void find_pageable(struct find_device *d, const struct finding_rule *rule)
{
    struct node_times *nodes = node_times_new();
    int64_t lost_ps = d->copy_ps;
    struct finding f = finding_new(d, rule, 0);
    struct strbuf claim = {0};

    f.count = 0;
    for (size_t i = 0; i < d->works.n; i++) {
        const struct work *w = &d->works.data[i];
        int64_t exposed_ps;

        if (!work_is_pageable_copy(d, w))
            continue;
        exposed_ps = w->end_ps - w->start_ps -
                     interval_set_within(&d->busy_or_communicating, w->start_ps, w->end_ps);
        lost_ps = clamp_add(lost_ps, exposed_ps);
        f.count++;
        if (d->s->kinds[w->kind].id != NODE_NONE)
            node_times_add(nodes, d->s->kinds[w->kind].id, w->end_ps - w->start_ps);
    }
    f.lost_ps = f.part = lost_ps;
    if (is_share(lost_ps, d->total_ps, 3)) {
        finding_set_row(d, &f, node_times_heaviest(nodes, d->run->p, false));
        sb_addf(&claim, "%" PRIu64 " copies from pageable memory cost ", f.count);
        format_time_apart(&claim, lost_ps);
        finding_add(d, f, &claim);
    }
    node_times_free(nodes);
}

const struct finding_rule finding_pageable_copy = {
    .id = "pageable-copy",
    .checker = "CopyChecker",
    .condition = "copies from pageable memory cost at least 3 % of the step time",
    .fix = "pin the memory of the source and copy with non_blocking=True",
    .command = "breakdown",
    .find = find_pageable,
};

/* ---- compilations */

static void find_compilation(struct find_device *d, const struct finding_rule *rule)
{
    struct finding f = finding_new(d, rule, d->compile_ps);
    const struct host_slice *slice;
    struct strbuf claim = {0};

    if (!is_share(d->compile_ps, d->total_ps, 3))
        return;
    slice = longest_wait(d, d->host->compiles.data, d->host->compiles.n, &f.count);
    if (slice) {
        finding_set_row(d, &f, slice->node);
        f.step = d->s->steps.data[slice->step].number;
    }
    add_wait(&claim, d->compile_ps, " for compilation after the first step");
    finding_add(d, f, &claim);
}

const struct finding_rule finding_recompilation = {
    .id = "recompilation",
    .checker = "CompileChecker",
    .condition = "the device waits for compilation, in steps after the first, for at least 3 % of the step "
                 "time",
    .fix = "keep shapes and control flow equal between steps, or mark sizes as dynamic",
    .command = "breakdown",
    .find = find_compilation,
};
