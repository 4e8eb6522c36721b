/* lanes_words.c: what is said of lanes over time: times, and the status row. */
#include "tui/pictures/lanes_words.h"

#include <inttypes.h>

#include "base/lower_bound.h"
#include "base/utf8.h"
#include "tui/pictures/lanes_draw.h"
#include "view/pictures/lanes_text.h"

void lanes_add_ticks(const struct app *a, struct strbuf *sb, int64_t ticks)
{
    lanes_time(a->lanes.lanes, sb, ticks);
}

static void add_string(const struct app *a, struct strbuf *sb, strid id)
{
    const struct profile *p = a->result->profile;

    utf8_escape(sb, profile_text(p, id), intern_len(&p->strings, id));
}

/* ---- what is under the cursor */

static void add_node(const struct app *a, struct strbuf *sb, uint32_t span)
{
    const struct profile *p = a->result->profile;
    struct strbuf name = {0};

    utf8_escape(&name, profile_text(p, p->name[a->lanes.lanes->spans.data[span].node]),
                intern_len(&p->strings, p->name[a->lanes.lanes->spans.data[span].node]));
    text_cut_middle(sb, sb_text(&name), name.len, 32);
    sb_done(&name);
}

/* "idle 12.3ms after X, before Y": the cursor stands between spans. */
static void add_gap(const struct app *a, struct strbuf *sb)
{
    const struct lanes_pane *p = &a->lanes;
    const struct span_lane *lane = &p->lanes->lanes.data[p->lane];
    const struct lane_span *spans = p->lanes->spans.data;
    size_t next = lane->first;

    LOWER_BOUND(next, lane->first + lane->n, i, spans[i].start_ticks <= p->at_ticks);
    sb_adds(sb, "idle ");
    if (next > lane->first && next < lane->first + lane->n)
        lanes_add_ticks(a, sb, spans[next].start_ticks - spans[next - 1].end_ticks);
    if (next > lane->first) {
        sb_adds(sb, " after ");
        add_node(a, sb, (uint32_t)next - 1);
    }
    if (next < lane->first + lane->n) {
        sb_adds(sb, " before ");
        add_node(a, sb, (uint32_t)next);
    }
}

/* "610.00ms to 1.72sec, 1.11sec: v or Enter counts only that, Esc leaves". */
static void add_range(const struct app *a, struct strbuf *sb)
{
    const struct lane_range range = lanes_chosen_range(a);
    const int64_t origin = a->lanes.lanes->origin_ticks;

    lanes_add_ticks(a, sb, range.from_ticks - origin);
    sb_adds(sb, " to ");
    lanes_add_ticks(a, sb, range.to_ticks - origin);
    sb_adds(sb, ", ");
    lanes_add_ticks(a, sb, range.to_ticks - range.from_ticks);
    sb_adds(sb, ": v or Enter counts only that, Esc leaves");
}

/* "1.20sec  Conv2D 803us unit_1_0/conv1, one of 12 in this column". */
void lanes_status(struct app *a, struct strbuf *sb)
{
    const struct lanes_pane *p = &a->lanes;
    struct lane_stretch s;
    uint32_t span;

    if (!p->lanes || !p->lanes->lanes.n)
        return;
    if (p->chooses_range) {
        add_range(a, sb);
        return;
    }
    s = lanes_stretch_at_cursor(a);
    span = lanes_span_at_cursor(a);
    lanes_add_ticks(a, sb, p->at_ticks - p->lanes->origin_ticks);
    sb_adds(sb, "  ");
    if (span == SPAN_NONE ||
        lanes_stretch(p->lanes, p->lane, p->at_ticks, p->at_ticks + 1).first ==
            lanes_stretch(p->lanes, p->lane, p->at_ticks, p->at_ticks + 1).end) {
        add_gap(a, sb);
    } else {
        const struct lane_span *at = &p->lanes->spans.data[span];

        add_string(a, sb, a->result->profile->op[at->node]);
        sb_addc(sb, ' ');
        lanes_add_ticks(a, sb, at->end_ticks - at->start_ticks);
        sb_addc(sb, ' ');
        add_node(a, sb, span);
    }
    if (s.end - s.first > 1)
        sb_addf(sb, "; %" PRIu32 " in this column", s.end - s.first);
}
