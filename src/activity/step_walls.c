/* step_walls.c: how long steps last by the user's marks. */
#include "activity/step_walls.h"

#include <string.h>

static int by_host_and_step(const void *x, const void *y)
{
    const struct step_wall *a = x, *b = y;

    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static void add_mark(struct step_walls *w, const struct selection *sel,
                     const struct profile_mark *mark)
{
    const struct event_store *s = sel->s;
    const struct profile_step *step = &s->steps.data[mark->step];
    const int64_t shift_ps = s->clocks.data[s->ranks.data[step->rank].clock].shift_ps;
    int64_t start_ps = clamp_add(mark->start_ps, shift_ps);
    int64_t end_ps = clamp_add(mark->end_ps, shift_ps);

    if (sel->has_range) {
        start_ps = start_ps < sel->from_ps ? sel->from_ps : start_ps;
        end_ps = end_ps > sel->to_ps ? sel->to_ps : end_ps;
    }
    if (end_ps >= start_ps && sel->steps[mark->step])
        vec_push(&w->list, ((struct step_wall){mark->host, mark->step, start_ps,
                                               clamp_sub(end_ps, start_ps)}));
}

void step_walls_make(struct step_walls *w, const struct selection *sel)
{
    size_t kept = 0;

    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < sel->s->marks.n; i++)
        add_mark(w, sel, &sel->s->marks.data[i]);
    vec_sort(&w->list, by_host_and_step);
    for (size_t i = 0; i < w->list.n; i++) {
        const struct step_wall *wall = &w->list.data[i];
        struct step_wall *last = kept ? &w->list.data[kept - 1] : NULL;

        if (!last || by_host_and_step(last, wall) != 0) {
            w->list.data[kept++] = *wall;
            continue;
        }
        last->wall_ps = clamp_add(last->wall_ps, wall->wall_ps);
        last->start_ps = wall->start_ps < last->start_ps ? wall->start_ps : last->start_ps;
    }
    w->list.n = kept;
}

void step_walls_done(struct step_walls *w)
{
    vec_done(&w->list);
}
