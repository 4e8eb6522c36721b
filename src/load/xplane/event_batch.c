/* event_batch.c: decodes a batch of events of a line on any thread (formats-xplane.md sections 4 to
 * 6). */
#include "load/xplane/event_batch.h"

#include <endian.h>
#include <string.h>

#include "base/hash.h"
#include "base/satmath.h"

void event_batch_done(void *batch)
{
    struct event_batch *b = batch;

    vec_done(&b->ops);
    lookup_done(&b->op_by_all);
    EACH(vec_done, &b->found, &b->marks, &b->dispatches, &b->compiles, &b->allocations);
}

void event_batch_clear(void *batch)
{
    struct event_batch *b = batch;

    b->ops.n = b->found.n = b->marks.n = b->dispatches.n = b->compiles.n = 0;
    b->allocations.n = 0;
    lookup_done(&b->op_by_all);
    b->why = NULL;
}

void event_batch_begin(struct event_batch *b, const struct line *line, struct span events,
                       uint32_t kept_ops)
{
    b->line = line;
    b->events = events;
    b->kept_ops = kept_ops;
}

/* ---- ops */

static bool same_place(struct span a, struct span b)
{
    return a.bytes == b.bytes && a.len == b.len;
}

static uint64_t address(const void *at)
{
    return (uint64_t)(uintptr_t)at;
}

/* Compares texts by address: texts that stats refer to are stored once.  Equal texts at different
 * addresses are merged later, by join_op(). */
static bool same_op(const struct batch_op *o, const struct batch_op *op)
{
    return o->kind == op->kind && o->op == op->op && o->program == op->program &&
           o->ordinal == op->ordinal && o->count == op->count &&
           same_place(o->name, op->name) && same_place(o->module, op->module);
}

static uint32_t find_op(struct event_batch *b, const struct batch_op *op)
{
    const uint64_t hash = hash_pair(
        hash_pair(address(op->kind), address(op->name.bytes)),
        hash_pair(op->program, op->ordinal ^ (uint64_t)op->count << 32 ^ (uint64_t)op->op << 24));
    size_t probe = lookup_begin(&b->op_by_all, hash);
    uint32_t i;

    while ((i = lookup_next(&b->op_by_all, hash, &probe)) != SLOTS_NONE)
        if (same_op(&b->ops.data[i], op))
            return i;
    lookup_add(&b->op_by_all, hash);
    vec_push(&b->ops, *op);
    return (uint32_t)(b->ops.n - 1);
}

/* Launches have ops of few kinds, and the ops of one kind follow each other in a cycle. */
static uint32_t add_op(struct event_batch *b, const struct batch_op *op)
{
    uint32_t *recent = &b->recent[(address(op->kind) / sizeof *op->kind +
                                   address(op->name.bytes)) % BATCH_RECENT];

    if (*recent >= b->ops.n || !same_op(&b->ops.data[*recent], op))
        *recent = find_op(b, op);
    return *recent;
}

/* The innermost element of a stack joined by "::". */
static struct span innermost(struct span stack)
{
    const uint8_t *at;

    while ((at = stack.len ? memmem(stack.bytes, stack.len, "::", 2) : NULL))
        stack = (struct span){at + 2, (size_t)(stack.bytes + stack.len - (at + 2))};
    return stack;
}

/* The name of a TPU instruction: its display name, or the first word of its text. */
static struct span tpu_name(const struct event_metadata *kind)
{
    struct span name = kind->display_name.len ? kind->display_name : kind->name;
    const uint8_t *blank;

    if (name.len && *name.bytes == '%')
        name = (struct span){name.bytes + 1, name.len - 1};
    blank = name.len ? memchr(name.bytes, ' ', name.len) : NULL;
    return blank ? (struct span){name.bytes, (size_t)(blank - name.bytes)} : name;
}

/* The name of the framework op; empty for "XlaModule:", which marks an unnamed op. */
static struct span framework_op(const struct stat_values *s)
{
    const struct span text = stat_text(s, STAT_TF_OP);

