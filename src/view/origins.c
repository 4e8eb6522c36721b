/* origins.c: the first execution of each step, or of each clock. */
#include "view/origins.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "model/programs.h"

/* ids per work item */
enum { IDS_A_PIECE = 16384 };

/* ---- hosts */

COMPARE_BY(by_host, struct device_host, host)

COMPARE_BY(by_device, struct device_host, device)

/* Numbers the hosts of capture C, by their strids; returns how many there are. */
static uint32_t number_hosts(struct device_host *hosts, const struct programs *c)
{
    uint32_t n = 0;

    for (size_t i = 0; i < c->n_devices; i++)
        hosts[i] = (struct device_host){c->devices[i].name, c->devices[i].host};
    qsort(hosts, c->n_devices, sizeof *hosts, by_host);
    for (size_t i = 0, end; i < c->n_devices; i = end, n++) {
        const strid name = hosts[i].host;

        for (end = i; end < c->n_devices && hosts[end].host == name; end++)
            hosts[end].host = n;
    }
    qsort(hosts, c->n_devices, sizeof *hosts, by_device);
    return n;
}

void host_clocks_init(struct host_clocks *h, const struct profile *p)
{
    const struct programs *c = p->programs;

    *h = (struct host_clocks){.n = 1};
    if (!c || c->n_devices < 2)
        return;
    h->of_devices = xreallocarray(NULL, c->n_devices, sizeof *h->of_devices);
    h->n_devices = c->n_devices;
    h->n = number_hosts(h->of_devices, c);
    if (h->n == 1)
        host_clocks_done(h);
}

void host_clocks_done(struct host_clocks *h)
{
    free(h->of_devices);
    *h = (struct host_clocks){.n = 1};
}

uint32_t host_clock_of(const struct host_clocks *h, strid device)
{
    size_t at = 0;

    LOWER_BOUND(at, h->n_devices, i, h->of_devices[i].device < device);
    return at < h->n_devices && h->of_devices[at].device == device ? h->of_devices[at].host : 0;
}

static void copy_clocks(struct host_clocks *to, const struct host_clocks *from)
{
    const size_t bytes = from->n_devices * sizeof *to->of_devices;

    *to = *from;
    if (!from->of_devices)
        return;
    to->of_devices = xreallocarray(NULL, from->n_devices, sizeof *to->of_devices);
    memcpy(to->of_devices, from->of_devices, bytes);
}

/* ---- origins */

int64_t origins_first(const struct origins *o)
{
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < o->n; i++)
        KEEP_MIN(first, o->ticks[i]);
    return first;
}

int64_t origins_align(const struct origins *o, strid device)
{
    const int64_t origin =
        o->hosts.n > 1 ? o->ticks[host_clock_of(&o->hosts, device)] : INT64_MAX;

    return origin == INT64_MAX ? 0 : clamp_sub(origins_first(o), origin);
}

int64_t origins_shift(const struct origins *o, const struct profile *p, int64_t step)
{
    return o->first_base_ns
               ? clamp_sub(p->recorders[rank_of_ranked(step)].base_ns, o->first_base_ns)
               : 0;
}

/* Index of the origin of STEP on HOST in o->ticks; o->n: it has none. */
static uint32_t origin_index(const struct origins *o, const struct profile *p, int64_t step,
                             uint32_t host)
{
    size_t at = 0;

    if (steps_share_clock(p))
        return o->step != STEP_ALL && profile_step_number(p, step) != o->step ? o->n : host;
    LOWER_BOUND(at, p->n_steps, i, p->steps[i] < step);
    return at < p->n_steps && p->steps[at] == step ? (uint32_t)at : o->n;
}

int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step, uint32_t host)
{
    const uint32_t at = origin_index(o, p, step, host);

    return at < o->n ? o->ticks[at] : INT64_MAX;
}

struct finding {
    struct origins *o;
    const struct profile *p;
    struct cancel_mark cancel;
    _Atomic int64_t *ticks; /* like o->ticks */
};

static void atomic_min(_Atomic int64_t *first, int64_t ticks)
{
    int64_t before = atomic_load_explicit(first, memory_order_relaxed);

    while (ticks < before && !atomic_compare_exchange_weak(first, &before, ticks))
        ;
}

static void add_start_of_record(const struct finding *f, struct packed_exec record, struct exec_lists *scratch)
{
    const int64_t step = exec_step(record);
    const uint32_t host = host_clock_of_record(&f->o->hosts, record);
    const uint32_t at = origin_index(f->o, f->p, step, host);
    int64_t start;

    if (at == f->o->n)
        return;
    start = exec_first_start(record, scratch);
    if (start != INT64_MAX && (start > 0 || steps_share_clock(f->p)))
        atomic_min(&f->ticks[at], clamp_add(start, origins_shift(f->o, f->p, step)));
}

static void add_starts_of_nodes(void *arg, size_t from, size_t to)
{
    const struct finding *f = arg;
    const struct profile *p = f->p;
    struct exec_lists scratch = {0};

    for (size_t node = from; node < to && !cancel_asked(f->cancel); node++)
        for (uint32_t i = p->exec_begin[node]; i < p->exec_begin[node + 1]; i++)
            add_start_of_record(f, profile_record(p, p->exec_positions[i]), &scratch);
    exec_lists_done(&scratch);
}

bool origins_find(struct origins *o, const struct profile *p, int64_t step,
                  struct workers *workers, struct cancel_mark cancel)
{
    struct finding f = {o, p, cancel, NULL};

    *o = (struct origins){
        .step = steps_share_clock(p) && (step >= 0 || step == STEP_OUTSIDE) ? step : STEP_ALL,
        .first_base_ns = recorders_first_base_ns(p->recorders, p->n_recorders),
    };
    host_clocks_init(&o->hosts, p);
    o->n = steps_share_clock(p) ? o->hosts.n : p->n_steps;
    o->ticks = xreallocarray(NULL, o->n, sizeof *o->ticks);
    f.ticks = xreallocarray(NULL, o->n, sizeof *f.ticks);
    for (uint32_t i = 0; i < o->n; i++)
        atomic_init(&f.ticks[i], INT64_MAX);
    workers_run(workers, p->n_nodes, IDS_A_PIECE, add_starts_of_nodes, &f);
    for (uint32_t i = 0; i < o->n; i++)
        o->ticks[i] = atomic_load(&f.ticks[i]);
    free(f.ticks);
    return !cancel_asked(cancel);
}

void origins_done(struct origins *o)
{
    free(o->ticks);
    host_clocks_done(&o->hosts);
    *o = (struct origins){.n = 0};
}

void origins_copy(struct origins *to, const struct origins *from)
{
    *to = *from;
    to->ticks = xreallocarray(NULL, from->n, sizeof *to->ticks);
    for (uint32_t i = 0; i < from->n; i++)
        to->ticks[i] = from->ticks[i];
    copy_clocks(&to->hosts, &from->hosts);
}
