/* breakdown.c: breaks device time down into classes of work and idle time. */
#include "activity/breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "activity/breakdown_sums.h"
#include "activity/selection.h"
#include "base/compare.h"
#include "base/xalloc.h"

/* ---- lengths of marked steps */

/* The marks of a step on a host, combined. */
struct step_wall {
    uint32_t host, step; /* in the store */
    int64_t start_ps;    /* start of the first mark, on the common clock of all ranks */
    int64_t wall_ps;     /* sum of the marks' lengths within the selected time */
};

struct step_walls {
    VEC(struct step_wall) list; /* selected steps, once each, by host, then step */
};

COMPARE_BY_TWO(by_host_and_step, struct step_wall, host, step)

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

/* Collects the marks in the current store of SEL. */
static void step_walls_make(struct step_walls *w, const struct selection *sel)
{
    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < sel->s->marks.n; i++)
        add_mark(w, sel, &sel->s->marks.data[i]);
    vec_sort(&w->list, by_host_and_step);
    vec_merge(&w->list, last, wall, by_host_and_step(last, wall) == 0, {
        last->wall_ps = clamp_add(last->wall_ps, wall->wall_ps);
        KEEP_MIN(last->start_ps, wall->start_ps);
    });
}

/* ---- queues */

struct queue_change {
    int64_t at_ps;
    int change; /* +1: a launch; launches come first at equal times */
};

typedef VEC(struct queue_change) queue_changes;

COMPARE_CHAIN(by_time, struct queue_change, UP(at_ps) || DOWN(change))

static void sum_queue(struct breakdown_row *row, queue_changes *changes)
{
    int64_t length = 0;

    vec_sort(changes, by_time);
    for (size_t i = 0; i < changes->n; i++) {
        if (i)
            row->queue_area_ps = clamp_add(
                row->queue_area_ps,
                clamp_mul(length, changes->data[i].at_ps - changes->data[i - 1].at_ps));
        length += changes->data[i].change;
        KEEP_MAX(row->queue_max, length);
        row->n_negative_queue += length < 0;
    }
    if (changes->n)
        row->queue_span_ps = changes->data[changes->n - 1].at_ps - changes->data[0].at_ps;
}

/* ---- rows */

struct making {
    struct selection *sel;
    const struct breakdown_request *request;
    breakdown_rows *rows;
    struct launch_counts launches;
    struct step_walls walls;
    uint32_t device; /* current device */
    struct profile_device of; /* its record */
    uint32_t *sums_of_step; /* by step: index in steps + 1; 0: no row */
    VEC(struct sums) steps; /* of the current device */
    VEC(uint32_t) step_ids; /* of the current device */
};

static void set_row_names(const struct making *m, struct breakdown_row *row, strid stream)
{
    const struct event_store *s = m->sel->s;
    const int64_t rank = s->ranks.data[m->of.rank].number;

    row->rank = rank < 0 ? INT64_MIN : rank;
    row->host = s->hosts.data[m->of.host].name;
    row->device = m->of.name;
    row->model_name = m->of.model_name;
    row->stream = stream;
}

static void read_work(struct making *m, struct sums *sums, const struct work *w)
{
    sums_add(sums, w, (enum event_class)m->sel->s->kinds[w->kind].event_class,
             work_is_short(m->sel, &m->launches, w), m->request->idle_gap_ps);
}

static struct sums *step_sums(struct making *m, uint32_t step)
{
    struct sums fresh;

    if (!m->sums_of_step[step]) {
        sums_init(&fresh);
        fresh.row.step = m->sel->s->steps.data[step].number;
        set_row_names(m, &fresh.row, STRID_EMPTY);
        vec_push(&m->steps, fresh);
        vec_push(&m->step_ids, step);
        m->sums_of_step[step] = (uint32_t)m->steps.n;
    }
    return &m->steps.data[m->sums_of_step[step] - 1];
}

/* Adds rows of marked steps in which the device was idle. */
static void add_marked(struct making *m)
{
    /* With more devices, only steps with work get rows, which bounds them by the number of
     * events. */
    enum { DEVICES_SPARSE = 64 };
    const struct event_store *s = m->sel->s;

    for (size_t i = 0; i < m->walls.list.n; i++) {
        const struct step_wall *wall = &m->walls.list.data[i];
        struct sums *sums;

        if (wall->host != m->of.host || !m->sel->steps[wall->step] ||
            (s->devices.n > DEVICES_SPARSE && !m->sums_of_step[wall->step]))
            continue;
        sums = step_sums(m, wall->step);
        sums->row.wall_ps = wall->wall_ps;
        sums->start_ps = wall->start_ps;
    }
}

COMPARE_BY_TWO(by_start, struct sums, start_ps, row.step)

static void end_steps(struct making *m)
{
    add_marked(m);
    for (size_t i = 0; i < m->step_ids.n; i++)
        m->sums_of_step[m->step_ids.data[i]] = 0;
    vec_sort(&m->steps, by_start);
    for (size_t i = 0; i < m->steps.n; i++) {
        sums_end(&m->steps.data[i]);
        vec_push(m->rows, m->steps.data[i].row);
    }
    m->steps.n = m->step_ids.n = 0;
}

static void read_device(struct making *m, struct sums *all)
{
    struct work_reader r;

    work_begin(&r, m->sel, m->device);
    while (work_next(&r)) {
        read_work(m, all, &r.work);
        if (m->sel->has_steps && m->sel->s->steps.data[r.work.step].number >= 0) {
            struct sums *step = step_sums(m, r.work.step);

            read_work(m, step, &r.work);
            KEEP_MIN(step->start_ps, r.work.start_ps);
        }
    }
    work_end(&r);
}

