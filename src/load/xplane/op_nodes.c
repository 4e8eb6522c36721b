/* op_nodes.c: assigns events to nodes (formats-xplane.md section 8). */
#include "load/xplane/program_nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The op of a kernel started by LAUNCH: the op of the launch on the kernel's device. */
static uint32_t launched_op(struct run *r, uint32_t kernel, uint32_t launch)
{
    struct run_op op = r->ops.data[launch];

    op.device = r->ops.data[kernel].device;
    op.kernel = r->ops.data[kernel].kernel;
    op.count = r->ops.data[kernel].count;
    op.is_memcpy = r->ops.data[kernel].is_memcpy;
    return run_op(r, &op);
}

void ops_take_launches(struct run *r)
{
    for (size_t t = 0; t < r->tracks.n; t++) {
        struct track *track = &r->tracks.data[t];

        for (size_t i = 0; track->use == TRACK_DEVICE && i < track->events.n; i++) {
            struct run_event *e = &track->events.data[i];
            const struct run_launch *launch;

            if (r->ops.data[e->op].kind != OP_DEVICE)
                continue;
            launch = run_launch_of(r, track, i);
            if (launch && launch->op != OP_NONE)
                e->op = launched_op(r, e->op, launch->op);
        }
    }
}

void ops_find_programs(struct run *r)
{
    for (size_t t = 0; t < r->tracks.n; t++) {
        const struct track *track = &r->tracks.data[t];

        for (size_t i = 0; i < track->events.n; i++) {
            struct run_op *op = &r->ops.data[track->events.data[i].op];
            struct run_program *program;

            if (op->has_events)
                continue;
            op->has_events = true;
            if (op->kind != OP_HLO)
                continue;
            program = run_program(r, track->host, op->program, true);
            program->ran = true;
            op->program_place = (uint32_t)(program - r->programs.data);
            if (!program->name)
                program->name = op->type;
        }
    }
}

/* ---- nodes */

static void add(struct strbuf *name, const struct loader *l, strid text)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;

    sb_add(name, intern_text(strings, text), intern_len(strings, text));
}

/* Adds TEXT with the scope separators replaced. */
static void add_flat(struct strbuf *name, const struct loader *l, strid text)
{
    const size_t before = name->len;

    add(name, l, text);
    for (size_t i = before; i < name->len; i++)
        if (name->data[i] == '/')
            name->data[i] = '|';
}

static node_id make_node(struct nodes *n, struct loader *l, const struct strbuf *name, strid type,
                         const struct program_cost *cost)
{
    bool added;
    const node_id node =
        builder_node(l->builder, builder_str(l->builder, sb_text(name), name->len), type, &added);

    if (!added)
        builder_add_type(l->builder, node, type);
    else
        builder_set_static_float_ops(l->builder, node, cost->operations);
    nodes_keep(n, node, cost, (struct node_origin){.module = UINT32_MAX});
    return node;
}

static strid word(struct loader *l, const char *text)
{
    return builder_str(l->builder, text, strlen(text));
}

/* A node for an instruction without HLO; its costs are those a TPU reports. */
static node_id instruction_without_hlo(struct nodes *n, struct loader *l, const struct run_op *op,
                                       uint32_t program, struct strbuf *name)
{
    struct program_cost cost = {.count = PROGRAM_NO_RULE};
    const strid type = op->category ? op->category : word(l, "unknown HLO op");

    if (op->flops >= 0) {
        cost.count = PROGRAM_COUNTED;
        cost.operations = op->flops;
    }
    if (op->bytes_accessed >= 0)
        cost.bytes_accessed = op->bytes_accessed;
    add(name, l, n->labels[program]);
    sb_adds(name, "/(not in HLO)/");
    add_flat(name, l, op->name);
    return make_node(n, l, name, type, &cost);
}

static node_id hlo_node(struct nodes *n, struct run *r, struct loader *l, const struct run_op *op,
                        struct strbuf *name)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    const uint32_t program = op->program_place;
    const struct module_nodes *list = nodes_of_program(n, r, l, program, op->device);
    uint32_t i;

    if (!list)
        return instruction_without_hlo(n, l, op, program, name);
    i = hlo_find_name(n->modules.data[list->module].module, intern_text(strings, op->name),
                      intern_len(strings, op->name));
    if (i == HLO_NONE || list->of_instruction[i] == NODE_NONE)
        return instruction_without_hlo(n, l, op, program, name);
    return list->of_instruction[i];
}

/* ---- Python calls */

