/* advise_memory.c: allocators that were nearly full or fragmented, memory that grows. */
#include <string.h>

#include "model/format.h"
#include "model/memory_log.h"
#include "view/advise/advise_items.h"

#define HOST_PREFIX "/host:"

static const double NEARLY_FULL = 0.9, FULL_OF_HOLES = 0.5;

static bool is_full(const struct memory_allocator *m)
{
    return m->capacity_bytes > 0 &&
           (double)m->peak_bytes >= NEARLY_FULL * (double)m->capacity_bytes;
}

static bool report_line(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct memory_allocator *m = &p->memory->allocators.data[i];
    const struct text device = intern_string(&p->strings, m->device);
    const bool full = is_full(m);

    if (m->fragmentation < 0 || (!full && m->fragmentation < FULL_OF_HOLES))
        return false;
    add_text(line, p, m->name);
    sb_adds(line, " of host ");
    sb_add(line, device.bytes + strlen(HOST_PREFIX), device.len - strlen(HOST_PREFIX));
    if (full) {
        sb_adds(line, ": its peak is ");
        add_percent(line, (double)m->peak_bytes, (double)m->capacity_bytes);
        sb_adds(line, " of ");
        format_memory(line, m->capacity_bytes);
        sb_adds(line, ": reduce the batch size or recompute activations");
    }
    if (m->fragmentation >= FULL_OF_HOLES) {
        sb_addf(line, "%s fragmentation at the peak is ", full ? ";" : ":");
        add_percent(line, m->fragmentation, 1);
        sb_adds(line, ": allocate large arrays first, or keep shapes the same");
    }
    return true;
}

static bool applies(const struct profile *p)
{
    return advise_has_work(p) || advise_has_segments(p);
}

static bool check(struct advise *a, struct err *err)
{
    if (advise_has_segments(a->profile))
        advise_segments(a);
    if (!advise_has_work(a->profile))
        return true;
    if (a->profile->memory)
        advise_items(a, a->profile->memory->allocators.n, report_line);
    return check_growth(a, err);
}

const struct checker checker_memory = {
    .name = "MemoryChecker",
    .id = "memory",
    .command = "memory",
    .help = "allocators that are nearly full or fragmented, memory growth per step",
    .applies = applies,
    .check = check,
};
