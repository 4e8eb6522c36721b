/* timeline_geometry.c: positions in the timeline. */
#include "tui/pictures/timeline_geometry.h"

#include "base/lower_bound.h"

enum {
    NAME_COLS = 16, WIDE_NAME_COLS = 22, WIDE = 76,
    SUM_COLS = 17, /* " 2.84sec  41.8%" */
};

int timeline_name_cols(const struct ui *ui)
{
    return ui->layout.tree.cols >= WIDE ? WIDE_NAME_COLS : NAME_COLS;
}

int timeline_plot_cols(const struct ui *ui)
{
    const int cols = ui->layout.tree.cols - timeline_name_cols(ui) - SUM_COLS;

    return cols > 1 ? cols : 1;
}

int timeline_axis_rows(const struct ui *ui)
{
    enum { ROOM = 8 };
    const struct timeline *l = ui->timeline.timeline;

    return ui->layout.tree.rows < ROOM ? 1 : 1 + (l->marks.n > 0) + (l->annotations.n > 0);
}

int timeline_rows_of(const struct ui *ui, size_t n_lines)
{
    enum { NAMES_LEAST = 3, NAMES_MOST = TIMELINE_TOP_ROWS + 1 };
    const int rows = ui->layout.tree.rows - timeline_axis_rows(ui);
    int names = n_lines < (size_t)rows ? rows - (int)n_lines : 0;

    names = names > rows / 3 ? names : rows / 3;
    names = names > NAMES_MOST ? NAMES_MOST : names < NAMES_LEAST ? NAMES_LEAST : names;
    return rows > names ? rows - names : 1;
}

int timeline_rows(const struct ui *ui)
{
    return timeline_rows_of(ui, ui->timeline.lines.n);
}

int64_t timeline_tick_of_column(const struct ui *ui, int column)
{
    const struct timeline_pane *p = &ui->timeline;

    return timeline_column_ticks(p->from_ticks, p->len_ticks, timeline_plot_cols(ui), column);
}

int timeline_column(const struct app *a, int64_t at_ticks)
{
    const size_t n = (size_t)timeline_plot_cols(&a->ui);
    size_t behind = 0;

    LOWER_BOUND(behind, n + 1, i, timeline_tick_of_column(&a->ui, (int)i) <= at_ticks);
    return (int)behind - 1;
}

int timeline_plot_col(const struct ui *ui, int col)
{
    const int at = col - timeline_name_cols(ui), n = timeline_plot_cols(ui);

    return at < 0 ? 0 : at < n ? at : n - 1;
}

struct timeline_range timeline_chosen_range(const struct app *a)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const int anchor = timeline_column(a, p->anchor_ticks), at = timeline_column(a, p->at_ticks);
    const bool is_before = p->anchor_ticks < p->at_ticks;
    struct timeline_range range = {p->anchor_ticks, p->anchor_ticks + 1};

    /* Snaps to whole columns within the window. Outside of it the chosen instant is kept. */
    if (anchor >= 0 && anchor < timeline_plot_cols(&a->ui))
        range = (struct timeline_range){timeline_tick_of_column(&a->ui, anchor),
                                        timeline_tick_of_column(&a->ui, anchor + 1)};
    if (is_before)
        range.to_ticks = timeline_tick_of_column(&a->ui, at + 1);
    else
        range.from_ticks = timeline_tick_of_column(&a->ui, at);
    return range;
}

size_t timeline_at_row(const struct ui *ui, int row)
{
    const struct timeline_pane *p = &ui->timeline;
    const size_t at = p->top + (size_t)(row - timeline_axis_rows(ui));

    return row >= timeline_axis_rows(ui) && row < timeline_axis_rows(ui) + timeline_rows(ui) && at < p->lines.n ? at
                                                                                      : SIZE_MAX;
}

struct timeline_stretch timeline_stretch_at_cursor(const struct app *a)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const int column = timeline_column(a, p->at_ticks);

    return timeline_stretch_of(p->timeline, p->track, timeline_tick_of_column(&a->ui, column),
                               timeline_tick_of_column(&a->ui, column + 1));
}

uint32_t timeline_span_at_cursor(const struct app *a)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline_stretch now = timeline_stretch_of(p->timeline, p->track, p->at_ticks, p->at_ticks + 1);
    const struct timeline_stretch column = timeline_stretch_at_cursor(a);

    if (now.end > now.first)
        return now.first;
    return column.end > column.first ? column.first : SPAN_NONE;
}
