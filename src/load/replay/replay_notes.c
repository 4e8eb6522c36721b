/* replay_notes.c: notes on the replays of a load, and their summary in the profile
 * (formats-trace.md section 11). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "load/replay/replay.h"
#include "model/format.h"

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static const char *path_of(const struct replay_state *state, uint32_t capture)
{
    return state->files.all.list.data[capture].path;
}

/* ---- sizes */

COMPARE_VALUES(by_size, int64_t)
COMPARE_BY_TWO(by_node, struct graph_node, node, row)

/* Appends the known sizes as "4, 8, 16"; returns their number. */
static size_t add_known_sizes(struct strbuf *sb, const struct capture_files *files)
{
    enum { SHOWN_MAX = 40 };
    VEC(int64_t) sizes = {0};
    size_t n = 0;

    for (size_t i = 0; i < files->listed.n; i++)
        vec_push(&sizes, files->listed.data[i].size);
    for (size_t i = 0; i < files->all.list.n; i++)
        if (capture_size(&files->all.list.data[i]) != SIZE_UNKNOWN)
            vec_push(&sizes, capture_size(&files->all.list.data[i]));
    vec_sort(&sizes, by_size);
    for (size_t i = 0; i < sizes.n; i++) {
        if (i && sizes.data[i] == sizes.data[i - 1])
            continue;
        if (n++ < SHOWN_MAX)
            sb_addf(sb, "%s%" PRId64, n > 1 ? ", " : "", sizes.data[i]);
    }
    sb_adds(sb, n > SHOWN_MAX ? ", ..." : "");
    vec_done(&sizes);
    return n;
}

static void add_size(struct strbuf *sb, const struct replay_state *state, const struct refusal *r)
{
    const struct capture_files *files = &state->files;
    struct strbuf sizes = {0};
    const size_t n = add_known_sizes(&sizes, files);

    for (size_t i = 0; i < files->all.list.n && n == 1 && !sb->len; i++)
        if (capture_size(&files->all.list.data[i]) != SIZE_UNKNOWN)
            sb_addf(sb, "%s: captured for batch size %s, but ", files->all.list.data[i].path,
                    sb_text(&sizes));
    sb_addf(sb, "%" PRIu64 " graph replay%s ran batch size %" PRId64, r->n_replays,
            plural(r->n_replays), r->size);
    if (n > 1)
        sb_addf(sb, ", captures are for %s", sb_text(&sizes));
    sb_done(&sizes);
}

static void add_missing(struct strbuf *sb, const struct replay_state *state, const struct refusal *r)
{
    const struct listed_capture *listed = state->files.listed.data;

    while (listed->size != r->size || listed->is_found)
        listed++;
    sb_addf(sb,
            "%s: listed in execution_details.json for batch size %" PRId64 ", but not found: %" PRIu64
            " graph replay%s not joined", listed->path, r->size, r->n_replays, plural(r->n_replays));
}

/* ---- refusals */

static void add_no_capture(struct strbuf *sb, const struct replay_state *state, const struct refusal *r)
{
    int64_t ns = 0;

    for (size_t i = 0; i < state->rows.n; i++)
        if (state->rows.data[i].reason == JOIN_NO_CAPTURE)
            ns = clamp_add(ns, state->rows.data[i].accelerator_ns);
    sb_addf(sb, "%" PRIu64 " graph replay%s (", r->n_replays, plural(r->n_replays));
    format_time(sb, clamp_mul(ns, PS_PER_NS));
    sb_addf(sb, " of accelerator time) ha%s no capture: give the capture trace with -capture FILES, or "
                "put it into capture_traces/ next to the trace", r->n_replays == 1 ? "s" : "ve");
}

static void add_refusal(struct strbuf *sb, const struct replay_state *state, const struct refusal *r)
{
    const char *path = r->capture == CAPTURE_NONE ? "" : path_of(state, r->capture);
    const char *s = plural(r->n_replays);

    switch (r->reason) {
    case JOIN_SIZE:
        add_size(sb, state, r);
        break;
    case JOIN_MISSING:
        add_missing(sb, state, r);
        break;
    case JOIN_GRAPHS:
        sb_addf(sb, "%s: captured as %" PRIu64 " graph%s, but 1 iteration launched %" PRIu64
                ": %" PRIu64 " graph replay%s not joined", path, r->n, plural(r->n), r->of,
                r->n_replays, s);
        break;
    case JOIN_NAMES:
        sb_addf(sb, "%s: not the capture of %" PRIu64 " graph replay%s: %" PRIu64 " of %" PRIu64
                " kernel names agree in order, 99%% are required", path, r->n_replays, s, r->n, r->of);
        break;
    case JOIN_STREAMS:
        if (r->is_count)
            sb_addf(sb, "%s: %" PRIu64 " graph replay%s ran on several streams, and the capture has no "
                    "kernel names", path, r->n_replays, s);
        else
            sb_addf(sb, "%s: the order of kernels on the streams of %" PRIu64 " graph replay%s does not "
                    "follow the order of launches", path, r->n_replays, s);
        break;
    case JOIN_AMBIGUOUS:
        sb_addf(sb, "%s, %s: several captured graphs fit %" PRIu64 " graph replay%s, with different "
                "rows: not joined", path, path_of(state, r->other), r->n_replays, s);
        break;
    default:
        if (!state->files.is_off)
            add_no_capture(sb, state, r);
        break;
    }
}

/* ---- joined replays */

