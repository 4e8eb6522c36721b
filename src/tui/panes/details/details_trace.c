/* details_trace.c: input shapes and kernels of a row of traces. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/kernel_name.h"
#include "activity/kernels.h"
#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "load/graph/attrs.h"
#include "model/events.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "model/row_names.h"

/* Limits on the data that is read while the cursor moves over a row. */
enum { MAX_SUMMANDS = 1 << 18, EVENTS_MAX = 1 << 20, WAITS_MAX = 1 << 16, KERNELS_MAX = 256, LIST_MAX = 8 };
enum { INDENT_COLS = 2 };

/* ---- shapes */

struct shape_runs {
    strid dims;
    int64_t n;
};

COMPARE_CHAIN(by_runs, struct shape_runs, DOWN(n) || UP(dims))

COMPARE_BY(by_dims, struct shape_runs, dims)

static int64_t runs_of(const struct result *r, node_id id)
{
    struct exec_walk walk = profile_execs(r->profile, id);
    int64_t n = 0;
    struct exec e;

    while (exec_next(&walk, &e))
        if (details_is_of_step(r, e.step))
            n = clamp_add(n, e.run_count);
    return n;
}

/* Adds the number of executions by input shape. */
static void add_shapes(struct lines *l, const struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    VEC(struct shape_runs) shapes = {0};
    size_t n = 0;

    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1] && shapes.n < MAX_SUMMANDS; i++)
        if (p->call_dims[i] != STRID_EMPTY)
            vec_push(&shapes, ((struct shape_runs){p->call_dims[i], runs_of(r, p->n_nodes + i)}));
    vec_sort(&shapes, by_dims);
    for (size_t i = 0; i < shapes.n; i++) {
        if (n && shapes.data[n - 1].dims == shapes.data[i].dims)
            shapes.data[n - 1].n = clamp_add(shapes.data[n - 1].n, shapes.data[i].n);
        else if (shapes.data[i].n)
            shapes.data[n++] = shapes.data[i];
    }
    shapes.n = n;
    vec_sort(&shapes, by_runs);
    for (size_t i = 0; i < n && n > 1 && i < LIST_MAX; i++) {
        if (!i) {
            lines_next(l);
            lines_putf(l, ROLE_HEADER, "%zu different input shapes", n);
        }
        lines_next(l);
        lines_putf(l, ROLE_NUMBER, "%6" PRId64 "x ", shapes.data[i].n);
        details_text(l, ROLE_TEXT, p, shapes.data[i].dims);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", n - LIST_MAX);
    vec_done(&shapes);
}

/* ---- kernels */

static void put_time(struct lines *l, const char *what, int64_t ps)
{
    struct strbuf time = {0};

    format_spaced(&time, UNIT_TIME_PS, ps);
    lines_add_item(l, ROLE_NUMBER, INDENT_COLS, "%s%s", what, sb_text(&time));
    sb_done(&time);
}

static void put_size(struct lines *l, const struct profile *p, const char *what, strid list)
{
    struct strbuf size = {0};

    kernel_size_add(&size, p, list);
    if (size.len)
        lines_add_item(l, ROLE_DIM, INDENT_COLS, "%s%s", what, sb_text(&size));
    sb_done(&size);
}

static void put_stream(struct lines *l, const struct profile *p, const struct event_track *stream)
{
    struct strbuf name = {0};

    utf8_escape(&name, profile_text(p, stream->name), intern_len(&p->strings, stream->name));
    if (stream->name == STRID_EMPTY)
        sb_addf(&name, "%" PRIu32, stream->thread);
    lines_add_item(l, ROLE_DIM, INDENT_COLS, "stream %s", sb_text(&name));
    sb_done(&name);
}

/* "context 1", and the model of the device. */
static void put_device(struct lines *l, const struct profile *p, const struct kernel_config *c,
                       const struct event_track *stream)
{
    const strid model = stream ? p->events->devices.data[stream->device].model_name : STRID_EMPTY;
    const int64_t context = kernel_number(p, c->context);
    struct strbuf text = {0};

    if (context < 0)
        return;
    lines_add_item(l, ROLE_DIM, INDENT_COLS, "context %" PRId64, context);
    utf8_escape(&text, profile_text(p, model), intern_len(&p->strings, model));
    if (text.len)
        lines_add_item(l, ROLE_DIM, INDENT_COLS, "%s", sb_text(&text));
    sb_done(&text);
}

/* Appends the known parts of "grid 132x1x1  block 384x1x1  stream 7  context 1  88 registers  400B
 * shared  occupancy 75 %". STREAM NULL: several. */
