/* timeline_words.c: text about the timeline: times and the status row. */
#include "tui/pictures/timeline_words.h"

#include <inttypes.h>

#include "activity/breakdown.h"
#include "base/lower_bound.h"
#include "base/utf8.h"
#include "tui/pictures/timeline_geometry.h"
#include "view/pictures/timeline_text.h"

void timeline_add_ticks(const struct ui *ui, struct strbuf *sb, int64_t ticks)
{
    timeline_time(ui->timeline.timeline, sb, ticks);
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
    timeline_add_ticks(&a->ui, sb,
                       (next < track->first + track->n ? spans[next].start_ticks
                                                       : p->timeline->end_ticks) -
                           (next > track->first ? spans[next - 1].end_ticks
                                                : p->timeline->begin_ticks));
    if (next > track->first) {
        sb_adds(sb, " after ");
        add_node(a, sb, (uint32_t)next - 1);
    }
    if (next < track->first + track->n) {
        sb_adds(sb, " before ");
        add_node(a, sb, (uint32_t)next);
    }
}

/* Appends "; host: cudaMalloc": the name with most time during IDLE on the busiest thread of the
 * track's rank or host. */
static void add_host_work(struct app *a, struct strbuf *sb, const struct timeline_idle *idle)
{
    struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *l = p->timeline;
    const int64_t len_ticks = idle->end_ticks - idle->start_ticks;
    int64_t most_ticks = 0;
    size_t best = 0;

    for (size_t i = 0; i < l->tracks.n; i++) {
        const struct timeline_track *track = &l->tracks.data[i];
        int64_t busy_ticks = 0;

        if (!track->is_accelerator && timeline_share_place(track, &l->tracks.data[p->track]))
            busy_ticks =
                timeline_stretch_of(l, i, idle->start_ticks, idle->end_ticks).busy_ticks;
        if (busy_ticks > most_ticks) {
            most_ticks = busy_ticks;
            best = i;
        }
    }
    if (!most_ticks ||
        !timeline_top_make(&p->host_names, l, best, idle->start_ticks, len_ticks, 1, 2))
        return;
    sb_adds(sb, "; host: ");
    timeline_name(l, best, sb, p->host_names.rows[0].name);
}

static void add_short(const struct timeline_pane *p, struct strbuf *sb, strid name)
{
    enum { NAME_COLS = 24 };
    struct strbuf text = {0};

    timeline_name(p->timeline, p->track, &text, name);
    text_cut_middle(sb, sb_text(&text), text.len, NAME_COLS);
    sb_done(&text);
}

/* Appends "idle 12.3ms: launch queue empty: CPU-bound; host: cudaMalloc; after X before Y". */
static void add_idle(struct app *a, struct strbuf *sb, const struct timeline_idle *idle)
{
    sb_adds(sb, "idle ");
    timeline_add_ticks(&a->ui, sb, idle->end_ticks - idle->start_ticks);
    sb_addf(sb, ": %s", idle_cause_help((enum idle_cause)idle->cause));
    add_host_work(a, sb, idle);
    sb_adds(sb, "; after ");
    add_short(&a->ui.timeline, sb, idle->before);
    sb_adds(sb, " before ");
    add_short(&a->ui.timeline, sb, idle->after);
}

/* Appends "610.00ms to 1.72sec, 1.11sec: v or Enter restricts views, Esc cancels". */
static void add_range(const struct app *a, struct strbuf *sb)
{
    const struct timeline_range range = timeline_chosen_range(a);
    const int64_t origin = a->ui.timeline.timeline->origin_ticks;

    timeline_add_ticks(&a->ui, sb, range.from_ticks - origin);
    sb_adds(sb, " to ");
    timeline_add_ticks(&a->ui, sb, range.to_ticks - origin);
    sb_adds(sb, ", ");
    timeline_add_ticks(&a->ui, sb, range.to_ticks - range.from_ticks);
    sb_adds(sb, ": v or Enter restricts views, Esc cancels");
}

/* Appends "2 streams, 4 threads: Enter unfolds". */
static void add_section(const struct timeline_pane *p, struct strbuf *sb)
{
    const uint32_t at = p->lines.data[p->at].section;
    const struct timeline_section *section = &p->timeline->sections.data[at];
    const uint32_t n_threads = section->n - section->n_streams;

    sb_addf(sb, "%" PRIu32 " stream%s, %" PRIu32 " thread%s: Enter %s", section->n_streams,
            section->n_streams == 1 ? "" : "s", n_threads, n_threads == 1 ? "" : "s",
            p->folded.data[at] ? "unfolds" : "folds");
}

/* Appends "1.20sec  Conv2D 803us unit_1_0/conv1, one of 12 in this column". */
void timeline_status(struct app *a, struct strbuf *sb)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline_idle *idle;
    struct timeline_stretch s;
    uint32_t span;

    if (!p->timeline || !p->timeline->tracks.n)
        return;
    if (p->chooses_range) {
        add_range(a, sb);
        return;
    }
    if (timeline_on_head(p)) {
        add_section(p, sb);
        return;
    }
    s = timeline_stretch_at_cursor(a);
    span = timeline_span_at_cursor(a);
    timeline_add_ticks(&a->ui, sb, p->at_ticks - p->timeline->origin_ticks);
    sb_adds(sb, "  ");
    if (span == SPAN_NONE ||
        timeline_stretch_of(p->timeline, p->track, p->at_ticks, p->at_ticks + 1).first ==
            timeline_stretch_of(p->timeline, p->track, p->at_ticks, p->at_ticks + 1).end) {
        idle = timeline_idle_at(p->timeline, p->track, p->at_ticks);
        if (idle)
            add_idle(a, sb, idle);
        else
            add_gap(a, sb);
    } else {
        const struct timeline_span *at = &p->timeline->spans.data[span];

        timeline_name(p->timeline, p->track, sb, at->name);
        sb_addc(sb, ' ');
        timeline_add_ticks(&a->ui, sb, at->end_ticks - at->start_ticks);
        sb_addc(sb, ' ');
        add_node(a, sb, span);
    }
    if (s.end - s.first > 1)
        sb_addf(sb, "; %" PRIu32 " in this column", s.end - s.first);
}
