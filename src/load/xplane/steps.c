/* steps.c: assigns events to steps (formats-xplane.md section 10). */
#include "load/xplane/program_nodes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "load/xplane/run.h"
#include "model/format.h"

static void set_step(struct run_event *e, uint32_t step)
{
    e->step = (e->step & EVENT_BEGINS) | (step & ~EVENT_BEGINS);
}

/* ---- marks */

COMPARE_BY(by_start, struct run_mark, start_ps)

COMPARE_VALUES(by_number, int64_t)

static void add_numbers(struct run *r, const struct run_mark *marks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(&r->steps, marks[i].number);
}

/* Sorts the step numbers and removes duplicates. */
static void sort_unique_numbers(struct run *r)
{
    vec_sort(&r->steps, by_number);
    vec_keep(&r->steps, i, !i || r->steps.data[i] != r->steps.data[i - 1]);
}

static uint32_t step_index(const struct run *r, int64_t number)
{
    size_t at = 0;

    LOWER_BOUND(at, r->steps.n, i, r->steps.data[i] < number);
    return (uint32_t)at;
}

/* The number of the N sorted STARTS, STRIDE bytes apart, that are at or before AT_PS. */
static size_t count_started(const void *starts, size_t n, size_t stride, int64_t at_ps)
{
    size_t at = 0;

    LOWER_BOUND(at, n, i,
                *(const int64_t *)(const void *)((const char *)starts + i * stride) <= at_ps);
    return at;
}

/* The time at which event I of T was launched, or its program dispatched; else its start. */
static int64_t cause_ps(const struct run *r, const struct track *t, size_t i)
{
    const struct run_event *e = &t->events.data[i];
    const struct run_launch *launch = run_launch_of(r, t, i);
    const struct run_of_program *run =
        t->use == TRACK_HLO ? &r->runs.data[e->step & ~EVENT_BEGINS] : NULL;

    if (run)
        return run->id ? run->cause_ps : e->start_ps;
    return launch ? launch->start_ps : e->start_ps;
}

/* count_started() of N sorted MARKS.  Tries *LAST first, the result for the previous event. */
static size_t count_marks(const struct run_mark *marks, size_t n, int64_t at_ps, size_t *last)
{
    if (*last && *last <= n && marks[*last - 1].start_ps <= at_ps &&
        (*last == n || at_ps < marks[*last].start_ps))
        return *last;
    return *last = count_started(marks, n, sizeof *marks, at_ps);
}

/* Number of the events before the first mark, and their time, without that of nested events. */
struct outside {
    uint64_t n;
    int64_t self_ps;
};

/* Assignment of steps by marks of devices (of_device) or of hosts. */
struct marking {
    struct run *r;
    bool of_device;
    struct outside *outside; /* by track */
};

static void mark_event(const struct marking *m, const struct track *t, size_t i,
                       struct outside *outside, size_t *last)
{
    const struct run *r = m->r;
    struct run_event *e = &t->events.data[i];
    const struct run_host *host = &r->hosts.data[t->host];
    const struct run_device *device = &r->devices.data[r->ops.data[e->op].device];
    const struct run_mark *marks = m->of_device ? device->marks.data : host->marks.data;
    const size_t n = m->of_device ? device->marks.n : host->marks.n;
    const int64_t at_ps = m->of_device ? e->start_ps : cause_ps(r, t, i);
    const size_t begun = count_marks(marks, n, at_ps, last);

    if (begun) {
        set_step(e, marks[begun - 1].step);
        return;
    }
    set_step(e, (uint32_t)r->n_marked_steps);
    outside->n++;
    outside->self_ps = clamp_add(outside->self_ps, run_self_ps(t, e));
}

static void mark_tracks(void *arg, size_t from, size_t to)
{
    const struct marking *m = arg;

    for (size_t t = from; t < to; t++) {
        const struct track *track = &m->r->tracks.data[t];
        size_t last = 0;

        for (size_t i = 0; i < track->events.n; i++)
            mark_event(m, track, i, &m->outside[t], &last);
    }
}

/* Sets the steps of all events; returns those before the first mark. */
static struct outside mark_events(struct run *r, bool of_device)
{
    const struct marking m = {r, of_device, xcalloc(r->tracks.n + 1, sizeof *m.outside)};
    struct outside sum = {0};

    workers_run(r->workers, r->tracks.n, 1, mark_tracks, (void *)&m);
    for (size_t t = 0; t < r->tracks.n; t++) {
        sum.n += m.outside[t].n;
        sum.self_ps = clamp_add(sum.self_ps, m.outside[t].self_ps);
    }
    free(m.outside);
    return sum;
}

static void note_outside(struct loader *l, const struct outside *outside, int64_t number)
{
    struct strbuf time = {0};

    format_time(&time, outside->self_ps);
    note_add_kind(&builder_profile(l->builder)->notes, NOTE_OUTSIDE,
             "%" PRIu64 " events (%s) were launched before the first step mark: they are step "
             "%" PRId64, outside->n, sb_text(&time), number);
    sb_done(&time);
}