    return span_is(text, "XlaModule:") ? (struct span){0} : text;
}

/* Names OP by the instruction or by the op of the framework. */
static void name_op(struct batch_op *op, const struct stat_values *s, struct span instruction)
{
    if (!instruction.len) {
        op->name = framework_op(s);
        return;
    }
    op->op = OP_HLO;
    op->name = instruction;
    op->program = stat_number(s, STAT_PROGRAM_ID);
    op->module = stat_text(s, STAT_HLO_MODULE);
}

/* ---- events that are not kept */

static enum run_op_kind op_of_name(const struct event_metadata *kind)
{
    static const enum run_op_kind kinds[] = {
        [EVENT_NAME_OTHER] = OP_RUNTIME,
        [EVENT_NAME_OP] = OP_FRAMEWORK,
        [EVENT_NAME_PIPELINE] = OP_PIPELINE,
        [EVENT_NAME_PYTHON] = OP_PYTHON,
    };

    return kind ? kinds[kind->parsed.kind] : OP_RUNTIME;
}

/* The end of the number at AT, if it ends within eight bytes, which are before LIMIT; else NULL. */
static const uint8_t *number_end(const uint8_t *at, const uint8_t *limit)
{
    uint64_t bits, ends;

    if ((size_t)(limit - at) < sizeof bits)
        return NULL;
    memcpy(&bits, at, sizeof bits);
    ends = ~le64toh(bits) & UINT64_C(0x8080808080808080);
    return ends ? at + __builtin_ctzll(ends) / 8 + 1 : NULL;
}

/* True if events of KIND are not kept unless they have stats, as most calls of Python. */
static bool is_dropped_kind(const struct event_batch *b, const struct event_metadata *kind)
{
    return kind && !kind->stats && kind->call == EVENT_CALL_OTHER &&
           !(b->kept_ops >> op_of_name(kind) & 1);
}

/* True if the event in MESSAGE is not kept, by its first bytes and without decoding its times.  LIMIT
 * is the end of the bytes that may be read. */
static bool is_dropped(const struct event_batch *b, struct span message, const uint8_t *limit)
{
    const uint8_t *at = message.bytes, *end = at + message.len;
    struct wire_varint id;

    if (b->line->use != TRACK_OPS || !message.len || *at != (XEVENT_METADATA_ID << 3 | WIRE_VARINT))
        return false;
    id = wire_short_varint(at + 1, end);
    if (!id.len || !is_dropped_kind(b, plane_event_kind(b->line->plane, id.value)))
        return false;
    for (at += 1 + id.len; at && at < end; at = number_end(at + 1, limit))
        if (*at != (XEVENT_OFFSET_PS << 3 | WIRE_VARINT) &&
            *at != (XEVENT_DURATION_PS << 3 | WIRE_VARINT))
            return false;
    return at == end;
}

/* ---- events */

struct event {
    uint64_t kind_id;
    int64_t offset_ps, dur_ps;
    uint32_t count;
};

/* Reads an event.  Its stats go to b->stats; they follow the metadata id. */
static bool read_event(struct event_batch *b, struct span message, struct event *e,
                       const struct event_metadata **kind)
{
    const struct plane *plane = b->line->plane;
    struct wire_in in = span_walk(message);
    struct wire_field f;

    *e = (struct event){.count = 1};
    *kind = NULL;
    b->stats.has = 0;
    while (wire_next(&in, &f)) {
        if (f.type == WIRE_LEN && f.number == XEVENT_STATS) {
            stat_add(&b->stats, field_span(&f), &plane->stats);
        } else if (f.type == WIRE_VARINT) {
            if (f.number == XEVENT_METADATA_ID)
                e->kind_id = f.value;
            else if (f.number == XEVENT_OFFSET_PS)
                e->offset_ps = (int64_t)f.value;
            else if (f.number == XEVENT_DURATION_PS)
                e->dur_ps = (int64_t)f.value < 0 ? 0 : (int64_t)f.value;
            else if (f.number == XEVENT_NUM_OCCURRENCES)
                e->count = f.value > UINT32_MAX ? UINT32_MAX : (uint32_t)f.value;
        }
    }
    if (in.why) {
        b->why = in.why;
        b->why_at = in.at;
        return false;
    }
    *kind = plane_event_kind(plane, e->kind_id);
    return true;
}

