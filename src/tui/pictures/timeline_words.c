/* timeline_words.c: text about the timeline: times and the status row. */
#include "tui/pictures/timeline_words.h"

#include <inttypes.h>

#include "base/lower_bound.h"
#include "base/utf8.h"
#include "tui/pictures/timeline_geometry.h"
#include "view/pictures/timeline_text.h"

void timeline_add_ticks(const struct ui *ui, struct strbuf *sb, int64_t ticks)
{
    timeline_time(ui->timeline.timeline, sb, ticks);
}

static void add_string(const struct doc *doc, struct strbuf *sb, strid id)
{
    const struct profile *p = doc->result->profile;

    utf8_escape(sb, profile_text(p, id), intern_len(&p->strings, id));
}

/* ---- the status row */

static void add_node(const struct app *a, struct strbuf *sb, uint32_t span)
{
    const struct profile *p = a->doc.result->profile;
    struct strbuf name = {0};

    utf8_escape(&name, profile_text(p, p->name[a->ui.timeline.timeline->spans.data[span].node]),
                intern_len(&p->strings, p->name[a->ui.timeline.timeline->spans.data[span].node]));
    text_cut_middle(sb, sb_text(&name), name.len, 32);
    sb_done(&name);
}

/* Appends "idle 12.3ms after X, before Y" for a cursor between spans. */
static void add_gap(const struct app *a, struct strbuf *sb)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline_track *track = &p->timeline->tracks.data[p->track];
    const struct timeline_span *spans = p->timeline->spans.data;
    size_t next = track->first;

    LOWER_BOUND(next, track->first + track->n, i, spans[i].start_ticks <= p->at_ticks);
    sb_adds(sb, "idle ");
    if (next > track->first && next < track->first + track->n)
        timeline_add_ticks(&a->ui, sb, spans[next].start_ticks - spans[next - 1].end_ticks);
    if (next > track->first) {
        sb_adds(sb, " after ");
        add_node(a, sb, (uint32_t)next - 1);
    }
    if (next < track->first + track->n) {
        sb_adds(sb, " before ");
        add_node(a, sb, (uint32_t)next);
    }
}

/* Appends "610.00ms to 1.72sec, 1.11sec: v or Enter counts only that, Esc leaves". */
static void add_range(const struct app *a, struct strbuf *sb)
{
    const struct timeline_range range = timeline_chosen_range(a);
    const int64_t origin = a->ui.timeline.timeline->origin_ticks;

    timeline_add_ticks(&a->ui, sb, range.from_ticks - origin);
    sb_adds(sb, " to ");
    timeline_add_ticks(&a->ui, sb, range.to_ticks - origin);
    sb_adds(sb, ", ");
    timeline_add_ticks(&a->ui, sb, range.to_ticks - range.from_ticks);
    sb_adds(sb, ": v or Enter counts only that, Esc leaves");
}

/* Appends "1.20sec  Conv2D 803us unit_1_0/conv1, one of 12 in this column". */
void timeline_status(struct app *a, struct strbuf *sb)
{
    const struct timeline_pane *p = &a->ui.timeline;
    struct timeline_stretch s;
    uint32_t span;

    if (!p->timeline || !p->timeline->tracks.n)
        return;
    if (p->chooses_range) {
        add_range(a, sb);
        return;
    }
    s = timeline_stretch_at_cursor(a);
    span = timeline_span_at_cursor(a);
    timeline_add_ticks(&a->ui, sb, p->at_ticks - p->timeline->origin_ticks);
    sb_adds(sb, "  ");
    if (span == SPAN_NONE ||
        timeline_stretch_of(p->timeline, p->track, p->at_ticks, p->at_ticks + 1).first ==
            timeline_stretch_of(p->timeline, p->track, p->at_ticks, p->at_ticks + 1).end) {
        add_gap(a, sb);
    } else {
        const struct timeline_span *at = &p->timeline->spans.data[span];

        add_string(&a->doc, sb, a->doc.result->profile->op[at->node]);
        sb_addc(sb, ' ');
        timeline_add_ticks(&a->ui, sb, at->end_ticks - at->start_ticks);
        sb_addc(sb, ' ');
        add_node(a, sb, span);
    }
    if (s.end - s.first > 1)
        sb_addf(sb, "; %" PRIu32 " in this column", s.end - s.first);
}
