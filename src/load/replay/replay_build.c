/* replay_build.c: joins the replays of a trace while it is built, groups them in rows, and
 * counts what its iterations launched (formats-trace.md section 11). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/replay/iteration_name.h"
#include "load/replay/placing.h"
#include "load/replay/replay.h"

void replay_refuse(struct replay_state *state, struct refusal refusal)
{
    vec_each(struct refusal, at, &state->refusals) {
        if (at->reason == refusal.reason && at->capture == refusal.capture &&
            at->other == refusal.other && at->size == refusal.size) {
            at->n_replays += refusal.n_replays;
            return;
        }
    }
    if (state->refusals.n < REFUSALS_MAX)
        vec_push(&state->refusals, refusal);
}

void replay_note_node(struct replay_state *state, uint32_t node, uint32_t row)
{
    const uint32_t key[2] = {node, row};
    const uint32_t at = intern_put(&state->node_keys, key, sizeof key) - 1;

    if (at == state->nodes.n)
        vec_push(&state->nodes, ((struct graph_node){.node = node, .row = row}));
    state->nodes.data[at].n_replays++;
}

/* Counts the work of REPLAY, which is joined, in ROW, and marks the launches as placed. */
static void add_works(struct trace_replays *r, const struct graph_launch *replay, struct graph_row *row)
{
    for (uint32_t i = 0; i < replay->n_works; i++) {
        const struct replay_work *work = &r->works.data[replay->first_work + i];
        const uint32_t placed = r->placed.data[replay->first_work + i];

        row->n_ambiguous += placed == ALIGN_AMBIGUOUS;
        row->n_unmatched += placed == ALIGN_UNMATCHED;
        if (placed >= ALIGN_AMBIGUOUS)
            continue;
        row->n_placed++;
        row->placed_ns = clamp_add(row->placed_ns, r->log->slices.data[work->slice].dur_ns);
        r->launch_of_place.data[work->place] = placed + 1;
    }
}

void replay_add_row(struct trace_replays *r, struct graph_launch *replay)
{
    struct replay_state *state = r->state;
    const struct trace_log *log = r->log;
    const bool joined = replay->alignment.reason == JOIN_FITS;
    struct graph_row row = {.path = r->path,
                            .launch = replay->launch,
                            .rank = log->recording->rank,
                            .batch_size = replay->wanted_size,
                            .capture = replay->capture,
                            .graph = replay->graph,
                            .how = joined ? (uint8_t)replay->alignment.how : 0,
                            .reason = (uint8_t)replay->alignment.reason};
    const strid key[8] = {log->recording->file, row.launch, (uint32_t)row.batch_size,
                          (uint32_t)((uint64_t)row.batch_size >> 32), row.capture, row.graph, row.how,
                          row.reason};
    struct graph_row *at;

    replay->row = intern_put(&state->row_keys, key, sizeof key) - 1;
    if (replay->row == state->rows.n)
        vec_push(&state->rows, row);
    at = &state->rows.data[replay->row];
    at->n_replays++;
    at->n_works += replay->n_works;
    at->n_equal += replay->alignment.how == JOIN_BY_COUNT ? 0 : replay->alignment.n_equal;
    at->accelerator_ns = clamp_add(at->accelerator_ns, replay->work_ns);
    if (joined)
        add_works(r, replay, at);
}

/* ---- state of the load */

static void free_state(void *data)
{
    struct replay_state *state = data;

    capture_files_done(&state->files);
    EACH(intern_done, &state->row_keys, &state->node_keys);
    EACH(vec_done, &state->nodes, &state->rows, &state->refusals);
    free(state);
}

struct replay_state *replay_state_of(struct loader *l, struct err *err)
{
    enum { FIRST_STEPS = 1 << 28, STEPS_PER_BYTE = 64, COUNT_STEPS = 1 << 26 };
    struct replay_state *state = l->replays;

