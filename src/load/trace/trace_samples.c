/* trace_samples.c: samples of call stacks, events of phase P (formats-trace.md section 2). */
#include <string.h>

#include "load/trace/trace_build.h"

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

/* The frames by their ids, with the stacks that end in them. */
struct frame_stacks {
    struct idmap by_id;
    VEC(uint32_t) stacks; /* by frame; 0: not made yet */
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

/* The stack of a frame and its parents; a ring of parents is cut where it is met again. */
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

/* The stack of a list of frames, the outermost first. */
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
    vec_done(&s.stacks);
    vec_done(&s.path);
}
