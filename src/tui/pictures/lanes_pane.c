/* lanes_pane.c: moves in lanes over time. */
#include "tui/pictures/lanes_pane.h"

#include "tui/commands/action.h"
#include "tui/commands/cmd.h"
#include "tui/pictures/lanes_draw.h"
#include "tui/pictures/lanes_words.h"

bool lanes_pane_is_on(const struct app *a)
{
    return pane_of(a, PANE_TREE) == &lanes_pane && !a->layout.tiny;
}

bool lanes_pane_is_stale(const struct app *a)
{
    const struct lanes_pane *p = &a->lanes;

    return lanes_exist(a->result->profile) &&
           (!p->lanes || !lanes_are_of(p->lanes, a->result->profile, a->result->view_id, &a->result->options,
                                         p->by));
}

bool lanes_pane_wants(const struct app *a)
{
    return lanes_pane_is_on(a) && lanes_pane_is_stale(a);
}

static bool fits(const struct app *a)
{
    return lanes_exist(a->result->profile);
}

static bool has_lanes(const struct app *a)
{
    return a->lanes.lanes && a->lanes.lanes->lanes.n;
}

/* ---- the window in time */

static int64_t whole_ticks(const struct lanes *l)
{
    return l->end_ticks - l->begin_ticks;
}

/* Makes the window LEN_TICKS long, from FROM_TICKS on as far as that is within the step; a column has
 * one tick at least. */
static void set_window(struct app *a, int64_t from_ticks, int64_t len_ticks)
{
    struct lanes_pane *p = &a->lanes;
    const struct lanes *l = p->lanes;
    const int n_cols = lanes_plot_cols(a);

    if (len_ticks > whole_ticks(l))
        len_ticks = whole_ticks(l);
    if (len_ticks < n_cols)
        len_ticks = n_cols;
    if (from_ticks > l->end_ticks - len_ticks)
        from_ticks = l->end_ticks - len_ticks;
    if (from_ticks < l->begin_ticks)
        from_ticks = l->begin_ticks;
    p->from_ticks = from_ticks;
    p->len_ticks = len_ticks;
}

/* Moves the window so that the cursor stands off its borders. */
static void follow(struct app *a)
{
    const struct lanes_pane *p = &a->lanes;
    const int64_t margin = p->len_ticks / 8;

    if (p->at_ticks < p->from_ticks + margin)
        set_window(a, p->at_ticks - margin, p->len_ticks);
    else if (p->at_ticks > p->from_ticks + p->len_ticks - margin)
        set_window(a, p->at_ticks - p->len_ticks + margin, p->len_ticks);
}

/* Where the node first ran, if it did. */
static void go_to_node(struct app *a)
{
    struct lanes_pane *p = &a->lanes;
    uint32_t n = 0;
    const uint32_t *spans = lanes_spans_of(p->lanes, p->node, &n);
    uint32_t first = n ? spans[0] : 0;

    for (uint32_t i = 1; i < n; i++)
        if (p->lanes->spans.data[spans[i]].start_ticks < p->lanes->spans.data[first].start_ticks)
            first = spans[i];
    if (n) {
        p->lane = lanes_lane_of(p->lanes, first);
        p->at_ticks = p->lanes->spans.data[first].start_ticks;
        follow(a);
    } else if (p->node != NODE_NONE) {
        app_say(a, ROLE_NOTE, "the selected node did not run in this step");
    }
    p->goes_to_node = false;
}

void lanes_pane_take(struct app *a, struct lanes *l)
{
    struct lanes_pane *p = &a->lanes;
    const struct lanes *old = p->lanes;
    const bool is_same_time = old && old->profile == l->profile && old->step == l->step &&
                              old->rank == l->rank;

    lanes_free(p->lanes);
    p->lanes = l;
    if (!l->lanes.n)
        return;
    if (!is_same_time) {
        p->chooses_range = false;
        p->at_ticks = l->begin_ticks;
        p->lane = p->top = 0;
        set_window(a, l->begin_ticks, INT64_MAX);
    }
    if (p->lane >= l->lanes.n)
        p->lane = p->top = 0;
    if (p->goes_to_node)
        go_to_node(a);
}

void lanes_pane_forget(struct lanes_pane *p)
{
    lanes_free(p->lanes);
    p->lanes = NULL;
    p->chooses_range = false;
}

/* ---- moving */

static void renew(struct app *a)
{
    if (lanes_pane_wants(a))
        task_want(a, TASK_LANES);
}

static void move(struct app *a, enum move move)
{
    struct lanes_pane *p = &a->lanes;

    if (has_lanes(a))
        p->lane = move_index(move, p->lane, p->lanes->lanes.n, lanes_rows(a));
}

static void side(struct app *a, int direction)
{
    struct lanes_pane *p = &a->lanes;
    int64_t at;

    if (!has_lanes(a))
        return;
    at = lanes_column_ticks(p->from_ticks, p->len_ticks, lanes_plot_cols(a),
                            lanes_column(a, p->at_ticks) + direction);
    if (at >= p->lanes->begin_ticks && at < p->lanes->end_ticks)
        p->at_ticks = at;
    follow(a);
}

/* ---- a range of time */

bool lanes_pane_drop_range(struct app *a)
{
    const bool chose = a->lanes.chooses_range;

    a->lanes.chooses_range = false;
    return chose;
}

