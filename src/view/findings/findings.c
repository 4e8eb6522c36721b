/* findings.c: runs the rules on every device, and sorts their findings. */
#include "view/findings/findings_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/nth_value.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/build/hidden_frames.h"

#define RULE_ADDRESS(name) &finding_##name,
const struct finding_rule *const finding_rules[] = {FINDING_LIST(RULE_ADDRESS) NULL};
#undef RULE_ADDRESS

const struct finding_rule *finding_rule_of(const char *id)
{
    for (size_t i = 0; finding_rules[i]; i++)
        if (strcmp(finding_rules[i]->id, id) == 0)
            return finding_rules[i];
    return NULL;
}

bool is_share(int64_t part, int64_t whole, int64_t percent)
{
    return whole > 0 && part >= whole / 100 * percent + (whole % 100 * percent + 99) / 100;
}

int64_t finding_share(const struct finding *f)
{
    int64_t part = f->part, whole = f->whole;

    for (; whole > INT64_MAX / 4000 || part > INT64_MAX / 4000; whole /= 2)
        part /= 2;
    return whole > 0 ? (2000 * part + whole) / (2 * whole) : 0;
}

const char *finding_severity(const struct finding *f)
{
    if (finding_is_fact(f->rule))
        return "info";
    return is_share(f->part, f->whole, 20) ? "high" : is_share(f->part, f->whole, 5) ? "medium" : "low";
}

int64_t lower_median(int64_t *values, size_t n)
{
    return n ? nth_value(values, n, (n - 1) / 2) : 0;
}

/* ---- sums by node */

struct node_sum {
    uint32_t id;
    int64_t amount;
};

struct node_times {
    VEC(struct node_sum) sums;
};

struct node_times *node_times_new(void)
{
    return xcalloc(1, sizeof(struct node_times));
}

void node_times_add(struct node_times *t, uint32_t id, int64_t amount)
{
    vec_push(&t->sums, ((struct node_sum){id, amount}));
}

COMPARE_BY(by_id, struct node_sum, id)

uint32_t node_times_most(struct node_times *t, int64_t *amount)
{
    struct node_sum most = {NODE_NONE, 0};

    vec_sort(&t->sums, by_id);
    vec_merge(&t->sums, last, next, last->id == next->id,
              last->amount = clamp_add(last->amount, next->amount));
    for (size_t i = 0; i < t->sums.n; i++)
        if (most.id == NODE_NONE || t->sums.data[i].amount > most.amount)
            most = t->sums.data[i];
    *amount = most.amount;
    return most.id;
}

uint32_t node_times_heaviest(struct node_times *t, const struct profile *p, bool by_op)
{
    struct node_times groups = {{0}};
    uint32_t group, heaviest = NODE_NONE;
    int64_t most, sum;

    for (size_t i = 0; i < t->sums.n; i++) {
        const uint32_t id = t->sums.data[i].id;

        node_times_add(&groups, by_op ? p->op[id] : profile_node_of_part(p, id), t->sums.data[i].amount);
    }
    group = node_times_most(&groups, &sum);
    node_times_most(t, &most); /* sums are then one per id */
    most = INT64_MIN;
    vec_each(const struct node_sum, of, &t->sums) {
        if ((by_op ? p->op[of->id] : profile_node_of_part(p, of->id)) == group && of->amount > most) {
            most = of->amount;
            heaviest = of->id;
        }
    }
    vec_done(&groups.sums);
    return heaviest;
}

void node_times_free(struct node_times *t)
{
    if (t)
        vec_done(&t->sums);
    free(t);
}

/* ---- findings */

struct finding finding_new(const struct find_device *d, const struct finding_rule *rule,
                           int64_t lost_ps)
{
    const int64_t rank = d->s->ranks.data[d->rank].number;

    return (struct finding){.rule = rule,
                            .lost_ps = lost_ps,
                            .part = lost_ps,
                            .whole = d->total_ps,
                            .rank = rank >= 0 && d->s->ranks.n > 1 ? rank : INT64_MIN,
                            .step = INT64_MIN,
                            .device = d->device == DEVICE_NONE
                                          ? STRID_EMPTY
                                          : d->s->devices.data[d->device].name,
                            .op = STRID_EMPTY,
                            .node = NODE_NONE,
                            .count = 1};
}

