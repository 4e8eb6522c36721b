/* timeline_window.c: the window in time of the timeline. */
#include "tui/pictures/timeline_window.h"

#include "tui/pictures/timeline_geometry.h"

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