static void add_config(struct lines *l, const struct profile *p, const struct kernel_config *c,
                       const struct event_track *stream)
{
    const int64_t registers = kernel_number(p, c->registers), bytes = kernel_number(p, c->shared_memory);
    const double occupancy = kernel_occupancy(p, c->occupancy_percent);
    struct strbuf shared = {0};

    lines_next(l);
    put_size(l, p, "grid ", c->grid);
    put_size(l, p, "block ", c->block);
    if (stream)
        put_stream(l, p, stream);
    put_device(l, p, c, stream);
    format_spaced(&shared, UNIT_BYTES, bytes);
    if (registers >= 0)
        lines_add_item(l, ROLE_DIM, INDENT_COLS, "%" PRId64 " registers", registers);
    if (bytes >= 0)
        lines_add_item(l, ROLE_DIM, INDENT_COLS, "%s shared", sb_text(&shared));
    if (occupancy > 0)
        lines_add_item(l, ROLE_DIM, INDENT_COLS, "occupancy %.3g %%", occupancy);
    sb_done(&shared);
}

/* Appends the name of a kernel, shortened to fit. */
static void put_kernel(struct lines *l, const struct profile *p, strid kernel)
{
    const struct text name = intern_string(&p->strings, kernel);
    struct strbuf sb = {0};

    utf8_escape(&sb, name.bytes, name.len);
    if (text_cols(sb_text(&sb), sb.len) > l->cols) {
        struct strbuf brief = {0};

        sb_clear(&sb);
        kernel_name_add(&brief, name);
        utf8_escape(&sb, sb_text(&brief), brief.len);
        sb_done(&brief);
    }
    lines_fit(l, ROLE_TEXT, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

/* Device work of equal name, rank and configuration. */
struct kernel_use {
    uint32_t rank, config; /* in the store; config: index + 1, 0: unknown */
    uint32_t stream;       /* its track; TRACK_NONE: several */
    strid name;
    uint64_t n;
    int64_t dur_ps, min_ps, max_ps; /* sum; single event */
};

typedef VEC(struct kernel_use) kernel_uses;

COMPARE_CHAIN(by_rank_and_time, struct kernel_use, UP(rank) || DOWN(dur_ps) || UP(name) || UP(config))

/* Sums of the device work of a node. */
struct use_sums {
    kernel_uses list;
    uint32_t *use_of_kind; /* by kind of event: index + 1 in `list` for `rank`; 0: none yet */
    uint32_t rank;
    bool is_cut; /* there are more than KERNELS_MAX */
};

/* Returns the use that FRESH, of KIND, belongs to; NULL: the limit is reached. */
static struct kernel_use *use_of(struct use_sums *sums, uint32_t kind, const struct kernel_use *fresh)
{
    kernel_uses *list = &sums->list;
    size_t at = 0;

    if (sums->use_of_kind[kind])
        return &list->data[sums->use_of_kind[kind] - 1];
    while (at < list->n && (list->data[at].rank != fresh->rank || list->data[at].config != fresh->config ||
                            list->data[at].name != fresh->name))
        at++;
    if (at == KERNELS_MAX) {
        sums->is_cut = true;
        return NULL;
    }
    if (at == list->n)
        vec_push(list, *fresh);
    sums->use_of_kind[kind] = (uint32_t)at + 1;
    return &list->data[at];
}

static void add_event(struct use_sums *sums, const struct event *e, const struct kernel_use *fresh)
{
    struct kernel_use *use = use_of(sums, e->kind, fresh);

    if (!use)
        return;
    if (use->stream != fresh->stream)
        use->stream = TRACK_NONE;
    use->n++;
    use->dur_ps = clamp_add(use->dur_ps, e->dur_ps);
    KEEP_MIN(use->min_ps, e->dur_ps);
    KEEP_MAX(use->max_ps, e->dur_ps);
}

/* Adds the events of TRACK whose kinds are marked in IS_OF_NODE. */
static void add_track(struct use_sums *sums, const struct result *r, uint32_t track, const uint8_t *is_of_node)
{
    const struct event_store *s = r->profile->events;
    const uint32_t rank = s->devices.data[s->tracks.data[track].device].rank;
    struct event_reader events = event_reader_of(s, track);

    if (r->options.rank >= 0 && s->ranks.data[rank].number != r->options.rank)
        return;
    if (rank != sums->rank)
        memset(sums->use_of_kind, 0, s->n_kinds * sizeof *sums->use_of_kind);
    sums->rank = rank;
    while (event_next(&events)) {
        const struct event *e = &events.event;
        const struct kernel_use fresh = {.rank = rank, .config = s->kinds[e->kind].config, .stream = track,
                                         .name = s->kinds[e->kind].name, .min_ps = INT64_MAX};

        if (is_of_node[e->kind] && details_is_of_step(r, s->steps.data[e->step].number))
            add_event(sums, e, &fresh);
    }
}

static void add_use(struct lines *l, const struct profile *p, const struct kernel_use *use)
{
    struct strbuf calls = {0};

    if (use->name != STRID_EMPTY) {
        lines_next(l);
        put_kernel(l, p, use->name);
    }
    lines_next(l);
    sb_addf(&calls, "%" PRIu64 "x ", use->n);
    put_time(l, sb_text(&calls), use->dur_ps);
    if (use->n > 1) {
        put_time(l, "avg ", quotient(use->dur_ps, (int64_t)use->n));
        put_time(l, "min ", use->min_ps);
        put_time(l, "max ", use->max_ps);
    }
    if (use->config)
        add_config(l, p, &p->events->configs.data[use->config - 1],
                   use->stream == TRACK_NONE ? NULL : &p->events->tracks.data[use->stream]);
    sb_done(&calls);
}

static void add_uses(struct lines *l, const struct result *r, const kernel_uses *uses)
{
    if (uses->n)
        details_header(l, r, "kernels and copies");
    for (size_t i = 0; i < uses->n && i < LIST_MAX; i++)
        add_use(l, r->profile, &uses->data[i]);
    if (uses->n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", uses->n - LIST_MAX);
}

/* Adds the device work launched by NODE, longest first within each rank. */
static void add_kernels(struct lines *l, const struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    const struct event_store *s = p->events;
    uint8_t *is_of_node = xcalloc((size_t)s->n_kinds + 1, sizeof *is_of_node);
    struct use_sums sums = {.use_of_kind = xcalloc((size_t)s->n_kinds + 1, sizeof *sums.use_of_kind)};
    uint64_t n_events = 0;
    bool any = false;

    for (uint32_t i = 0; i < s->n_kinds; i++) {
        const struct event_kind *kind = &s->kinds[i];

        is_of_node[i] = kind->is_work && kind->id != NODE_NONE && profile_node_of_part(p, kind->id) == node;
        any |= is_of_node[i];
    }
    for (uint32_t t = 0; any && t < s->tracks.n; t++)
        if (s->tracks.data[t].kind == TRACK_STREAM && (n_events += s->tracks.data[t].n_events) < EVENTS_MAX)
            add_track(&sums, r, t, is_of_node);
    sums.is_cut |= n_events >= EVENTS_MAX;
    vec_sort(&sums.list, by_rank_and_time);
    if (sums.is_cut)
        lines_field(l, "kernels", ROLE_DIM, "too many: :kernels lists them");
    else
        add_uses(l, r, &sums.list);
    vec_done(&sums.list);
    EACH(free, sums.use_of_kind, is_of_node);
}

/* ---- waits */

/* Sums the waits of ROW's accounted nodes and those below by kind, in ticks; false if they are too
 * many. */
static bool add_up_waits(const struct result *r, row_id row, int64_t ticks[WAIT_KINDS])
{
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    const uint32_t end = t->member_begin[t->end[row]];
    struct exec_lists lists = {0};
    size_t n = 0;

    for (uint32_t m = t->member_begin[row]; m < end && n < WAITS_MAX; m++, n++) {
        struct exec_walk walk = profile_execs(p, t->members[m]);
        struct exec e;

        while (r->node_accounted[profile_node_of_part(p, t->members[m])] && n < WAITS_MAX && exec_next(&walk, &e)) {
            if (!details_is_of_step(r, e.step) || !e.wait_ps)
                continue;
            profile_exec_lists(p, &e, &lists);
            for (size_t i = 0; i < lists.times.n; i++, n++)
                ticks[lists.times.data[i].wait] =
                    clamp_add(ticks[lists.times.data[i].wait], lists.times.data[i].dur_ticks);
        }
    }
    exec_lists_done(&lists);
    return n < WAITS_MAX;
}

/* Adds the kinds of waits with their shares. */
static void add_waits(struct lines *l, const struct result *r, row_id row)
{
    int64_t ticks[WAIT_KINDS] = {0}, all = 0;
    const char *label = "waits";

    if (!add_up_waits(r, row, ticks))
        return;
    for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++)
        all = clamp_add(all, ticks[kind]);
    for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++)
        if (ticks[kind]) {
            lines_field(l, label, ROLE_NUMBER, "%.0f%% %s", 100 * (double)ticks[kind] / (double)all,
                        wait_words((enum wait_kind)kind));
            label = "";
        }
}

/* ---- rows of what the file does not place */

static bool is_named(const struct result *r, row_id row, const char *name)
{
    const struct text text = tree_text(r->tree, row);

    return text.len == strlen(name) && memcmp(text.bytes, name, text.len) == 0;
}

/* Appends "13.74 ms in 509 kernels: launched before the trace began" over all steps, or "steps 4 to
 * 6". */
static void add_unplaced(struct lines *l, const struct result *r, row_id row)
{
    const struct profile *p = r->profile;
    int64_t ns = 0;
    uint64_t n = 0;
    struct strbuf text = {0};

    for (uint32_t i = 0; i < p->n_recorders && r->options.step < 0; i++) {
        if (r->options.rank >= 0 && p->recorders[i].rank != r->options.rank)
            continue;
        ns = clamp_add(ns, p->recorders[i].unlaunched_ns);
        n += p->recorders[i].n_unlaunched;
    }
    if (n && is_named(r, row, NO_LAUNCH_NAME)) {
        format_spaced(&text, UNIT_TIME_PS, clamp_mul(ns, PS_PER_NS));
        sb_addf(&text, " in %" PRIu64 " kernel%s: launched before the trace began", n,
                n == 1 ? "" : "s");
    } else if (p->n_steps && is_named(r, row, OUTSIDE_NAME)) {
        sb_addf(&text, "device work before, between and after steps %" PRId64 " to %" PRId64, p->steps[0],
                p->steps[p->n_steps - 1]);
    }
    if (text.len)
        lines_paragraph(l, ROLE_NOTE, l->cols - 1, sb_text(&text));
    sb_done(&text);
}

/* ---- graph replays */

/* Appends "captured in c.json, batch size 32, 1 replay, placed by order", or why replays are not
 * joined. */
static void add_graph(struct lines *l, const struct graph_replays *g, const struct graph_node *node)
{
    const struct graph_row *row = &g->rows[node->row];
    struct strbuf sb = {0};

    if (row->reason == JOIN_FITS)
        sb_addf(&sb, "captured in %s", g->captures[row->capture].path);
    else
        sb_addf(&sb, "not joined with a graph capture (%s)",
                join_reason_word((enum join_reason)row->reason));
    if (row->batch_size != SIZE_UNKNOWN)
        sb_addf(&sb, ", batch size %" PRId64, row->batch_size);
    sb_addf(&sb, ", %" PRIu64 " replay%s", node->n_replays, node->n_replays == 1 ? "" : "s");
    if (row->reason == JOIN_FITS)
        sb_addf(&sb, ", placed by %s", join_how_word((enum join_how)row->how));
    lines_field(l, "graph", ROLE_TEXT, "%s", sb_text(&sb));
    sb_done(&sb);
}

static void add_graphs(struct lines *l, const struct profile *p, node_id node)
{
    const struct graph_replays *g = p->graphs;
    size_t at = 0;

    if (!g)
        return;
    LOWER_BOUND(at, g->n_nodes, i, g->nodes[i].node < node);
    for (size_t n = 0; at < g->n_nodes && g->nodes[at].node == node && n < LIST_MAX; at++, n++)
        add_graph(l, g, &g->nodes[at]);
}

/* ---- sizes and times of threads */

/* Adds what the first execution of NODE recorded of itself. */
static void add_recorded(struct lines *l, const struct profile *p, node_id node)
{
    struct arena arena = {0};
    size_t n;
    const struct attr *args = attrs_recorded(p, node, &arena, &n);

    for (size_t i = 0; i < n; i++) {
        lines_field(l, i ? "" : "recorded", ROLE_DIM, "%s", "");
        lines_name(l, ROLE_DIM, args[i].name.bytes, args[i].name.len);
        lines_puts(l, ROLE_TEXT, " ");
        lines_name(l, ROLE_TEXT, args[i].value.v.s.bytes, args[i].value.v.s.len);
    }
    arena_done(&arena);
}

void details_trace(struct lines *l, const struct result *r, row_id row, bool single)
{
    const struct profile *p = r->profile;
    const node_id node = single ? tree_node(r->tree, row) : NODE_NONE;

    details_ranks(l, r, row);
    add_unplaced(l, r, row);
    if (p->n_recorders && p->kind >= PROFILE_TRACE)
        add_waits(l, r, row);
    if (p->n_recorders && node != NODE_NONE && node < p->n_nodes) {
        if (p->part_begin)
            add_shapes(l, r, node);
        add_graphs(l, p, node);
        add_recorded(l, p, node);
        if (p->events)
            add_kernels(l, r, node);
    }
}
