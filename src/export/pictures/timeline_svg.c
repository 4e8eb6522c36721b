/* timeline_svg.c: draws the timeline as an SVG element: the tracks of the screen in columns of
 * several pixels. */

#include "export/rows/figure_choice.h"

#include "export/pictures/svg_parts.h"
#include "view/pictures/timeline.h"
#include "view/pictures/timeline_text.h"

enum {
    NAME_PX = 160, SUM_PX = 120, /* widths to the left and right of the columns */
    COLUMN_PX = 4,
    PLOT_PX = SVG_WIDTH_PX - NAME_PX - SUM_PX,
    N_COLUMNS = PLOT_PX / COLUMN_PX,
    N_TIMES = 6, /* labels on the axis */
    FULL_PX = SVG_LINE_PX - 2, /* height of a column that is always busy */
    HEAD_LINES = 2,
};

struct picture {
    struct outbuf *out;
    const struct timeline *timeline;
    struct strbuf scratch;
};

static int64_t column_ticks(const struct timeline *l, int column)
{
    return timeline_column_ticks(l->begin_ticks, l->end_ticks - l->begin_ticks, N_COLUMNS, column);
}

/* Writes the scratch text at X and LINE, truncated to WIDTH_PX, and clears it. */
static void put_text(struct picture *p, int x, int line, int width_px)
{
    struct strbuf *sb = &p->out->text;

    sb_addf(sb, "<text class=\"head\" x=\"%d\" y=\"%d\">", x, line * SVG_LINE_PX + SVG_BASE_PX);
    svg_name(sb, (struct text){sb_text(&p->scratch), (uint32_t)p->scratch.len}, svg_cols(width_px));
    sb_adds(sb, "</text>\n");
    sb_clear(&p->scratch);
}

static void add_head(struct picture *p, size_t n_tracks)
{
    const struct timeline *l = p->timeline;

    sb_adds(&p->scratch, "timeline, ");
    svg_step(&p->scratch, l->step);
    sb_adds(&p->scratch, ", ");
    timeline_time(l, &p->scratch, l->end_ticks - l->begin_ticks);
    if (n_tracks < l->tracks.n)
        sb_addf(&p->scratch, ", %zu of %zu tracks", n_tracks, l->tracks.n);
    sb_adds(&p->scratch, "; ");
    timeline_alone_text(l, &p->scratch);
    put_text(p, 3, 0, SVG_WIDTH_PX);
    for (int i = 0; i < N_TIMES; i++) {
        const int column = N_COLUMNS / N_TIMES * i;

        timeline_time(l, &p->scratch, column_ticks(l, column) - l->origin_ticks);
        put_text(p, NAME_PX + column * COLUMN_PX, 1, PLOT_PX / N_TIMES);
    }
}

/* The appearance of a column. */
struct bar {
    int height_px;
    uint32_t group;
};

static struct bar bar_at(const struct timeline *l, size_t at, int column)
{
    const int64_t from = column_ticks(l, column), to = column_ticks(l, column + 1);
    const struct timeline_stretch s = timeline_stretch_of(l, at, from, to);
    const int height_px = (int)(FULL_PX * figure_share(s.busy_ticks, to - from) + 0.5);

    if (!s.busy_ticks)
        return (struct bar){0, 0};
    return (struct bar){height_px ? height_px : 1, timeline_main_group(l, &s)};
}

static void add_group_name(struct picture *p, uint32_t group)
{
    const struct text name = p->timeline->groups[group].name;

    if (group)
        svg_name(&p->out->text, name, SVG_TITLE_COLS);
    else
        sb_adds(&p->out->text, "others");
}

/* Draws adjacent columns of equal appearance as one, with the tooltip "1.20sec to 1.31sec: 40.0%
 * busy, most of it Conv2D". */
