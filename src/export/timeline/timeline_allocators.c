/* timeline_allocators.c: memory in use of the allocators of a capture, as counters of the graph
 * timeline. */
#include "export/timeline/timeline_allocators.h"

#include <inttypes.h>

#include "base/satmath.h"
#include "base/strbuf.h"
#include "model/capture.h"

void allocators_announce(const struct profile *p, const struct capture *c, int64_t first_pid,
                         struct trace_events *t)
{
    for (size_t i = 0; i < c->n_allocators; i++) {
        const struct capture_allocator *a = &c->allocators[i];
        struct strbuf name = {0};

        sb_adds(&name, "/host:");
        sb_add(&name, intern_text(&p->strings, a->host), intern_len(&p->strings, a->host));
        sb_addc(&name, '/');
        sb_add(&name, intern_text(&p->strings, a->name), intern_len(&p->strings, a->name));
        trace_process(t, first_pid + (int64_t)i, "mem usage on:", sb_text(&name), name.len, "");
        sb_done(&name);
    }
}

static void write_point(struct trace_events *t, int64_t pid, int64_t at_ticks, int64_t bytes)
{
    struct strbuf args = {0};

    sb_addf(&args, "{\"Allocator Bytes in Use\":%" PRId64 "}", bytes);
    trace_counter(t, "Allocated Bytes", pid, at_ticks, sb_text(&args));
    sb_done(&args);
}

/* Ticks from the clock of HOST to that of all hosts. */
static int64_t align_host(const struct capture *c, const struct origins *origins, strid host)
{
    size_t i = 0;

    while (i < c->n_devices && c->devices[i].host != host)
        i++;
    return i < c->n_devices ? origins_align(origins, c->devices[i].name) : 0;
}

/* Writes the points of A between two instants, which are on the clock of all hosts. */
static void write_points(const struct capture_allocator *a, int64_t align_ticks, int64_t pid,
                         int64_t from_ticks, int64_t to_ticks, struct trace_events *t)
{
    const int64_t from = clamp_sub(from_ticks, align_ticks), to = clamp_sub(to_ticks, align_ticks);
    size_t k = 0;

    while (k < a->n_points && a->points[k].at_ticks <= from)
        k++;
    if (k)
        write_point(t, pid, from_ticks, a->points[k - 1].in_use_bytes);
    for (; k < a->n_points && a->points[k].at_ticks <= to; k++)
        if (k + 1 == a->n_points || a->points[k + 1].at_ticks != a->points[k].at_ticks)
            write_point(t, pid, clamp_add(a->points[k].at_ticks, align_ticks),
                        a->points[k].in_use_bytes);
}

void allocators_write(const struct capture *c, const struct origins *origins, int64_t first_pid,
                      int64_t from_ticks, int64_t to_ticks, struct trace_events *t)
{
    for (size_t i = 0; i < c->n_allocators; i++) {
        const struct capture_allocator *a = &c->allocators[i];

        write_points(a, align_host(c, origins, a->host), first_pid + (int64_t)i, from_ticks,
                     to_ticks, t);
    }
}
