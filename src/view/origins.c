/* origins.c: the first execution of each step or clock. */
#include "view/origins.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "model/exec_clip.h"

/* ids per work item */
enum { IDS_A_PIECE = 16384 };

/* Step number without the rank, which the steps of executions of traces include. */
static int64_t plain_step(const struct profile *p, int64_t step)
{
    return p->n_recordings ? step_of_ranked(step) : step;
}

int64_t origins_shift(const struct origins *o, const struct profile *p, int64_t step)
{
    return o->first_base_ns
               ? clamp_sub(p->recordings[rank_of_ranked(step)].base_ns, o->first_base_ns)
               : 0;
}

/* Index of the origin of STEP in o->ticks; o->n: it has none. */
static uint32_t origin_index(const struct origins *o, const struct profile *p, int64_t step)
{
    size_t at = 0;

    if (steps_share_clock(p))
        return o->step == STEP_ALL || plain_step(p, step) == o->step ? 0 : o->n;
    LOWER_BOUND(at, p->n_steps, i, p->steps[i] < step);
    return at < p->n_steps && p->steps[at] == step ? (uint32_t)at : o->n;
}

int64_t origins_at(const struct origins *o, const struct profile *p, int64_t step)
{
    const uint32_t at = origin_index(o, p, step);

    return at < o->n ? o->ticks[at] : INT64_MAX;
}

struct finding {
    struct origins *o;
    const struct profile *p;
    struct cancel_mark cancel;
    _Atomic int64_t *ticks; /* like o->ticks */
};

static void keep_first(_Atomic int64_t *first, int64_t ticks)
{
    int64_t before = atomic_load_explicit(first, memory_order_relaxed);

    while (ticks < before && !atomic_compare_exchange_weak(first, &before, ticks))
        ;
}

static void meet(const struct finding *f, const uint8_t *record, struct exec_lists *scratch)
{
    const int64_t step = exec_step(record);
    const uint32_t at = origin_index(f->o, f->p, step);
    int64_t start;

    if (at == f->o->n)
        return;
    start = exec_first_start(record, scratch);
    if (start != INT64_MAX && (start > 0 || steps_share_clock(f->p)))
        keep_first(&f->ticks[at], clamp_add(start, origins_shift(f->o, f->p, step)));
}

static void meet_nodes(void *arg, size_t from, size_t to)
{
    const struct finding *f = arg;
    const struct profile *p = f->p;
    struct exec_lists scratch = {0};

    for (size_t node = from; node < to && !cancel_asked(f->cancel); node++)
        for (uint32_t i = p->exec_begin[node]; i < p->exec_begin[node + 1]; i++)
            meet(f, profile_record(p, p->exec_places[i]), &scratch);
    exec_lists_done(&scratch);
}

bool origins_find(struct origins *o, const struct profile *p, int64_t step,
                  struct workers *workers, struct cancel_mark cancel)
{
    struct finding f = {o, p, cancel, NULL};

    *o = (struct origins){
        .n = steps_share_clock(p) ? 1 : p->n_steps,
        .step = steps_share_clock(p) && (step >= 0 || step == STEP_OUTSIDE) ? step : STEP_ALL,
        .first_base_ns = recordings_first_base_ns(p->recordings, p->n_recordings),
    };
    o->ticks = xreallocarray(NULL, o->n, sizeof *o->ticks);
    f.ticks = xreallocarray(NULL, o->n, sizeof *f.ticks);
    for (uint32_t i = 0; i < o->n; i++)
        atomic_init(&f.ticks[i], INT64_MAX);
    workers_run(workers, p->n_nodes, IDS_A_PIECE, meet_nodes, &f);
    for (uint32_t i = 0; i < o->n; i++)
        o->ticks[i] = atomic_load(&f.ticks[i]);
    free(f.ticks);
    return !cancel_asked(cancel);
}

void origins_done(struct origins *o)
{
    free(o->ticks);
    *o = (struct origins){.n = 0};
}

void origins_copy(struct origins *to, const struct origins *from)
{
    *to = *from;
    to->ticks = xreallocarray(NULL, from->n, sizeof *to->ticks);
    for (uint32_t i = 0; i < from->n; i++)
        to->ticks[i] = from->ticks[i];
}
