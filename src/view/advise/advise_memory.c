/* advise_memory.c: allocators of a capture that were nearly full, or full of holes. */
#include "model/format.h"
#include "view/advise/advise_capture.h"

static const double NEARLY_FULL = 0.9, FULL_OF_HOLES = 0.5;

static bool is_full(const struct capture_allocator *m)
{
    return m->capacity_bytes > 0 &&
           (double)m->peak_bytes >= NEARLY_FULL * (double)m->capacity_bytes;
}

static void report(struct advise *a, const struct capture_allocator *m)
{
    const bool full = is_full(m);
    struct strbuf line = {0};

    add_text(&line, a->profile, m->name);
    sb_adds(&line, " of host ");
    add_text(&line, a->profile, m->host);
    if (full) {
        sb_adds(&line, ": its peak is ");
        add_percent(&line, (double)m->peak_bytes, (double)m->capacity_bytes);
        sb_adds(&line, " of ");
        format_memory(&line, m->capacity_bytes);
        sb_adds(&line, ": make the batch smaller, or compute again what is kept");
    }
    if (m->fragmentation >= FULL_OF_HOLES) {
        sb_addf(&line, "%s fragmentation at the peak is ", full ? ";" : ":");
        add_percent(&line, m->fragmentation, 1);
        sb_adds(&line, ": allocate large arrays first, or keep shapes the same");
    }
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err)
{
    const struct capture *c = a->profile->capture;
    size_t n_lines = 0;

    (void)err;
    for (size_t i = 0; i < c->n_allocators; i++) {
        const struct capture_allocator *m = &c->allocators[i];

        if (!is_full(m) && m->fragmentation < FULL_OF_HOLES)
            continue;
        if (!n_lines)
            advise_report(a);
        if (++n_lines <= ADVICE_MAX_LINES)
            report(a, m);
    }
    advise_more(a, n_lines);
    return true;
}

const struct checker checker_memory = {
    .name = "MemoryChecker",
    .help = "allocators that were nearly full, or full of holes",
    .applies = capture_has_run,
    .check = check,
};
