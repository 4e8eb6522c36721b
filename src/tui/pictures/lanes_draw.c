/* lanes_draw.c: draws lanes over time. */
#include "tui/pictures/lanes_draw.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "tui/pictures/lanes_words.h"
#include "view/pictures/lanes_text.h"

enum {
    NAME_COLS = 15, WIDE_NAME_COLS = 24, WIDE = 100,
    SUM_COLS = 17,   /* " 2.84sec  41.8%" */
    AXIS_ROWS = 1,
    TIME_COLS = 14, /* between times on the axis */
    EIGHTHS = 8,
    SHARE_COLS = 7,
};

static enum role group_role(uint32_t group)
{
    return group ? (enum role)(ROLE_GROUP_1 + (int)group - 1) : ROLE_DIM;
}

static int name_cols(const struct app *a)
{
    return a->layout.tree.cols >= WIDE ? WIDE_NAME_COLS : NAME_COLS;
}

int lanes_plot_cols(const struct app *a)
{
    const int cols = a->layout.tree.cols - name_cols(a) - SUM_COLS;

    return cols > 1 ? cols : 1;
}

/* Groups that anything is in. */
static int n_groups(const struct lanes *l)
{
    int n = 0;

    for (int g = 0; g < LANE_GROUPS; g++)
        n += l->groups[g].busy_ticks > 0;
    return n;
}

int lanes_rows(const struct app *a)
{
    const int rows = a->layout.tree.rows - AXIS_ROWS - 1 - n_groups(a->lanes.lanes);

    return rows > 1 ? rows : 1;
}

/* ---- what stands where */

static int64_t column_ticks(const struct app *a, int column)
{
    const struct lanes_pane *p = &a->lanes;

    return lanes_column_ticks(p->from_ticks, p->len_ticks, lanes_plot_cols(a), column);
}

int lanes_column(const struct app *a, int64_t at_ticks)
{
    const int n = lanes_plot_cols(a);
    int at = -1;

    if (at_ticks < a->lanes.from_ticks)
        return -1;
    while (at + 1 <= n && column_ticks(a, at + 1) <= at_ticks)
        at++;
    return at;
}

int lanes_plot_col(const struct app *a, int col)
{
    const int at = col - name_cols(a), n = lanes_plot_cols(a);

    return at < 0 ? 0 : at < n ? at : n - 1;
}

struct lane_range lanes_chosen_range(const struct app *a)
{
    const struct lanes_pane *p = &a->lanes;
    const int anchor = lanes_column(a, p->anchor_ticks), at = lanes_column(a, p->at_ticks);
    const bool is_before = p->anchor_ticks < p->at_ticks;
    struct lane_range range = {p->anchor_ticks, p->anchor_ticks + 1};

    /* Columns of the window as a whole; what is out of it as it was when it was chosen. */
    if (anchor >= 0 && anchor < lanes_plot_cols(a))
        range = (struct lane_range){column_ticks(a, anchor), column_ticks(a, anchor + 1)};
    if (is_before)
        range.to_ticks = column_ticks(a, at + 1);
    else
        range.from_ticks = column_ticks(a, at);
    return range;
}

size_t lanes_at_row(const struct app *a, int row)
{
    const struct lanes_pane *p = &a->lanes;
    const size_t at = p->top + (size_t)(row - AXIS_ROWS);

    return row >= AXIS_ROWS && row < AXIS_ROWS + lanes_rows(a) && at < p->lanes->lanes.n ? at
                                                                                         : SIZE_MAX;
}

struct lane_stretch lanes_stretch_at_cursor(const struct app *a)
{
    const struct lanes_pane *p = &a->lanes;
    const int column = lanes_column(a, p->at_ticks);

    return lanes_stretch(p->lanes, p->lane, column_ticks(a, column), column_ticks(a, column + 1));
}

uint32_t lanes_span_at_cursor(const struct app *a)
{
    const struct lanes_pane *p = &a->lanes;
    const struct lane_stretch now = lanes_stretch(p->lanes, p->lane, p->at_ticks, p->at_ticks + 1);
    const struct lane_stretch column = lanes_stretch_at_cursor(a);

    if (now.end > now.first)
        return now.first;
    return column.end > column.first ? column.first : SPAN_NONE;
}

