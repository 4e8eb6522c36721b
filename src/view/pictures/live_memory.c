/* live_memory.c: live memory at an instant, by group. */
#include "view/pictures/live_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "opt/time_range.h"
#include "view/build/hidden_frames.h"

static const char existed_before[] = "(before recording)", no_stack[] = "(no Python stack)";

/* ---- allocators */

static bool is_same_name(const struct profile *p, strid name, const struct profile *base, strid of_base)
{
    return text_equals(intern_string(&p->strings, name), intern_string(&base->strings, of_base));
}

const struct memory_allocator *memory_find_base(const struct profile *p, const struct memory_allocator *a,
                                                const struct profile *base)
{
    const struct memory_log *log = profile_memory(base);
    const struct memory_allocator *found = NULL;

    for (size_t i = 0; log && i < log->allocators.n; i++) {
        const struct memory_allocator *b = &log->allocators.data[i];

        if (is_same_name(p, a->device, base, b->device) && is_same_name(p, a->name, base, b->name) &&
            (!found || (b->step == a->step && found->step != a->step)))
            found = b;
    }
    return found;
}

const struct memory_allocator *memory_highest(const struct memory_log *log)
{
    const struct memory_allocator *highest = NULL;

    for (size_t i = 0; log && i < log->allocators.n; i++)
        if (!highest || memory_most_bytes(&log->allocators.data[i]) > memory_most_bytes(highest))
            highest = &log->allocators.data[i];
    return highest;
}

/* ---- instants */

int64_t memory_ps(const struct memory_allocator *a, int64_t ticks)
{
    return clamp_mul(ticks, PS_PER_US / a->ticks_per_us);
}

uint32_t memory_instant_at(const struct memory_allocator *a, int64_t ps)
{
    const int64_t ticks = ps / (PS_PER_US / a->ticks_per_us);
    size_t n = 0;

    if (!a->ticks || a->has_live_set_only)
        return a->n_events;
    LOWER_BOUND(n, a->n_events, i, a->ticks[i] <= ticks);
    return (uint32_t)n;
}

bool memory_instant(const struct memory_allocator *a, const char *text, uint32_t *at)
{
    static const char event[] = "event:";
    int64_t ps;

    if (strcmp(text, "start") == 0) {
        *at = 0;
    } else if (strcmp(text, "peak") == 0) {
        *at = a->peak;
    } else if (strcmp(text, "end") == 0) {
        *at = a->n_events;
    } else if (strcmp(text, "oom") == 0) {
        *at = a->failures.n ? a->failures.data[a->failures.n - 1].event + 1 : a->peak;
    } else if (strncmp(text, event, sizeof event - 1) == 0) {
        const char *digits = text + sizeof event - 1;
        const size_t len = strspn(digits, "0123456789");
        const unsigned long long number = strtoull(digits, NULL, 10);

        if (!len || digits[len])
            return false;
        *at = number < a->n_events ? (uint32_t)number + 1 : a->n_events;
    } else {
        if (!time_read(text, &ps))
            return false;
        *at = memory_instant_at(a, ps);
    }
    if (a->has_live_set_only)
        *at = a->n_events;
    return true;
}

/* ---- names */

struct naming {
    const struct profile *p;
    const struct memory_log *log;
    enum memory_grouping by;
    struct hidden_frames libraries;
    struct strbuf text;
};

static bool is_python(const struct profile *p, const struct frame *frame)
{
    const struct text file = intern_string(&p->strings, frame->file);

    return frame->lineno != LINE_NONE && (text_begins(file, "<") || text_ends(file, ".py"));
}

void live_code_name(struct strbuf *sb, const struct profile *p, stack_id stack,
                    struct hidden_frames *libraries)
{
    const struct call_stacks *all = &p->call_stacks;
    const uint32_t leaf = profile_stack(p, stack)->leaf;
    const struct frame *frame = NULL;

    for (uint32_t at = leaf; at != STACK_ROOT && !frame; at = all->nodes[at].caller)
        if (is_python(p, stack_frame(all, at)) && !frame_is_hidden(libraries, stack_frame(all, at)))
            frame = stack_frame(all, at);
    for (uint32_t at = leaf; at != STACK_ROOT && !frame; at = all->nodes[at].caller)
        if (stack_frame(all, at)->lineno != LINE_NONE)
            frame = stack_frame(all, at);
    if (frame)
        frame_full_name(sb, p, frame);
    else
        sb_adds(sb, no_stack);
}

