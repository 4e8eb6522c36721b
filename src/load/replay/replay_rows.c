/* replay_rows.c: groups joined and refused replays in rows (formats-trace.md section 11). */
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
