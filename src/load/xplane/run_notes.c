/* run_notes.c: notes about missing data and its share of the capture (formats-xplane.md section
 * 12). */
#include "load/xplane/program_nodes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"

/* Appends PART as a percentage of WHOLE: "12.3 %". */
static void add_share(struct strbuf *sb, int64_t part, int64_t whole)
{
    sb_addf(sb, "%.1f %%", whole > 0 ? 100.0 * (double)part / (double)whole : 0.0);
}

/* Ops without HLO of a program that ran, and their time. */
struct missing {
    uint64_t n_ops;
    int64_t self_ps;
};

static void note_missing_hlo(const struct run *r, const struct nodes *n, struct loader *l)
{
    struct profile *p = builder_profile(l->builder);
    struct missing *missing = xcalloc(r->programs.n + 1, sizeof *missing);
    uint8_t *seen = xcalloc((size_t)builder_n_nodes(l->builder) + 1, 1);

    for (size_t t = 0; t < r->tracks.n; t++) {
        vec_each(const struct run_event, e, &r->tracks.data[t].events) {
            const struct run_op *op = &r->ops.data[e->op];
            struct missing *of = &missing[op->program_place];

            if (op->kind != OP_HLO || n->origins.data[op->node].module != UINT32_MAX)
                continue;
            of->self_ps = clamp_add(of->self_ps, e->self_ps);
            of->n_ops += !seen[op->node];
            seen[op->node] = 1;
        }
    }
    for (size_t i = 0; i < r->programs.n; i++) {
        struct strbuf time = {0};

        if (!missing[i].n_ops)
            continue;
        format_time(&time, missing[i].self_ps);
        note_add(&p->notes, "%s ran, but its HLO is not in the file: no shapes, counts, inputs, "
                 "stacks for %" PRIu64 " ops (%s)", profile_text(p, n->labels[i]),
                 missing[i].n_ops, sb_text(&time));
        sb_done(&time);
    }
    EACH(free, seen, missing);
}

static void note_idle_programs(const struct run *r, struct loader *l)
{
    size_t idle = 0, ran = 0;

    for (size_t i = 0; i < r->programs.n; i++)
        *(r->programs.data[i].ran ? &ran : &idle) += 1;
    if (ran && idle)
        note_add_kind(&builder_profile(l->builder)->notes, NOTE_PROGRAMS,
                 "%zu programs of the capture did not run: summary names them", idle);
}

/* Adds one note about all devices without events. */
static void note_silent_devices(struct loader *l, const struct programs *c)
{
    struct profile *p = builder_profile(l->builder);
    struct strbuf names = {0};
    size_t n_accelerators = 0;

    for (size_t i = 0; i < c->n_devices; i++) {
        n_accelerators += c->devices[i].is_accelerator;
        if (c->devices[i].is_silent)
            sb_addf(&names, "%s%s", names.len ? ", " : "", profile_text(p, c->devices[i].name));
    }
    if (!n_accelerators)
        note_add(&p->notes, "no device in this capture: CPU times only");
    if (names.len)
        note_add(&p->notes, "no events on %s", sb_text(&names));
    sb_done(&names);
}

static void note_shares(struct loader *l, const struct programs *c)
{
    struct profile *p = builder_profile(l->builder);
    struct strbuf text = {0};

    if (c->self_without_stack_ps) {
        add_share(&text, c->self_without_stack_ps, c->self_of_hlo_ps);
        note_add(&p->notes, "%s of the time of compiled code has no call stack", sb_text(&text));
    }
    array_each(const struct program_device, d, c->devices, c->n_devices) {
        if (!d->is_accelerator || !d->no_op_ps)
            continue;
        sb_clear(&text);
        add_share(&text, d->no_op_ps, d->self_ps);
        note_add(&p->notes, "%s of the time of %s has no HLO op: rows below (no HLO)",
                 sb_text(&text), profile_text(p, d->name));
    }
    sb_done(&text);
}

/* Adds a note on truncated call stacks. */
static void note_cut_stacks(const struct nodes *n, struct loader *l)
{
    if (n->n_cut_stacks)
        note_add(&builder_profile(l->builder)->notes,
                 "%" PRIu64 " stacks of Python calls truncated to the innermost frame: deeper "
                 "than %d, or too large", n->n_cut_stacks, STACK_FRAMES_MAX);
}

static void note_losses(const struct run *r, struct loader *l)
{
    struct profile *p = builder_profile(l->builder);

    vec_each(const struct run_device, d, &r->devices) {
        struct strbuf text = {0};

        if (!d->about || !stat_has(d->about, STAT_DROPPED_TRACES))
            continue;
        if (d->about->values[STAT_DROPPED_TRACES].text.len)
            load_quote(&text, d->about->values[STAT_DROPPED_TRACES].text);
        else
            sb_addf(&text, "%" PRIu64, stat_number(d->about, STAT_DROPPED_TRACES));
        note_add(&p->notes, "%s: events were dropped: %s", profile_text(p, d->name),
                 sb_text(&text));
        sb_done(&text);
    }
}

void run_notes_add(const struct run *r, const struct nodes *n, struct loader *l,
                   const struct programs *c)
{
    note_missing_hlo(r, n, l);
    note_idle_programs(r, l);
    note_silent_devices(l, c);
    note_shares(l, c);
    note_losses(r, l);
    note_cut_stacks(n, l);
    if (!c->self_ps)
        note_add(&builder_profile(l->builder)->notes,
                 "nothing ran in this capture: times are all 0");
}