static void push(struct event_batch *b, const struct event *e, const struct batch_op *op,
                 uint64_t link, bool is_launch)
{
    struct batch_event event;

    if (!is_launch && !(b->kept_ops >> op->op & 1))
        return;
    event = (struct batch_event){
        .start_ps = clamp_add(b->line->start_ps, e->offset_ps),
        .dur_ps = e->dur_ps,
        .link = link,
        .op = add_op(b, op),
        .is_launch = is_launch,
    };
    vec_push(&b->found, event);
}

static void add_device_event(struct event_batch *b, struct event *e,
                             const struct event_metadata *kind)
{
    const struct stat_values *s = &b->stats;
    struct span instruction = innermost(stat_text(s, STAT_HLO_OP));
    struct batch_op op = {.kind = kind, .op = OP_DEVICE, .count = e->count};

    op.is_kernel = stat_text(s, STAT_KERNEL_DETAILS).len > 0;
    op.is_memcpy = stat_text(s, STAT_MEMCPY_DETAILS).len > 0;
    if (b->line->use == TRACK_NESTED && kind && !instruction.len)
        instruction = tpu_name(kind);
    if (stat_has(s, STAT_DEVICE_OFFSET_PS) && stat_has(s, STAT_DEVICE_DURATION_PS)) {
        e->offset_ps = (int64_t)stat_number(s, STAT_DEVICE_OFFSET_PS);
        e->dur_ps = (int64_t)stat_number(s, STAT_DEVICE_DURATION_PS);
        KEEP_MAX(e->dur_ps, 0);
    }
    name_op(&op, s, instruction);
    push(b, e, &op, stat_number(s, STAT_CORRELATION_ID), false);
}

static void add_mark(struct event_batch *b, const struct event *e,
                     const struct event_metadata *kind)
{
    const struct run_mark mark = {.start_ps = clamp_add(b->line->start_ps, e->offset_ps),
                                  .dur_ps = e->dur_ps,
                                  .number = (int64_t)stat_number(&b->stats, STAT_STEP_NUM)};

    vec_push(&b->marks, ((struct batch_mark){mark, kind ? kind->name : (struct span){0}}));
}

/* The text in parentheses at the end of TEXT; empty if there is none. */
static struct span in_parentheses(struct span text)
{
    const uint8_t *open = text.len ? memchr(text.bytes, '(', text.len) : NULL;

    if (!open || text.bytes[text.len - 1] != ')')
        return (struct span){0};
    return (struct span){open + 1, (size_t)(text.bytes + text.len - open) - 2};
}

static void add_dispatch(struct event_batch *b, const struct event *e,
                         const struct event_metadata *kind)
{
    const int64_t start_ps = clamp_add(b->line->start_ps, e->offset_ps);
    const struct run_dispatch d = {.line = hash_pair((uint64_t)b->line->id, 0),
                                   .start_ps = start_ps,
                                   .end_ps = clamp_add(start_ps, e->dur_ps),
                                   .executes = kind->call == EVENT_CALL_EXECUTES};

    vec_push(&b->dispatches, ((struct batch_dispatch){d, in_parentheses(kind->name)}));
}

static void add_compile(struct event_batch *b, const struct event *e)
{
    const int64_t start_ps = clamp_add(b->line->start_ps, e->offset_ps);

    if (e->dur_ps > 0)
        vec_push(&b->compiles, ((struct run_compile){start_ps, clamp_add(start_ps, e->dur_ps)}));
}

static bool is_named(const struct event_metadata *kind, const char *name)
{
    return kind && span_is(kind->name, name);
}

static int64_t bytes_of(const struct stat_values *s, enum xstat stat)
{
    return (int64_t)stat_number(s, stat);
}