/* ---- drawing */

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->canvas, a->layout.heads);
    const struct lanes_pane *p = &a->lanes;
    const struct lanes *l = p->lanes;
    struct strbuf text = {0}, fit = {0};

    sb_adds(&text, "LANES  ");
    if (l->step == STEP_ALL)
        sb_adds(&text, "all steps  ");
    else
        sb_addf(&text, "step %" PRId64 "  ", l->step);
    lanes_add_ticks(a, &text, l->end_ticks - l->begin_ticks);
    sb_adds(&text, "  ");
    lanes_alone_text(l, &text);
    text_cut_end(&fit, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_HEADER);
    sb_done(&text);
    sb_done(&fit);
}

static void add_share(struct strbuf *sb, int64_t part, int64_t whole)
{
    sb_addf(sb, "%.1f%%", whole > 0 ? 100 * (double)part / (double)whole : 0.0);
}

static void put_right(struct area where, int row, int end, struct strbuf *text, enum role role)
{
    area_put(where, row, end - text_cols(sb_text(text), text->len), sb_text(text), text->len, role);
    sb_clear(text);
}

/* The columns [*FIRST, *END) of the range that is being chosen, else of the one that counts; false:
 * there is none. */
static bool range_columns(const struct app *a, int *first, int *end)
{
    const struct time_range range = a->result->options.time_range;
    const struct lanes_pane *p = &a->lanes;
    struct lane_range chosen;

    if (p->chooses_range) {
        chosen = lanes_chosen_range(a);
    } else if (!time_range_is_all(range)) {
        const int64_t tick_ps = a->result->profile->clock.tick_ps;

        chosen.from_ticks = clamp_add(p->lanes->origin_ticks, range.from_ps / tick_ps);
        chosen.to_ticks = clamp_add(p->lanes->origin_ticks, range.to_ps / tick_ps);
    } else {
        return false;
    }
    *first = lanes_column(a, chosen.from_ticks);
    *end = lanes_column(a, chosen.to_ticks);
    *end += *end < lanes_plot_cols(a) && column_ticks(a, *end) < chosen.to_ticks;
    return true;
}

/* "[---]" over the columns of the range, as far as they are in the window. */
static void mark_range(struct app *a, struct area where)
{
    const int left = name_cols(a), n_cols = lanes_plot_cols(a);
    int first, end;

    if (!range_columns(a, &first, &end) || end <= 0 || first >= n_cols)
        return;
    for (int col = first < 0 ? 0 : first; col < end && col < n_cols; col++)
        area_fill(where, 0, left + col, 1, '-', ROLE_MATCH);
    if (first >= 0)
        area_puts(where, 0, left + first, "[", ROLE_MATCH);
    if (end <= n_cols)
        area_puts(where, 0, left + end - 1, "]", ROLE_MATCH);
}

static void draw_axis(struct app *a, struct area where)
{
    const struct lanes_pane *p = &a->lanes;
    const int n_cols = lanes_plot_cols(a), left = name_cols(a);
    struct strbuf text = {0};

    for (int col = 0; col + TIME_COLS <= n_cols || !col; col += TIME_COLS) {
        lanes_add_ticks(a, &text, column_ticks(a, col) - p->lanes->origin_ticks);
        area_put(where, 0, left + col, sb_text(&text), text.len, ROLE_DIM);
        sb_clear(&text);
    }
    sb_adds(&text, "busy");
    put_right(where, 0, where.cols, &text, ROLE_DIM);
    mark_range(a, where);
    sb_done(&text);
}

/* Whatever ran fills an eighth at least, and only what was busy throughout fills all. */
static int eighths_of(int64_t busy_ticks, int64_t ticks)
{
    const int n = ticks > 0 ? (int)((double)busy_ticks / (double)ticks * EIGHTHS + 0.5) : 0;

    if (!busy_ticks)
        return 0;
    return n < 1 ? 1 : n > EIGHTHS ? EIGHTHS : n;
}

/* What one row shows: how busy a lane was, or one group of it. */
enum { ALL_GROUPS = -1 };

static void draw_column(struct app *a, struct area where, int row, size_t at, int col, int group)
{
    const struct lanes_pane *p = &a->lanes;
    const int64_t from = column_ticks(a, col), to = column_ticks(a, col + 1);
    const struct lane_stretch s = lanes_stretch(p->lanes, at, from, to);
    const int eighths =
        eighths_of(group == ALL_GROUPS ? s.busy_ticks : s.groups_ticks[group], to - from);
    enum role role = group_role(group == ALL_GROUPS ? lanes_main_group(p->lanes, &s) : (uint32_t)group);

    if (group == ALL_GROUPS && p->node != NODE_NONE &&
        lanes_has_node(p->lanes, p->node, s.first, s.end))
        role = ROLE_MATCH;
    if (eighths)
        area_fill(where, row, name_cols(a) + col, 1, 0x2580 + (uint32_t)eighths, /* lower blocks */
                  a->dim_tree ? ROLE_DIM : role);
}

