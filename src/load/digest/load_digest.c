/* load_digest.c: loads a digest part as a run: nodes by program and name, with totals for each host
 * (formats-digest.md section 4). */
#include <inttypes.h>
#include <string.h>

#include "digest/part_in.h"
#include "load/fits.h"
#include "load/formats.h"

/* All sums belong to step 0. */
enum { DIGEST_STEP = 0, BUFFER_BYTES = 64 << 10 };

struct digest_load {
    struct loader *l;
    struct part_in in;
    struct part_bytes bytes;
    struct digest_parts parts;
    struct strbuf item, name;
    node_id node; /* of the current record; NODE_NONE: not created yet */
    struct budget budget;
    uint64_t n_left_out; /* records dropped because the budget was exhausted */
};

static bool fits_digest(struct span bytes, struct evidence *e)
{
    const bool fits = part_fits(bytes.bytes, bytes.len);

    if (e && fits)
        e->in_favour += 100;
    return fits;
}

static strid str(struct digest_load *d, const struct strbuf *text)
{
    return builder_str(d->l->builder, sb_text(text), text->len);
}

static bool wants_host(struct digest_load *d)
{
    const struct strbuf *name = &d->parts.text[DIGEST_HOST];

    return host_is_wanted(&d->l->hosts, (struct text){sb_text(name), (uint32_t)name->len});
}

/* "/host:HOST/device:KIND:0", or the same without the host. */
static strid device_of(struct digest_load *d, bool with_host)
{
    sb_clear(&d->name);
    digest_device(&d->name, with_host ? &d->parts.text[DIGEST_HOST] : NULL, &d->parts.text[DIGEST_KIND]);
    return str(d, &d->name);
}

static bool is_on_cpu(const struct digest_load *d)
{
    return strcmp(sb_text(&d->parts.text[DIGEST_KIND]), "cpu") == 0;
}

static void add_types(struct digest_load *d, node_id node)
{
    const struct strbuf *list = &d->parts.text[DIGEST_TYPES];
    const struct text all = {sb_text(list), (uint32_t)list->len};
    uint32_t at = 0;

    while (digest_part_next(all, &at, &d->item))
        builder_add_type(d->l->builder, node, str(d, &d->item));
}

static void add_stack(struct digest_load *d, node_id node)
{
    struct loader *l = d->l;
    const struct strbuf *list = &d->parts.text[DIGEST_STACK];
    const struct text all = {sb_text(list), (uint32_t)list->len};
    uint32_t at = 0;

    l->frames.n = 0;
    while (digest_part_next(all, &at, &d->item)) {
        struct frame frame = {.file = str(d, &d->item), .func_start_line = -1};

        digest_part_next(all, &at, &d->item);
        frame.lineno = (int32_t)strtol(sb_text(&d->item), NULL, 10);
        digest_part_next(all, &at, &d->item);
        frame.function = str(d, &d->item);
        frame.text = STRID_EMPTY;
        vec_push(&l->frames, frame);
    }
    if (!l->frames.n)
        return;
    builder_set_stack(l->builder, node, builder_stack(l->builder, l->frames.data, l->frames.n));
    builder_profile(l->builder)->has_stacks = true;
}

/* The node of the current record, which is that of the previous one if program, name and stack are
 * equal. */
static node_id find_node(struct digest_load *d)
{
    struct builder *b = d->l->builder;
    bool added;

    if (d->node == NODE_NONE) {
        sb_clear(&d->name);
        digest_node_name(&d->name, &d->parts.text[DIGEST_PROGRAM], &d->parts.text[DIGEST_NAME]);
        d->node = builder_node(b, str(d, &d->name), str(d, &d->parts.text[DIGEST_OP]), &added);
        add_types(d, d->node);
        add_stack(d, d->node);
    }
    if (builder_get_device(b, d->node) == STRID_EMPTY || (!is_on_cpu(d) && d->parts.first <= DIGEST_KIND))
        builder_set_devices(b, d->node, device_of(d, false), builder_str(b, "/device:cpu:0", 13));
    return d->node;
}