static void number_marks(struct run *r, struct run_mark *marks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        marks[i].step = step_index(r, marks[i].number);
}

/* Assigns steps by marks of devices (OF_DEVICE) or of hosts. */
static void steps_by_marks(struct run *r, struct loader *l, bool of_device)
{
    struct outside outside;
    int64_t last;

    if (of_device || marks_are_numbered(r)) {
        for (size_t i = 0; !of_device && i < r->hosts.n; i++)
            add_numbers(r, r->hosts.data[i].marks.data, r->hosts.data[i].marks.n);
        for (size_t i = 0; of_device && i < r->devices.n; i++)
            add_numbers(r, r->devices.data[i].marks.data, r->devices.data[i].marks.n);
        sort_unique_numbers(r);
        for (size_t i = 0; !of_device && i < r->hosts.n; i++)
            number_marks(r, r->hosts.data[i].marks.data, r->hosts.data[i].marks.n);
        for (size_t i = 0; of_device && i < r->devices.n; i++)
            number_marks(r, r->devices.data[i].marks.data, r->devices.data[i].marks.n);
    } else {
        marks_number(r, l);
    }
    r->n_marked_steps = r->steps.n;
    last = clamp_add(r->steps.data[r->steps.n - 1], 1);
    outside = mark_events(r, of_device);
    if (!outside.n)
        return;
    vec_push(&r->steps, last);
    note_outside(l, &outside, last);
}

/* ---- executions of the main program */

struct run_steps {
    const struct run *r;
    const struct device_runs *runs;
};

static void steps_by_runs(void *arg, size_t from, size_t to)
{
    const struct run_steps *s = arg;

    array_each(const struct track, track, &s->r->tracks.data[from], to - from) {
        vec_each(struct run_event, e, &track->events) {
            const struct device_runs *of = &s->runs[s->r->ops.data[e->op].device];
            const size_t begun =
                count_started(of->starts_ps.data, of->starts_ps.n, sizeof(int64_t), e->start_ps);

            set_step(e, begun ? (uint32_t)(begun - 1) : 0);
        }
    }
}

/* ---- choice of the rule */

static size_t sort_marks(struct run *r, bool of_device)
{
    size_t n = 0;

    for (size_t i = 0; !of_device && i < r->hosts.n; i++) {
        vec_sort(&r->hosts.data[i].marks, by_start);
        n += r->hosts.data[i].marks.n;
    }
    for (size_t i = 0; of_device && i < r->devices.n; i++) {
        vec_sort(&r->devices.data[i].marks, by_start);
        n += r->devices.data[i].marks.n;
    }
    return n;
}

static void number_steps(struct run *r, size_t n)
{
    r->steps.n = 0;
    for (size_t i = 0; i < n; i++)
        vec_push(&r->steps, (int64_t)i);
}

static size_t most_runs(const struct run *r, const struct device_runs *runs)
{
    size_t max = 0;

    for (size_t d = 0; d < r->devices.n; d++)
        KEEP_MAX(max, runs[d].starts_ps.n);
    return max;
}

static void note_runs(struct run *r, struct loader *l, const struct nodes *n,
                      const uint32_t *main_programs, size_t n_runs)
{
    struct profile *p = builder_profile(l->builder);

    for (size_t h = 0; h < r->hosts.n; h++) {
        if (main_programs[h] == UINT32_MAX)
            continue;
        note_add(&p->notes, "steps: %zu runs of %s; the capture has no step marks", n_runs,
                 profile_text(p, n->labels[main_programs[h]]));
        return;
    }
}

enum program_steps steps_find(struct run *r, struct loader *l, const struct nodes *n,
                              const uint32_t *main_programs, const struct device_runs *runs)
{
    struct profile *p = builder_profile(l->builder);
    const size_t n_runs = most_runs(r, runs);

    if (sort_marks(r, false)) {
        steps_by_marks(r, l, false);
        note_add(&p->notes, "steps: %zu, as marked in the capture", r->n_marked_steps);
        return PROGRAM_STEPS_MARKS;
    }
    if (sort_marks(r, true)) {
        steps_by_marks(r, l, true);
        note_add(&p->notes, "steps: as marked by the devices");
        return PROGRAM_STEPS_DEVICE;
    }
    if (n_runs >= 2) {
        number_steps(r, n_runs);
        workers_run(r->workers, r->tracks.n, 1, steps_by_runs, &(struct run_steps){r, runs});
        note_runs(r, l, n, main_programs, n_runs);
        return PROGRAM_STEPS_PROGRAM;
    }
    number_steps(r, 1);
    for (size_t t = 0; t < r->tracks.n; t++)
        for (size_t i = 0; i < r->tracks.data[t].events.n; i++)
            set_step(&r->tracks.data[t].events.data[i], 0);
    note_add(&p->notes, "steps: the capture has no step marks and no program that runs again: all "
                        "of it is step 0");
    return PROGRAM_STEPS_NONE;
}
