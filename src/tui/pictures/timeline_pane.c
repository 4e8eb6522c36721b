/* timeline_pane.c: moves in the timeline. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/action.h"
#include "tui/panes/picture.h"
#include "tui/pictures/actions.h"
#include "tui/pictures/timeline_draw.h"
#include "tui/pictures/timeline_geometry.h"
#include "tui/pictures/timeline_search.h"
#include "tui/pictures/timeline_words.h"
#include "tui/tasks/tasks.h"

static bool is_stale(const struct app *a)
{
    const struct timeline_pane *p = &a->ui.timeline;

    return !p->timeline ||
        !timeline_matches(p->timeline, a->doc.result->profile, a->doc.result->view_id,
                                           &a->doc.result->options, p->by);
}

static bool fits(const struct doc *doc)
{
    return timeline_exists(doc->result->profile);
}

static bool has_tracks(const struct ui *ui)
{
    return ui->timeline.timeline && ui->timeline.timeline->tracks.n;
}

static bool is_of_base(const struct timeline *l, uint32_t span)
{
    return l->tracks.data[timeline_track_of(l, span)].is_base;
}

/* Moves to the first execution of the node; spans of the baseline follow the others. */
static void go_to_node(struct app *a)
{
    struct timeline_pane *p = &a->ui.timeline;
    uint32_t n = 0;
    const uint32_t *spans = timeline_spans_of(p->timeline, p->node, &n);
    uint32_t first = n ? spans[0] : 0;
    const bool is_base = n && is_of_base(p->timeline, first);

    for (uint32_t i = 1; i < n && is_base == is_of_base(p->timeline, spans[i]); i++)
        if (p->timeline->spans.data[spans[i]].start_ticks < p->timeline->spans.data[first].start_ticks)
            first = spans[i];
    if (n) {
        timeline_lines_select_track(p, timeline_track_of(p->timeline, first));
        p->at_ticks = p->timeline->spans.data[first].start_ticks;
        timeline_follow(a);
    } else if (p->node != NODE_NONE) {
        app_print(a, ROLE_NOTE, "the selected node did not run in this step");
    }
    p->goes_to_node = false;
}

/* Displays L (given). */
static void replace_timeline(struct app *a, struct timeline *l)
{
    struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *old = p->timeline;
    const bool is_same_time = old && old->profile == l->profile && old->step == l->step &&
                              old->base == l->base && old->base_step == l->base_step &&
                              old->rank == l->rank && old->tracks.n == l->tracks.n;

    EACH(timeline_top_done, &p->names, &p->host_names);
    p->matches_of = 0;
    timeline_free(p->timeline);
    p->timeline = l;
    if (!l->tracks.n)
        return;
    if (!is_same_time) {
        p->chooses_range = false;
        p->at_ticks = l->begin_ticks;
        timeline_lines_begin(p, timeline_rows_of(&a->ui, l->tracks.n + l->sections.n));
        timeline_set_window(&a->ui, l->begin_ticks, INT64_MAX);
    }
    if (p->goes_to_node)
        go_to_node(a);
}

/* ---- moving */

static void move(struct app *a, enum move move)
{
    struct timeline_pane *p = &a->ui.timeline;

    if (has_tracks(&a->ui))
        timeline_lines_select(p, move_index(move, p->at, p->lines.n, timeline_rows(&a->ui)));
}

static void side(struct app *a, int direction)
{
    struct timeline_pane *p = &a->ui.timeline;
    int64_t at;

    if (!has_tracks(&a->ui))
        return;
    at = timeline_column_ticks(p->from_ticks, p->len_ticks, timeline_plot_cols(&a->ui),
                            timeline_column(a, p->at_ticks) + direction);
    if (at >= p->timeline->begin_ticks && at < p->timeline->end_ticks)
        p->at_ticks = at;
    timeline_follow(a);
}

/* ---- a range of time */

static bool cancel_range(struct app *a)
{
    if (!a->ui.timeline.chooses_range)
        return false;
    a->ui.timeline.chooses_range = false;
    app_print(a, ROLE_DIM, "no range is chosen");
    return true;
}

/* Sets -time_range to the chosen range. */
static void count_range(struct app *a)
{
    const struct timeline *l = a->ui.timeline.timeline;
    const struct clock clock = l->profile->clock;
    const struct timeline_range chosen = timeline_chosen_range(a);
    struct time_range range = {
        .from_ps = clock_ps_between(clock, l->origin_ticks, chosen.from_ticks),
        .to_ps = clock_ps_between(clock, l->origin_ticks, chosen.to_ticks),
    };
    struct strbuf text = {0};

    a->ui.timeline.chooses_range = false;
    KEEP_MAX(range.from_ps, 0);
    if (range.to_ps <= range.from_ps) {
        app_print(a, ROLE_NOTE, "no execution begins before 0");
        return;
    }
    time_range_print(&text, range);
    app_set(a, "time_range", sb_text(&text));
    sb_done(&text);
}

