/* timeline_ruler.c: draws times and step marks above the tracks. */
#include "tui/pictures/timeline_ruler.h"

#include <inttypes.h>

#include "base/lower_bound.h"
#include "base/utf8.h"
#include "tui/pictures/timeline_geometry.h"

/* Columns [*FIRST, *END) of the range that is being chosen, else of -time_range. False if there is
 * none. */
static bool range_columns(const struct app *a, int *first, int *end)
{
    const struct time_range range = a->doc.result->options.time_range;
    const struct timeline_pane *p = &a->ui.timeline;
    struct timeline_range chosen;

    if (p->chooses_range) {
        chosen = timeline_chosen_range(a);
    } else if (!time_range_is_all(range)) {
        const int64_t tick_ps = a->doc.result->profile->clock.tick_ps;

        chosen.from_ticks = clamp_add(p->timeline->origin_ticks, range.from_ps / tick_ps);
        chosen.to_ticks = clamp_add(p->timeline->origin_ticks, range.to_ps / tick_ps);
    } else {
        return false;
    }
    *first = timeline_column(a, chosen.from_ticks);
    *end = timeline_column(a, chosen.to_ticks);
    *end += *end < timeline_plot_cols(&a->ui) && timeline_tick_of_column(&a->ui, *end) < chosen.to_ticks;
    return true;
}

/* Draws "[---]" over the visible columns of the range. */
static void mark_range(struct app *a, struct area where)
{
    const int left = timeline_name_cols(&a->ui), n_cols = timeline_plot_cols(&a->ui);
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

/* ---- times */

/* Units of times on the ruler, and their lengths in picoseconds. */
static const struct {
    const char *name;
    int64_t ps;
} units[] = {{"s", PS_PER_SECOND}, {"ms", 1000 * PS_PER_US}, {"\u00b5s", PS_PER_US}, {"ns", PS_PER_NS},
             {"ps", 1}};

enum { N_UNITS = sizeof units / sizeof *units, LABEL_GAP_COLS = 3 };

/* The largest unit that STEP_PS is a multiple of, or the smallest one. */
static int unit_of(int64_t step_ps)
{
    int u = 0;

    while (u + 1 < N_UNITS && step_ps < units[u].ps)
        u++;
    return u;
}

/* Number of columns between ticks of STEP_PS. */
static int64_t cols_between(const struct app *a, int64_t step_ps, int64_t len_ps)
{
    return (int64_t)((double)step_ps / (double)len_ps * timeline_plot_cols(&a->ui));
}

/* The shortest of 1, 2 and 5 times a power of ten that leaves room for labels. */
static int64_t step_for(const struct app *a, int64_t from_ps, int64_t len_ps)
{
    static const int factors[] = {1, 2, 5};
    struct strbuf label = {0};
    int64_t step = 1, power = 1;
    bool fits = false;

    for (int i = 0; !fits && power <= INT64_MAX / 100; i++) {
        step = power * factors[i % 3];
        power = i % 3 == 2 ? power * 10 : power;
        sb_clear(&label);
        sb_addf(&label, "%" PRId64 " %s", (from_ps + len_ps) / units[unit_of(step)].ps,
                units[unit_of(step)].name);
        fits = cols_between(a, step, len_ps) >= (int64_t)label.len + LABEL_GAP_COLS;
    }
    sb_done(&label);
    return step;
}

/* Draws times at round instants; the last one has the unit. */
static void draw_times(const struct app *a, struct area where)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct clock clock = p->timeline->profile->clock;
    const int64_t origin = p->timeline->origin_ticks;
    const int64_t from_ps = clock_ps_between(clock, origin, p->from_ticks);
    const int64_t len_ps = clock_ps_between(clock, 0, p->len_ticks);
    const int64_t step = step_for(a, from_ps, len_ps);
    const int left = timeline_name_cols(&a->ui), n_cols = timeline_plot_cols(&a->ui);
    int64_t at = from_ps / step * step;

    for (at += at < from_ps ? step : 0; at < from_ps + len_ps; at += step) {
        const int col = timeline_column(a, origin + at / clock.tick_ps);
        const int next = timeline_column(a, origin + (at + step) / clock.tick_ps);
        struct strbuf label = {0};

        sb_addf(&label, "%" PRId64, at / units[unit_of(step)].ps);
        if (next + (int)label.len + LABEL_GAP_COLS > n_cols)
            sb_addf(&label, " %s", units[unit_of(step)].name);
        if (col >= 0 && col + (int)label.len <= n_cols + LABEL_GAP_COLS)
            area_put(where, 0, left + col, sb_text(&label), label.len, ROLE_DIM);
        sb_done(&label);
        if (next + LABEL_GAP_COLS > n_cols)
            break;
    }
}