/* The columns of a row and their sum. */
static void draw_row(struct app *a, struct area where, int row, size_t at, int group)
{
    const struct lanes_pane *p = &a->lanes;
    const struct lane_stretch all =
        lanes_stretch(p->lanes, at, p->from_ticks, p->from_ticks + p->len_ticks);
    const int64_t busy = group == ALL_GROUPS ? all.busy_ticks : all.groups_ticks[group];
    struct strbuf text = {0};

    for (int col = 0; col < lanes_plot_cols(a); col++)
        draw_column(a, where, row, at, col, group);
    lanes_add_ticks(a, &text, busy);
    put_right(where, row, where.cols - SHARE_COLS, &text, ROLE_NUMBER);
    add_share(&text, busy, p->len_ticks);
    put_right(where, row, where.cols, &text, ROLE_BAR);
    sb_done(&text);
}

static void draw_lane(struct app *a, struct area where, int row, size_t at)
{
    const struct lanes_pane *p = &a->lanes;
    const enum role cursor = a->focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED;
    const int column = name_cols(a) + lanes_column(a, p->at_ticks);
    struct strbuf text = {0}, fit = {0};

    lane_name(p->lanes, &text, &p->lanes->lanes.data[at]);
    text_cut_middle(&fit, sb_text(&text), text.len, name_cols(a) - 2);
    area_put(where, row, 1, sb_text(&fit), fit.len, ROLE_TEXT);
    draw_row(a, where, row, at, ALL_GROUPS);
    if (at == p->lane) {
        area_paint(where, row, 0, name_cols(a) - 1, cursor);
        area_puts(where, row, 0, ">", cursor);
        area_paint(where, row, column, 1, cursor);
        area_cursor(where, row, column, false);
    }
    sb_done(&text);
    sb_done(&fit);
}

/* The lane under the cursor a group a row, so that groups can be told without colours. */
static void draw_groups(struct app *a, struct area where)
{
    const struct lanes_pane *p = &a->lanes;
    const struct lanes *l = p->lanes;
    struct strbuf text = {0}, fit = {0};
    int row = 0;

    area_fill(where, row, 0, where.cols, ' ', ROLE_HEADER);
    lane_name(l, &text, &l->lanes.data[p->lane]);
    sb_addf(&text, " by %s", l->by == LANES_BY_FIGURE ? metrics[l->figure].name : lane_group_names[l->by]);
    area_put(where, row++, 1, sb_text(&text), text.len, ROLE_HEADER);
    for (uint32_t i = 1; i <= LANE_GROUPS; i++) {
        const uint32_t g = i % LANE_GROUPS;

        if (!l->groups[g].busy_ticks)
            continue;
        sb_clear(&text);
        sb_clear(&fit);
        if (g)
            utf8_escape(&text, l->groups[g].name.bytes, l->groups[g].name.len);
        else
            sb_adds(&text, "others");
        text_cut_middle(&fit, sb_text(&text), text.len, name_cols(a) - 2);
        area_put(where, row, 1, sb_text(&fit), fit.len, group_role(g));
        draw_row(a, where, row++, p->lane, (int)g);
    }
    sb_done(&text);
    sb_done(&fit);
}

/* Right below the lanes when there are few. */
static int groups_top(const struct app *a)
{
    const size_t n = a->lanes.lanes->lanes.n;

    return AXIS_ROWS + (n < (size_t)lanes_rows(a) ? (int)n : lanes_rows(a));
}

void lanes_draw(struct app *a)
{
    struct area where = layout_area(&a->canvas, a->layout.tree);
    struct lanes_pane *p = &a->lanes;
    int n_rows;

    if (!p->lanes || !p->lanes->lanes.n) {
        area_puts(where, 1, 2, p->lanes ? "this step has no times: ] goes on"
                                        : "finding what ran when ...", ROLE_TITLE);
        return;
    }
    n_rows = lanes_rows(a);
    draw_head(a);
    draw_axis(a, where);
    p->top = scroll_to(p->top, p->lane, p->lanes->lanes.n, n_rows);
    for (size_t at = p->top; at < p->lanes->lanes.n && at - p->top < (size_t)n_rows; at++)
        draw_lane(a, where, AXIS_ROWS + (int)(at - p->top), at);
    draw_groups(a, area_sub(where, groups_top(a), 0, where.rows - groups_top(a), where.cols));
}
