/* advise_peak.c: the largest tensors at peak memory use, and the lines that allocated them. */
#include "model/format.h"

#include "view/advise/advise_items.h"
#include "view/build/hidden_frames.h"
#include "view/pictures/live_memory.h"

enum { TOP = 5 };

static bool has_allocations(const struct profile *p)
{
    return p->records && advise_has_graph(p);
}

static void add_tensor(struct advise *a, const struct memory_allocator *from, const struct live_row *row,
                       struct hidden_frames *libraries, struct strbuf *line)
{
    const struct profile *p = a->profile;
    const uint32_t site = from->allocations.data[row->allocation].site;
    const node_id node = profile_memory(p)->sites[site].id;
    const struct frame *made_by = innermost_own_frame(libraries, profile_stack(p, p->stack[node]));

    format_memory(line, row->bytes);
    sb_adds(line, " (");
    add_percent(line, (double)row->bytes, (double)from->peak_bytes);
    sb_adds(line, ") of ");
    sb_add(line, row->name.bytes, row->name.len);
    if (made_by) {
        sb_adds(line, ", made by ");
        frame_name(line, p, made_by, false);
    }
    advise_line(a, line);
    advise_mark(a, node, "among the largest tensors at the peak of memory");
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    const struct memory_allocator *from = memory_highest(profile_memory(a->profile));
    struct live_rows_request q = {.allocator = from, .by = GROUPING_NODE};
    struct hidden_frames libraries;
    struct live_rows live;
    struct strbuf line = {0};

    if (!from || from->peak_bytes <= 0)
        return true;
    q.at = from->peak;
    live_rows_make(&live, a->profile, &q);
    advise_report(a);
    sb_addf(&line, "step %lld of ", (long long)from->step);
    add_text(&line, a->profile, from->name);
    sb_addf(&line, ": %zu nodes hold memory at its peak of ", live.rows.n);
    format_memory(&line, from->peak_bytes);
    sb_adds(&line, "; the largest:");
    advise_line(a, &line);
    hidden_frames_init(&libraries, a->profile, LIBRARY_FRAMES);
    for (size_t i = 0; i < live.rows.n && i < TOP; i++)
        if (live.rows.data[i].n_blocks)
            add_tensor(a, from, &live.rows.data[i], &libraries, &line);
    hidden_frames_done(&libraries);
    live_rows_done(&live);
    return true;
}

const struct checker checker_peak = {
    .name = "PeakMemoryChecker",
    .id = "peak",
    .command = "memory",
    .help = "largest tensors at the memory peak",
    .is_addition = true,
    .applies = has_allocations,
    .check = check,
};
