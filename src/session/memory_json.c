/* memory_json.c: memory of allocators as JSON (memory.md section 7). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "model/format.h"
#include "session/memory_table.h"
#include "view/build/hidden_frames.h"

enum { POINTS_MAX = 2000 };

/* Ticks of A in microseconds. */
static void add_micros(struct strbuf *sb, const struct memory_allocator *a, int64_t ticks)
{
    if (a->ticks_per_us == 1)
        sb_add_int(sb, ticks);
    else
        format_micros(sb, memory_ps(a, ticks));
}

/* Adds a member; null for MEMORY_UNKNOWN. */
static void add_us(struct strbuf *sb, const char *key, const struct memory_allocator *a, int64_t ticks)
{
    if (ticks == MEMORY_UNKNOWN) {
        member_null(sb, key);
        return;
    }
    member_key(sb, key);
    add_micros(sb, a, ticks);
}

static void add_points(struct strbuf *sb, const struct memory_allocator *a, uint32_t at, int64_t bytes)
{
    sb_adds(sb, sb->data[sb->len - 1] == '[' ? "[" : ",[");
    add_micros(sb, a, memory_ticks(a, at));
    sb_addc(sb, ',');
    sb_add_int(sb, bytes);
    sb_addc(sb, ']');
}

/* True if point I of N is among the MOST points kept: first, last, PEAK, and evenly spaced ones. N
 * > MOST >= 3. */
static bool is_kept(uint64_t i, uint64_t n, uint64_t most, uint64_t peak)
{
    const uint64_t steps = most - 2; /* intervals between first and last; one point is for the
                                      * peak */

    return i == 0 || i == n - 1 || i == peak || i * steps / (n - 1) != (i - 1) * steps / (n - 1);
}

/* The number of points that -points MOST allows; of RunMetadata all by default. */
static uint64_t points_max(const struct memory_allocator *a, int64_t most)
{
    return most != POINTS_DEFAULT ? (uint64_t)most : a->has_no_addresses ? UINT64_MAX : POINTS_MAX;
}

static void add_in_use(struct strbuf *sb, const struct memory_allocator *a, int64_t most)
{
    const uint64_t n = a->points.n + 1, limit = points_max(a, most);
    uint64_t peak = 0;

    for (size_t i = 0; i < a->points.n; i++)
        if (a->points.data[i].event + 1 == a->peak)
            peak = i + 1;
    member_integer(sb, "in_use_points", (int64_t)n);
    member_open(sb, "in_use", '[');
    for (uint64_t i = 0; i < n; i++)
        if (n <= limit || is_kept(i, n, limit, peak))
            add_points(sb, a, i ? a->points.data[i - 1].event + 1 : 0,
                       i ? a->points.data[i - 1].in_use_bytes : a->start_bytes);
    sb_addc(sb, ']');
}

static void add_reserved(struct strbuf *sb, const struct memory_allocator *a, int64_t most)
{
    const uint64_t n = a->reservations.n + 1;
    const uint64_t limit = points_max(a, most);
    uint64_t peak = 0;

    for (size_t i = a->reservations.n; i-- > 0;)
        if (a->reservations.data[i].reserved_bytes == a->reserved_peak_bytes)
            peak = i + 1;
    member_open(sb, "reserved", '[');
    for (uint64_t i = 0; i < n; i++)
        if (n <= limit || is_kept(i, n, limit, peak))
            add_points(sb, a, i ? a->reservations.data[i - 1].event + 1 : 0,
                       i ? a->reservations.data[i - 1].reserved_bytes : a->reserved_start_bytes);
    sb_addc(sb, ']');
}

static void add_curves(struct strbuf *sb, const struct memory_allocator *a, int64_t most)
{
    if (a->has_live_set_only) {
        member_null(sb, "in_use_points");
        member_null(sb, "in_use");
    } else {
        add_in_use(sb, a, most);
    }
    if (a->reserved_start_bytes == MEMORY_UNKNOWN)
        member_null(sb, "reserved");
    else
        add_reserved(sb, a, most);
}

