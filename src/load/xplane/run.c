/* run.c: a capture under construction (formats-xplane.md section 6). */
#include "load/xplane/run.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/system/workers.h"
#include "base/xalloc.h"

struct run *run_new(uint32_t kept_ops)
{
    struct run *r = xcalloc(1, sizeof *r);

    r->kept_ops = kept_ops;
    return r;
}

void run_free(struct run *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->hosts.n; i++)
        EACH(vec_done, &r->hosts.data[i].launches, &r->hosts.data[i].marks,
             &r->hosts.data[i].dispatches, &r->hosts.data[i].compiles);
    for (size_t i = 0; i < r->devices.n; i++) {
        vec_done(&r->devices.data[i].marks);
        free(r->devices.data[i].about);
    }
    for (size_t i = 0; i < r->tracks.n; i++)
        EACH(vec_done, &r->tracks.data[i].events, &r->tracks.data[i].launches);
    EACH(vec_done, &r->names, &r->hosts, &r->devices, &r->ops, &r->tracks);
    for (size_t i = 0; i < r->programs.n; i++)
        hlo_module_free(r->programs.data[i].module);
    EACH(vec_done, &r->programs, &r->runs, &r->places, &r->steps, &r->step_names);
    for (size_t i = 0; i < r->allocators.n; i++)
        vec_done(&r->allocators.data[i].events);
    vec_done(&r->allocators);
    workers_free(r->workers);
    EACH(lookup_done, &r->device_by_name, &r->op_by_all, &r->track_by_line, &r->program_by_id,
         &r->run_by_id, &r->allocator_by_name);
    free(r);
}

uint32_t run_device(struct run *r, uint32_t host, enum plane_kind kind, strid number)
{
    const uint64_t hash = hash_pair((uint64_t)host << 32 | kind, number);
    size_t probe = lookup_begin(&r->device_by_name, hash);
    struct run_device device = {.host = host, .kind = kind, .number = number};
    uint32_t i;

    while ((i = lookup_next(&r->device_by_name, hash, &probe)) != SLOTS_NONE) {
        const struct run_device *d = &r->devices.data[i];

        if (d->host == host && d->kind == kind && d->number == number)
            return i;
    }
    lookup_add(&r->device_by_name, hash);
    vec_push(&r->devices, device);
    return (uint32_t)(r->devices.n - 1);
}

static uint64_t op_hash(const struct run_op *op)
{
    const uint64_t a = hash_pair((uint64_t)op->kind << 32 | op->device, op->program);
    const uint64_t b = hash_pair((uint64_t)op->name << 32 | op->type,
                                 (uint64_t)op->kernel << 32 | op->count);

    return hash_pair(hash_pair(a, b), op->caller);
}

static bool op_equal(const struct run_op *a, const struct run_op *b)
{
    return a->kind == b->kind && a->device == b->device && a->program == b->program &&
           a->name == b->name && a->type == b->type && a->kernel == b->kernel &&
           a->count == b->count && a->caller == b->caller;
}

uint32_t run_op(struct run *r, const struct run_op *op)
{
    const uint64_t hash = op_hash(op);
    size_t probe = lookup_begin(&r->op_by_all, hash);
    uint32_t i;

    while ((i = lookup_next(&r->op_by_all, hash, &probe)) != SLOTS_NONE)
        if (op_equal(&r->ops.data[i], op))
            return i;
    lookup_add(&r->op_by_all, hash);
    vec_push(&r->ops, *op);
    return (uint32_t)(r->ops.n - 1);
}

uint32_t run_track(struct run *r, const struct track *like)
{
    const uint64_t hash = hash_pair(hash_pair((uint64_t)like->host << 32 | like->plane,
                                              like->use), (uint64_t)like->id);
    size_t probe = lookup_begin(&r->track_by_line, hash);
    uint32_t i;

    while ((i = lookup_next(&r->track_by_line, hash, &probe)) != SLOTS_NONE) {
        const struct track *t = &r->tracks.data[i];

        if (t->host == like->host && t->id == like->id && t->plane == like->plane &&
            t->use == like->use)
            return i;
    }
    lookup_add(&r->track_by_line, hash);
    vec_push(&r->tracks, *like);
    return (uint32_t)(r->tracks.n - 1);
}

uint32_t run_of_program(struct run *r, uint32_t device, uint64_t program, uint64_t id,
                        int64_t start_ps)
{
    const uint64_t hash = hash_pair(hash_pair(device, program), id);
    size_t probe = lookup_begin(&r->run_by_id, hash);
    uint32_t i;

    while ((i = lookup_next(&r->run_by_id, hash, &probe)) != SLOTS_NONE) {
        struct run_of_program *run = &r->runs.data[i];

        if (run->device != device || run->program != program || run->id != id)
            continue;
        KEEP_MIN(run->start_ps, start_ps);
        return i;
    }
    lookup_add(&r->run_by_id, hash);
    vec_push(&r->runs, ((struct run_of_program){device, program, id, start_ps, start_ps}));
    return (uint32_t)(r->runs.n - 1);
}

struct run_program *run_program(struct run *r, uint32_t host, uint64_t id, bool add)
{
    const uint64_t hash = hash_pair(host, id);
    size_t probe = lookup_begin(&r->program_by_id, hash);
    struct run_program program = {.host = host, .id = id};
    uint32_t i;

