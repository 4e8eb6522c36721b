/* pprof_load.c: loads profiles of pprof (formats-pprof.md). */
#include "load/fits.h"
#include "load/formats.h"
#include "load/pprof/pprof.h"
#include "model/metric.h"

static void keep_types(struct pprof_read *r)
{
    struct profile *p = builder_profile(r->builder);
    struct sample_file file = {.file = r->l->file, .n_samples = r->n_samples,
                               .n_types = (uint32_t)r->types.n, .live = r->live, .standard = r->standard,
                               .selected = r->selected};

    file.types = arena_calloc(&p->arena, r->types.n + 1, sizeof *file.types);
    memcpy(file.types, r->types.data, r->types.n * sizeof *file.types);
    vec_push(&p->sample_files, file);
}

static void set_known_figures(struct pprof_read *r)
{
    uint32_t known = 1u << METRIC_VALUE;

    if (r->live >= 0)
        known |= 1u << METRIC_RESIDUAL_BYTES;
    if (r->allocated >= 0)
        known |= 1u << METRIC_BYTES;
    if (r->counted >= 0)
        known |= 1u << METRIC_OCCURRENCE;
    if (r->timed >= 0)
        known |= 1u << METRIC_MICROS | 1u << METRIC_CPU_MICROS | 1u << METRIC_ACCELERATOR_MICROS;
    profile_add_known_figures(builder_profile(r->builder), known, "the profile has no sample type for it");
}

static bool load_pprof(struct loader *l, struct err *err)
{
    struct pprof_read r = {.l = l, .builder = l->builder};
    struct profile *p = builder_profile(l->builder);
    bool ok;

    r.budget = budget_share(budget_of(l->input.len, l->cancel), 2);
    ok = pprof_tables(&r, err);
    if (ok && !r.types.n)
        ok = err_set(err, ERR_INPUT, "%s: a profile without sample types", l->path);
    if (ok && r.timed >= 0)
        p->clock.tick_ps = PS_PER_NS;
    ok = ok && pprof_samples(&r, err);
    if (ok) {
        keep_types(&r);
        set_known_figures(&r);
        builder_add_step(l->builder, 0);
        p->has_runtime = p->has_stacks = p->has_runs_of_stacks = true;
        if (r.budget.is_short)
            note_add(&p->notes, "%s: call stacks are cut to their innermost calls: they would take "
                                "more than 64 times the file", l->path);
    }
    pprof_samples_done(&r);
    pprof_tables_done(&r);
    return ok;
}

const struct format_row format_pprof = {
    .name = "pprof profile",
    .help = "profiles of pprof: memory of JAX (jax.profiler.save_device_memory_profile()), heap and CPU profiles of Go and others",
    .binary_name = "pprof profile",
    .contents = CONTAINS_STEPS,
    .load_order = 93,
    .detect_order = 8, /* before formats whose messages have fewer fields */
    .fits = fits_pprof,
    .load = load_pprof,
};
