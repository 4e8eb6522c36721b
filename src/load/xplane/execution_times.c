/* execution_times.c: statistics of execution times per node and device (formats-xplane.md section
 * 12). */
#include "load/xplane/run.h"

#include <stdlib.h>

#include "base/nth_value.h"
#include "base/satmath.h"
#include "base/xalloc.h"

struct execution {
    uint32_t device;
    /* executions that the event stands for; 0: it continues one of an earlier step */
    uint32_t count;
    int64_t dur_ps;
};

void execution_times_init(struct execution_times *t, const struct run *r)
{
    *t = (struct execution_times){.begin = xcalloc(r->devices.n + 1, sizeof *t->begin)};
}

void execution_times_done(struct execution_times *t)
{
    vec_done(&t->executions);
    vec_done(&t->sorted_ps);
    vec_done(&t->devices);
    free(t->begin);
}

void execution_times_add(struct execution_times *t, const struct run *r,
                         const void *const *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct run_event *e = events[i];
        const struct run_op *op = &r->ops.data[e->op];
        struct execution *last =
            t->executions.n ? &t->executions.data[t->executions.n - 1] : NULL;

        if (!last || last->device != op->device || e->step & EVENT_BEGINS) {
            vec_push(&t->executions, ((struct execution){.device = op->device}));
            last = &t->executions.data[t->executions.n - 1];
        }
        if (e->step & EVENT_BEGINS)
            last->count = op->count;
        last->dur_ps = clamp_add(last->dur_ps, e->self_ps);
    }
}

static int64_t mean_ps(const struct execution *e)
{
    return e->count > 1 ? e->dur_ps / e->count : e->dur_ps;
}

/* Sorts the times of executions by device; begin[DEVICE] is then the end of the device's times. */
static void sort_by_device(struct execution_times *t)
{
    size_t at = 0;

    for (size_t i = 0; i < t->executions.n; i++)
        if (!t->begin[t->executions.data[i].device]++)
            vec_push(&t->devices, t->executions.data[i].device);
    for (size_t d = 0; d < t->devices.n; d++) {
        const size_t count = t->begin[t->devices.data[d]];

        t->begin[t->devices.data[d]] = at;
        at += count;
    }
    vec_resize_zero(&t->sorted_ps, t->executions.n);
    for (size_t i = 0; i < t->executions.n; i++) {
        const struct execution *e = &t->executions.data[i];

        t->sorted_ps.data[t->begin[e->device]++] = mean_ps(e);
    }
}

static struct capture_executions measure(uint32_t device, int64_t *times_ps, size_t n)
{
    struct capture_executions e = {.device = device, .min_ps = INT64_MAX};

    for (size_t i = 0; i < n; i++) {
        if (times_ps[i] < e.min_ps)
            e.min_ps = times_ps[i];
        if (times_ps[i] > e.max_ps)
            e.max_ps = times_ps[i];
    }
    e.median_ps = nth_value(times_ps, n, (n - 1) / 2);
    return e;
}

/* Adds up sums per device; begin[DEVICE] is the device's index relative to FIRST. */
static void add_sums(const struct execution_times *t, struct run *r, size_t first)
{
    for (size_t i = 0; i < t->executions.n; i++) {
        const struct execution *e = &t->executions.data[i];
        struct capture_executions *to = &r->executions.data[first + t->begin[e->device]].times;

        to->n += e->count;
        to->self_ps = clamp_add(to->self_ps, e->dur_ps);
    }
}

void execution_times_end(struct execution_times *t, struct run *r, node_id node)
{
    const size_t first = r->executions.n;
    size_t from = 0;

    sort_by_device(t);
    for (size_t d = 0; d < t->devices.n; d++) {
        const uint32_t device = t->devices.data[d];
        const size_t end = t->begin[device];

        vec_push(&r->executions,
                 ((struct run_executions){
                     node, measure(device, t->sorted_ps.data + from, end - from)}));
        t->begin[device] = d;
        from = end;
    }
    add_sums(t, r, first);
    for (size_t d = 0; d < t->devices.n; d++)
        t->begin[t->devices.data[d]] = 0;
    t->executions.n = t->devices.n = t->sorted_ps.n = 0;
}