static const struct frame *own_frame(const struct find_device *d, stack_id stack)
{
    return stack == STACK_NONE
               ? NULL
               : innermost_own_frame(d->run->frames, profile_stack(d->run->p, stack));
}

void finding_set_stack(const struct find_device *d, struct finding *f, stack_id stack)
{
    f->source = own_frame(d, stack);
}

void finding_set_row(const struct find_device *d, struct finding *f, uint32_t id)
{
    const struct profile *p = d->run->p;

    if (id == NODE_NONE)
        return;
    f->node = profile_node_of_part(p, id);
    f->op = p->op[id];
    if (!f->source)
        f->source = own_frame(d, p->stack[id]);
}

void finding_set_source(const struct find_device *d, struct finding *f, node_id node)
{
    const struct profile *p = d->run->p;
    int64_t most_ps = -1;

    for (uint32_t i = p->part_begin ? p->part_begin[node] : 0;
         p->part_begin && i < p->part_begin[node + 1]; i++) {
        struct exec_walk walk = profile_execs(p, p->n_nodes + i);
        const struct frame *frame = own_frame(d, p->stack[p->n_nodes + i]);
        int64_t sum_ps = 0;
        struct exec e;

        while (exec_next(&walk, &e))
            sum_ps = clamp_add(sum_ps, e.cpu_ps);
        if (frame && sum_ps > most_ps) {
            most_ps = sum_ps;
            f->source = frame;
        }
    }
}

void finding_add(struct find_device *d, struct finding f, struct strbuf *claim)
{
    struct findings *to = d->run->findings;

    f.claim = sb_take(claim);
    for (size_t i = 0; i < to->list.n && !d->run->each_device; i++) {
        struct finding *other = &to->list.data[i];

        if (other->rule != f.rule)
            continue;
        f.count += other->count;
        if (finding_share(&f) > finding_share(other)) {
            free(other->claim);
            *other = f;
        } else {
            other->count = f.count;
            free(f.claim);
        }
        return;
    }
    vec_push(&to->list, f);
}

/* ---- order */

static bool is_last(const struct finding *f)
{
    return f->rule == &finding_slow_step;
}

COMPARE_CHAIN(by_share, struct finding,
              THEN(is_last(a) - is_last(b)) || THEN(finding_is_fact(a->rule) - finding_is_fact(b->rule)) ||
              THEN(COMPARE(finding_share(b), finding_share(a))) || THEN(strcmp(a->rule->id, b->rule->id)) ||
              UP(rank))

/* True for findings that may explain slow steps. */
static bool explains(const struct finding *f)
{
    return f->rule == &finding_recompilation || f->rule == &finding_input_late ||
           f->rule == &finding_blocking_sync || f->rule == &finding_dynamic_shapes;
}

static void explain_slow_steps(struct findings *f)
{
    for (size_t i = 0; i < f->list.n; i++) {
        struct finding *slow = &f->list.data[i];

        for (size_t k = 0; k < f->list.n && is_last(slow) && !slow->explained_by; k++)
            if (explains(&f->list.data[k]) && f->list.data[k].rank == slow->rank &&
                10 * finding_share(&f->list.data[k]) >= 8 * finding_share(slow))
                slow->explained_by = f->list.data[k].rule->id;
    }
}

/* ---- devices */

/* Keeps the steps of the device with the largest total. */
static void store_steps(struct find_device *d)
{
    struct findings *f = d->run->findings;

    if (f->steps.n && d->total_ps <= f->total_ps)
        return;
    f->total_ps = d->total_ps;
    f->steps.n = 0;
    for (size_t i = 0; i < d->steps.n; i++)
        vec_push(&f->steps, ((struct step_time){d->steps.data[i].number, d->steps.data[i].dur_ps}));
}

static void run_rules(struct find_device *d)
{
    store_steps(d);
    for (size_t i = 0; finding_rules[i] && d->run->findings->is_of_trace; i++)
        if (finding_rules[i]->find && !cancel_asked(d->run->cancel))
            finding_rules[i]->find(d, finding_rules[i]);
}