    while ((i = lookup_next(&r->program_by_id, hash, &probe)) != SLOTS_NONE)
        if (r->programs.data[i].host == host && r->programs.data[i].id == id)
            return &r->programs.data[i];
    if (!add)
        return NULL;
    lookup_add(&r->program_by_id, hash);
    vec_push(&r->programs, program);
    return &r->programs.data[r->programs.n - 1];
}

struct run_allocator *run_allocator(struct run *r, uint32_t host, strid name)
{
    const uint64_t hash = hash_pair(host, name);
    size_t probe = lookup_begin(&r->allocator_by_name, hash);
    struct run_allocator allocator = {.host = host, .name = name, .peak_bytes = -1};
    uint32_t i;

    while ((i = lookup_next(&r->allocator_by_name, hash, &probe)) != SLOTS_NONE)
        if (r->allocators.data[i].host == host && r->allocators.data[i].name == name)
            return &r->allocators.data[i];
    lookup_add(&r->allocator_by_name, hash);
    vec_push(&r->allocators, allocator);
    return &r->allocators.data[r->allocators.n - 1];
}

/* ---- launches */

static uint64_t id_of(const void *launch)
{
    return ((const struct run_launch *)launch)->correlation;
}

static bool id_before(const void *a, const void *b)
{
    return id_of(a) < id_of(b);
}

/* A file that repeats ids usually repeats a sequence of them, which is compared with its begin. */
void run_add_launch(struct run *r, uint32_t host, const struct run_launch *launch)
{
    struct run_host *h = &r->hosts.data[host];

    if (h->repeated == h->launches.n || id_of(&h->launches.data[h->repeated]) != launch->correlation)
        h->repeated = 0;
    if (h->launches.n && id_of(&h->launches.data[h->repeated]) == launch->correlation)
        h->repeated++;
    else
        vec_push(&h->launches, *launch);
}

const void **run_launches_by(const struct run_host *h, stable_before *before)
{
    const void **list;
    size_t i = 1;

    while (i < h->launches.n && !before(&h->launches.data[i], &h->launches.data[i - 1]))
        i++;
    if (i >= h->launches.n)
        return NULL;
    list = xreallocarray(NULL, h->launches.n, sizeof *list);
    for (i = 0; i < h->launches.n; i++)
        list[i] = &h->launches.data[i];
    stable_sort(list, h->launches.n, before);
    return list;
}

/* The launches of a host by id. */
struct launch_list {
    const struct run_host *host;
    const void **by_id; /* struct run_launch; NULL: they are in this order */
};

static const struct run_launch *launch_at(const struct launch_list *list, size_t i)
{
    return list->by_id ? list->by_id[i] : &list->host->launches.data[i];
}

/* The index of the first launch whose id is not below ID.  Searches from NEAR on, such an index of
 * another id, if it is not behind NEAR, as the ids of a track are mostly ascending. */
static size_t find_launch(const struct launch_list *list, uint64_t id, size_t near)
{
    const size_t n = list->host->launches.n;
    size_t at = near < n && id_of(launch_at(list, near)) <= id ? near : 0, step = 1;

    while (step < n - at && id_of(launch_at(list, at + step)) < id) {
        at += step;
        step *= 2;
    }
    LOWER_BOUND(at, step < n - at ? at + step : n, i, id_of(launch_at(list, i)) < id)
    return at;
}

struct launch_search {
    struct run *r;
    struct launch_list *lists; /* by host */
};

static void find_launches(void *arg, size_t from, size_t to)
{
    const struct launch_search *s = arg;

    array_each(struct track, track, &s->r->tracks.data[from], to - from) {
        const struct launch_list *list = &s->lists[track->host];
        const size_t n = list->host->launches.n;
        size_t at = 0;

        if (track->use != TRACK_DEVICE || !n)
            continue;
        vec_reserve(&track->launches, track->events.n);
        vec_each(const struct run_event, e, &track->events) {
            uint32_t launch = LAUNCH_NONE;

            at = find_launch(list, e->correlation, at);
            if (at < n && id_of(launch_at(list, at)) == e->correlation)
                launch = (uint32_t)(launch_at(list, at) - list->host->launches.data);
            track->launches.data[track->launches.n++] = launch;
        }
    }
}

void run_find_launches(struct run *r)
{
    struct launch_search s = {r, xcalloc(r->hosts.n + 1, sizeof *s.lists)};

    for (size_t h = 0; h < r->hosts.n; h++)
        s.lists[h] = (struct launch_list){&r->hosts.data[h],
                                          run_launches_by(&r->hosts.data[h], id_before)};
    workers_run(r->workers, r->tracks.n, 1, find_launches, &s);
    for (size_t h = 0; h < r->hosts.n; h++)
        free(s.lists[h].by_id);
    free(s.lists);
}

const struct run_launch *run_launch_of(const struct run *r, const struct track *track, size_t i)
{
    const uint32_t at = track->launches.n ? track->launches.data[i] : LAUNCH_NONE;

    return at == LAUNCH_NONE ? NULL : &r->hosts.data[track->host].launches.data[at];
}