/* Appends FILE:LINE:FUNCTION. */
static void add_frame(struct strbuf *name, const struct frame *f, const struct loader *l)
{
    const size_t before = name->len;

    add(name, l, f->file);
    if (f->lineno >= 0)
        sb_addf(name, ":%d", (int)f->lineno);
    sb_addc(name, ':');
    add(name, l, f->function);
    for (size_t i = before; i < name->len; i++)
        if (name->data[i] == '/')
            name->data[i] = '|';
}

static struct frame frame_of(struct loader *l, strid event)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    const struct python_frame f = event_name_frame(
        (struct span){(const uint8_t *)intern_text(strings, event), intern_len(strings, event)});
    const struct span file = f.file, function = f.function;
    struct frame frame = {.lineno = f.line, .func_start_line = -1};

    frame.file = builder_str(l->builder, file.bytes, file.len);
    frame.function = builder_str(l->builder, function.bytes, function.len);
    return frame;
}

/* Sets the callers of OP as its call stack, outermost first. */
static void set_stack(struct nodes *n, struct run *r, struct loader *l, const struct run_op *op,
                      node_id node)
{
    struct frame frames[STACK_FRAMES_MAX];
    size_t at = STACK_FRAMES_MAX;

    frames[--at] = frame_of(l, op->name);
    op = op->caller == OP_NONE ? NULL : &r->ops.data[op->caller];
    while (at && op && budget_take(&n->frames, FRAME_MAX_BYTES, 0)) {
        frames[--at] = frame_of(l, op->name);
        op = op->caller == OP_NONE ? NULL : &r->ops.data[op->caller];
    }
    n->n_cut_stacks += op != NULL;
    builder_set_stack(l->builder, node, builder_stack(l->builder, frames + at, STACK_FRAMES_MAX - at));
    builder_profile(l->builder)->has_stacks = true;
}

/* A call that is reached by several paths has a node for each: NAME, NAME #2. */
static node_id python_node(struct nodes *n, struct run *r, struct loader *l,
                           const struct run_op *op, struct strbuf *name)
{
    const struct program_cost no_op = {.count = PROGRAM_NO_OP};
    const struct frame frame = frame_of(l, op->name);
    uint32_t *n_paths;
    node_id node;
    strid base;

    sb_adds(name, "(python)/");
    add_frame(name, &frame, l);
    base = builder_str(l->builder, sb_text(name), name->len);
    if (n->n_paths.n <= base)
        vec_resize_zero(&n->n_paths, (size_t)base + 1);
    n_paths = &n->n_paths.data[base];
    if (++*n_paths > 1)
        sb_addf(name, " #%u", *n_paths);
    node = make_node(n, l, name, word(l, "python call"), &no_op);
    set_stack(n, r, l, op, node);
    return node;
}

static node_id node_of(struct nodes *n, struct run *r, struct loader *l, const struct run_op *op)
{
    const struct program_cost no_rule = {.count = PROGRAM_NO_RULE};
    const struct program_cost no_op = {.count = PROGRAM_NO_OP};
    const struct program_cost *cost = &no_rule;
    struct strbuf name = {0};
    strid type = op->type;
    node_id node;

    nodes_prefix(n, r, l, op->device, &name);
    switch (op->kind) {
    case OP_HLO:
        node = hlo_node(n, r, l, op, &name);
        sb_done(&name);
        return node;
    case OP_EAGER:
        sb_adds(&name, "(eager)/");
        break;
    case OP_DEVICE:
        sb_adds(&name, "(no HLO)/");
        cost = &no_op;
        break;
    case OP_PYTHON:
        node = python_node(n, r, l, op, &name);
        sb_done(&name);
        return node;
    case OP_RUNTIME:
        sb_adds(&name, "(runtime)/");
        type = word(l, "runtime event");
        cost = &no_op;
        break;
    default:
        break;
    }
    if (op->kind == OP_PIPELINE)
        type = word(l, "Dataset");
    if (op->kind == OP_DEVICE || op->kind == OP_RUNTIME)
        add_flat(&name, l, op->name);
    else
        add(&name, l, op->name);
    node = make_node(n, l, &name, type, cost);
    sb_done(&name);
    return node;
}

void ops_make_nodes(struct nodes *n, struct run *r, struct loader *l)
{
    for (size_t i = 0; i < r->ops.n; i++) {
        struct run_op *op = &r->ops.data[i];

        if (!op->has_events)
            continue;
        op->node = node_of(n, r, l, op);
        builder_add_type(l->builder, op->node, r->devices.data[op->device].name);
    }
}