static void visit(struct find_run *run, uint32_t rank, uint32_t device, bool is_first,
                  void (*read)(struct find_device *d))
{
    struct find_device d = {.run = run,
                            .s = run->sel->s,
                            .host = &run->hosts[rank],
                            .rank = rank,
                            .device = device,
                            .is_first_of_rank = is_first};

    device_read(&d);
    read(&d);
    device_done(&d);
}

/* Calls READ for each device of RANK, or once for a rank without one. */
static void visit_rank(struct find_run *run, uint32_t rank, void (*read)(struct find_device *d))
{
    const struct event_store *s = run->sel->s;
    bool any = false;

    host_read(run, rank);
    for (uint32_t device = 0; device < s->devices.n && !cancel_asked(run->cancel); device++)
        if (run->sel->devices[device] && s->devices.data[device].rank == rank) {
            visit(run, rank, device, !any, read);
            any = true;
        }
    if (!any)
        visit(run, rank, DEVICE_NONE, true, read);
    host_done(&run->hosts[rank]);
}

/* Maps the rows of stragglers, which are sorted differently, to ranks. */
static uint32_t *find_ranks(const struct find_run *run)
{
    const struct event_store *s = run->sel->s;
    uint32_t *ranks = xcalloc(run->stragglers.rows.n + 1, sizeof *ranks);

    for (size_t row = 0; row < run->stragglers.rows.n; row++)
        for (uint32_t rank = 0; rank < s->ranks.n; rank++)
            if (s->ranks.data[rank].number == run->stragglers.rows.data[row].rank)
                ranks[row] = rank;
    return ranks;
}

/* Measures all ranks first, because rules compare them; then runs the rules. */
static void find_all(struct find_run *run)
{
    const uint32_t n_ranks = (uint32_t)run->sel->s->ranks.n;

    run->name_facts = name_facts_of(run);
    run->hosts = xcalloc((size_t)n_ranks + 1, sizeof *run->hosts);
    run->ranks = xcalloc((size_t)n_ranks + 1, sizeof *run->ranks);
    run->rank_of_row = find_ranks(run);
    for (uint32_t rank = 0; n_ranks > 1 && rank < n_ranks; rank++)
        visit_rank(run, rank, rank_measure);
    for (uint32_t rank = 0; rank < n_ranks && !cancel_asked(run->cancel); rank++)
        visit_rank(run, rank, run_rules);
    EACH(free, run->rank_of_row, run->ranks, run->hosts, run->name_facts);
}

static void read_events(struct find_run *run)
{
    struct selection sel;

    selection_open_all(&sel, run->p, run->cancel);
    run->sel = &sel;
    if (run->p->events->ranks.n > 1) {
        stragglers_make(&run->stragglers, &sel, false);
        selection_rewind(&sel);
    }
    if (selection_next(&sel))
        find_all(run);
    selection_done(&sel);
    stragglers_done(&run->stragglers);
}

void findings_sort(struct findings *f)
{
    vec_sort(&f->list, by_share);
}

bool findings_make(struct findings *f, const struct profile *p, bool each_device,
                   struct cancel_mark cancel, struct err *err)
{
    struct hidden_frames frames;
    struct find_run run = {
        .p = p, .cancel = cancel, .findings = f, .each_device = each_device, .frames = &frames};

    memset(f, 0, sizeof *f);
    f->is_of_trace = profile_recorders(p).has_threads;
    if (!p->events)
        return true;
    hidden_frames_init(&frames, p, LIBRARY_FRAMES);
    read_events(&run);
    hidden_frames_done(&frames);
    explain_slow_steps(f);
    findings_sort(f);
    if (!cancel_asked(cancel))
        return true;
    findings_done(f);
    return err_set(err, ERR_CANCELLED, "cancelled");
}

void findings_done(struct findings *f)
{
    for (size_t i = 0; i < f->list.n; i++)
        free(f->list.data[i].claim);
    EACH(vec_done, &f->list, &f->steps);
}
