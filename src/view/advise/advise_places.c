/* advise_places.c: figures of a trace by row and line of code. */
#include "view/advise/advise_places.h"

#include <inttypes.h>

#include "base/compare.h"
#include "model/events.h"
#include "model/format.h"
#include "view/advise/advise_items.h"
#include "view/build/hidden_frames.h"

enum { TOP = 3 };

void amounts_add(amounts *all, node_id node, stack_id stack, int64_t amount, uint64_t count)
{
    const struct advice_amount entry = {node, stack, amount, count};

    vec_push(all, entry);
}

COMPARE_BY_TWO(by_node_and_stack, struct advice_amount, node, stack)

COMPARE_CHAIN(by_amount, struct advice_amount, DOWN(amount) || THEN(by_node_and_stack(a, b)))

void amounts_merge(amounts *all)
{
    vec_sort(all, by_node_and_stack);
    vec_merge(all, last, entry, by_node_and_stack(last, entry) == 0, {
        last->amount = clamp_add(last->amount, entry->amount);
        last->count += entry->count;
    });
    vec_sort(all, by_amount);
}

/* ---- lines of code */

/* Innermost frame outside of libraries; NULL: none. */
static const struct frame *own_frame(struct hidden_frames *libraries, stack_id stack)
{
    return stack == STACK_NONE
               ? NULL
               : innermost_own_frame(libraries, profile_stack(libraries->profile, stack));
}

/* Appends "train.py:44". */
static void add_source(struct strbuf *sb, const struct profile *p, const struct frame *frame)
{
    add_text(sb, p, frame->file);
    sb_addf(sb, ":%" PRId32, frame->lineno);
}

static void add_line_of_code(struct strbuf *line, struct hidden_frames *libraries, stack_id stack)
{
    const struct profile *p = libraries->profile;
    const struct frame *frame = own_frame(libraries, stack);

    if (!frame)
        return;
    sb_adds(line, ", ");
    add_source(line, p, frame);
    sb_addc(line, ':');
    add_text(line, p, frame->function);
}

/* ---- reports */

void advise_add_device(struct advise *a, struct strbuf *line, int64_t rank, strid device)
{
    add_text(line, a->profile, device);
    if (a->profile->events && a->profile->events->ranks.n > 1 && rank >= 0)
        sb_addf(line, " of rank %" PRId64, rank);
}

void advise_add_share(struct strbuf *line, enum metric_unit unit, int64_t part, int64_t whole)
{
    format_value(line, unit, part);
    if (whole > 0)
        sb_addf(line, " (%.1f%%)", 100.0 * (double)part / (double)whole);
}

static struct advice_report *last_report(struct advise *a)
{
    return &a->section->reports[a->section->n_reports - 1];
}

/* Adds ENTRY to the rows of the last report, and sets the source if it has none. */
static void add_to_report(struct advise *a, const struct advice_amount *entry,
                          struct hidden_frames *libraries)
{
    const struct profile *p = a->profile;
    const struct frame *frame = own_frame(libraries, entry->stack);
    struct strbuf name = {0}, source = {0};

    add_text(&name, p, p->name[entry->node]);
    advice_report_row(last_report(a), &name);
    if (frame && !last_report(a)->source) {
        add_source(&source, p, frame);
        last_report(a)->source = sb_take(&source);
    }
}

void amounts_report(struct advise *a, const amounts *all, enum metric_unit unit, int64_t whole,
                    const char *what, const char *mark)
{
    const struct profile *p = a->profile;
    struct hidden_frames libraries;
    struct strbuf line = {0};

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    for (size_t i = 0; i < all->n && i < TOP && all->data[i].amount > 0; i++) {
        const struct advice_amount *entry = &all->data[i];

        sb_addf(&line, "top %zu %s: ", i + 1, what);
        advise_add_share(&line, unit, entry->amount, whole);
        sb_addf(&line, ", %" PRIu64 " time%s, ", entry->count, entry->count == 1 ? "" : "s");
        add_text(&line, p, p->name[entry->node]);
        add_line_of_code(&line, &libraries, entry->stack);
        advise_line(a, &line);
        add_to_report(a, entry, &libraries);
        if (i == 0 || all->data[i - 1].node != entry->node)
            advise_mark(a, entry->node, mark);
    }
    hidden_frames_done(&libraries);
}