static int64_t number(const struct digest_load *d, enum digest_figure figure)
{
    const uint64_t value = d->in.record.figures[figure];

    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static void add_record(struct digest_load *d, node_id node)
{
    const int64_t runs = number(d, DIGEST_RUNS);
    const strid device = device_of(d, true);
    const struct exec_time time = {
        .device = device, .accelerator = !is_on_cpu(d), .dur_ticks = number(d, DIGEST_SUM)};
    const struct exec_memory memory = {.requested_bytes = number(d, DIGEST_BYTES),
                                       .peak_bytes = number(d, DIGEST_PEAK),
                                       .residual_bytes = number(d, DIGEST_RESIDUAL),
                                       .output_bytes = number(d, DIGEST_OUTPUT)};
    const struct exec_record record = {
        .step = DIGEST_STEP, .run_count = runs, .times = &time, .n_times = 1, .memories = &memory,
        .n_memories = 1, .devices = &device, .n_devices = 1};

    if (runs && number(d, DIGEST_FLOPS))
        builder_set_static_float_ops(d->l->builder, node, number(d, DIGEST_FLOPS) / runs);
    builder_add_record(d->l->builder, node, &record);
}

/* False when the record is dropped. */
static bool read_key(struct digest_load *d)
{
    const bool ok =
        digest_parts_read(&d->parts, &d->in.record.key, &d->in.ends, &d->budget);

    if (d->parts.first <= DIGEST_STACK)
        d->node = NODE_NONE;
    d->n_left_out += !ok;
    return ok && wants_host(d);
}

static bool read_records(struct digest_load *d, struct err *err)
{
    struct loader *l = d->l;

    builder_profile(l->builder)->clock.tick_ps = 1;
    builder_profile(l->builder)->has_runtime = true;
    builder_add_step(l->builder, DIGEST_STEP);
    for (;;) {
        const uint64_t at = d->in.begin_offset + d->in.at;

        if (!part_in_next(&d->in, err)) {
            err_prefix(err, "%s", l->path);
            return false;
        }
        if (d->in.ended)
            return true;
        if (!load_tick(l, l->input.bytes + (at < l->input.len ? at : l->input.len), err))
            return false;
        if (read_key(d))
            add_record(d, find_node(d));
    }
}

static bool load_digest(struct loader *l, struct err *err)
{
    struct digest_load d = {
        .l = l, .bytes = {l->input.bytes, l->input.len}, .node = NODE_NONE};
    struct profile *p = builder_profile(l->builder);
    uint64_t bytes_left;
    bool ok;

    if (p->clock.tick_ps != 1 && p->has_runtime)
        return err_set(err, ERR_USAGE,
                       "%s: a digest part can only be combined with other parts", l->path);
    d.budget = digest_parts_budget(profile_input_bytes(p), l->cancel);
    budget_charge(&d.budget, l->n_digest_bytes, 0);
    bytes_left = d.budget.bytes_left;
    part_in_init(&d.in, part_read_bytes, &d.bytes, BUFFER_BYTES);
    ok = read_records(&d, err);
    part_in_done(&d.in);
    l->n_digest_bytes += bytes_left - d.budget.bytes_left;
    if (d.n_left_out)
        note_add_kind(&p->notes, NOTE_REPAIR,
                      "%s: %" PRIu64 " records skipped: their names take too much memory "
                            "for the size of the file", l->path, d.n_left_out);
    digest_parts_done(&d.parts);
    EACH(sb_done, &d.item, &d.name);
    return ok;
}

const struct format_row format_digest = {
    .name = "part of a digest",
    .help = "sums of profiles of many hosts, as `digest` and `merge` write them",
    .binary_name = "part of a digest",
    .contents = CONTAINS_STEPS,
    .load_order = 95,
    .keep_bytes = true, /* the table of spreads needs the bytes */
    .detect_order = 1, /* its magic bytes are unique */
    .fits = fits_digest,
    .load = load_digest,
};
