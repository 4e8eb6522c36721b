/* pprof_samples.c: loads profiles of pprof, and adds their samples as nodes, figures and live
 * memory (formats-pprof.md section 3). */
#include <inttypes.h>
#include <string.h>

#include "base/compare.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/pprof/pprof.h"
#include "model/events.h"
#include "model/metric.h"

enum { SAMPLE = 2 };

static void add_sum(struct pprof_read *r, int64_t *sum, int64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        r->has_overflow = true;
}

static int64_t value_of(const struct pprof_read *r, int32_t type)
{
    return type >= 0 && (size_t)type < r->values.n ? r->values.data[type] : 0;
}

/* ---- reading */

static bool read_label(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    uint64_t index[3] = {0}; /* 1 key, 2 text */
    struct text key = {"", 0}, text = {"", 0};

    if (!load_varints(r->l, field_span(message), "label", index, 3, err) ||
        !pprof_string(r, index[1], message->start, &key, err) ||
        !pprof_string(r, index[2], message->start, &text, err))
        return false;
    if (text_is(key, "device"))
        r->device = text;
    if (text_is(key, "kind"))
        r->kind = text;
    return true;
}

static bool read_sample(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    struct wire_in in = wire_in_field(message);
    struct wire_field f;
    uint64_t number;

    r->location_ids.n = r->values.n = 0;
    r->device = r->kind = (struct text){"", 0};
    while (wire_next(&in, &f)) {
        const uint8_t *at = NULL;

        if (f.number == 1)
            while (wire_next_number(&f, WIRE_VARINT, &at, &number))
                vec_push(&r->location_ids, number);
        if (f.number == 2)
            while (wire_next_number(&f, WIRE_VARINT, &at, &number))
                vec_push(&r->values, (int64_t)number);
        if (f.number == 3 && f.type == WIRE_LEN && !read_label(r, &f, err))
            return false;
    }
    return load_ended(r->l, &in, "sample", err);
}

/* ---- stacks: l->frames, innermost first */

static bool push_frame(struct pprof_read *r, strid function, strid file, int32_t line)
{
    const struct frame frame = {.file = file, .function = function,
                                .lineno = file ? line : LINE_NONE, .func_start_line = -1};
    const uint32_t len = intern_len(&builder_profile(r->builder)->strings, function);

    /* the path of the node repeats each function name */
    if (r->l->frames.n && !budget_take(&r->budget, FRAME_MAX_BYTES + 2 * ((uint64_t)len + 1), 1))
        return false;
    vec_push(&r->l->frames, frame);
    return true;
}

static bool push_location(struct pprof_read *r, const struct pprof_location *location)
{
    if (!location->n) {
        sb_clear(&r->text);
        if (location->address)
            sb_addf(&r->text, "0x%" PRIx64, location->address);
        else
            sb_adds(&r->text, "(unknown)");
        return push_frame(r, builder_str(r->builder, r->text.data, r->text.len), STRID_EMPTY, 0);
    }
    for (uint32_t i = 0; i < location->n; i++) {
        const struct pprof_line *line = &r->lines.data[location->first + i];
        const struct pprof_function *function =
            line->function == UINT32_MAX ? NULL : &r->functions.data[line->function];

        if (!push_frame(r, function ? function->name : builder_str(r->builder, "(unknown)", 9),
                        function ? function->file : STRID_EMPTY, line->line))
            return false;
    }
    return true;
}

static bool make_frames(struct pprof_read *r, const struct wire_field *message, struct err *err)
{
    r->l->frames.n = 0;
    for (size_t i = 0; i < r->location_ids.n; i++) {
        const uint32_t at = idmap_get(&r->location_of_id, (int64_t)r->location_ids.data[i]);

        if (at == IDMAP_NONE)
            return load_fail(r->l, message->start, err, "no location has the id %" PRIu64,
                             r->location_ids.data[i]);
        if (!push_location(r, &r->locations.data[at]))
            break;
    }
    if (!r->l->frames.n)
        push_frame(r, builder_str(r->builder, "(unknown)", 9), STRID_EMPTY, 0);
    r->leaf = r->l->frames.data[0].function;
    for (size_t i = 0, k = r->l->frames.n; i + 1 < k; i++) {
        const struct frame frame = r->l->frames.data[i];

        r->l->frames.data[i] = r->l->frames.data[--k];
        r->l->frames.data[k] = frame;
    }
    return true;
}

/* ---- nodes */

/* The node of the current stack.  Its path has the functions, outermost first; a slash in a name
 * becomes a vertical bar. */
static node_id node_of(struct pprof_read *r)
{
    const struct profile *p = builder_profile(r->builder);
    bool added;

    sb_clear(&r->text);
    for (size_t i = 0; i < r->l->frames.n; i++) {
        const struct text name = intern_string(&p->strings, r->l->frames.data[i].function);
        const size_t at = r->text.len + (i > 0);

        if (i)
            sb_addc(&r->text, '/');
        sb_add(&r->text, name.bytes, name.len);
        for (size_t k = at; k < r->text.len; k++)
            if (r->text.data[k] == '/')
                r->text.data[k] = '|';
    }
    return builder_node(r->builder, builder_str(r->builder, r->text.data, r->text.len), r->leaf, &added);
}

static void add_types(struct pprof_read *r, node_id node)
{
    const strid device = builder_str(r->builder, r->device.bytes, r->device.len);

    if (r->device.len)
        builder_add_type(r->builder, node, device);
    if (r->kind.len)
        builder_add_type(r->builder, node, builder_str(r->builder, r->kind.bytes, r->kind.len));
    builder_set_devices(r->builder, node, device, STRID_EMPTY);
}

