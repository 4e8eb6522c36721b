/* memory_curve_json.c: memory of a step of RunMetadata as JSON (formats-runmeta.md section 8). */
#include "export/sinks/escape.h"

#include "export/sinks/json_members.h"
#include "model/format.h"
#include "session/memory_table.h"
#include "view/build/hidden_frames.h"

static void add_live(struct strbuf *sb, const struct profile *p, const struct memory *m,
                     const struct memory_curve *c)
{
    memory_live_list live = {0};
    struct hidden_frames libraries;
    struct strbuf line = {0};

    memory_live_at(m, c, c->peak, &live);
    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    member_open(sb, "live", '[');
    for (size_t i = 0; i < live.n; i++) {
        const struct memory_live *l = &live.data[i];

        sb_adds(sb, i ? ",\n{" : "\n{");
        member_name(sb, "name", p, p->name[l->node]);
        member_name(sb, "type", p, p->op[l->node]);
        if (memory_line(p, l->node, &libraries)) {
            sb_clear(&line);
            frame_name(&line, p, memory_line(p, l->node, &libraries), false);
            member_key(sb, "code");
            json_add_string(sb, sb_text(&line), line.len);
        }
        member_integer(sb, "bytes", l->bytes);
        member_micros(sb, "from_us", memory_since_begin_ps(m, c, p, l->from_ticks));
        if (l->to_ticks != INT64_MAX)
            member_micros(sb, "until_us", memory_since_begin_ps(m, c, p, l->to_ticks));
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    hidden_frames_done(&libraries);
    sb_done(&line);
    vec_done(&live);
}

void memory_print_curve_json(struct strbuf *sb, const struct profile *p, const struct memory *m,
                             const struct memory_row_record *row)
{
    const struct memory_curve *c = row->curve;
    const struct memory_event *events = memory_events(m, c);

    member_integer(sb, "step", c->step);
    member_name(sb, "device", p, c->device);
    member_name(sb, "allocator", p, c->allocator);
    member_integer(sb, "peak_bytes", c->peak_bytes);
    member_micros(sb, "peak_at_us", memory_since_begin_ps(m, c, p, memory_events(m, c)[c->peak].at_ticks));
    member_micros(sb, "length_us", memory_length_ps(m, c, p));
    member_integer(sb, "sum_over_ops_bytes", row->sum_over_ops_bytes);
    member_open(sb, "in_use", '[');
    for (size_t i = 0; i < c->n; i++) {
        sb_adds(sb, i ? "," : "");
        sb_addc(sb, '[');
        format_micros(sb, memory_since_begin_ps(m, c, p, events[i].at_ticks));
        sb_addc(sb, ',');
        sb_add_int(sb, events[i].in_use_bytes);
        sb_addc(sb, ']');
    }
    sb_addc(sb, ']');
    add_live(sb, p, m, c);
}
