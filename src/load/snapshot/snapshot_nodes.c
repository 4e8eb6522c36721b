/* snapshot_nodes.c: nodes of a snapshot, one for each pair of scope and type, and sums over their
 * allocations (formats-snapshot.md section 4). */
#include <inttypes.h>
#include <string.h>

#include "load/snapshot/snapshot.h"
#include "model/events.h"

static strid word(struct snapshot_build *s, const char *text)
{
    return builder_str(s->builder, text, strlen(text));
}

/* Appends the text of ID with slashes replaced by vertical bars. */
static void add_without_slashes(struct snapshot_build *s, strid id)
{
    const struct text text = intern_string(&builder_profile(s->builder)->strings, id);
    const size_t at = s->text.len;

    sb_add(&s->text, text.bytes, text.len);
    for (size_t i = at; i < s->text.len; i++)
        if (s->text.data[i] == '/')
            s->text.data[i] = '|';
}

static node_id node_of(struct snapshot_build *s, strid scope, strid type)
{
    const strid key[2] = {scope, type};
    const uint32_t at = intern_put(&s->nodes, key, sizeof key) - 1;
    const struct text text = intern_string(&builder_profile(s->builder)->strings, scope);
    bool added;

    if (at < s->node_ids.n)
        return s->node_ids.data[at];
    sb_clear(&s->text);
    sb_add(&s->text, text.bytes, text.len);
    sb_addc(&s->text, '/');
    add_without_slashes(s, type);
    vec_push(&s->node_ids, builder_node(s->builder,
                                        builder_str(s->builder, s->text.data, s->text.len), type,
                                        &added));
    return s->node_ids.data[at];
}

static void add_types(struct snapshot_build *s, node_id node, const struct snapshot_origin *origin,
                      strid category)
{
    builder_add_type(s->builder, node, category);
    builder_add_type(s->builder, node, origin->device);
    sb_clear(&s->text);
    sb_addf(&s->text, "stream:%" PRId64, origin->stream);
    builder_add_type(s->builder, node, builder_str(s->builder, s->text.data, s->text.len));
    builder_set_devices(s->builder, node, origin->device, STRID_EMPTY);
}

static uint32_t make_site(struct snapshot_build *s, const struct snapshot_origin *origin)
{
    const struct snapshot_stack *stack = snapshot_stack_at(s, origin->stack);
    const bool is_before = origin->scope == STRID_NONE;
    const strid type = stack->has_frames ? stack->type : word(s, "(no stack)");
    const strid scope = is_before ? word(s, "(before recording)") : origin->scope;
    struct memory_site site = {.metadata = origin->metadata, .stream = origin->stream,
                               .category = origin->category, .device = origin->device,
                               .flags = (is_before ? MEMORY_SITE_BEFORE : 0) |
                                        (stack->has_frames ? MEMORY_SITE_FRAMES : 0)};
    struct part_def part = {.op = type, .stack = stack->stack};
    size_t n_before;
    uint32_t number;

    if (!site.category)
        site.category = word(s, is_before && !stack->has_frames ? "(before recording)" : stack->category);
    part.node = node_of(s, scope, type);
    site.id = EVENT_PART | builder_part(s->builder, &part);
    n_before = s->log->interned_sites.n;
    number = memory_log_site(s->log, &site);
    if (s->log->interned_sites.n > n_before)
        add_types(s, part.node, origin, site.category);
    return number;
}

static bool is_same(const struct snapshot_origin *a, const struct snapshot_origin *b)
{
    return a->scope == b->scope && a->category == b->category && a->metadata == b->metadata &&
           a->stream == b->stream && a->device == b->device;
}

uint32_t snapshot_site(struct snapshot_build *s, const struct snapshot_origin *origin)
{
    struct snapshot_stack *stack = snapshot_stack_at(s, origin->stack);

    if (!stack->last.device || !is_same(&stack->last, origin)) {
        stack->last_site = make_site(s, origin);
        stack->last = *origin;
    }
    return stack->last_site;
}

void snapshot_count(struct snapshot_build *s, const struct memory_allocator *a)
{
    vec_each(const struct memory_allocation, m, &a->allocations) {
        const uint32_t part = memory_log_site_at(s->log, m->site).id & ~EVENT_PART;
        struct part_sums *sums;

        if (part >= s->sums.n)
            vec_resize_zero(&s->sums, (size_t)part + 1);
        sums = &s->sums.data[part];
        if (m->begin) {
            snapshot_add(s, &sums->bytes, m->bytes);
            sums->n++;
        }
        if (memory_is_live(m, a->peak))
            snapshot_add(s, &sums->peak_bytes, m->bytes);
        if (m->end == MEMORY_NEVER)
            snapshot_add(s, &sums->residual_bytes, m->bytes);
    }
}

void snapshot_store_sums(struct snapshot_build *s)
{
    for (size_t i = 0; i < s->sums.n; i++) {
        const struct part_sums *sums = &s->sums.data[i];
        const struct exec_memory memory = {.requested_bytes = sums->bytes,
                                           .peak_bytes = sums->peak_bytes,
                                           .residual_bytes = sums->residual_bytes};
        const struct exec_record record = {.run_count = sums->n, .memories = &memory, .n_memories = 1};

        builder_add_part_record(s->builder, (uint32_t)i, builder_part_node(s->builder, (uint32_t)i),
                                &record);
    }
}