void cmd_timeline_range(struct app *a, int arg UNUSED)
{
    struct timeline_pane *p = &a->ui.timeline;

    if (!has_tracks(&a->ui))
        return;
    if (p->chooses_range) {
        count_range(a);
        return;
    }
    p->chooses_range = true;
    p->anchor_ticks = p->at_ticks;
    task_request(a, TASK_RANGE);
}

void cmd_timeline_range_all(struct app *a, int arg UNUSED)
{
    a->ui.timeline.chooses_range = false;
    app_set(a, "time_range", "all");
}

/* Applies the chosen range, or shows the span under the cursor in the tree. */
static void open_span(struct app *a)
{
    uint32_t span;

    if (!has_tracks(&a->ui))
        return;
    if (a->ui.timeline.chooses_range) {
        count_range(a);
        return;
    }
    if (timeline_on_head(&a->ui.timeline)) {
        timeline_lines_fold(&a->ui.timeline);
        return;
    }
    span = timeline_span_at_cursor(a);
    if (span == SPAN_NONE) {
        app_print(a, ROLE_DIM, "idle here: { and } go to gaps, h and l move along the track");
        return;
    }
    a->ui.picture = NULL;
    app_go_node(a, a->ui.timeline.timeline->spans.data[span].node);
}

static void click(struct app *a, int row, int col)
{
    struct timeline_pane *p = &a->ui.timeline;
    const size_t line = has_tracks(&a->ui) ? timeline_at_row(&a->ui, row) : SIZE_MAX;
    int64_t at;

    if (line == SIZE_MAX)
        return;
    col = timeline_plot_col(&a->ui, col);
    at = timeline_column_ticks(p->from_ticks, p->len_ticks, timeline_plot_cols(&a->ui), col);
    if (line == p->at && col == timeline_column(a, p->at_ticks)) {
        open_span(a);
        return;
    }
    timeline_lines_select(p, line);
    p->at_ticks = at;
}

/* Goes to the spans of the node under the cursor. */
static void shown(struct app *a)
{
    struct timeline_pane *p = &a->ui.timeline;

    p->chooses_range = false;
    p->node = app_node_of(a, app_row(a));
    p->goes_to_node = true;
    if (has_tracks(&a->ui) && !is_stale(a))
        go_to_node(a);
}

/* Zooms the window; the cursor stays in its column. */
void cmd_timeline_zoom(struct app *a, int direction)
{
    struct timeline_pane *p = &a->ui.timeline;
    int64_t len, before;

    if (!has_tracks(&a->ui))
        return;
    before = p->at_ticks - p->from_ticks;
    len = direction > 0 ? p->len_ticks / 2 : clamp_mul(p->len_ticks, 2);
    if (direction > 0 && len < timeline_plot_cols(&a->ui)) {
        app_print(a, ROLE_DIM, "maximum zoom: one column is one clock tick");
        return;
    }
    timeline_set_window(&a->ui, clamp_sub(p->at_ticks, direction > 0 ? before / 2 : clamp_mul(before, 2)),
               len);
}

/* The wheel zooms at the pointer; sideways it moves in time. */
static bool wheel(struct app *a, int direction, bool sideways, int col)
{
    struct timeline_pane *p = &a->ui.timeline;

    if (!has_tracks(&a->ui) || (!sideways && col < timeline_name_cols(&a->ui)))
        return false;
    if (sideways) {
        cmd_timeline_pan(a, direction);
        return true;
    }
    p->at_ticks = timeline_tick_of_column(&a->ui, timeline_plot_col(&a->ui, col));
    cmd_timeline_zoom(a, -direction);
    return true;
}

static void drag(struct app *a, int cols)
{
    struct timeline_pane *p = &a->ui.timeline;
    const int n_cols = timeline_plot_cols(&a->ui);

    if (has_tracks(&a->ui))
        timeline_set_window(
            &a->ui, clamp_sub(p->from_ticks, clamp_mul(p->len_ticks / n_cols, cols)), p->len_ticks);
}

void cmd_timeline_fold(struct app *a, int arg UNUSED)
{
    if (has_tracks(&a->ui))
        timeline_lines_fold(&a->ui.timeline);
}