static void add_device(struct making *m, bool works)
{
    struct sums all;

    sums_init(&all);
    set_row_names(m, &all.row, STRID_EMPTY);
    if (works)
        read_device(m, &all);
    end_steps(m);
    sums_end(&all);
    vec_push(m->rows, all.row);
}

static void add_stream(struct making *m, uint32_t track)
{
    queue_changes changes = {0};
    struct work_reader r;
    struct sums sums;

    sums_init(&sums);
    set_row_names(m, &sums.row, m->sel->s->tracks.data[track].name);
    work_begin_track(&r, m->sel, track);
    while (work_next(&r)) {
        read_work(m, &sums, &r.work);
        if (r.work.launch_ps == INSTANT_UNKNOWN)
            continue;
        vec_push(&changes, ((struct queue_change){r.work.launch_ps, 1}));
        vec_push(&changes, ((struct queue_change){r.work.start_ps, -1}));
    }
    work_end(&r);
    sum_queue(&sums.row, &changes);
    sums_end(&sums);
    if (sums.row.n_works)
        vec_push(m->rows, sums.row);
    vec_done(&changes);
}

COMPARE_BY(by_stream, struct breakdown_row, stream)

static void add_streams(struct making *m)
{
    const size_t first = m->rows->n;

    for (uint32_t i = m->sel->track_begin[m->device]; i < m->sel->track_begin[m->device + 1]; i++)
        add_stream(m, m->sel->device_tracks[i]);
    if (m->rows->n > first)
        qsort(m->rows->data + first, m->rows->n - first, sizeof *m->rows->data, by_stream);
}

/* Adds rows of steps only, for a rank without device work. */
static void add_rank(struct making *m, uint32_t rank)
{
    const struct event_store *s = m->sel->s;
    const int64_t wanted = m->sel->request.rank;
    bool works = false;

    if (wanted >= 0 && s->ranks.data[rank].number >= 0 && s->ranks.data[rank].number != wanted)
        return;
    for (uint32_t d = 0; d < s->devices.n; d++) {
        if (!m->sel->devices[d] || s->devices.data[d].rank != rank)
            continue;
        works = true;
        m->device = d;
        m->of = s->devices.data[d];
        if (m->sel->track_begin[d] == m->sel->track_begin[d + 1])
            continue; /* not selected */
        if (m->request->by_stream)
            add_streams(m);
        else
            add_device(m, true);
    }
    m->of = (struct profile_device){.host = s->ranks.data[rank].host, .rank = rank};
    if (!works && s == m->sel->p->events && !m->request->by_stream)
        add_device(m, false);
}

static void add_store(struct making *m)
{
    const struct event_store *s = m->sel->s;

    launch_counts_init(&m->launches, s);
    step_walls_make(&m->walls, m->sel);
    m->sums_of_step = xcalloc(s->steps.n + 1, sizeof *m->sums_of_step);
    for (uint32_t rank = 0; rank < s->ranks.n; rank++)
        add_rank(m, rank);
    free(m->sums_of_step);
    vec_done(&m->walls.list);
    launch_counts_done(&m->launches);
}

/* ---- several stores: each step has a clock of its own */

COMPARE_WITH(by_device_and_step, struct breakdown_row, struct intern,
             THEN(a->device == b->device ? 0 : intern_compare(with, a->device, b->device)) ||
             THEN((a->step == STEP_ALL) - (b->step == STEP_ALL)) || UP(step))

static void add_row(struct breakdown_row *to, const struct breakdown_row *from)
{
    int64_t *const sums[] = {&to->span_ps, &to->busy_ps, &to->compute_ps, &to->communication_ps,
                             &to->exposed_communication_ps, &to->memory_ps, &to->exposed_memory_ps,
                             &to->overlap_ps, &to->idle_ps};
    const int64_t added[] = {from->span_ps, from->busy_ps, from->compute_ps,
                             from->communication_ps, from->exposed_communication_ps,
                             from->memory_ps, from->exposed_memory_ps, from->overlap_ps,
                             from->idle_ps};

    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] = clamp_add(*sums[i], added[i]);
    for (int cause = 0; cause < IDLE_CAUSES; cause++)
        to->idle_by_cause_ps[cause] =
            clamp_add(to->idle_by_cause_ps[cause], from->idle_by_cause_ps[cause]);
    to->n_works += from->n_works;
    to->n_kernels += from->n_kernels;
    to->n_short += from->n_short;
}

/* Sets the rows over all steps to the sums of the rows of single steps. */
static void join_stores(breakdown_rows *rows, const struct profile *p)
{
    void *strings = (void *)(uintptr_t)&p->strings;

    vec_sort_arg(rows, by_device_and_step, strings);
    vec_merge(rows, last, row,
              row->step == STEP_ALL && by_device_and_step(last, row, strings) == 0,
              add_row(last, row));
}

void breakdown_make(struct selection *sel, const struct breakdown_request *request,
                    breakdown_rows *rows)
{
    struct making m = {.sel = sel, .request = request, .rows = rows};

    while (selection_next(sel))
        add_store(&m);
    if (!sel->p->events)
        join_stores(rows, sel->p);
    EACH(vec_done, &m.steps, &m.step_ids);
}
