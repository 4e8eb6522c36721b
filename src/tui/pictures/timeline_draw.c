/* timeline_draw.c: draws the timeline. */
#include "tui/pictures/timeline_draw.h"

#include <inttypes.h>

#include "activity/breakdown.h"
#include "base/utf8.h"
#include "tui/move.h"
#include "tui/pictures/timeline_geometry.h"
#include "tui/pictures/timeline_ruler.h"
#include "tui/pictures/timeline_search.h"
#include "tui/pictures/timeline_words.h"
#include "tui/rows/groups.h"
#include "view/pictures/timeline_text.h"

enum {
    NAME_COLS = 15, WIDE_NAME_COLS = 24, WIDE = 100,
    SUM_COLS = 17,   /* " 2.84sec  41.8%" */
    TIMELINE_AXIS_ROWS = 1,
    EIGHTHS = 8,
    SHARE_COLS = 7,
};

static enum role group_role(uint32_t group)
{
    return group ? (enum role)(ROLE_GROUP_1 + (int)group - 1) : ROLE_DIM;
}

/* Appends "baseline 222.10 ms  now 215.70 ms  -6.40 ms". */
static void add_sides(const struct timeline *l, struct strbuf *sb)
{
    sb_adds(sb, "baseline ");
    if (l->base_step >= 0 && l->base_step != l->step)
        sb_addf(sb, "step %" PRId64 "  ", l->base_step);
    timeline_time(l, sb, l->base_ticks);
    sb_adds(sb, "  now ");
    timeline_time(l, sb, l->now_ticks);
    sb_adds(sb, l->now_ticks > l->base_ticks ? "  +" : "  ");
    timeline_time(l, sb, l->now_ticks - l->base_ticks);
}

static void draw_head(struct ui *ui)
{
    struct area where = layout_area(&ui->canvas, ui->layout.heads);
    const struct timeline_pane *p = &ui->timeline;
    const struct timeline *l = p->timeline;
    struct strbuf text = {0}, fit = {0};

    sb_adds(&text, "TIMELINE  ");
    if (l->step == STEP_ALL)
        sb_adds(&text, "all steps  ");
    else
        sb_addf(&text, "step %" PRId64 "  ", l->step);
    if (l->base)
        add_sides(l, &text);
    else
        timeline_add_ticks(ui, &text, l->end_ticks - l->begin_ticks);
    sb_adds(&text, "  ");
    if (!l->base && !l->sections.data[0].n_streams)
        timeline_alone_text(l, &text);
    text_cut_end(&fit, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_HEADER);
    EACH(sb_done, &text, &fit);
}

static void add_share(struct strbuf *sb, int64_t part, int64_t whole)
{
    sb_addf(sb, "%.1f%%", whole > 0 ? 100 * (double)part / (double)whole : 0.0);
}

/* Filled eighths of a cell: at least one for any busy time, eight only if it is always busy. */
static int eighths_of(int64_t busy_ticks, int64_t ticks)
{
    const int n = ticks > 0 ? (int)((double)busy_ticks / (double)ticks * EIGHTHS + 0.5) : 0;

    if (!busy_ticks)
        return 0;
    return n < 1 ? 1 : n > EIGHTHS ? EIGHTHS : n;
}

static void draw_cell(struct app *a, struct area where, int row, int col, int eighths,
                      enum role role)
{
    if (eighths)
        /* lower blocks */
        area_fill(where, row, timeline_name_cols(&a->ui) + col, 1, 0x2580 + (uint32_t)eighths,
                  a->ui.tree.dim ? ROLE_DIM : role);
}

/* Draws the busy time of a row and its share of the window at the right. */
static void draw_sum(const struct ui *ui, struct area where, int row, int64_t busy_ticks)
{
    struct strbuf text = {0};

    timeline_add_ticks(ui, &text, busy_ticks);
    area_put_before(where, row, where.cols - SHARE_COLS, &text, ROLE_NUMBER);
    add_share(&text, busy_ticks, ui->timeline.len_ticks);
    area_put_before(where, row, where.cols, &text, ROLE_BAR);
    sb_done(&text);
}

/* Returns the stretch of TRACK in a column of the plot. */
static struct timeline_stretch stretch_of_column(const struct ui *ui, size_t track, int col)
{
    return timeline_stretch_of(ui->timeline.timeline, track, timeline_tick_of_column(ui, col),
                               timeline_tick_of_column(ui, col + 1));
}

static enum role column_role(const struct timeline_pane *p, const struct timeline_stretch *s)
{
    if (p->matches_of)
        return p->matches.data[s->end] > p->matches.data[s->first]
                   ? ROLE_MATCH
                   : group_role(timeline_main_group(p->timeline, s));
    if (p->node != NODE_NONE && timeline_has_node(p->timeline, p->node, s->first, s->end))
        return ROLE_MATCH;
    return group_role(timeline_main_group(p->timeline, s));
}