/* Moves the window and the cursor by a quarter of the window. */
void cmd_timeline_pan(struct app *a, int direction)
{
    struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *l = p->timeline;
    int64_t from;

    if (!has_tracks(&a->ui))
        return;
    from = p->from_ticks;
    timeline_set_window(&a->ui, clamp_add(from, clamp_mul(direction, p->len_ticks / 4)), p->len_ticks);
    p->at_ticks = clamp_add(p->at_ticks, p->from_ticks - from);
    if (p->from_ticks == from) /* the end of the step */
        p->at_ticks = direction > 0 ? l->end_ticks - 1 : l->begin_ticks;
}

void cmd_timeline_all(struct app *a, int arg UNUSED)
{
    if (has_tracks(&a->ui))
        timeline_set_window(&a->ui, a->ui.timeline.timeline->begin_ticks, INT64_MAX);
}

/* Finds the start of the next (or previous) time of at least MIN_TICKS in which the device of the
 * selected track, or its thread, is idle; false: none. */
static bool find_gap(const struct timeline_pane *p, int direction, int64_t min_ticks,
                     int64_t *start_ticks)
{
    uint32_t span;

    if (p->timeline->tracks.data[p->track].is_accelerator) {
        const struct timeline_idle *idle =
            timeline_idle_next(p->timeline, p->track, p->at_ticks, direction, min_ticks);

        *start_ticks = idle ? idle->start_ticks : 0;
        return idle;
    }
    span = timeline_gap(p->timeline, p->track, direction > 0 ? p->at_ticks + 1 : p->at_ticks,
                        direction, min_ticks);
    *start_ticks = span == SPAN_NONE ? 0 : p->timeline->spans.data[span].end_ticks;
    return span != SPAN_NONE;
}

/* Moves to the start of the next (or previous) gap that is at least a column wide. */
void cmd_timeline_gap(struct app *a, int direction)
{
    struct timeline_pane *p = &a->ui.timeline;
    int64_t column_ticks, start_ticks;

    if (!has_tracks(&a->ui))
        return;
    column_ticks = p->len_ticks / timeline_plot_cols(&a->ui);
    if (!find_gap(p, direction, column_ticks ? column_ticks : 1, &start_ticks)) {
        app_print(a, ROLE_DIM, "no gap of at least one column %s this position: + zooms in",
                  direction > 0 ? "after" : "before");
        return;
    }
    p->at_ticks = start_ticks;
    timeline_follow(a);
}

void cmd_timeline_group(struct app *a, int arg UNUSED)
{
    a->ui.timeline.by = (enum timeline_group_by)((a->ui.timeline.by + 1) % TIMELINE_BY_COUNT);
    picture_renew(a);
}

/* ---- computing it */

static void *new_parameters(const struct app *a)
{
    enum timeline_group_by *by = xmalloc(sizeof *by);

    *by = a->ui.timeline.by;
    return by;
}

static void *make(const struct picture_job *job, struct cancel_mark cancel)
{
    const enum timeline_group_by by = *(const enum timeline_group_by *)job->parameters;
    const struct query_request *q = &job->request;
    struct timeline *l = NULL;
    struct result *r = NULL;
    struct err err = {0};

    if (timeline_needs_result(q->spec.view, &q->spec.options, by))
        r = query_request_run(q, cancel, &err);
    if (r || !err.text)
        l = timeline_new_compared(q->profile, q->comparison, &q->spec.options, by, r, cancel);
    result_free(r);
    err_done(&err);
    return l;
}

static void made_free(void *made)
{
    timeline_free(made);
}

static bool is_same(const struct app *a, const struct picture_job *job)
{
    return timeline_matches(job->made, a->doc.result->profile, a->doc.result->view_id,
                          &a->doc.result->options, a->ui.timeline.by);
}

static void take(struct app *a, const struct picture_job *job)
{
    replace_timeline(a, job->made);
}

static void forget(struct ui *ui)
{
    EACH(timeline_top_done, &ui->timeline.names, &ui->timeline.host_names);
    timeline_free(ui->timeline.timeline);
    ui->timeline.timeline = NULL;
    EACH(vec_done, &ui->timeline.lines, &ui->timeline.folded, &ui->timeline.matches);
    ui->timeline.matches_of = 0;
    ui->timeline.chooses_range = false;
}

const struct picture_ops timeline_picture = {
    .pane = {"timeline", CTX_TIMELINE, timeline_draw, move, open_span, click},
    .fits = fits,
    .status = timeline_status,
    .side = side,
    .wheel = wheel,
    .drag = drag,
    .shown = shown,
    .cancel = cancel_range,
    .find = timeline_find,
    .find_begins = timeline_find_begins,
    .forget = forget,
    .is_stale = is_stale,
    .new_parameters = new_parameters,
    .free_parameters = free,
    .make = make,
    .made_free = made_free,
    .is_same = is_same,
    .take = take,
    .is_made_ahead = true,
    .keeps_running = true,
};