/* ---- steps */

static bool is_marked(const struct timeline_pane *p, const struct timeline_mark *m)
{
    const struct timeline_track *track = &p->timeline->tracks.data[p->track];

    return m->place == track->place && m->is_base == track->is_base &&
           m->end_ticks > p->from_ticks && m->start_ticks < p->from_ticks + p->len_ticks;
}

/* Draws "|12" at the start of each step of the selected track's rank or host, if there is room. */
static void draw_steps(const struct app *a, struct area where)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const int left = timeline_name_cols(&a->ui), n_cols = timeline_plot_cols(&a->ui);
    int free_col = 0;

    area_puts(where, 1, 1, "step", ROLE_DIM);
    vec_each(const struct timeline_mark, m, &p->timeline->marks) {
        struct strbuf label = {0};
        int col;

        if (!is_marked(p, m))
            continue;
        col = timeline_column(a, m->start_ticks);
        sb_addf(&label, "%s%" PRId64, col < 0 ? "" : "|", m->step);
        col = col < 0 ? 0 : col;
        if (col >= free_col && col + (int)label.len <= n_cols) {
            area_put(where, 1, left + col, sb_text(&label), label.len, ROLE_TITLE);
            free_col = col + (int)label.len + 1;
        }
        sb_done(&label);
    }
}

/* ---- annotations */

/* Compares annotation and track by side, then by rank or host. */
static int compare_place(const struct timeline_mark *m, const struct timeline_track *track)
{
    return m->is_base != track->is_base ? m->is_base - track->is_base
                                        : (m->place > track->place) - (m->place < track->place);
}

/* Index of the first annotation on the rank or host of the selected track that ends after TICKS. Without
 * one, the index of the first annotation behind them, or the number of all annotations. */
static size_t annotation_after(const struct timeline_pane *p, int64_t ticks)
{
    const struct timeline *l = p->timeline;
    const struct timeline_track *track = &l->tracks.data[p->track];
    size_t at = 0;

    LOWER_BOUND(at, l->annotations.n, i,
                compare_place(&l->annotations.data[i], track) < 0 ||
                    (!compare_place(&l->annotations.data[i], track) &&
                     l->annotations.data[i].end_ticks <= ticks));
    return at;
}

/* Draws "|name" over the columns of M; only "|" where they are few. Returns the end. */
static int draw_annotation(const struct app *a, struct area where, int row, const struct timeline_mark *m)
{
    enum { LEAST_COLS = 5 };
    const struct timeline_pane *p = &a->ui.timeline;
    const struct profile *profile = p->timeline->profile;
    const int left = timeline_name_cols(&a->ui), n_cols = timeline_plot_cols(&a->ui);
    const int col = m->start_ticks < p->from_ticks ? 0 : timeline_column(a, m->start_ticks);
    int end = timeline_column(a, m->end_ticks);
    struct strbuf name = {0}, fit = {0};

    end = end > n_cols ? n_cols : end > col ? end : col + 1;
    sb_adds(&name, m->start_ticks < p->from_ticks ? "" : "|");
    if (end - col >= LEAST_COLS)
        utf8_escape(&name, profile_text(profile, m->name), intern_len(&profile->strings, m->name));
    text_cut_end(&fit, sb_text(&name), name.len, end - col);
    area_put(where, row, left + col, sb_text(&fit), fit.len, ROLE_TITLE);
    EACH(sb_done, &name, &fit);
    return end;
}

/* Draws the annotations of the selected track's rank or host; of several in a column the first. */
static void draw_annotations(const struct app *a, struct area where, int row)
{
    const struct timeline_pane *p = &a->ui.timeline;
    const struct timeline *l = p->timeline;
    size_t at = annotation_after(p, p->from_ticks);

    area_puts(where, row, 1, "annotations", ROLE_DIM);
    while (at < l->annotations.n && !compare_place(&l->annotations.data[at], &l->tracks.data[p->track]) &&
           l->annotations.data[at].start_ticks < p->from_ticks + p->len_ticks) {
        const int end = draw_annotation(a, where, row, &l->annotations.data[at]);
        const size_t next = annotation_after(p, timeline_tick_of_column(&a->ui, end));

        at = next > at ? next : at + 1;
    }
}

void timeline_ruler_draw(struct app *a, struct area where)
{
    area_puts(where, 0, where.cols - (int)strlen("busy"), "busy", ROLE_DIM);
    draw_times(a, where);
    mark_range(a, where);
    if (timeline_axis_rows(&a->ui) == 1)
        return;
    if (a->ui.timeline.timeline->marks.n)
        draw_steps(a, where);
    if (a->ui.timeline.timeline->annotations.n)
        draw_annotations(a, where, timeline_axis_rows(&a->ui) - 1);
}