static void add_bars(struct picture *p, size_t at, int first, int end, struct bar bar)
{
    const struct timeline *l = p->timeline;
    const int64_t from = column_ticks(l, first), to = column_ticks(l, end);
    const struct timeline_stretch s = timeline_stretch_of(l, at, from, to);
    struct strbuf *sb = &p->out->text;

    sb_addf(sb, "<rect class=\"group%u\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>",
            bar.group, NAME_PX + first * COLUMN_PX,
            ((int)at + HEAD_LINES + 1) * SVG_LINE_PX - bar.height_px, (end - first) * COLUMN_PX,
            bar.height_px);
    timeline_time(l, &p->scratch, from - l->origin_ticks);
    sb_adds(&p->scratch, " to ");
    timeline_time(l, &p->scratch, to - l->origin_ticks);
    sb_addf(&p->scratch, ": %.1f%% busy, mostly ", 100 * figure_share(s.busy_ticks, to - from));
    svg_move_text(sb, &p->scratch);
    add_group_name(p, bar.group);
    sb_adds(sb, "</title></rect>\n");
}

static void add_track(struct picture *p, size_t at)
{
    const struct timeline *l = p->timeline;
    const struct timeline_track *track = &l->tracks.data[at];
    const int line = (int)at + HEAD_LINES;
    struct bar bar = bar_at(l, at, 0);
    int first = 0;

    timeline_track_name(l, &p->scratch, track);
    put_text(p, 3, line, NAME_PX);
    for (int column = 1; column <= N_COLUMNS; column++) {
        const struct bar next = column < N_COLUMNS ? bar_at(l, at, column) : (struct bar){-1, 0};

        if (next.height_px == bar.height_px && next.group == bar.group)
            continue;
        if (bar.height_px)
            add_bars(p, at, first, column, bar);
        first = column;
        bar = next;
    }
    timeline_time(l, &p->scratch, track->busy_ticks);
    sb_addf(&p->scratch, " %.1f%%",
            100 * figure_share(track->busy_ticks, l->end_ticks - l->begin_ticks));
    put_text(p, NAME_PX + PLOT_PX + 3, line, SUM_PX);
}

/* Draws the groups and their colours below the tracks. */
static void add_legend(struct picture *p, int line)
{
    struct strbuf *sb = &p->out->text;
    const int width_px = SVG_WIDTH_PX / TIMELINE_GROUPS;
    int x = 0;

    for (uint32_t i = 1; i <= TIMELINE_GROUPS; i++) {
        const uint32_t g = i % TIMELINE_GROUPS;
        const struct timeline_group *group = &p->timeline->groups[g];

        if (!group->busy_ticks)
            continue;
        sb_addf(sb, "<rect class=\"group%u\" x=\"%d\" y=\"%d\" width=\"10\" height=\"10\"/>", g, x,
                line * SVG_LINE_PX + 4);
        if (g)
            sb_add(&p->scratch, group->name.bytes, group->name.len);
        else
            sb_adds(&p->scratch, "others");
        put_text(p, x + 14, line, width_px - 14);
        x += width_px;
    }
}

static void add_picture(struct picture *p)
{
    const size_t n = p->timeline->tracks.n < TIMELINE_SVG_TRACKS_MAX ? p->timeline->tracks.n
                                                             : TIMELINE_SVG_TRACKS_MAX;
    const int n_lines = HEAD_LINES + (int)n + 1;

    svg_begin(&p->out->text, false, n_lines * SVG_LINE_PX);
    add_head(p, n);
    for (size_t at = 0; at < n && outbuf_step(p->out); at++)
        add_track(p, at);
    add_legend(p, n_lines - 1);
    svg_end(&p->out->text);
}

void timeline_svg_write(struct outbuf *out, struct result *r)
{
    struct picture p = {.out = out};
    struct timeline *l;

    if (!timeline_exists(r->profile))
        return;
    l = timeline_new(r->profile, &r->options, TIMELINE_BY_TYPE,
                  timeline_needs_result(r->view_id, &r->options, TIMELINE_BY_TYPE) ? r : NULL,
                  (struct cancel_mark){0});
    p.timeline = l;
    if (l->tracks.n)
        add_picture(&p);
    timeline_free(l);
    sb_done(&p.scratch);
}