/* Makes what is chosen the option. */
static void count_range(struct app *a)
{
    const struct lanes *l = a->lanes.lanes;
    const struct clock clock = l->profile->clock;
    const struct lane_range chosen = lanes_chosen_range(a);
    struct time_range range = {
        .from_ps = clock_ps_between(clock, l->origin_ticks, chosen.from_ticks),
        .to_ps = clock_ps_between(clock, l->origin_ticks, chosen.to_ticks),
    };
    struct strbuf text = {0};

    lanes_pane_drop_range(a);
    if (range.from_ps < 0)
        range.from_ps = 0;
    if (range.to_ps <= range.from_ps) {
        app_say(a, ROLE_NOTE, "no execution begins before 0");
        return;
    }
    time_range_print(&text, range);
    app_set(a, "time_range", sb_text(&text));
    sb_done(&text);
}

void cmd_lanes_range(struct app *a, int arg)
{
    struct lanes_pane *p = &a->lanes;

    (void)arg;
    if (!has_lanes(a))
        return;
    if (p->chooses_range) {
        count_range(a);
        return;
    }
    p->chooses_range = true;
    p->anchor_ticks = p->at_ticks;
    task_want(a, TASK_RANGE);
}

void cmd_lanes_range_all(struct app *a, int arg)
{
    (void)arg;
    lanes_pane_drop_range(a);
    app_set(a, "time_range", "all");
}

/* Counts the range that is chosen, or shows in the tree what runs under the cursor. */
static void open_span(struct app *a)
{
    uint32_t span;

    if (!has_lanes(a))
        return;
    if (a->lanes.chooses_range) {
        count_range(a);
        return;
    }
    span = lanes_span_at_cursor(a);
    if (span == SPAN_NONE) {
        app_say(a, ROLE_DIM, "nothing runs here: { and } go to gaps, h and l along");
        return;
    }
    a->picture = NULL;
    app_go_node(a, a->lanes.lanes->spans.data[span].node);
}

static void click(struct app *a, int row, int col)
{
    struct lanes_pane *p = &a->lanes;
    const size_t lane = has_lanes(a) ? lanes_at_row(a, row) : SIZE_MAX;
    int64_t at;

    if (lane == SIZE_MAX)
        return;
    col = lanes_plot_col(a, col);
    at = lanes_column_ticks(p->from_ticks, p->len_ticks, lanes_plot_cols(a), col);
    if (lane == p->lane && col == lanes_column(a, p->at_ticks)) {
        open_span(a);
        return;
    }
    p->lane = lane;
    p->at_ticks = at;
}

void cmd_lanes(struct app *a, int arg)
{
    (void)arg;
    a->focus = PANE_TREE;
    lanes_pane_drop_range(a);
    if (a->picture == &lanes_pane) {
        a->picture = NULL;
        return;
    }
    a->picture = &lanes_pane;
    a->lanes.node = app_node_of(a, app_row(a));
    a->lanes.goes_to_node = true;
    renew(a);
    if (has_lanes(a) && !lanes_pane_wants(a))
        go_to_node(a);
}

/* The window grows or shrinks about the cursor, which stays in its column. */
void cmd_lanes_zoom(struct app *a, int direction)
{
    struct lanes_pane *p = &a->lanes;
    int64_t len, before;

    if (!has_lanes(a))
        return;
    before = p->at_ticks - p->from_ticks;
    len = direction > 0 ? p->len_ticks / 2 : clamp_mul(p->len_ticks, 2);
    if (direction > 0 && len < lanes_plot_cols(a)) {
        app_say(a, ROLE_DIM, "a column is as short as the clock tells");
        return;
    }
    set_window(a, clamp_sub(p->at_ticks, direction > 0 ? before / 2 : clamp_mul(before, 2)), len);
}

void cmd_lanes_all(struct app *a, int arg)
{
    (void)arg;
    if (has_lanes(a))
        set_window(a, a->lanes.lanes->begin_ticks, INT64_MAX);
}

/* To the beginning of the next gap of the lane that is a column wide, or the one before. */
void cmd_lanes_gap(struct app *a, int direction)
{
    struct lanes_pane *p = &a->lanes;
    int64_t column_ticks;
    uint32_t span;

    if (!has_lanes(a))
        return;
    column_ticks = p->len_ticks / lanes_plot_cols(a);
    span = lanes_gap(p->lanes, p->lane, direction > 0 ? p->at_ticks + 1 : p->at_ticks, direction,
                     column_ticks ? column_ticks : 1);
    if (span == SPAN_NONE) {
        app_say(a, ROLE_DIM, "no gap as wide as a column %s here: + shows shorter ones",
                direction > 0 ? "behind" : "before");
        return;
    }
    p->at_ticks = p->lanes->spans.data[span].end_ticks;
    follow(a);
}

void cmd_lanes_group(struct app *a, int arg)
{
    (void)arg;
    a->lanes.by = (enum lane_group_by)((a->lanes.by + 1) % LANES_BY_COUNT);
    renew(a);
}

const struct pane lanes_pane = {
    "lanes", CTX_LANES, lanes_draw, move, open_span, click,
    .fits = fits, .status = lanes_status, .side = side,
};
