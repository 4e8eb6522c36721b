/* hosts.c: which hosts took longer than the others for the same work. */
#include "view/breakdown/hosts.h"

#include "base/nth_value.h"
#include "base/satmath.h"
#include "model/host.h"

struct hosts_walk {
    const struct profile *p;
    struct hosts *hosts;
    VEC(uint32_t) row_of_name; /* by strid of hosts->names: row + 1 */
    struct exec_lists lists;
    /* of the node in work */
    VEC(int64_t) time_ps;  /* by row */
    VEC(uint32_t) touched; /* rows that have a time */
    VEC(int64_t) sorted;
};

static uint32_t row_of(struct hosts_walk *w, strid device, int64_t step)
{
    const struct intern *strings = &w->p->strings;
    struct text host = host_of_device(intern_string(strings, device));
    char rank[HOST_OF_RANK_BYTES];
    strid name;

    if (!host.len && w->p->n_recordings) {
        const struct recording *r = &w->p->recordings[0];

        for (uint32_t i = 0; i < w->p->n_recordings; i++)
            if (w->p->recordings[i].rank_index == rank_of_ranked(step))
                r = &w->p->recordings[i];
        host = host_of_rank(rank, r->rank);
    }
    name = intern_put(&w->hosts->names, host.bytes, host.len);
    if (name >= w->row_of_name.n)
        vec_resize_zero(&w->row_of_name, (size_t)name + 1);
    if (!w->row_of_name.data[name]) {
        vec_push(&w->hosts->rows, ((struct host_row){.name = name, .node = NODE_NONE}));
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
            const uint32_t row = row_of(w, t->device, e.step);
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

/* Adds the node's times to those of the hosts, and looks who is above the others. */
static void settle_node(struct hosts_walk *w, node_id node)
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
        struct host_row *row = &w->hosts->rows.data[at];
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

static int by_time(const void *x, const void *y, void *arg)
{
    const struct host_row *a = x, *b = y;

    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps ? 1 : -1;
    return intern_compare(arg, a->name, b->name);
}

void hosts_make(const struct profile *p, struct hosts *hosts)
{
    struct hosts_walk w = {.p = p, .hosts = hosts};

    memset(hosts, 0, sizeof *hosts);
    intern_init(&hosts->names);
    for (node_id node = 0; node < p->n_nodes; node++) {
        add_times(&w, node);
        settle_node(&w, node);
    }
    vec_sort_arg(&hosts->rows, by_time, &hosts->names);
    if (hosts->rows.n)
        hosts->median_ps = hosts->rows.data[hosts->rows.n / 2].time_ps;
    vec_done(&w.row_of_name);
    vec_done(&w.time_ps);
    vec_done(&w.touched);
    vec_done(&w.sorted);
    exec_lists_done(&w.lists);
}

void hosts_done(struct hosts *hosts)
{
    intern_done(&hosts->names);
    vec_done(&hosts->rows);
}

double hosts_percent(const struct hosts *hosts, int64_t time_ps)
{
    return hosts->median_ps
               ? 100.0 * (double)(time_ps - hosts->median_ps) / (double)hosts->median_ps
               : 0.0;
}
