/* advise_segments.c: memory snapshots: causes of out-of-memory errors, unused reserved memory,
 * growth per step (memory.md section 8). */
#include <stdlib.h>
#include <string.h>

#include "activity/memory_failures.h"
#include "base/compare.h"
#include "base/satmath.h"
#include "base/vec.h"
#include "model/format.h"
#include "view/advise/advise_items.h"
#include "view/build/hidden_frames.h"
#include "view/pictures/live_memory.h"

enum { LARGE_PERCENT = 20, STEPS_MIN = 3, TOP = 3, FAILURES_MAX = 5 };

bool advise_has_segments(const struct profile *p)
{
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++)
        if (p->memory->allocators.data[i].has_segments || p->memory->allocators.data[i].failures.n)
            return true;
    return false;
}

static void begin_line(struct advise *a, const struct memory_allocator *m, struct strbuf *line)
{
    add_text(line, a->profile, m->device);
    sb_adds(line, ": ");
}

/* Reports the last failures of M, the last one first: it ended the program. */
static void report_failures(struct advise *a, const struct memory_allocator *m, struct strbuf *line)
{
    struct failure_facts *facts = failure_facts_of(m, a->cancel);
    const size_t first = m->failures.n > FAILURES_MAX ? m->failures.n - FAILURES_MAX : 0;

    for (size_t i = m->failures.n; i-- > first;) {
        begin_line(a, m, line);
        failure_line(line, &facts[i]);
        advise_line(a, line);
    }
    free(facts);
}

static bool is_large_share(int64_t bytes, int64_t of)
{
    return of > 0 && (double)bytes * 100 >= (double)of * LARGE_PERCENT;
}

static void report_part(struct advise *a, const struct memory_allocator *m, int64_t bytes, int64_t of,
                     const char *what, struct strbuf *line)
{
    if (!is_large_share(bytes, of))
        return;
    begin_line(a, m, line);
    format_memory(line, bytes);
    sb_adds(line, " (");
    add_percent(line, (double)bytes, (double)of);
    sb_addf(line, ") of the reserved memory %s", what);
    advise_line(a, line);
}

/* ---- growth */

/* An allocation that is live at the end. */
struct left {
    stack_id stack;
    uint64_t step;
    int64_t bytes;
};

/* Memory that one call stack left allocated in several steps. */
struct grown {
    stack_id stack;
    uint32_t n_steps;
    int64_t bytes;
};

COMPARE_BY_TWO(by_stack_and_step, struct left, stack, step)

COMPARE_CHAIN(most_first, struct grown, DOWN(bytes) || UP(stack))

/* Parses N of ProfilerStep#N in a name; false: not found. */
static bool step_of(struct text name, uint64_t *step)
{
    static const char mark[] = "ProfilerStep#";
    const char *at = memmem(name.bytes, name.len, mark, sizeof mark - 1);
    const char *end = name.bytes + name.len;

    *step = 0;
    if (!at)
        return false;
    for (at += sizeof mark - 1; at < end && *at >= '0' && *at <= '9'; at++)
        *step = *step * 10 + (uint64_t)(*at - '0');
    return true;
}

static void report_growth(struct advise *a, const struct memory_allocator *m, struct strbuf *line)
{
    const struct profile *p = a->profile;
    struct hidden_frames libraries;
    VEC(struct left) left = {0};
    VEC(struct grown) grown = {0};

    vec_each(const struct memory_allocation, from, &m->allocations) {
        const uint32_t id = p->memory->sites[from->site].id;
        struct left l = {.bytes = from->bytes};

        if (from->end != MEMORY_NEVER || id == NODE_NONE ||
            !step_of(intern_string(&p->strings, p->name[profile_node_of_part(p, id)]), &l.step))
            continue;
        l.stack = p->stack[id];
        vec_push(&left, l);
    }
    vec_sort(&left, by_stack_and_step);
    for (size_t i = 0; i < left.n; i++) {
        const bool is_same = i && left.data[i].stack == left.data[i - 1].stack;

        if (!is_same)
            vec_push(&grown, ((struct grown){.stack = left.data[i].stack}));
        grown.data[grown.n - 1].n_steps += !is_same || left.data[i].step != left.data[i - 1].step;
        grown.data[grown.n - 1].bytes = clamp_add(grown.data[grown.n - 1].bytes, left.data[i].bytes);
    }
    vec_sort(&grown, most_first);
    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    for (size_t i = 0, n = 0; i < grown.n && n < TOP; i++) {
        if (grown.data[i].n_steps < STEPS_MIN)
            continue;
        begin_line(a, m, line);
        live_code_name(line, p, grown.data[i].stack, &libraries);
        sb_addf(line, " grew in each of %u steps, ", grown.data[i].n_steps);
        format_memory(line, grown.data[i].bytes);
        sb_adds(line, " at the end: is a tensor kept?");
        advise_line(a, line);
        n++;
    }
    hidden_frames_done(&libraries);
    EACH(vec_done, &left, &grown);
}

void advise_segments(struct advise *a)
{
    const struct memory_log *log = a->profile->memory;
    struct strbuf line = {0};

    vec_each(const struct memory_allocator, m, &log->allocators) {
        const struct segment_sums sums = memory_segment_sums(m);

        advise_report(a);
        report_failures(a, m, &line);
        report_part(a, m, sums.fragmented_bytes, sums.reserved_bytes,
                 "is free between live blocks: expandable_segments:True", &line);
        report_part(a, m, sums.cached_bytes, sums.reserved_bytes,
                 "has no live block: torch.cuda.empty_cache() returns it", &line);
        advise_report(a);
        report_growth(a, m, &line);
    }
    sb_done(&line);
}
