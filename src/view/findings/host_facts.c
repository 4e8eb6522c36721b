/* host_facts.c: reads the threads of a rank: slices of input and compilation, and blocking
 * calls. */
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "model/recorder.h"
#include "view/findings/findings_priv.h"

strid kind_name(const struct find_run *run, const struct event_kind *kind)
{
    return kind->name != STRID_EMPTY || kind->id == NODE_NONE ? kind->name : run->p->op[kind->id];
}

static bool allocates(const char *name)
{
    static const char *const calls[] = {
        "cudaMalloc",   "cudaFree",    "cudaHostAlloc", "cudaMallocHost", "cudaFreeHost",
        "cudaMallocAsync", "cuMemCreate", "cuMemMap",   "cuMemUnmap",     "hipMalloc",
        "hipFree",      "hipHostAlloc", "hipHostMalloc", "hipMallocHost", "hipFreeHost",
        "hipHostFree",  "hipMallocAsync", "hipMemCreate", "hipMemMap",    "hipMemUnmap",
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i]) == 0)
            return true;
    return false;
}

uint8_t *name_facts_of(const struct find_run *run)
{
    const struct event_store *s = run->sel->s;
    uint8_t *facts = xcalloc((size_t)s->n_kinds + 1, 1);

    for (uint32_t k = 0; k < s->n_kinds; k++) {
        const struct text name =
            intern_string(&run->p->strings, kind_name(run, &s->kinds[k]));

        if (s->kinds[k].is_work)
            continue;
        if (text_ends(name, " (dynamo_timed)"))
            facts[k] |= NAME_IS_COMPILE;
        facts[k] |= call_waits(name.bytes) ? NAME_BLOCKS : 0;
        facts[k] |= allocates(name.bytes) ? NAME_ALLOCATES : 0;
    }
    return facts;
}

/* Open slices of a track while it is read. */
struct open_slices {
    node_id operator_node;
    int64_t operator_start_ps, operator_end_ps;
    int64_t input_end_ps, compile_end_ps;
};

static struct host_slice slice_of(const struct find_run *run, const struct event *e,
                                  int64_t start_ps)
{
    const struct event_kind *kind = &run->sel->s->kinds[e->kind];

    return (struct host_slice){.start_ps = start_ps,
                               .end_ps = clamp_add(start_ps, e->dur_ps),
                               .name = kind_name(run, kind),
                               .node = kind->id == NODE_NONE ? NODE_NONE
                                                             : profile_node_of_part(run->p, kind->id),
                               .step = e->step};
}

static void read_event(struct find_run *run, struct host_facts *h, struct open_slices *open,
                       uint32_t track, const struct event *e)
{
    const struct event_store *s = run->sel->s;
    const struct event_kind *kind = &s->kinds[e->kind];
    const int64_t start_ps = selection_instant(run->sel, track, e->start_ps);
    const int64_t end_ps = clamp_add(start_ps, e->dur_ps);
    const uint8_t facts = run->name_facts[e->kind];
    const bool is_in_step = s->steps.data[e->step].number >= 0;

    if (kind->is_operator && start_ps >= open->operator_end_ps) {
        open->operator_node = profile_node_of_part(run->p, kind->id);
        open->operator_start_ps = start_ps;
        open->operator_end_ps = end_ps;
    }
    if (kind->event_class == EVENT_INPUT && start_ps >= open->input_end_ps) {
        open->input_end_ps = end_ps;
        vec_push(&h->inputs, slice_of(run, e, start_ps));
    }
    if (facts & NAME_IS_COMPILE && is_in_step && start_ps >= open->compile_end_ps) {
        open->compile_end_ps = end_ps;
        vec_push(&h->compiles, slice_of(run, e, start_ps));
    }
    if (facts & NAME_BLOCKS && is_in_step && kind->id != NODE_NONE) {
        const bool is_within = start_ps < open->operator_end_ps;
        const node_id node = profile_node_of_part(run->p, kind->id);

        vec_push(&h->calls,
                 ((struct blocking_call){
                     .start_ps = start_ps,
                     .end_ps = end_ps,
                     .track = track,
                     .step = e->step,
                     .node = node,
                     .operator_node = is_within ? open->operator_node : node,
                     .operator_start_ps = is_within ? open->operator_start_ps : start_ps,
                     .operator_end_ps = is_within ? open->operator_end_ps : end_ps}));
    }
}

