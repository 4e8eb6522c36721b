/* host_times.c: finds hosts that took longer than others for the same nodes. */
#include "activity/host_times.h"

#include "base/compare.h"
#include "base/nth_value.h"
#include "base/satmath.h"
#include "model/host.h"

struct hosts_walk {
    const struct profile *p;
    struct host_times *hosts;
    VEC(uint32_t) row_of_name; /* by strid of hosts->names: row + 1 */
    struct exec_lists lists;
    /* Of the current node: */
    VEC(int64_t) time_ps;  /* by row */
    VEC(uint32_t) touched; /* rows with a time for the current node */
    VEC(int64_t) sorted;
};

static uint32_t row_of(struct hosts_walk *w, strid device)
{
    const struct intern *strings = &w->p->strings;
    const struct text host = host_of_device(intern_string(strings, device));
    strid name;

    name = intern_put(&w->hosts->names, host.bytes, host.len);
    if (name >= w->row_of_name.n)
        vec_resize_zero(&w->row_of_name, (size_t)name + 1);
    if (!w->row_of_name.data[name]) {
        vec_push(&w->hosts->rows, ((struct host_time){.name = name, .node = NODE_NONE}));
        vec_push(&w->time_ps, 0);
        w->row_of_name.data[name] = (uint32_t)w->hosts->rows.n;
    }
    return w->row_of_name.data[name] - 1;
}

static void add_times(struct hosts_walk *w, node_id node)
{
    struct exec_walk walk = profile_execs(w->p, node);
    struct exec e;

    if (profile_is_async(w->p, node))
        return;
    while (exec_next(&walk, &e)) {
        profile_exec_lists(w->p, &e, &w->lists);
        for (size_t i = 0; i < w->lists.times.n; i++) {
            const struct exec_time *t = &w->lists.times.data[i];
            const uint32_t row = row_of(w, t->device);
            bool saturated = false;
            const int64_t ps = clock_ps(w->p->clock, t->dur_ticks, &saturated);

            if (ps <= 0)
                continue;
            if (!w->time_ps.data[row])
                vec_push(&w->touched, row);
            w->time_ps.data[row] = clamp_add(w->time_ps.data[row], ps);
        }
    }
}

/* Adds the node's times to its hosts, and compares them with the median. */
static void finish_node(struct hosts_walk *w, node_id node)
{
    int64_t median_ps;

    w->sorted.n = 0;
    for (size_t i = 0; i < w->touched.n; i++)
        vec_push(&w->sorted, w->time_ps.data[w->touched.data[i]]);
    if (!w->sorted.n)
        return;
    median_ps = nth_value(w->sorted.data, w->sorted.n, (w->sorted.n - 1) / 2);
    for (size_t i = 0; i < w->touched.n; i++) {
        const uint32_t at = w->touched.data[i];
        struct host_time *row = &w->hosts->rows.data[at];
        const int64_t ps = w->time_ps.data[at];

        row->time_ps = clamp_add(row->time_ps, ps);
        if (ps - median_ps > row->excess_ps) {
            row->excess_ps = ps - median_ps;
            row->node = node;
        }
        w->time_ps.data[at] = 0;
    }
    w->touched.n = 0;
}

COMPARE_WITH(by_time, struct host_time, struct intern,
             DOWN(time_ps) || THEN(intern_compare(with, a->name, b->name)))

void host_times_make(const struct profile *p, struct host_times *hosts)
{
    struct hosts_walk w = {.p = p, .hosts = hosts};

    memset(hosts, 0, sizeof *hosts);
    intern_init(&hosts->names);
    for (node_id node = 0; node < p->n_nodes; node++) {
        add_times(&w, node);
        finish_node(&w, node);
    }
    vec_sort_arg(&hosts->rows, by_time, &hosts->names);
    EACH(vec_done, &w.row_of_name, &w.time_ps, &w.touched, &w.sorted);
    exec_lists_done(&w.lists);
}

void host_times_done(struct host_times *hosts)
{
    intern_done(&hosts->names);
    vec_done(&hosts->rows);
}
