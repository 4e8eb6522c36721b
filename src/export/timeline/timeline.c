/* timeline.c: the timeline output: writes Chrome trace events, and selects the layout for a view. */
#include "export/output.h"

#include <stdio.h>

#include "base/satmath.h"
#include "base/vec.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "export/timeline/timeline.h"
#include "model/format.h"

void trace_events_init(struct trace_events *t, int64_t tick_ps, struct sink *sink,
                       struct err *err)
{
    t->tick_ps = tick_ps;
    t->any = false;
    outbuf_init(&t->out, sink, err);
    sb_adds(&t->out.text, "{\"traceEvents\":[");
}

bool trace_events_end(struct trace_events *t)
{
    sb_adds(&t->out.text, "]}\n");
    return outbuf_end(&t->out);
}

static struct strbuf *next_event(struct trace_events *t)
{
    outbuf_step(&t->out);
    if (t->any)
        sb_addc(&t->out.text, ',');
    t->any = true;
    return &t->out.text;
}

/* Appends TICKS in microseconds, with as many decimals as needed. */
static void add_micros(struct trace_events *t, int64_t ticks)
{
    if (t->tick_ps == PS_PER_US)
        sb_add_int(&t->out.text, ticks);
    else
        format_micros(&t->out.text, clamp_mul(ticks, t->tick_ps));
}

/* Ends an event with its time, the last key. */
static void end_event(struct trace_events *t, int64_t at_ticks)
{
    add_micros(t, at_ticks);
    sb_addc(&t->out.text, '}');
}

/* Begins {"args":{"name":PREFIX + NAME + SUFFIX}. */
static struct strbuf *begin_named(struct trace_events *t, const char *prefix, const char *name,
                                  size_t len, const char *suffix)
{
    struct strbuf *sb = next_event(t);
    struct strbuf text = {0};

    sb_adds(&text, prefix);
    sb_add(&text, name, len);
    sb_adds(&text, suffix);
    sb_adds(sb, "{\"args\":{\"name\":");
    json_add_string(sb, text.data, text.len);
    sb_addc(sb, '}');
    sb_done(&text);
    return sb;
}

void trace_process(struct trace_events *t, int64_t pid, const char *prefix, const char *name,
                   size_t len, const char *suffix)
{
    sb_addf(begin_named(t, prefix, name, len, suffix),
            ",\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld}", (long long)pid);
}

void trace_thread(struct trace_events *t, int64_t pid, int64_t tid, const char *prefix,
                  const char *name, size_t len, const char *suffix)
{
    sb_addf(begin_named(t, prefix, name, len, suffix),
            ",\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%lld,\"tid\":%lld}", (long long)pid,
            (long long)tid);
    sb_addf(next_event(t),
            "{\"args\":{\"sort_index\":%lld},\"name\":\"thread_sort_index\",\"ph\":\"M\","
            "\"pid\":%lld,\"tid\":%lld}",
            (long long)tid, (long long)pid, (long long)tid);
}

void trace_slice(struct trace_events *t, const struct timeline_slice *s)
{
    struct strbuf *sb = next_event(t);

    sb_adds(sb, "{\"args\":{\"name\":");
    json_add_string(sb, s->node.bytes, s->node.len);
    if (s->op.bytes)
        member_text(sb, "op", s->op);
    if (s->self_ticks != s->dur_ticks) {
        member_key(sb, "self_us");
        add_micros(t, s->self_ticks);
    }
    sb_adds(sb, "},\"cat\":\"Op\",\"dur\":");
    add_micros(t, s->dur_ticks);
    member_text(sb, "name", s->label);
    sb_addf(sb, ",\"ph\":\"X\",\"pid\":%lld,\"tid\":%lld,\"ts\":", (long long)s->pid,
            (long long)s->tid);
    end_event(t, s->start_ticks);
}

void trace_flow(struct trace_events *t, char phase, int64_t id, const char *name, size_t len,
                int64_t pid, int64_t tid, int64_t at_ticks)
{
    struct strbuf *sb = next_event(t);
    struct strbuf text = {0};

    sb_add(&text, name, len);
    sb_adds(&text, "_flow");
    sb_addf(sb, "{\"cat\":\"DataFlow\",\"id\":%lld,\"name\":", (long long)id);
    json_add_string(sb, text.data, text.len);
    sb_addf(sb, ",\"ph\":\"%c\",\"pid\":%lld,\"tid\":%lld,\"ts\":", phase, (long long)pid,
            (long long)tid);
    end_event(t, at_ticks);
    sb_done(&text);
}

