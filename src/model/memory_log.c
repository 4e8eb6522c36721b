/* memory_log.c: allocations and memory in use, as the inputs record them. */
#include "model/memory_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "model/profile.h"

#define MEMORY_ACTION_NAME(id, name) [MEMORY_##id] = #name,
const char *const memory_action_names[] = {MEMORY_ACTIONS(MEMORY_ACTION_NAME)};
#undef MEMORY_ACTION_NAME

struct memory_log *memory_log_new(void)
{
    struct memory_log *log = xcalloc(1, sizeof *log);

    intern_init(&log->interned_sites);
    return log;
}

void memory_allocator_done(struct memory_allocator *a)
{
    free(a->ticks);
    EACH(vec_done, &a->allocations, &a->extents, &a->points, &a->reservations, &a->segments,
         &a->failures);
}

void memory_log_free(struct memory_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < log->allocators.n; i++)
        memory_allocator_done(&log->allocators.data[i]);
    vec_done(&log->allocators);
    free(log->sites);
    intern_done(&log->interned_sites);
    free(log);
}

uint32_t memory_log_site(struct memory_log *log, const struct memory_site *site)
{
    return intern_put(&log->interned_sites, site, sizeof *site) - 1; /* id 0 is the empty string */
}

struct memory_site memory_log_site_at(const struct memory_log *log, uint32_t site)
{
    struct memory_site at;

    memcpy(&at, intern_text(&log->interned_sites, site + 1), sizeof at);
    return at;
}

void memory_log_finish(struct memory_log *log, const uint32_t *id_of_part)
{
    log->n_sites = (uint32_t)log->interned_sites.n - 1;
    log->sites = xcalloc(log->n_sites, sizeof *log->sites);
    for (uint32_t i = 0; i < log->n_sites; i++) {
        log->sites[i] = memory_log_site_at(log, i);
        if (log->sites[i].id != NODE_NONE && log->sites[i].id & EVENT_PART)
            log->sites[i].id = id_of_part[log->sites[i].id & ~EVENT_PART];
    }
    intern_done(&log->interned_sites);
    intern_init(&log->interned_sites);
}

int64_t memory_in_use(const struct memory_allocator *a, uint32_t at)
{
    size_t i = 0;

    LOWER_BOUND(i, a->points.n, k, a->points.data[k].event < at);
    return i ? a->points.data[i - 1].in_use_bytes : a->start_bytes;
}

int64_t memory_reserved(const struct memory_allocator *a, uint32_t at)
{
    size_t i = 0;

    LOWER_BOUND(i, a->reservations.n, k, a->reservations.data[k].event < at);
    return i ? a->reservations.data[i - 1].reserved_bytes : a->reserved_start_bytes;
}

int64_t memory_extent(const struct memory_allocator *a, uint32_t allocation)
{
    enum { BLOCK_ALIGN = 512 };
    const int64_t bytes = a->allocations.data[allocation].bytes;
    size_t i = 0;

    LOWER_BOUND(i, a->extents.n, k, a->extents.data[k].allocation < allocation);
    if (i < a->extents.n && a->extents.data[i].allocation == allocation)
        return a->extents.data[i].bytes;
    return bytes ? clamp_add(bytes, (BLOCK_ALIGN - bytes % BLOCK_ALIGN) % BLOCK_ALIGN) : BLOCK_ALIGN;
}
