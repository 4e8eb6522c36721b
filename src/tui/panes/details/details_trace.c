/* details_trace.c: input shapes and kernels of a row of traces. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"

/* Maximum number of executions to add up while the cursor moves over a row. */
enum { MAX_SUMMANDS = 1 << 18, LIST_MAX = 8 };

static void put_bytes(struct lines *l, enum role role, const struct profile *p, strid id)
{
    struct strbuf sb = {0};

    utf8_escape(&sb, profile_text(p, id), intern_len(&p->strings, id));
    lines_fit(l, role, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

/* ---- shapes */

struct shape_runs {
    strid dims;
    int64_t n;
};

COMPARE_MOST_FIRST(by_runs, struct shape_runs, n, dims)

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
        put_bytes(l, ROLE_TEXT, p, shapes.data[i].dims);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", n - LIST_MAX);
    vec_done(&shapes);
}

/* ---- kernels */

static void put_part(struct lines *l, const struct profile *p, const char *before, strid value,
                     const char *after)
{
    if (value == STRID_EMPTY)
        return;
    lines_puts(l, ROLE_DIM, before);
    put_bytes(l, ROLE_DIM, p, value);
    lines_puts(l, ROLE_DIM, after);
}

static void add_config(struct lines *l, const struct profile *p, const struct kernel_config *c)
{
    lines_next(l);
    put_part(l, p, "  grid ", c->grid, "");
    put_part(l, p, ", block ", c->block, "");
    lines_next(l);
    put_part(l, p, "  ", c->registers, " registers per thread, ");
    put_part(l, p, "shared ", c->shared_memory, " B");
    if (c->blocks_per_sm | c->warps_per_sm | c->occupancy_percent)
        lines_next(l);
    put_part(l, p, "  per SM ", c->blocks_per_sm, " blocks, ");
    put_part(l, p, "", c->warps_per_sm, " warps, ");
    put_part(l, p, "occupancy ", c->occupancy_percent, " %");
}

static void add_use(struct lines *l, const struct profile *p, const struct recording *recording,
                    const struct kernel_use *use)
{
    struct strbuf times = {0};

    sb_addf(&times, "%" PRIu64 "x ", use->n);
    format_time(&times, clamp_mul(use->dur_ns, PS_PER_NS));
    if (use->n > 1) {
        sb_adds(&times, ": ");
        format_time(&times, clamp_mul(use->min_ns, PS_PER_NS));
        sb_adds(&times, " to ");
        format_time(&times, clamp_mul(use->max_ns, PS_PER_NS));
    }
    lines_next(l);
    put_bytes(l, ROLE_TEXT, p, use->name);
    lines_next(l);
    lines_putf(l, ROLE_NUMBER, "  %s", sb_text(&times));
    if (use->config)
        add_config(l, p, &recording->configs[use->config - 1]);
    sb_done(&times);
}

/* Adds the device work launched by NODE, of each trace the longest first. */
static void add_kernels(struct lines *l, const struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    struct strbuf header = {0};
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *recording = &p->recordings[i];
        size_t at = 0;

        if (r->options.rank >= 0 && recording->rank != r->options.rank)
            continue;
        LOWER_BOUND(at, recording->n_kernel_uses, k, recording->kernel_uses[k].node < node);
        for (; at < recording->n_kernel_uses && recording->kernel_uses[at].node == node; at++) {
            if (!is_of_step(r, recording->kernel_uses[at].step) || n++ >= LIST_MAX)
                continue;
            if (n == 1) {
                sb_adds(&header, "kernels and copies");
                add_header(&header, r);
                lines_next(l);
                lines_puts(l, ROLE_HEADER, sb_text(&header));
            }
            add_use(l, p, recording, &recording->kernel_uses[at]);
        }
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", n - LIST_MAX);
    sb_done(&header);
}

/* ---- graph replays */

/* "captured in c.json, batch size 32, 1 replay, placed by order", or why replays are not joined. */
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

void details_trace(struct lines *l, const struct result *r, row_id row, bool single)
{
    const struct profile *p = r->profile;
    const node_id node = single ? tree_node(r->tree, row) : NODE_NONE;

    details_ranks(l, r, row);
    if (p->n_recordings && node != NODE_NONE && node < p->n_nodes) {
        if (p->part_begin)
            add_shapes(l, r, node);
        add_graphs(l, p, node);
        add_kernels(l, r, node);
    }
}