/* Writes the name of a slice into its columns [FIRST, END). */
static void draw_slice_name(struct app *a, struct area where, int row, size_t track, int first,
                            int end, const struct timeline_stretch *s)
{
    enum { LEAST_COLS = 9, EDGE_COLS = 1 };
    const struct timeline *l = a->ui.timeline.timeline;
    struct strbuf name = {0}, fit = {0};

    if (end - first < LEAST_COLS)
        return;
    timeline_name(l, track, &name, l->spans.data[s->first].name);
    text_cut_end(&fit, sb_text(&name), name.len, end - first - 2 * EDGE_COLS);
    area_put(where, row, timeline_name_cols(&a->ui) + first + EDGE_COLS, sb_text(&fit), fit.len,
             column_role(&a->ui.timeline, s));
    EACH(sb_done, &name, &fit);
}

/* Writes why the device of TRACK is idle into gaps that are wide enough. */
static void draw_causes(struct app *a, struct area where, int row, size_t track)
{
    enum { LEAST_COLS = 9, EDGE_COLS = 1 };
    const struct timeline *l = a->ui.timeline.timeline;
    const int n_cols = timeline_plot_cols(&a->ui);

    for (int col = 0; col < n_cols;) {
        const struct timeline_idle *idle =
            timeline_idle_at(l, track, timeline_tick_of_column(&a->ui, col));
        int end = idle ? timeline_column(a, idle->end_ticks) : col + 1;
        const char *text = idle ? idle_cause_help((enum idle_cause)idle->cause) : "";

        end = end > n_cols ? n_cols : end;
        if (end - col - 2 * EDGE_COLS >= (int)strcspn(text, ":") && end - col >= LEAST_COLS)
            area_put(where, row, timeline_name_cols(&a->ui) + col + EDGE_COLS, text,
                     strcspn(text, ":"), ROLE_DIM);
        col = end > col ? end : col + 1;
    }
}

/* Draws the columns of TRACK, with names in wide slices, and their sum. */
static void draw_columns(struct app *a, struct area where, int row, size_t track)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const int n_cols = timeline_plot_cols(&a->ui);
    struct timeline_stretch slice = {.first = SPAN_NONE};
    int first = 0;

    for (int col = 0; col < n_cols; col++) {
        const struct timeline_stretch s = stretch_of_column(&a->ui, track, col);
        const int64_t ticks = timeline_tick_of_column(&a->ui, col + 1) - timeline_tick_of_column(&a->ui, col);
        const bool is_one = s.end - s.first == 1 && s.busy_ticks == ticks;

        draw_cell(a, where, row, col, eighths_of(s.busy_ticks, ticks), column_role(p, &s));
        if (is_one && s.first == slice.first)
            continue;
        if (slice.first != SPAN_NONE)
            draw_slice_name(a, where, row, track, first, col, &slice);
        slice.first = SPAN_NONE;
        if (is_one)
            slice = s;
        first = col;
    }
    if (slice.first != SPAN_NONE)
        draw_slice_name(a, where, row, track, first, n_cols, &slice);
    draw_causes(a, where, row, track);
    draw_sum(&a->ui, where, row,
             timeline_stretch_of(p->timeline, track, p->from_ticks, p->from_ticks + p->len_ticks)
                 .busy_ticks);
}

static void add_short_name(const struct timeline *l, strid name, struct strbuf *sb)
{
    sb_add(sb, intern_text(&l->names, name), intern_len(&l->names, name));
}

/* Draws the heading of a section; if folded, with the columns of its first track. */
static void draw_head_line(struct app *a, struct area where, int row,
                           const struct timeline_line *line)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline_section *section = &p->timeline->sections.data[line->section];
    const bool is_folded = p->folded.data[line->section];
    struct strbuf text = {0}, fit = {0};

    sb_adds(&text, is_folded ? "\u25b8 " : "\u25be ");
    add_short_name(p->timeline, section->name, &text);
    text_cut_end(&fit, sb_text(&text), text.len,
                 is_folded ? timeline_name_cols(&a->ui) - 2 : where.cols - 2);
    area_put(where, row, 1, sb_text(&fit), fit.len, ROLE_TITLE);
    if (is_folded)
        draw_columns(a, where, row, line->track);
    EACH(sb_done, &text, &fit);
}

static void draw_track(struct app *a, struct area where, int row, size_t track)
{
    const struct timeline *l = a->ui.timeline.timeline;
    struct strbuf text = {0}, fit = {0};

    add_short_name(l, l->tracks.data[track].short_name, &text);
    text_cut_middle(&fit, sb_text(&text), text.len, timeline_name_cols(&a->ui) - 2);
    area_put(where, row, 1, sb_text(&fit), fit.len, ROLE_TEXT);
    draw_columns(a, where, row, track);
    EACH(sb_done, &text, &fit);
}

static void draw_line(struct app *a, struct area where, int row, size_t at)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const enum role cursor = a->ui.focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    const int column = timeline_name_cols(&a->ui) + timeline_column(a, p->at_ticks);
    const struct timeline_line *line = &p->lines.data[at];

    if (line->is_head)
        draw_head_line(a, where, row, line);
    else
        draw_track(a, where, row, line->track);
    if (at != p->at)
        return;
    area_paint(where, row, 0, timeline_name_cols(&a->ui) - 1, cursor);
    area_puts(where, row, 0, ">", cursor);
    area_paint(where, row, column, 1, cursor);
    area_cursor(where, row, column, false);
}

