/* summary_programs.c: devices, programs, allocators and marks of a run of compiled programs. */
#include <inttypes.h>

#include "model/programs.h"
#include "model/events.h"
#include "model/format.h"
#include "model/memory_log.h"
#include "session/summary/summary_parts.h"

/* Appends a percentage; nothing if WHOLE is 0. */
static void add_share(struct strbuf *sb, int64_t part, int64_t whole)
{
    if (whole > 0)
        sb_addf(sb, " (%.1f %%)", 100.0 * (double)part / (double)whole);
}

static void add_device(struct summary *s, const struct profile *p, const struct program_device *d)
{
    struct strbuf *value;

    if (!d->n_events && !d->is_accelerator)
        return; /* the host only launched work of other devices */
    value = &summary_add(s, "devices of the run", profile_text(p, d->name))->value;
    if (!d->n_events) {
        sb_adds(value, "no events");
        return;
    }
    sb_addf(value, "%" PRIu64 " events, ", d->n_events);
    format_time(value, d->self_ps);
    sb_adds(value, " of ops, busy ");
    format_time(value, d->covered_ps);
    sb_adds(value, " within ");
    format_time(value, d->span_ps);
    add_share(value, d->covered_ps, d->span_ps);
    sb_adds(value, ", idle ");
    format_time(value, d->span_ps - d->covered_ps);
    if (d->peak_flops > 0)
        sb_addf(value, "; peak %.2f TFLOP/s", d->peak_flops / 1e12);
    if (d->peak_bytes_per_s > 0)
        sb_addf(value, ", %.1f GB/s", d->peak_bytes_per_s / 1e9);
    sb_adds(value, d->is_accelerator && d->peak_flops <= 0 ? "; peak rates unknown" : "");
}

static void add_program(struct summary *s, const struct profile *p,
                        const struct compiled_program *program)
{
    struct strbuf *value =
        &summary_add(s, "programs", profile_text(p, program->label))->value;

    sb_addf(value, "%s, id %" PRIu64 " on %s", program->ran ? "ran" : "did not run", program->id,
            profile_text(p, program->host));
    if (!program->has_hlo) {
        sb_adds(value, program->ran ? ", its HLO is not in the file" : "");
        return;
    }
    sb_addf(value, ", %u instructions, arguments ", program->n_instructions);
    format_memory(value, program->argument_bytes);
    sb_adds(value, ", results ");
    format_memory(value, program->result_bytes);
    sb_adds(value, ", peak memory ");
    format_memory(value, program->peak_bytes);
}

static void add_allocator(struct summary *s, const struct profile *p,
                          const struct memory_allocator *a)
{
    struct strbuf *value = &summary_add(s, "allocators", profile_text(p, a->name))->value;

    sb_adds(value, "peak ");
    format_memory(value, a->peak_bytes);
    sb_adds(value, " of ");
    format_memory(value, a->capacity_bytes);
    add_share(value, a->peak_bytes, a->capacity_bytes);
    sb_addf(value, ", fragmentation %.1f %%, peak of its lifetime ", 100 * a->fragmentation);
    format_memory(value, a->lifetime_peak_bytes);
    sb_addf(value, "; %" PRIu64 " allocations, %" PRIu64 " frees", a->counts[MEMORY_ALLOC],
            a->counts[MEMORY_FREE]);
}

static void add_marks(struct summary *s, const struct profile *p)
{
    const size_t n = p->events ? p->events->marks.n : 0;

    for (size_t i = 0; i < n && i < SUMMARY_MAX_LINES; i++) {
        const struct profile_mark *m = &p->events->marks.data[i];
        const int64_t step = p->events->steps.data[m->step].number;
        struct summary_line *line = summary_add(s, "marks of steps", "step ");

        sb_addf(&line->label, "%" PRId64, step);
        summary_step_name(&line->label, p, step);
        format_time(&line->value, clamp_sub(m->end_ps, m->start_ps));
        sb_addf(&line->value, " on %s", profile_text(p, p->events->hosts.data[m->host].name));
    }
    if (n > SUMMARY_MAX_LINES)
        summary_add_more(s, "marks of steps", n - SUMMARY_MAX_LINES);
}

/* Adds the programs; those that ran come first. */
static void add_programs(struct summary *s, const struct profile *p, const struct programs *c)
{
    size_t n = 0;

    for (int ran = 1; ran >= 0; ran--)
        for (size_t i = 0; i < c->n_compiled; i++)
            if (c->compiled[i].ran == ran && n++ < SUMMARY_MAX_LINES)
                add_program(s, p, &c->compiled[i]);
    if (n > SUMMARY_MAX_LINES)
        summary_add_more(s, "programs", n - SUMMARY_MAX_LINES);
}

void summary_programs(struct summary *s, const struct profile *p)
{
    const struct programs *c = p->programs;
    bool has_allocators = false;

    if (!c)
        return;
    for (size_t i = 0; i < c->n_devices; i++)
        add_device(s, p, &c->devices[i]);
    add_programs(s, p, c);
    add_marks(s, p);
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++)
        if (p->memory->allocators.data[i].has_run_ticks) {
            add_allocator(s, p, &p->memory->allocators.data[i]);
            has_allocators = true;
        }
    if (!has_allocators)
        sb_adds(&summary_add(s, "allocators", "memory in use")->value, "no allocator events");
}
