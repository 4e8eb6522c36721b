/* step_strip.c: the duration of each step as a line of blocks. */
#include "tui/panes/pane.h"

#include <inttypes.h>

#include "render/sparkline.h"
#include "tui/app.h"

enum { PART_OF_SCREEN = 8 };

int step_strip_cols(const struct doc *doc, int screen_cols)
{
    const uint32_t n = doc->result->profile->n_steps;
    const int room = screen_cols / PART_OF_SCREEN;

    return n < 2 ? 0 : n < (uint32_t)room ? (int)n : room;
}

void step_strip_legend(const struct doc *doc, int cols, bool is_short, struct strbuf *sb)
{
    const struct step_times_seen *t = &doc->result->step_times;
    const uint32_t n = doc->result->profile->n_steps;

    if (!t->times_ps)
        return;
    if (n > (uint32_t)cols)
        sb_addf(sb, is_short ? " /%" PRIu32 : " %" PRIu32 " a column",
                (n + (uint32_t)cols - 1) / (uint32_t)cols);
    if (t->n_outliers)
        sb_addf(sb, is_short ? " %" PRIu32 "!" : " %" PRIu32 " outlier%s", t->n_outliers,
                t->n_outliers > 1 ? "s" : "");
}

/* Shows the step with index ARG. */
static void show_step(struct app *a, int arg)
{
    const struct profile *p = a->doc.result->profile;
    struct strbuf value = {0};

    if ((uint32_t)arg < p->n_steps) {
        sb_addf(&value, "%" PRId64, p->steps[arg]);
        app_set(a, "step", sb_text(&value));
    }
    sb_done(&value);
}

/* Points joined in a column of cells, and the first one with the longest time. */
struct cell_points {
    uint32_t first, end, longest;
};

static struct cell_points points_of(const struct step_times_seen *t, uint32_t first, size_t cells)
{
    struct cell_points c = {.first = first, .end = first, .longest = first};

    for (; c.end < t->n_points &&
           sparkline_cell(c.end, t->n_points, cells) == sparkline_cell(first, t->n_points, cells);
         c.end++)
        if (t->times_ps[c.end] > t->times_ps[c.longest])
            c.longest = c.end;
    return c;
}

/* True when the displayed step is among those of C. */
static bool is_seen(const struct doc *doc, const struct cell_points *c)
{
    const struct profile *p = doc->result->profile;
    const struct step_times_seen *t = &doc->result->step_times;
    const int64_t step = doc->result->options.step;
    const uint32_t end = step_times_first(t, p, c->end);

    return step >= p->steps[step_times_first(t, p, c->first)] && step <= p->steps[end - 1];
}

void step_strip_draw(struct app *a, struct area where, int row, int left, int cols)
{
    const struct step_times_seen *t = &a->doc.result->step_times;
    const size_t cells = (size_t)cols;
    struct strbuf blocks = {0};
    int col = left;

    if (!t->times_ps || cols < 1)
        return;
    sparkline_add(&blocks, t->times_ps, t->n_points, cells);
    area_put(where, row, left, sb_text(&blocks), blocks.len, ROLE_BAR);
    for (uint32_t at = 0; at < t->n_points; col++) {
        const struct cell_points c = points_of(t, at, cells);

        if (step_spread_is_outlier(&t->spread, t->times_ps[c.longest]))
            area_paint(where, row, col, 1, ROLE_HOT);
        if (is_seen(&a->doc, &c))
            area_paint(where, row, col, 1, ROLE_CURSOR);
        app_hit_call(a, where, row, col, 1, show_step,
                     (int)step_times_first(t, a->doc.result->profile, c.longest));
        at = c.end;
    }
    sb_done(&blocks);
}
