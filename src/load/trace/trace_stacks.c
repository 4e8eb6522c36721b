/* trace_stacks.c: stacks of Python frames, read from the names of slices (formats-trace.md section
 * 4.5). */
#include <string.h>

#include "load/trace/trace_build.h"

/* A decimal number, or -1. */
static int32_t line_number(const char *at, const char *end)
{
    int64_t line = 0;

    if (at == end)
        return -1;
    for (; at < end; at++)
        if (*at < '0' || *at > '9' || (line = line * 10 + (*at - '0')) > INT32_MAX)
            return -1;
    return (int32_t)line;
}

/* Parses FILE(LINE): FUNCTION. */
static bool read_kineto_frame(struct text text, struct text *file, int32_t *line,
                              struct text *function)
{
    const char *end = text.bytes + text.len, *colon = end;

    while (colon && colon > text.bytes) {
        const char *open;

        colon = memrchr(text.bytes, ':', (size_t)(colon - text.bytes));
        if (!colon || colon + 1 >= end || colon[1] != ' ' || colon == text.bytes ||
            colon[-1] != ')')
            continue;
        open = memrchr(text.bytes, '(', (size_t)(colon - text.bytes));
        if (!open || open == text.bytes || line_number(open + 1, colon - 1) < 0)
            continue;
        *file = (struct text){text.bytes, (uint32_t)(open - text.bytes)};
        *line = line_number(open + 1, colon - 1);
        *function = (struct text){colon + 2, (uint32_t)(end - colon - 2)};
        return true;
    }
    return false;
}

/* Parses $FILE:LINE FUNCTION. */
static bool read_xprof_frame(struct text text, struct text *file, int32_t *line,
                             struct text *function)
{
    const char *end = text.bytes + text.len;
    const char *blank = memchr(text.bytes, ' ', text.len), *colon;

    while (blank) { /* a file name may contain blanks */
        colon = memrchr(text.bytes, ':', (size_t)(blank - text.bytes));
        if (colon && colon > text.bytes && line_number(colon + 1, blank) >= 0) {
            *file = (struct text){text.bytes, (uint32_t)(colon - text.bytes)};
            *line = line_number(colon + 1, blank);
            *function = (struct text){blank + 1, (uint32_t)(end - blank - 1)};
            return true;
        }
        blank = memchr(blank + 1, ' ', (size_t)(end - blank - 1));
    }
    return false;
}

/* TEXT without ` at 0x...`, since addresses differ between runs. */
static strid without_addresses(struct trace_build *b, struct text text)
{
    static const char mark[] = " at 0x";
    const char *at = text.bytes, *end = at + text.len;

    sb_clear(&b->scratch);
    while (at < end) {
        const char *found = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);

        sb_add(&b->scratch, at, (size_t)((found ? found : end) - at));
        if (!found)
            break;
        for (at = found + sizeof mark - 1; at < end; at++)
            if (!((*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'f')))
                break;
    }
    return builder_str(b->builder, b->scratch.data, b->scratch.len);
}

static struct frame read_frame(struct trace_build *b, strid name)
{
    struct text text = trace_text(b, name), file, function;
    struct frame frame = {.lineno = LINE_NONE, .func_start_line = -1};
    const bool is_xprof = b->dialect == DIALECT_XPROF;
    bool has_place;

    if (is_xprof && text.len && text.bytes[0] == '$')
        text = (struct text){text.bytes + 1, text.len - 1};
    has_place = is_xprof ? read_xprof_frame(text, &file, &frame.lineno, &function)
                         : read_kineto_frame(text, &file, &frame.lineno, &function);
    if (has_place) {
        frame.file = builder_str(b->builder, file.bytes, file.len);
        frame.function = builder_str(b->builder, function.bytes, function.len);
    } else {
        frame.function = without_addresses(b, text);
    }
    return frame;
}

static uint32_t frame_named(struct trace_build *b, strid name)
{
    uint32_t id = idmap_get(&b->frame_of_name, name);
    struct frame frame;

    if (id == IDMAP_NONE) {
        frame = read_frame(b, name);
        id = stack_builder_frame(builder_stacks(b->builder), &frame);
        idmap_put(&b->frame_of_name, name, id, 0);
    }
    return id;
}

uint32_t stack_child(struct trace_build *b, uint32_t caller, strid name)
{
    /* Bytes that a row takes per caller, when rows are indented or named by paths. */
    enum { CALLER_BYTES = 4 };
    struct stack_builder *stacks = builder_stacks(b->builder);
    const uint32_t frame = frame_named(b, name), found = stack_builder_find(stacks, caller, frame);

    if (found != SLOTS_NONE)
        return found;
    if (!budget_take(&b->stack_bytes, CALLER_BYTES * (uint64_t)stack_builder_depth(stacks, caller),
                     0)) {
        const strid deep = builder_str(b->builder, DEEP_CALLS, sizeof DEEP_CALLS - 1);

        caller = stack_builder_node(stacks, STACK_ROOT, frame_named(b, deep));
        b->n_deep++;
    }
    return stack_builder_node(stacks, caller, frame);
}

stack_id stack_id_of(struct trace_build *b, uint32_t stack)
{
    return stack == STACK_ROOT ? STACK_NONE
                               : stack_builder_stack(builder_stacks(b->builder), stack);
}

/* The stack of the frame with Python id NUMBER, or 0.  Ids are dense in files of PyTorch. */
static uint32_t numbered_stack(const struct trace_build *b, uint32_t number)
{
    uint32_t stack;

    if (number < b->stack_of_frame.n)
        return b->stack_of_frame.data[number];
    stack = idmap_get(&b->frame_stacks, (int64_t)number);
    return stack == IDMAP_NONE ? 0 : stack; /* 0: not in the file */
}