/* Draws NAME before a row, and empties it. */
static void draw_row_name(struct app *a, struct area where, int row, struct strbuf *name,
                          enum role role)
{
    struct strbuf fit = {0};

    text_cut_middle(&fit, sb_text(name), name->len, timeline_name_cols(&a->ui) - 2);
    area_put(where, row, 1, sb_text(&fit), fit.len, role);
    sb_done(&fit);
    sb_clear(name);
}

/* Draws one row per name on the selected track, so that groups are distinct without colours. */
static void draw_names(struct app *a, struct area where, int row)
{
    const struct timeline_top *top = &a->ui.timeline.names;
    struct strbuf name = {0};

    for (int i = 0; i < top->n_rows; i++, row++) {
        const struct timeline_top_row *of = &top->rows[i];

        if (of->name == STRID_NONE)
            sb_adds(&name, "others");
        else
            timeline_name(top->timeline, a->ui.timeline.track, &name, of->name);
        draw_row_name(a, where, row, &name, group_role(of->group));
        for (int col = 0; col < timeline_plot_cols(&a->ui); col++)
            draw_cell(a, where, row, col,
                      eighths_of(of->column_ticks[col],
                                 timeline_tick_of_column(&a->ui, col + 1) - timeline_tick_of_column(&a->ui, col)),
                      group_role(of->group));
        draw_sum(&a->ui, where, row, of->busy_ticks);
    }
    sb_done(&name);
}

/* Draws one row for each group on the selected track in the window. */
static void draw_groups(struct app *a, struct area where, int row)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *l = p->timeline;
    const struct timeline_stretch all =
        timeline_stretch_of(l, p->track, p->from_ticks, p->from_ticks + p->len_ticks);
    struct strbuf name = {0};

    for (uint32_t i = 1; i <= TIMELINE_GROUPS; i++) {
        const uint32_t g = i % TIMELINE_GROUPS;

        if (!all.groups_ticks[g])
            continue;
        utf8_escape(&name, l->groups[g].name.bytes, l->groups[g].name.len);
        sb_adds(&name, !g ? "others" : "");
        draw_row_name(a, where, row, &name, group_role(g));
        for (int col = 0; col < timeline_plot_cols(&a->ui); col++)
            draw_cell(a, where, row, col,
                      eighths_of(stretch_of_column(&a->ui, p->track, col).groups_ticks[g],
                                 timeline_tick_of_column(&a->ui, col + 1) - timeline_tick_of_column(&a->ui, col)),
                      group_role(g));
        draw_sum(&a->ui, where, row++, all.groups_ticks[g]);
    }
    sb_done(&name);
}

/* Draws the activity of the selected track in the window. */
static void draw_lower_half(struct app *a, struct area where)
{
    struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *l = p->timeline;
    const struct timeline_track *track = &l->tracks.data[p->track];
    const int n_rows = where.rows - 1 < TIMELINE_TOP_ROWS ? where.rows - 1 : TIMELINE_TOP_ROWS;
    const bool by_kernel = l->by == TIMELINE_BY_TYPE && track->is_accelerator;
    struct strbuf text = {0};

    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    add_short_name(l, track->short_name, &text);
    sb_addf(&text, " by %s",
            by_kernel                       ? "kernel"
            : l->by == TIMELINE_BY_FIGURE ? metrics[l->figure].name
                                            : timeline_group_names[l->by]);
    area_put(where, 0, 1, sb_text(&text), text.len, ROLE_HEADER);
    if (l->by == TIMELINE_BY_TYPE && !*l->filters && n_rows > 1 &&
        timeline_top_make(&p->names, l, p->track, p->from_ticks, p->len_ticks,
                          timeline_plot_cols(&a->ui), n_rows))
        draw_names(a, where, 1);
    else
        draw_groups(a, where, 1);
    sb_done(&text);
}

/* First row of the lower half: directly below the tracks if they need less than the upper half. */
static int lower_half_top(const struct ui *ui)
{
    const size_t n = ui->timeline.lines.n;

    return timeline_axis_rows(ui) + (n < (size_t)timeline_rows(ui) ? (int)n : timeline_rows(ui));
}

void timeline_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    struct timeline_pane *p = &a->ui.timeline;
    int n_rows, top;

    if (!p->timeline || !p->timeline->tracks.n) {
        area_puts(where, 1, 2, p->timeline ? "this step has no times: ] shows the next step"
                                        : "building the timeline ...", ROLE_TITLE);
        return;
    }
    n_rows = timeline_rows(&a->ui);
    timeline_count_matches(a);
    draw_head(&a->ui);
    timeline_ruler_draw(a, where);
    p->top = scroll_to(p->top, p->at, p->lines.n, n_rows);
    for (size_t at = p->top; at < p->lines.n && at - p->top < (size_t)n_rows; at++)
        draw_line(a, where, timeline_axis_rows(&a->ui) + (int)(at - p->top), at);
    top = lower_half_top(&a->ui);
    draw_lower_half(a, area_sub(where, top, 0, where.rows - top, where.cols));
}
