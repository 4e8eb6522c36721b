/* advise_peak.c: the largest tensors at peak memory use, and the lines that allocated them. */
#include "model/format.h"

#include "view/advise/advise_items.h"
#include "view/build/hidden_frames.h"
#include "view/pictures/memory_picture.h"

enum { TOP = 5 };

static bool has_allocations(const struct profile *p)
{
    return p->allocations.lists.n > 0 && advise_has_graph(p);
}

static void add_tensor(struct advise *a, const struct memory_live *l, int64_t peak_bytes,
                       struct hidden_frames *libraries, struct strbuf *line)
{
    const struct profile *p = a->profile;
    const struct frame *made_by = memory_line(p, l->node, libraries);

    format_memory(line, l->bytes);
    sb_adds(line, " (");
    add_percent(line, (double)l->bytes, (double)peak_bytes);
    sb_adds(line, ") of ");
    add_text(line, p, p->name[l->node]);
    if (made_by) {
        sb_adds(line, ", made by ");
        frame_name(line, p, made_by, false);
    }
    advise_line(a, line);
    advise_mark(a, l->node, "among the largest tensors at the peak of memory");
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    struct memory m;
    const struct memory_curve *c;
    struct hidden_frames libraries;
    memory_live_list live = {0};
    struct strbuf line = {0};

    memory_make(&m, a->profile, -1);
    c = memory_highest(&m);
    if (c && c->peak_bytes > 0) {
        memory_live_at(&m, c, c->peak, &live);
        advise_report(a);
        sb_addf(&line, "step %lld of ", (long long)c->step);
        add_text(&line, a->profile, c->allocator);
        sb_addf(&line, ": %zu nodes hold memory at its peak of ", live.n);
        format_memory(&line, c->peak_bytes);
        sb_adds(&line, "; the largest:");
        advise_line(a, &line);
        hidden_frames_init(&libraries, a->profile, LIBRARY_FRAMES);
        for (size_t i = 0; i < live.n && i < TOP; i++)
            add_tensor(a, &live.data[i], c->peak_bytes, &libraries, &line);
        hidden_frames_done(&libraries);
    }
    vec_done(&live);
    memory_done(&m);
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