static void add_segments(struct strbuf *sb, const struct memory_allocator *a)
{
    const struct segment_sums sums = memory_segment_sums(a);

    if (!a->has_segments) {
        member_null(sb, "segments");
        return;
    }
    member_open(sb, "segments", '{');
    member_integer(sb, "count", (int64_t)a->segments.n);
    member_integer(sb, "reserved_bytes", sums.reserved_bytes);
    member_integer(sb, "allocated_bytes", sums.allocated_bytes);
    member_integer(sb, "pending_bytes", sums.pending_bytes);
    member_integer(sb, "inactive_bytes", sums.inactive_bytes);
    member_integer(sb, "rounding_bytes", sums.rounding_bytes);
    member_integer(sb, "cached_bytes", sums.cached_bytes);
    member_integer(sb, "fragmented_bytes", sums.fragmented_bytes);
    member_integer(sb, "largest_free_bytes", sums.largest_free_bytes);
    member_integer(sb, "gap_bytes", clamp_sub(sums.reserved_bytes, sums.block_bytes));
    sb_addc(sb, '}');
}

COMPARE_POINTERS(by_address, struct memory_segment, UP(address) || THEN(COMPARE(a, b)))

static void add_segment_rows(struct strbuf *sb, const struct profile *p, const struct memory_allocator *a)
{
    VEC(const struct memory_segment *) order = {0};

    for (size_t i = 0; i < a->segments.n; i++)
        vec_push(&order, &a->segments.data[i]);
    vec_sort(&order, by_address);
    member_open(sb, "segment_rows", '[');
    for (size_t i = 0; i < order.n; i++) {
        const struct memory_segment *g = order.data[i];

        sb_addf(sb, "%s{\"address\":\"0x%" PRIx64 "\"", i ? ",\n" : "\n", g->address);
        member_integer(sb, "stream", g->stream);
        member_name(sb, "type", p, g->type);
        member_flag(sb, "expandable", g->is_expandable);
        member_integer(sb, "total_bytes", g->bytes);
        member_integer(sb, "allocated_bytes", g->allocated_bytes);
        member_integer(sb, "pending_bytes", g->pending_bytes);
        member_integer(sb, "inactive_bytes", g->inactive_bytes);
        member_integer(sb, "largest_free_bytes", g->largest_free_bytes);
        member_integer(sb, "blocks", g->n_blocks);
        member_integer(sb, "active_blocks", g->n_active);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    vec_done(&order);
}

static void add_code(struct strbuf *sb, const struct profile *p, stack_id stack,
                     struct hidden_frames *libraries)
{
    struct strbuf code = {0};

    live_code_name(&code, p, stack, libraries);
    member_text(sb, "code", (struct text){sb_text(&code), (uint32_t)code.len});
    sb_done(&code);
}

static void add_failures(struct strbuf *sb, const struct profile *p, const struct memory_allocator *a,
                         struct cancel_mark cancel)
{
    struct failure_facts *facts = failure_facts_of(a, cancel);
    struct hidden_frames libraries;

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    member_open(sb, "oom", '[');
    for (size_t i = 0; i < a->failures.n; i++) {
        const struct failure_facts *f = &facts[i];

        sb_addf(sb, "%s{\"event\":%" PRIu32, i ? ",\n" : "\n", f->failure->event);
        add_us(sb, "at_us", a, memory_ticks(a, f->failure->event + 1));
        member_number(sb, "requested_bytes", f->failure->requested_bytes);
        member_number(sb, "device_free_bytes", f->failure->device_free_bytes);
        member_number(sb, "in_use_bytes", f->in_use_bytes);
        member_number(sb, "reserved_bytes", f->reserved_bytes);
        member_number(sb, "free_bytes", f->free_bytes);
        member_number(sb, "largest_free_bytes", f->largest_free_bytes);
        member_number(sb, "largest_free_same_stream_bytes", f->largest_free_same_stream_bytes);
        member_flag(sb, "exact", f->is_exact);
        member_number(sb, "short_bytes", f->short_bytes);
        add_code(sb, p, f->failure->stack, &libraries);
        member_string(sb, "reason", failure_reason_name(f->reason));
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    hidden_frames_done(&libraries);
    free(facts);
}

static void add_life(struct strbuf *sb, const struct memory_allocator *a, const struct memory_allocation *m)
{
    add_us(sb, "from_us", a, memory_ticks(a, m->begin));
    add_us(sb, "until_us", a, m->end == MEMORY_NEVER ? MEMORY_UNKNOWN : memory_ticks(a, m->end));
}

/* Adds the members of an allocation's row. */
static void add_block(struct strbuf *sb, const struct profile *p, const struct live_rows_request *q,
                      uint32_t allocation, struct hidden_frames *libraries)
{
    const struct memory_allocator *a = q->allocator;
    const struct memory_allocation *m = &a->allocations.data[allocation];
    const struct memory_site *site = &profile_memory(p)->sites[m->site];

    add_life(sb, a, m);
    member_integer(sb, "size_bytes", memory_extent(a, allocation));
    member_flag(sb, "pending", m->pending <= q->at);
    member_integer(sb, "stream", site->stream);
    add_code(sb, p, site->id == NODE_NONE ? STACK_NONE : p->stack[site->id], libraries);
}

/* Adds the type of the operation that made allocation M, and its line of code if known. */
static void add_op(struct strbuf *sb, const struct profile *p, const struct memory_allocation *m,
                   struct hidden_frames *libraries)
{
    const uint32_t id = profile_memory(p)->sites[m->site].id;

    member_name(sb, "type", p, p->op[id]);
    if (p->stack[id] != STACK_NONE)
        add_code(sb, p, p->stack[id], libraries);
}

static void add_live_rows(struct strbuf *sb, const struct profile *p, const struct live_rows_request *q)
{
    const bool is_op = q->by == GROUPING_NODE && q->allocator->has_no_addresses;
    struct live_rows live;
    struct hidden_frames libraries;

    live_rows_make(&live, p, q);
    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    member_open(sb, "live", '[');
    for (size_t i = 0; i < live.rows.n; i++) {
        const struct live_row *row = &live.rows.data[i];
        const struct memory_allocation *m = vec_from(&q->allocator->allocations, row->allocation);

        sb_adds(sb, i ? ",\n{" : "\n{");
        member_text(sb, "name", row->name);
        if (is_op && row->n_blocks)
            add_op(sb, p, m, &libraries);
        member_integer(sb, "bytes", row->bytes);
        member_integer(sb, "blocks", (int64_t)row->n_blocks);
        if (is_op && row->n_blocks)
            add_life(sb, q->allocator, m);
        if (q->by == GROUPING_BLOCK && row->n_blocks)
            add_block(sb, p, q, row->allocation, &libraries);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    hidden_frames_done(&libraries);
    live_rows_done(&live);
}

static void add_instant(struct strbuf *sb, const char *key, const struct memory_allocator *a, uint32_t at)
{
    member_key(sb, key);
    sb_addf(sb, "{\"event\":%" PRId64, (int64_t)at - 1);
    add_us(sb, "us", a, memory_ticks(a, at));
    sb_addc(sb, '}');
}

static void add_diff(struct strbuf *sb, const struct table_rows *t, const struct live_rows_request *q)
{
    struct memory_growth g;

    memory_growth_make(&g, t, q);
    member_open(sb, "diff", '{');
    member_integer(sb, "bytes", g.bytes);
    member_integer(sb, "base_bytes", g.base_bytes);
    member_integer(sb, "delta_bytes", clamp_sub(g.bytes, g.base_bytes));
    member_open(sb, "rows", '[');
    for (size_t i = 0; i < g.pairs.n; i++) {
        const struct live_pair *pair = &g.pairs.data[i];

        sb_adds(sb, i ? ",\n{" : "\n{");
        member_text(sb, "name", pair->name);
        member_integer(sb, "bytes", pair->bytes);
        member_integer(sb, "base_bytes", pair->base_bytes);
        member_integer(sb, "blocks", (int64_t)pair->n_blocks);
        member_integer(sb, "base_blocks", (int64_t)pair->n_base_blocks);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}");
    memory_growth_done(&g);
}

static void add_counts(struct strbuf *sb, const struct memory_allocator *a)
{
    member_open(sb, "events", '{');
    for (int i = 0; i < MEMORY_ACTION_COUNT; i++)
        if (a->counts[i])
            member_integer(sb, memory_action_names[i], (int64_t)a->counts[i]);
    sb_addc(sb, '}');
}

static void add_before(struct strbuf *sb, const struct memory_allocator *a)
{
    if (a->has_live_set_only) {
        member_null(sb, "before");
        return;
    }
    member_open(sb, "before", '{');
    member_number(sb, "blocks", a->counts_in_use ? MEMORY_UNKNOWN : (int64_t)a->n_before);
    member_integer(sb, "bytes", a->start_bytes);
    member_number(sb, "with_stack", a->counts_in_use ? MEMORY_UNKNOWN : (int64_t)a->n_before_with_stack);
    member_integer(sb, "at_peak_bytes", a->before_at_peak_bytes);
    sb_addc(sb, '}');
}

/* Adds the peaks; without a curve they are unknown. */
static void add_peaks(struct strbuf *sb, const struct memory_allocator *a)
{
    const bool known = !a->has_live_set_only;

    member_number(sb, "start_bytes", known && !a->has_no_addresses ? a->start_bytes : MEMORY_UNKNOWN);
    member_number(sb, "peak_bytes", known ? a->peak_bytes : MEMORY_UNKNOWN);
    member_number(sb, "peak_event", known ? (int64_t)a->peak - 1 : MEMORY_UNKNOWN);
    add_us(sb, "peak_at_us", a, known ? memory_ticks(a, a->peak) : MEMORY_UNKNOWN);
    add_us(sb, "length_us", a, known ? memory_ticks(a, a->n_events) : MEMORY_UNKNOWN);
    member_number(sb, "end_bytes", a->has_no_addresses ? MEMORY_UNKNOWN : a->end_bytes);
    member_number(sb, "reserved_start_bytes", a->reserved_start_bytes);
    member_number(sb, "reserved_peak_bytes", a->reserved_peak_bytes);
    member_number(sb, "reserved_at_peak_bytes", a->reserved_at_peak_bytes);
    member_number(sb, "capacity_bytes", a->capacity_bytes);
    member_number(sb, "lifetime_peak_bytes", a->lifetime_peak_bytes);
    if (a->fragmentation < 0) {
        member_null(sb, "fragmentation");
    } else {
        member_key(sb, "fragmentation");
        sb_addf(sb, "%g", a->fragmentation);
    }
}

static void add_head(struct strbuf *sb, const struct profile *p, const struct memory_allocator *a)
{
    const char *path = p->files[a->file].path;

    if (a->step == STEP_ALL)
        member_string(sb, "step", "all");
    else
        member_integer(sb, "step", a->step);
    member_name(sb, "device", p, a->device);
    member_name(sb, "allocator", p, a->name);
    member_string(sb, "file", path);
    member_string(sb, "clock", a->has_times ? "us" : "events");
    member_string(sb, "frees", a->frees == MEMORY_FREES_UNKNOWN     ? NULL
                               : a->frees == MEMORY_FREES_COMPLETED ? "completed"
                                                                    : "requested");
    add_us(sb, "first_us", a, a->first_ticks);
}

static void add_allocator(struct strbuf *sb, const struct table_rows *t, const struct memory_allocator *a)
{
    const struct options *o = t->request->options;
    const struct profile *p = t->request->now ? t->request->now : t->request->profile;
    const struct live_rows_request q = memory_request(t, a, false);

    add_head(sb, p, a);
    add_peaks(sb, a);
    add_before(sb, a);
    add_counts(sb, a);
    add_segments(sb, a);
    add_failures(sb, p, a, t->request->cancel);
    add_curves(sb, a, o->points);
    add_instant(sb, "at", a, q.at);
    add_instant(sb, "since", a, q.since);
    add_live_rows(sb, p, &q);
    if (o->segments)
        add_segment_rows(sb, p, a);
    if (t->request->base)
        add_diff(sb, t, &q);
}

void memory_print_json(struct strbuf *sb, const struct table_rows *t)
{
    const struct memory_data *data = t->data;

    json_add_head(sb, "memory", "\"bytes\":\"B\",\"at\":\"us\",\"events\":\"1\"", data->rows.n, data->rows.n);
    sb_adds(sb, ",\"allocators\":[");
    for (size_t i = 0; i < data->rows.n; i++) {
        const struct memory_row_record *row = &data->rows.data[i];

        sb_adds(sb, i ? ",\n{" : "\n{");
        add_allocator(sb, t, row->allocator);
        if (row->sum_over_ops_bytes != INT64_MIN)
            member_integer(sb, "sum_over_ops_bytes", row->sum_over_ops_bytes);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}