static void add_allocation(struct event_batch *b, const struct event *e, bool is_free)
{
    const struct stat_values *s = &b->stats;
    struct batch_allocation a = {
        .at_ps = clamp_add(b->line->start_ps, e->offset_ps),
        .allocator = stat_text(s, STAT_ALLOCATOR_NAME),
        .in_use_bytes = clamp_add(bytes_of(s, STAT_BYTES_ALLOCATED),
                                  bytes_of(s, STAT_BYTES_RESERVED)),
        .available_bytes = bytes_of(s, STAT_BYTES_AVAILABLE),
        .lifetime_peak_bytes = bytes_of(s, STAT_PEAK_BYTES_IN_USE),
        .fragmentation = stat_has(s, STAT_FRAGMENTATION) ? s->values[STAT_FRAGMENTATION].real : 0,
        .address = stat_number(s, STAT_ADDRESS),
        .bytes = bytes_of(s, STAT_ALLOCATION_BYTES),
        .tf_op = framework_op(s),
        .is_free = is_free,
    };

    if (a.allocator.len)
        vec_push(&b->allocations, a);
}

/* Adds the op that a launch call starts, in addition to the event of the call itself. */
static void add_launch(struct event_batch *b, const struct event *e,
                       const struct event_metadata *kind)
{
    const struct stat_values *s = &b->stats;
    struct batch_op op = {.kind = kind, .op = OP_RUNTIME, .count = 1};

    name_op(&op, s, innermost(stat_text(s, STAT_HLO_OP)));
    push(b, e, &op, stat_number(s, STAT_CORRELATION_ID), true);
}

static void add_host_event(struct event_batch *b, const struct event *e,
                           const struct event_metadata *kind)
{
    const struct stat_values *s = &b->stats;
    const struct span eager = stat_text(s, STAT_EAGER_OP);
    struct batch_op op = {.kind = kind, .count = e->count};
    struct span instruction = {0};
    uint64_t link = 0;

    if (stat_has(s, STAT_STEP_NUM) &&
        (stat_number(s, STAT_IS_ROOT) || is_named(kind, "TraceContext")))
        add_mark(b, e, kind);
    if (kind && (kind->call == EVENT_CALL_DISPATCH || kind->call == EVENT_CALL_EXECUTES))
        add_dispatch(b, e, kind);
    else if (kind && kind->call == EVENT_CALL_COMPILE)
        add_compile(b, e);
    if (is_named(kind, "MemoryAllocation") || is_named(kind, "MemoryDeallocation"))
        add_allocation(b, e, is_named(kind, "MemoryDeallocation"));
    if (stat_has(s, STAT_CORRELATION_ID))
        add_launch(b, e, kind);
    else
        instruction = innermost(stat_text(s, STAT_HLO_OP));
    if (instruction.len) {
        name_op(&op, s, instruction);
        op.ordinal = stat_number(s, STAT_DEVICE_ORDINAL);
        link = stat_number(s, STAT_RUN_ID);
    } else if (eager.len && !stat_number(s, STAT_IS_FUNC)) {
        op.op = OP_EAGER;
        op.name = eager;
    } else {
        op.op = (uint8_t)op_of_name(kind);
    }
    push(b, e, &op, link, false);
}

void event_batch_decode(struct event_batch *b)
{
    struct wire_in in = span_walk(b->events);
    const bool on_device = b->line->use != TRACK_OPS;
    const struct event_metadata *kind;
    struct wire_field f;
    struct event e;

    while (wire_next_len(&in, &f, XLINE_EVENTS)) {
        if (is_dropped(b, field_span(&f), in.end))
            continue;
        if (!read_event(b, field_span(&f), &e, &kind))
            return;
        if (kind) /* event values have priority over those of the metadata */
            stat_list_add_to(kind->stats, &b->stats);
        if (on_device)
            add_device_event(b, &e, kind);
        else
            add_host_event(b, &e, kind);
    }
    if (in.why) {
        b->why = in.why;
        b->why_at = in.at;
    }
}