static void name_stack(struct naming *n, const struct call_stack *stack)
{
    frame_list frames = {0};

    stack_frames(&n->p->call_stacks, stack, &frames);
    for (size_t i = 0; i < frames.n; i++) {
        if (i)
            sb_addc(&n->text, ';');
        frame_full_name(&n->text, n->p, frames.data[i]);
    }
    if (!frames.n)
        sb_adds(&n->text, no_stack);
    vec_done(&frames);
}

/* Sets the name to that of a node without its last component; of an operation, the first component. */
static void name_scope(struct naming *n, strid name, bool is_op)
{
    const struct text text = intern_string(&n->p->strings, name);
    const char *slash = (is_op ? memchr : memrchr)(text.bytes, '/', text.len);

    sb_add(&n->text, text.bytes, slash ? (size_t)(slash - text.bytes) : text.len);
}

static void name_id(struct naming *n, strid id, const char *absent)
{
    const struct text text = intern_string(&n->p->strings, id);

    if (text.len)
        sb_add(&n->text, text.bytes, text.len);
    else
        sb_adds(&n->text, absent);
}

/* Sets the name to that of the group of SITE. */
static void name_site(struct naming *n, const struct memory_site *site)
{
    const struct profile *p = n->p;
    const bool is_named = site->id == NODE_NONE;

    if (is_named && (n->by == GROUPING_CODE || n->by == GROUPING_STACK)) {
        sb_adds(&n->text, no_stack);
        return;
    }
    if (is_named && (n->by == GROUPING_NODE || n->by == GROUPING_SCOPE || n->by == GROUPING_TYPE)) {
        name_id(n, site->name, "(no name)");
        return;
    }
    switch (n->by) {
    case GROUPING_SCOPE:
        name_scope(n, p->name[profile_node_of_part(p, site->id)], site->flags & MEMORY_SITE_OP);
        break;
    case GROUPING_TYPE:
        name_id(n, p->op[site->id], "");
        break;
    case GROUPING_CODE:
        live_code_name(&n->text, p, p->stack[site->id], &n->libraries);
        break;
    case GROUPING_STACK:
        name_stack(n, profile_stack(p, p->stack[site->id]));
        break;
    case GROUPING_CATEGORY:
        name_id(n, site->category, "(no category)");
        break;
    case GROUPING_STREAM:
        sb_addf(&n->text, "%" PRId64, site->stream);
        break;
    case GROUPING_METADATA:
        name_id(n, site->metadata, "(no metadata)");
        break;
    default:
        name_id(n, p->name[profile_node_of_part(p, site->id)], "");
    }
}

static void name_allocation(struct naming *n, const struct memory_allocation *m)
{
    int64_t size = 1;

    if (n->by == GROUPING_BLOCK) {
        sb_addf(&n->text, "0x%" PRIx64, m->address);
        return;
    }
    while (size <= m->bytes / 2)
        size *= 2;
    sb_addf(&n->text, "%" PRId64, m->bytes ? size : 0);
}

/* ---- rows */

COMPARE_CHAIN(by_bytes, struct live_row, DOWN(bytes) || THEN(text_compare(a->name, b->name)) || UP(allocation))

/* Returns the row of the name in N; for blocks always a new one. */
static struct live_row *row_of(struct live_rows *rows, struct naming *n, uint32_t allocation)
{
    const strid id = intern_put(&rows->names, n->text.data, n->text.len);

    if (n->by == GROUPING_BLOCK) {
        vec_push(&rows->rows, ((struct live_row){.allocation = allocation}));
        rows->rows.data[rows->rows.n - 1].name = intern_string(&rows->names, id);
        return &rows->rows.data[rows->rows.n - 1];
    }
    if (id >= rows->rows.n)
        vec_resize_zero(&rows->rows, (size_t)id + 1);
    if (!rows->rows.data[id].name.bytes)
        rows->rows.data[id] = (struct live_row){.name = intern_string(&rows->names, id),
                                                .allocation = allocation};
    return &rows->rows.data[id];
}

static void add_allocation(struct live_rows *rows, struct naming *n, const struct memory_allocator *a,
                           uint32_t i, strid *row_of_site)
{
    const struct memory_allocation *m = &a->allocations.data[i];
    const bool is_of_site = n->by != GROUPING_BLOCK && n->by != GROUPING_SIZE;
    const bool is_named = n->by == GROUPING_BLOCK && a->has_no_addresses;
    struct live_row *row;

    if (is_of_site && row_of_site[m->site] != STRID_NONE) {
        row = &rows->rows.data[row_of_site[m->site]];
    } else {
        sb_clear(&n->text);
        if (is_of_site || is_named)
            name_site(n, &n->log->sites[m->site]);
        else
            name_allocation(n, m);
        row = row_of(rows, n, i);
        if (is_of_site)
            row_of_site[m->site] = (strid)(row - rows->rows.data);
    }
    row->bytes = clamp_add(row->bytes, m->bytes);
    row->n_blocks++;
    if (m->bytes > a->allocations.data[row->allocation].bytes)
        row->allocation = i;
}