static struct graph_totals totals_of(const struct replay_state *state)
{
    return graph_totals_of(&(struct graph_replays){.rows = state->rows.data,
                                                   .n_rows = (uint32_t)state->rows.n});
}

static void note_joined(struct notes *notes, const struct graph_totals *t)
{
    struct strbuf sb = {0};

    if (!t->n_joined)
        return;
    sb_addf(&sb, "%" PRIu64 " of %" PRIu64 " graph replay%s joined with captures: %" PRIu64 " of %" PRIu64
            " kernel%s placed, ", t->n_joined, t->n_replays, plural(t->n_replays), t->n_placed,
            t->n_works, plural(t->n_works));
    format_time(&sb, clamp_mul(t->placed_ns, PS_PER_NS));
    sb_adds(&sb, " of ");
    format_time(&sb, clamp_mul(t->accelerator_ns, PS_PER_NS));
    note_add(notes, "%s", sb_text(&sb));
    if (t->n_ambiguous + t->n_unmatched)
        note_add(notes, "%" PRIu64 " kernel%s ambiguous, %" PRIu64 " kernel%s not in the capture: left "
                 "with the graph launch", t->n_ambiguous, plural(t->n_ambiguous), t->n_unmatched,
                 plural(t->n_unmatched));
    sb_done(&sb);
}

/* Adds a note on captures without kernel names. */
static void note_counted(struct notes *notes, const struct replay_state *state)
{
    for (uint32_t i = 0; i < state->files.all.list.n; i++) {
        uint64_t n = 0;

        for (size_t k = 0; k < state->rows.n; k++)
            if (state->rows.data[k].reason == JOIN_FITS && state->rows.data[k].how == JOIN_BY_COUNT &&
                state->rows.data[k].capture == i)
                n += state->rows.data[k].n_placed;
        if (n)
            note_add(notes, "%s: has no kernel names: %" PRIu64 " kernel%s placed by their number and "
                     "order alone", path_of(state, i), n, plural(n));
    }
}

static void note_disagreeing(struct notes *notes, const struct replay_state *state)
{
    vec_each(const struct captured_file, c, &state->files.all.list) {
        if (c->listed_size != SIZE_UNKNOWN && c->noted_size != SIZE_UNKNOWN &&
            c->listed_size != c->noted_size)
            note_add(notes, "%s: execution_details.json says batch size %" PRId64 ", the annotation %"
                     PRId64 ": not used", c->path, c->listed_size, c->noted_size);
    }
}

/* ---- the profile */

static char *keep_text(struct profile *p, const char *text)
{
    const size_t n = strlen(text) + 1;

    return memcpy(arena_calloc(&p->arena, n, 1), text, n);
}

static struct graph_capture kept_capture(struct profile *p, const struct captured_file *c)
{
    const char *mode = c->listed_mode                       ? c->listed_mode
                       : !c->is_opened                      ? NULL
                       : c->graphs.n == 1                   ? "FULL"
                                                            : "PIECEWISE";

    return (struct graph_capture){
        .path = keep_text(p, c->path),
        .mode = mode ? keep_text(p, mode) : NULL,
        .rank = c->rank >= 0 ? c->rank : INT64_MIN,
        .batch_size = capture_size(c),
        .n_graphs = c->is_opened ? (int64_t)c->graphs.n : INT64_MIN,
        .n_launches = c->is_opened ? (int64_t)c->launches.n : INT64_MIN,
        .is_used = c->is_used,
    };
}

static void keep_graphs(struct profile *p, const struct replay_state *state)
{
    struct graph_replays *g = p->graphs = arena_calloc(&p->arena, 1, sizeof *g);
    uint32_t *place = arena_calloc(&p->arena, state->files.all.list.n + 1, sizeof *place);

    g->captures = arena_calloc(&p->arena, state->files.all.list.n + 1, sizeof *g->captures);
    for (size_t i = 0; i < state->files.all.list.n; i++) {
        place[i] = g->n_captures;
        if (!state->files.all.list.data[i].is_bad)
            g->captures[g->n_captures++] = kept_capture(p, &state->files.all.list.data[i]);
    }
    g->n_nodes = (uint32_t)state->nodes.n;
    g->nodes = arena_calloc(&p->arena, state->nodes.n + 1, sizeof *g->nodes);
    if (state->nodes.n)
        memcpy(g->nodes, state->nodes.data, state->nodes.n * sizeof *g->nodes);
    qsort(g->nodes, g->n_nodes, sizeof *g->nodes, by_node);
    g->n_rows = (uint32_t)state->rows.n;
    g->rows = arena_calloc(&p->arena, state->rows.n + 1, sizeof *g->rows);
    for (size_t i = 0; i < state->rows.n; i++) {
        g->rows[i] = state->rows.data[i];
        if (g->rows[i].capture != CAPTURE_NONE)
            g->rows[i].capture = place[g->rows[i].capture];
    }
}

bool replays_end_load(struct loader *l, struct err *err UNUSED)
{
    struct profile *p = builder_profile(l->builder);
    const struct replay_state *state = l->replays;
    struct graph_totals totals;

    if (!state)
        return true;
    totals = totals_of(state);
    note_joined(&p->notes, &totals);
    note_counted(&p->notes, state);
    note_disagreeing(&p->notes, state);
    for (size_t i = 0; i < state->refusals.n; i++) {
        struct strbuf sb = {0};

        add_refusal(&sb, state, &state->refusals.data[i]);
        if (sb.len)
            note_add(&p->notes, "%s", sb_text(&sb));
        sb_done(&sb);
    }
    keep_graphs(p, state);
    return true;
}