static void read_track(struct find_run *run, struct host_facts *h, uint32_t track, uint32_t first_step)
{
    struct event_reader r = event_reader_of(run->sel->s, track);
    struct open_slices open = {NODE_NONE, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};

    while (event_next(&r)) {
        const struct event *e = &r.event;
        const int64_t start_ps = selection_instant(run->sel, track, e->start_ps);
        const int64_t end_ps = clamp_add(start_ps, e->dur_ps);

        h->first_ps = start_ps < h->first_ps ? start_ps : h->first_ps;
        h->last_ps = end_ps > h->last_ps ? end_ps : h->last_ps;
        if (run->sel->s->kinds[e->kind].is_work)
            continue;
        read_event(run, h, &open, track, e);
        if (run->name_facts[e->kind] & NAME_ALLOCATES && e->step != first_step &&
            run->sel->s->steps.data[e->step].number >= 0) {
            h->allocation_ps = clamp_add(h->allocation_ps, e->dur_ps);
            h->n_allocations++;
        }
    }
}

COMPARE_BY(slice_by_start, struct host_slice, start_ps)

COMPARE_BY_TWO(call_by_start, struct blocking_call, start_ps, track)

/* Computes the union of the slices A and B, which are sorted by start. */
static void unite(interval_set *set, const struct host_slice *a, size_t n_a,
                  const struct host_slice *b, size_t n_b)
{
    for (size_t i = 0, k = 0; i < n_a || k < n_b;) {
        const struct host_slice *next =
            k >= n_b || (i < n_a && a[i].start_ps <= b[k].start_ps) ? &a[i++] : &b[k++];

        interval_set_add(set, next->start_ps, next->end_ps);
    }
}

/* First marked step of RANK; STEP_NONE. */
static uint32_t first_step_of(const struct event_store *s, uint32_t rank)
{
    uint32_t first = STEP_NONE;
    int64_t start_ps = INT64_MAX;

    vec_each(const struct profile_mark, mark, &s->marks) {
        if (s->steps.data[mark->step].rank == rank && mark->start_ps < start_ps) {
            first = mark->step;
            start_ps = mark->start_ps;
        }
    }
    return first;
}

void host_read(struct find_run *run, uint32_t rank)
{
    const struct event_store *s = run->sel->s;
    struct host_facts *h = &run->hosts[rank];
    const uint32_t first_step = first_step_of(s, rank);

    *h = (struct host_facts){.first_ps = INT64_MAX, .last_ps = INT64_MIN};
    for (uint32_t t = 0; t < s->tracks.n && !cancel_asked(run->cancel); t++)
        if (s->devices.data[s->tracks.data[t].device].rank == rank &&
            s->tracks.data[t].kind != TRACK_LAUNCHES)
            read_track(run, h, t, first_step);
    vec_keep(&h->compiles, i, h->compiles.data[i].step != first_step);
    vec_sort(&h->inputs, slice_by_start);
    vec_sort(&h->compiles, slice_by_start);
    vec_sort(&h->calls, call_by_start);
    unite(&h->input, h->inputs.data, h->inputs.n, NULL, 0);
    unite(&h->compile, h->compiles.data, h->compiles.n, NULL, 0);
    unite(&h->either, h->inputs.data, h->inputs.n, h->compiles.data, h->compiles.n);
    for (size_t i = 0; i < h->calls.n; i++) {
        const size_t before = i ? h->calls.data[i - 1].latest : 0;

        h->calls.data[i].latest =
            h->calls.data[i].end_ps >= h->calls.data[before].end_ps ? i : before;
    }
}

void host_done(struct host_facts *h)
{
    EACH(vec_done, &h->inputs, &h->compiles, &h->calls, &h->input, &h->compile, &h->either);
}