static void number_stack(struct trace_build *b, uint32_t number, uint32_t stack)
{
    if (number >= b->stack_of_frame.n && number < b->n_dense_frames)
        vec_resize_zero(&b->stack_of_frame, (size_t)number + 1);
    if (number < b->stack_of_frame.n)
        b->stack_of_frame.data[number] = stack;
    else
        idmap_put(&b->frame_stacks, (int64_t)number, stack, 0);
}

uint32_t stack_of_call(struct trace_build *b, const struct trace_slice *slice, uint32_t caller)
{
    uint32_t parent = 0, stack;

    if (slice->link == NUMBER_NONE)
        parent = caller;
    else if ((uint32_t)slice->link != FRAME_NONE)
        parent = numbered_stack(b, (uint32_t)slice->link);
    stack = stack_child(b, parent, slice->name);
    if (slice->link != NUMBER_NONE)
        number_stack(b, (uint32_t)((uint64_t)slice->link >> 32), stack);
    return stack;
}

/* ---- samples of call stacks, events of phase P (formats-trace.md section 2) */

/* ---- reading */

void trace_frames_add(struct trace_log *log, struct json_value frames)
{
    struct json_in in = json_again(frames, false);
    struct json_value id, members, key, value;

    if (frames.type != JSON_OBJECT || !json_open(&in))
        return;
    while (json_key(&in, &id) && json_value(&in, &members)) {
        struct json_in of_frame = json_again(members, false);
        struct trace_frame frame = {.id = trace_string(log, id)};

        if (members.type != JSON_OBJECT || !json_open(&of_frame))
            continue;
        while (json_key(&of_frame, &key) && json_value(&of_frame, &value)) {
            if (json_is(key, "name", 4))
                frame.name = trace_string(log, value);
            else if (json_is(key, "parent", 6))
                frame.parent = trace_string(log, value);
        }
        vec_push(&log->frames, frame);
    }
}

void trace_sample_add(struct trace_log *log, const struct trace_event *e, uint64_t at)
{
    struct trace_sample sample = {.weight = event_number(e, ARG_WEIGHT)};

    if (!trace_time(log, e->ts, at, &sample.ts_ns))
        return;
    if (sample.weight == NUMBER_NONE)
        sample.weight = 1;
    if (sample.weight < 0 || sample.weight > UINT32_MAX)
        sample.weight = 0;
    sample.name = trace_string(log, e->name);
    sample.frame = e->stack_frame.type ? trace_string(log, e->stack_frame) : STRID_EMPTY;
    if (e->stack.type == JSON_ARRAY)
        sample.stack = trace_string(log, e->stack);
    vec_push(&log->samples, sample);
}

/* ---- stacks */

/* Frames by id, with their stacks. */
struct frame_stacks {
    struct idmap by_id;
    VEC(uint32_t) stacks; /* stack by frame; 0: not built yet */
    VEC(uint32_t) path;   /* scratch */
};

static struct frame_stacks index_frames(const struct trace_log *log)
{
    struct frame_stacks s = {0};

    for (uint32_t i = 0; i < log->frames.n; i++)
        idmap_put(&s.by_id, log->frames.data[i].id, i, 0);
    vec_resize_zero(&s.stacks, log->frames.n);
    return s;
}

/* The stack of a frame and its callers; a cycle of callers is cut where it closes. */
static uint32_t stack_of_frame(struct trace_build *b, struct frame_stacks *s, strid id)
{
    uint32_t at = idmap_get(&s->by_id, id), stack = 0;

    s->path.n = 0;
    while (at != IDMAP_NONE && !s->stacks.data[at] && s->path.n < b->log->frames.n) {
        vec_push(&s->path, at);
        id = b->log->frames.data[at].parent;
        at = id ? idmap_get(&s->by_id, id) : IDMAP_NONE;
    }
    if (at != IDMAP_NONE)
        stack = s->stacks.data[at];
    for (size_t i = s->path.n; i-- > 0;) {
        uint32_t *made = &s->stacks.data[s->path.data[i]];

        if (!*made)
            *made = stack_child(b, stack, b->log->frames.data[s->path.data[i]].name);
        stack = *made;
    }
    return stack;
}

/* The stack of a list of frames, outermost first. */
static uint32_t stack_of_list(struct trace_build *b, strid list)
{
    const struct text text = trace_text(b, list);
    const struct json_value all = {
        .at = (const uint8_t *)text.bytes, .len = text.len, .type = JSON_ARRAY};
    struct json_in in = json_again(all, false);
    struct json_value name;
    uint32_t stack = 0;

    while (json_element(&in, &name))
        stack = stack_child(b, stack, trace_string(b->log, name));
    return stack;
}

void trace_samples(struct trace_build *b)
{
    struct frame_stacks s = index_frames(b->log);
    uint32_t above = PATH_ROOT;

    if (b->log->samples.n)
        above = path_named(b, PATH_ROOT, builder_str(b->builder, "(samples)", 9), 0);
    for (size_t i = 0; i < b->log->samples.n; i++) {
        const struct trace_sample sample = b->log->samples.data[i];
        const uint32_t stack = sample.stack ? stack_of_list(b, sample.stack)
                                            : stack_of_frame(b, &s, sample.frame);

        add_segment(b, (struct segment){
                           .start_ns = sample.ts_ns,
                           .step = step_at(b, sample.ts_ns),
                           .part = part_of(b, path_named(b, above, sample.name, 0), stack, 0),
                           .n_runs = (uint32_t)sample.weight});
    }
    idmap_done(&s.by_id);
    EACH(vec_done, &s.stacks, &s.path);
}
