/* timeline_geometry.c: the window, the rows and positions in the timeline. */
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

static int64_t whole_ticks(const struct timeline *l)
{
    return l->end_ticks - l->begin_ticks;
}

void timeline_set_window(struct ui *ui, int64_t from_ticks, int64_t len_ticks)
{
    struct timeline_pane *p = &ui->timeline;
    const struct timeline *l = p->timeline;
    const int n_cols = timeline_plot_cols(ui);

    KEEP_MIN(len_ticks, whole_ticks(l));
    KEEP_MAX(len_ticks, n_cols);
    KEEP_MIN(from_ticks, l->end_ticks - len_ticks);
    KEEP_MAX(from_ticks, l->begin_ticks);
    p->from_ticks = from_ticks;
    p->len_ticks = len_ticks;
}

void timeline_follow(struct app *a)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const int64_t margin = p->len_ticks / 8;

    if (p->at_ticks < p->from_ticks + margin)
        timeline_set_window(&a->ui, p->at_ticks - margin, p->len_ticks);
    else if (p->at_ticks > p->from_ticks + p->len_ticks - margin)
        timeline_set_window(&a->ui, p->at_ticks - p->len_ticks + margin, p->len_ticks);
}

/* Lists headings, and the tracks of unfolded sections. A single section has no heading. */
static void list_lines(struct timeline_pane *p)
{
    const struct timeline *l = p->timeline;

    p->lines.n = 0;
    for (uint32_t s = 0; s < l->sections.n; s++) {
        const struct timeline_section *section = &l->sections.data[s];

        if (l->sections.n > 1)
            vec_push(&p->lines,
                     ((struct timeline_line){l->order.data[section->first], s, true}));
        for (uint32_t i = 0; i < section->n && !p->folded.data[s]; i++)
            vec_push(&p->lines,
                     ((struct timeline_line){l->order.data[section->first + i], s, false}));
    }
}

void timeline_lines_select(struct timeline_pane *p, size_t at)
{
    p->at = at < p->lines.n ? at : p->lines.n - 1;
    p->track = p->lines.data[p->at].track;
}

/* Returns the section of TRACK. */
static uint32_t section_of(const struct timeline *l, size_t track)
{
    for (uint32_t s = 0; s < l->sections.n; s++)
        for (uint32_t i = 0; i < l->sections.data[s].n; i++)
            if (l->order.data[l->sections.data[s].first + i] == track)
                return s;
    return 0;
}

void timeline_lines_select_track(struct timeline_pane *p, size_t track)
{
    const uint32_t section = section_of(p->timeline, track);

    if (p->folded.data[section]) {
        p->folded.data[section] = 0;
        list_lines(p);
    }
    for (size_t at = 0; at < p->lines.n; at++)
        if (p->lines.data[at].track == track && !p->lines.data[at].is_head)
            timeline_lines_select(p, at);
}

bool timeline_on_head(const struct timeline_pane *p)
{
    return p->lines.data[p->at].is_head;
}

void timeline_lines_fold(struct timeline_pane *p)
{
    const uint32_t section = p->lines.data[p->at].section;

    if (p->timeline->sections.n < 2)
        return;
    p->folded.data[section] = !p->folded.data[section];
    list_lines(p);
    for (size_t at = 0; at < p->lines.n; at++)
        if (p->lines.data[at].is_head && p->lines.data[at].section == section)
            timeline_lines_select(p, at);
}

/* The busiest track of an accelerator, else of a thread; of the baseline only if there is no other. */
static size_t busiest_track(const struct timeline *l)
{
    size_t best = 0;

    for (size_t i = 1; i < l->tracks.n; i++) {
        const struct timeline_track *a = &l->tracks.data[i], *b = &l->tracks.data[best];

        if (a->is_base != b->is_base                 ? b->is_base
            : a->is_accelerator != b->is_accelerator ? a->is_accelerator
                                                     : a->busy_ticks > b->busy_ticks)
            best = i;
    }
    return best;
}

/* Unfolds the section of TRACK, and that of the same rank or host in the baseline, or now. */
static void unfold_both_sides(struct timeline_pane *p, size_t track)
{
    const struct timeline *l = p->timeline;

    for (size_t s = 0; s < l->sections.n; s++)
        p->folded.data[s] &= l->tracks.data[l->order.data[l->sections.data[s].first]].place !=
                             l->tracks.data[track].place;
}

void timeline_lines_begin(struct timeline_pane *p, int page)
{
    const struct timeline *l = p->timeline;
    const size_t n = l->tracks.n + (l->sections.n > 1 ? l->sections.n : 0);
    const size_t busiest = busiest_track(l);

    p->folded.n = 0;
    vec_resize_zero(&p->folded, l->sections.n);
    for (size_t s = 0; s < l->sections.n; s++)
        p->folded.data[s] = l->sections.n > 1 && n > (size_t)page;
    unfold_both_sides(p, busiest);
    list_lines(p);
    p->top = 0;
    timeline_lines_select_track(p, busiest);
}