    if (state)
        return state;
    state = l->replays = xcalloc(1, sizeof *state);
    loader_keep(l, state, free_state);
    EACH(intern_init, &state->row_keys, &state->node_keys);
    state->count_steps_left = COUNT_STEPS;
    state->steps_left = FIRST_STEPS + STEPS_PER_BYTE * profile_input_bytes(builder_profile(l->builder));
    return capture_files_init(&state->files, l, err) ? state : NULL;
}

/* Adds the captured graphs of the trace itself. */
static void add_own_captures(struct trace_replays *r)
{
    struct capture_files *files = &r->state->files;
    struct captured_file *c;

    if (files->is_off || capture_files_find(files, r->path) || !log_may_have_captures(r->log))
        return;
    c = capture_files_add(files, r->path);
    c->is_own = c->is_opened = true;
    if (r->log->recording->rank >= 0)
        c->rank = r->log->recording->rank;
    if (!captured_read(&files->all, c, r->log)) {
        capture_done(c);
        files->all.list.n--;
    }
}

/* Joins the replays of R with all known captures; false with ERR. */
static bool join(struct trace_replays *r, struct loader *l, struct err *err)
{
    r->state->n_replays += r->list.n;
    capture_files_add_near(&r->state->files, r->path);
    add_own_captures(r);
    replays_look_ahead(r->state, l);
    return capture_open_unknown(&r->state->files, err) && replays_join(r, err);
}

/* ---- captured graphs of the trace itself */

COMPARE_BY_TWO(by_track_and_start, struct captured_graph, track, start_ns)

/* Drops the arguments of slices in the trace's own captured graphs, because the replays count
 * them. */
static void drop_own_args(struct trace_build *b, const struct trace_replays *r)
{
    const struct captured_file *c = capture_files_find(&r->state->files, r->path);
    VEC(struct captured_graph) graphs = {0};

    vec_copy(&graphs, &c->graphs);
    vec_sort(&graphs, by_track_and_start);
    vec_each(struct trace_slice, slice, &b->log->slices) {
        size_t after = 0;

        if (!slice->args || r->kinds[slice->category] != KIND_CALL)
            continue;
        LOWER_BOUND(after, graphs.n, k,
                    graphs.data[k].track < slice->track ||
                        (graphs.data[k].track == slice->track &&
                         graphs.data[k].start_ns <= slice->start_ns));
        if (after && graphs.data[after - 1].track == slice->track &&
            slice->start_ns < graphs.data[after - 1].end_ns)
            slice->args = 0;
    }
    vec_done(&graphs);
}

/* ---- interface to the trace builder */

bool graphs_begin(struct trace_build *b, struct err *err)
{
    const struct options *o = b->l->request->options;
    const bool is_given = o->capture && *o->capture;
    struct trace_replays *r;
    bool ok = true;

    if (b->dialect != DIALECT_KINETO)
        return true;
    r = b->replays = xcalloc(1, sizeof *r);
    r->log = b->log;
    r->path = b->l->path;
    intern_init(&r->token_keys);
    replays_find(r);
    if (r->list.n || is_given) {
        r->state = replay_state_of(b->l, err);
        ok = r->state && (r->list.n ? join(r, b->l, err) : capture_open_unknown(&r->state->files, err));
    }
    if (!ok) {
        replays_done(r);
        free(r);
        return false;
    }
    b->has_iterations = r->marks.n && (o->iterations == ITERATIONS_ON ||
                                       (o->iterations == ITERATIONS_AUTO && b->l->replays &&
                                        b->l->replays->any_joined));
    if (r->has_own)
        drop_own_args(b, r);
    placing_begin(b);
    vec_done(&b->log->graph_nodes);
    return true;
}

unsigned replay_phase_of(const struct trace_build *b, const struct trace_slice *slice)
{
    const struct text name = trace_text(b, slice->name);
    struct iteration_counts counts;

    return kind_of(b, slice) == KIND_ANNOTATION && iteration_name_read(name, &counts)
               ? 1 + (unsigned)iteration_phase_of(&counts)
               : 0;
}