/* Adds the memory in use that no allocation explains. */
static void add_rest(struct live_rows *rows, struct naming *n, const struct live_rows_request *q)
{
    int64_t rest = memory_in_use(q->allocator, q->at);
    struct live_row *row;

    for (size_t i = 0; i < rows->rows.n; i++)
        rest = clamp_sub(rest, rows->rows.data[i].bytes);
    if (!rest)
        return;
    sb_clear(&n->text);
    sb_adds(&n->text, existed_before);
    row = row_of(rows, n, 0);
    row->bytes = clamp_add(row->bytes, rest);
}

void live_rows_make(struct live_rows *rows, const struct profile *p, const struct live_rows_request *q)
{
    const struct memory_allocator *a = q->allocator;
    struct naming n = {.p = p, .log = profile_memory(p), .by = q->by};
    const size_t n_sites = n.log->n_sites;
    strid *row_of_site = xreallocarray(NULL, n_sites + 1, sizeof *row_of_site);

    *rows = (struct live_rows){.rows = {0}};
    memset(row_of_site, 0xff, (n_sites + 1) * sizeof *row_of_site);
    intern_init(&rows->names);
    hidden_frames_init(&n.libraries, p, LIBRARY_FRAMES);
    for (size_t i = 0; i < a->allocations.n; i++)
        if (memory_is_live(&a->allocations.data[i], q->at) && a->allocations.data[i].begin >= q->since)
            add_allocation(rows, &n, a, (uint32_t)i, row_of_site);
    if (a->counts_in_use && !q->since)
        add_rest(rows, &n, q);
    vec_keep(&rows->rows, i, rows->rows.data[i].name.bytes);
    vec_sort(&rows->rows, by_bytes);
    hidden_frames_done(&n.libraries);
    sb_done(&n.text);
    free(row_of_site);
}

void live_rows_done(struct live_rows *rows)
{
    vec_done(&rows->rows);
    intern_done(&rows->names);
}

/* ---- comparison */

static int64_t growth(const struct live_pair *pair)
{
    return clamp_sub(pair->bytes, pair->base_bytes);
}

COMPARE_CHAIN(by_growth, struct live_pair,
              THEN(COMPARE(growth(b), growth(a))) || THEN(text_compare(a->name, b->name)))

void live_rows_compare(live_pair_list *pairs, const struct live_rows *now, const struct live_rows *base)
{
    /* baseline rows by the id of their name */
    uint32_t *row_of_name = xcalloc(base->names.n + 1, sizeof *row_of_name);
    uint8_t *is_paired = xcalloc(base->rows.n + 1, 1);

    for (size_t i = 0; i < base->rows.n; i++)
        row_of_name[intern_find(&base->names, base->rows.data[i].name.bytes,
                                base->rows.data[i].name.len)] = (uint32_t)i + 1;
    vec_each(const struct live_row, row, &now->rows) {
        const strid id = intern_find(&base->names, row->name.bytes, row->name.len);
        const uint32_t at = id == STRID_NONE ? 0 : row_of_name[id];
        struct live_pair pair = {.name = row->name, .bytes = row->bytes, .n_blocks = row->n_blocks};

        if (at && !is_paired[at - 1]) {
            pair.base_bytes = base->rows.data[at - 1].bytes;
            pair.n_base_blocks = base->rows.data[at - 1].n_blocks;
            is_paired[at - 1] = 1;
        }
        vec_push(pairs, pair);
    }
    for (size_t i = 0; i < base->rows.n; i++)
        if (!is_paired[i])
            vec_push(pairs, ((struct live_pair){.name = base->rows.data[i].name,
                                                .base_bytes = base->rows.data[i].bytes,
                                                .n_base_blocks = base->rows.data[i].n_blocks}));
    vec_keep(pairs, i, pairs->data[i].bytes != pairs->data[i].base_bytes ||
                           pairs->data[i].n_blocks != pairs->data[i].n_base_blocks);
    vec_sort(pairs, by_growth);
    EACH(free, row_of_name, is_paired);
}