static void add_figures(struct pprof_read *r, uint32_t part)
{
    struct pprof_sums *sums;

    if (part >= r->sums.n)
        vec_resize_zero(&r->sums, (size_t)part + 1);
    sums = &r->sums.data[part];
    add_sum(r, &sums->value, value_of(r, r->selected));
    add_sum(r, &sums->residual_bytes, value_of(r, r->live));
    add_sum(r, &sums->bytes, value_of(r, r->allocated));
    add_sum(r, &sums->n, value_of(r, r->counted));
    add_sum(r, &sums->time, value_of(r, r->timed));
    for (size_t i = 0; i < r->types.n; i++)
        add_sum(r, &r->types.data[i].total, value_of(r, (int32_t)i));
}

/* ---- live memory */

static struct memory_allocator *allocator_of(struct pprof_read *r)
{
    const strid at = r->device.len ? intern_put(&r->devices, r->device.bytes, r->device.len) : 0;
    const struct memory_allocator none = {
        .device = builder_str(r->builder, r->device.bytes, r->device.len),
        .name = builder_str(r->builder, "pprof", 5),
        .file = r->l->file,
        .has_live_set_only = true,
        .first_ticks = MEMORY_UNKNOWN,
        .ticks_per_us = 1,
        .reserved_start_bytes = MEMORY_UNKNOWN,
        .reserved_peak_bytes = MEMORY_UNKNOWN,
        .reserved_at_peak_bytes = MEMORY_UNKNOWN,
        .capacity_bytes = MEMORY_UNKNOWN,
        .lifetime_peak_bytes = MEMORY_UNKNOWN,
        .fragmentation = -1,
    };

    while (at >= r->allocators.n)
        vec_push(&r->allocators, none);
    r->allocators.data[at].device = none.device;
    return &r->allocators.data[at];
}

static void add_live(struct pprof_read *r, struct memory_log *log, uint32_t part)
{
    struct memory_allocator *a = allocator_of(r);
    const struct memory_site site = {
        .id = EVENT_PART | part,
        .category = builder_str(r->builder, r->kind.bytes, r->kind.len),
        .device = a->device,
        .flags = MEMORY_SITE_FRAMES,
    };
    const struct memory_allocation m = {.bytes = value_of(r, r->live), .end = MEMORY_NEVER,
                                        .pending = MEMORY_NEVER,
                                        .site = memory_log_site(log, &site)};

    a->n_before++; /* the allocator has samples */
    add_sum(r, &a->end_bytes, m.bytes);
    if (m.bytes)
        vec_push(&a->allocations, m);
}

/* ---- all samples */

static bool add_sample(struct pprof_read *r, const struct wire_field *f, struct memory_log *log,
                       struct err *err)
{
    struct part_def part = {.stack = STACK_NONE};
    uint32_t number;

    if (!read_sample(r, f, err) || !make_frames(r, f, err))
        return false;
    part.node = node_of(r);
    part.op = r->leaf;
    part.stack = builder_stack(r->builder, r->l->frames.data, r->l->frames.n);
    number = builder_part(r->builder, &part);
    add_types(r, part.node);
    add_figures(r, number);
    if (log)
        add_live(r, log, number);
    r->n_samples++;
    return true;
}

static void store_figures(struct pprof_read *r)
{
    const strid device = builder_str(r->builder, "/device:cpu:0", 13);

    for (size_t i = 0; i < r->sums.n; i++) {
        const struct pprof_sums *sums = &r->sums.data[i];
        const struct exec_memory memory = {.requested_bytes = sums->bytes,
                                           .residual_bytes = sums->residual_bytes,
                                           .output_bytes = sums->value};
        const struct exec_time time = {.device = device,
                                       .dur_ticks = clamp_mul(sums->time, r->ticks_per_value)};
        const struct exec_record record = {.run_count = sums->n, .memories = &memory, .n_memories = 1,
                                           .times = &time, .n_times = r->timed >= 0};

        builder_add_part_record(r->builder, (uint32_t)i, builder_part_node(r->builder, (uint32_t)i),
                                &record);
    }
}

COMPARE_WITH(by_device, struct memory_allocator, struct intern, THEN(intern_compare(with, a->device, b->device)))

static bool pprof_samples(struct pprof_read *r, struct err *err)
{
    struct wire_in in = span_walk(r->l->input);
    struct memory_log *log = r->live >= 0 ? builder_memory(r->builder) : NULL;
    struct wire_field f;

    intern_init(&r->devices);
    while (wire_next_len(&in, &f, SAMPLE))
        if (!load_tick(r->l, f.start, err) || !add_sample(r, &f, log, err))
            return false;
    if (!load_ended(r->l, &in, "profile", err))
        return false;
    store_figures(r);
    vec_sort_arg(&r->allocators, by_device, &builder_profile(r->builder)->strings);
    for (size_t i = 0; i < r->allocators.n; i++)
        if (r->allocators.data[i].n_before) {
            r->allocators.data[i].n_before = 0;
            vec_push(&log->allocators, r->allocators.data[i]);
        }
    r->allocators.n = 0;
    return !r->has_overflow || err_set(err, ERR_INPUT, "%s: a sum exceeds 64 bits", r->l->path);
}

static void pprof_samples_done(struct pprof_read *r)
{
    for (size_t i = 0; i < r->allocators.n; i++)
        memory_allocator_done(&r->allocators.data[i]);
    EACH(vec_done, &r->allocators, &r->location_ids, &r->values, &r->sums);
    intern_done(&r->devices);
    sb_done(&r->text);
}

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