void trace_counter(struct trace_events *t, const char *name, int64_t pid, int64_t at_ticks,
                   const char *args)
{
    sb_addf(next_event(t),
            "{\"args\":%s,\"cat\":\"Memory\",\"name\":\"%s\",\"ph\":\"C\",\"pid\":%lld,\"tid\":0,"
            "\"ts\":",
            args, name, (long long)pid);
    end_event(t, at_ticks);
}

void trace_bytes_in_use(struct trace_events *t, int64_t pid, int64_t at_ticks, int64_t bytes)
{
    struct strbuf args = {0};

    sb_addf(&args, "{\"Allocator Bytes in Use\":%lld}", (long long)bytes);
    trace_counter(t, "Allocated Bytes", pid, at_ticks, sb_text(&args));
    sb_done(&args);
}

void timeline_note_hidden(struct result *r, const char *what, const struct drawn_part *part)
{
    struct strbuf drawn = {0}, all = {0};

    if (part->n_drawn >= part->n_all)
        return;
    format_time(&drawn, part->drawn_ps);
    format_time(&all, part->all_ps);
    note_add(&r->notes,
             "timeline: %llu of %llu %s are drawn, %s of %s; the others are in hidden rows "
             "(-max_depth, filters)",
             (unsigned long long)part->n_drawn, (unsigned long long)part->n_all, what,
             sb_text(&drawn), sb_text(&all));
    EACH(sb_done, &drawn, &all);
}

/* True for the graph view, whose times are real: it shows one step at a time, unless all steps are
 * requested. */
static bool timeline_per_step(const struct result *r)
{
    return r->view_id == VIEW_GRAPH && r->options.step < 0 && r->options.step > STEP_OUTSIDE;
}

static bool timeline_write(struct result *r, struct sink *sink, struct err *err)
{
    if (r->view_id == VIEW_GRAPH)
        return r->profile->events
                   ? timeline_tracks(r, sink, err)
                   : timeline_graph(r, sink, err);
    return timeline_flame(r, sink, err);
}

const struct output output_timeline = {
    .name = "timeline",
    .help = "Chrome trace events: device tracks of the graph view, nested totals of scope and code; "
            "with -step -1 a file for each step of the graph view, at most 16 or files=N",
    .outfile = OUTFILE_NEEDED,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_CODE,
    .per_step = timeline_per_step,
    .write = timeline_write,
};

/* ---- displayed rows as nested slices (scope and code view) */

/* By depth: start of the next child of the open row. */
typedef VEC(int64_t) starts;

static void announce(struct trace_events *t, uint32_t depth)
{
    char number[16];
    int len = snprintf(number, sizeof number, "%u", depth);

    trace_process(t, depth, "Scope:", number, (size_t)len, "");
}

bool timeline_flame(struct result *r, struct sink *sink, struct err *err)
{
    const int64_t *times;
    struct trace_events t;
    struct result_walk w;
    starts next_ps = {0}; /* [depth]: start of the next row at that depth */
    uint32_t announced = 0;
    bool saturated = false;

    result_need(r, FIELD_BIT(METRIC_MICROS));
    times = r->total[METRIC_MICROS];
    trace_events_init(&t, 1, sink, err);
    result_walk_init(&w, r, 0);
    vec_push(&next_ps, 0);
    while (result_walk_next(&w)) {
        const struct text name = tree_text(r->tree, w.row);
        struct timeline_slice s = {.label = name, .node = name, .op = name, .pid = w.depth,
                                   .dur_ticks = times[w.row], .self_ticks = times[w.row]};

        if (w.row != 0 && (s.dur_ticks <= 0 || w.row == r->tree->outside)) {
            result_walk_skip(&w);
            continue;
        }
        for (; announced <= w.depth; announced++)
            announce(&t, announced);
        s.start_ticks = next_ps.data[w.depth];
        trace_slice(&t, &s);
        next_ps.data[w.depth] = sat_add(s.start_ticks, s.dur_ticks, &saturated);
        vec_resize_zero(&next_ps, (size_t)w.depth + 2);
        next_ps.data[w.depth + 1] = s.start_ticks;
    }
    result_walk_done(&w);
    vec_done(&next_ps);
    return trace_events_end(&t);
}
