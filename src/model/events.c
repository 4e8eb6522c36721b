/* events.c: the tables of an event store, and its kinds. */
#include "model/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"

/* ---- building */

/* Rows are interned by their bytes; id 0 of struct intern is the empty string. */
struct event_interning {
    struct intern kinds, steps, collectives, configs, devices;
};

struct event_store *event_store_new(void)
{
    struct event_store *s = xcalloc(1, sizeof *s);

    s->interning = xcalloc(1, sizeof *s->interning);
    EACH(intern_init, &s->interning->kinds, &s->interning->steps, &s->interning->collectives,
         &s->interning->configs, &s->interning->devices);
    return s;
}

static void interning_free(struct event_interning *i)
{
    if (!i)
        return;
    EACH(intern_done, &i->kinds, &i->steps, &i->collectives, &i->configs, &i->devices);
    free(i);
}

void event_store_free(struct event_store *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->tracks.n; i++) {
        EACH(free, s->tracks.data[i].blocks, s->tracks.data[i].group_max_end_ticks,
             s->tracks.data[i].packed);
    }
    EACH(vec_done, &s->clocks, &s->hosts, &s->ranks, &s->devices, &s->steps, &s->marks, &s->tracks,
         &s->collectives, &s->configs);
    free(s->kinds);
    interning_free(s->interning);
    free(s);
}

static uint32_t index_of(struct intern *table, const void *row, size_t size_bytes)
{
    return intern_put(table, row, size_bytes) - 1;
}

uint32_t event_store_kind(struct event_store *s, const struct event_kind *kind)
{
    return index_of(&s->interning->kinds, kind, sizeof *kind);
}

uint32_t event_store_step(struct event_store *s, uint32_t rank, int64_t number)
{
    struct profile_step step;
    uint32_t i;

    memset(&step, 0, sizeof step); /* padding is part of the key */
    step.rank = rank;
    step.number = number;
    i = index_of(&s->interning->steps, &step, sizeof step);
    if (i == s->steps.n)
        vec_push(&s->steps, step);
    return i;
}

uint32_t event_store_collective(struct event_store *s, const struct collective *collective)
{
    const uint32_t i = index_of(&s->interning->collectives, collective, sizeof *collective);

    if (i == s->collectives.n)
        vec_push(&s->collectives, *collective);
    return i;
}

uint32_t event_store_config(struct event_store *s, const struct kernel_config *config)
{
    const uint32_t i = index_of(&s->interning->configs, config, sizeof *config);

    if (i == s->configs.n)
        vec_push(&s->configs, *config);
    return i;
}

uint32_t event_store_device(struct event_store *s, const struct profile_device *like)
{
    const uint32_t key[] = {like->name, like->host, like->rank};
    const uint32_t i = index_of(&s->interning->devices, key, sizeof key);

    if (i == s->devices.n)
        vec_push(&s->devices, *like);
    return i;
}

uint32_t event_store_track(struct event_store *s, const struct event_track *like)
{
    vec_push(&s->tracks, *like);
    return (uint32_t)(s->tracks.n - 1);
}

COMPARE_BY_TWO(by_step_and_start, struct profile_mark, step, start_ps)

/* Unix time of tick 0 of a clock. */
static int64_t base_ns(const struct profile_clock *c)
{
    return clamp_sub(c->unix_ns, clamp_mul(c->origin_ticks, c->tick_ps / PS_PER_NS));
}

/* The minimum of base_ns(); 0 if a clock has no Unix time, so that all files share one origin. */
static int64_t first_base_ns(const struct event_store *s)
{
    int64_t first = INT64_MAX;

    vec_each(const struct profile_clock, c, &s->clocks) {
        if (c->unix_ns == UNIX_NS_UNKNOWN)
            return 0;
        KEEP_MIN(first, base_ns(c));
    }
    return first;
}

/* Computes the shift of each clock relative to the first file, whose origin is moved to the
 * earliest one. */
static void align_clocks(struct event_store *s)
{
    const int64_t first_ns = first_base_ns(s);

    for (size_t i = 0; i < s->clocks.n && s->clocks.n > 1; i++) {
        struct profile_clock *c = &s->clocks.data[i];
        const int64_t ticks = clamp_sub(c->origin_ticks, s->clocks.data[0].origin_ticks);
        const int64_t ns = first_ns ? clamp_sub(base_ns(c), first_ns) : 0;
        const int64_t ps =
            clamp_add(clamp_mul(ticks, c->tick_ps), clamp_mul(ns, PS_PER_NS));

        c->shift_ps = ps < -EVENT_FARTHEST_PS  ? -EVENT_FARTHEST_PS
                      : ps > EVENT_FARTHEST_PS ? EVENT_FARTHEST_PS
                                               : ps;
    }
}

static void end_building(struct event_store *s)
{
    vec_sort(&s->marks, by_step_and_start);
    align_clocks(s);
    interning_free(s->interning);
    s->interning = NULL;
}

void event_store_finish(struct event_store *s, const uint32_t *id_of_part)
{
    const struct intern *kinds = &s->interning->kinds;

    s->n_kinds = (uint32_t)kinds->n - 1;
    s->kinds = xreallocarray(NULL, s->n_kinds, sizeof *s->kinds);
    for (uint32_t i = 0; i < s->n_kinds; i++) {
        struct event_kind *kind = &s->kinds[i];

        memcpy(kind, intern_text(kinds, i + 1), sizeof *kind);
        if (kind->id != UINT32_MAX && kind->id & EVENT_PART)
            kind->id = id_of_part[kind->id & ~EVENT_PART];
    }
    end_building(s);
}

void event_store_finish_with(struct event_store *s, struct event_kind *kinds, uint32_t n)
{
    s->n_kinds = n;
    s->kinds = kinds;
    end_building(s);
}