/* Iterations of earlier traces of this rank. */
static int64_t n_iterations_before(const struct trace_build *b)
{
    const struct profile *p = builder_profile(b->builder);
    int64_t n = 0;

    for (uint32_t i = 0; i < p->n_recorders; i++)
        if (&p->recorders[i] != b->recording &&
            p->recorders[i].rank_index == b->recording->rank_index)
            n += p->recorders[i].n_iterations;
    return n;
}

void replay_steps(struct trace_build *b)
{
    for (size_t i = 0; i < b->replays->marks.n; i++) {
        struct iteration *it = &b->replays->marks.data[i].iteration;

        it->step = it->number = it->number + n_iterations_before(b);
        vec_push(&b->steps, ((struct step_mark){it->step, it->start_ns, it->end_ns}));
    }
}

/* The iteration that contains an instant, or NULL. */
static struct iteration *iteration_at(const struct trace_replays *r, int64_t ns)
{
    size_t after = 0;

    LOWER_BOUND(after, r->marks.n, i, r->marks.data[i].iteration.start_ns <= ns);
    return after && ns < r->marks.data[after - 1].iteration.end_ns
               ? &r->marks.data[after - 1].iteration
               : NULL;
}

uint32_t replay_args(struct trace_build *b, const struct trace_slice *slice)
{
    const struct iteration *it;

    if (!b->has_iterations || !slice->args || kind_of(b, slice) != KIND_CALL)
        return slice->args;
    it = iteration_at(b->replays, slice->start_ns);
    return it ? attention_args(b, slice->name, slice->args, &it->counts) : slice->args;
}

void replay_count(struct trace_build *b, const struct trace_slice *slice, int64_t launch_ns,
                  bool is_placed)
{
    struct trace_replays *r = b->replays;
    struct iteration *it = iteration_at(r, launch_ns);

    if (!it)
        return;
    it->accelerator_ns = clamp_add(it->accelerator_ns, slice->dur_ns);
    it->placed_ns = clamp_add(it->placed_ns, is_placed ? slice->dur_ns : 0);
    vec_push(&r->spans, ((struct work_span){it, slice->start_ns, slice->start_ns + slice->dur_ns}));
}

/* ---- iterations */

COMPARE_BY_TWO(by_iteration, struct work_span, iteration, start_ns)

/* Sets span and busy time of each iteration. */
static void measure_iterations(struct trace_replays *r)
{
    int64_t first_ns = 0, end_ns = INT64_MIN;

    vec_sort(&r->spans, by_iteration);
    for (size_t i = 0; i < r->spans.n; i++) {
        const struct work_span *s = &r->spans.data[i];

        if (!i || s->iteration != s[-1].iteration) {
            first_ns = s->start_ns;
            end_ns = s->start_ns;
        }
        if (s->end_ns > end_ns) {
            s->iteration->busy_ns += s->end_ns - (s->start_ns > end_ns ? s->start_ns : end_ns);
            end_ns = s->end_ns;
        }
        s->iteration->span_ns = end_ns - first_ns;
    }
}

static void keep_iterations(struct trace_build *b)
{
    struct trace_replays *r = b->replays;
    struct recorder *recording = b->recording;

    measure_iterations(r);
    recording->n_iterations = (uint32_t)r->marks.n;
    recording->iterations = arena_calloc(&builder_profile(b->builder)->arena, r->marks.n + 1,
                                         sizeof *recording->iterations);
    for (size_t i = 0; i < r->marks.n; i++)
        recording->iterations[i] = r->marks.data[i].iteration;
}

void graphs_end(struct trace_build *b)
{
    placing_end(b);
    if (!b->replays)
        return;
    keep_iterations(b);
    replays_done(b->replays);
    free(b->replays);
    b->replays = NULL;
}
