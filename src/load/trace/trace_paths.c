/* trace_paths.c: nodes of call paths and parts of nodes (formats-trace.md sections 4.1 and 4.2). */
#include <string.h>

#include "load/trace/trace_build.h"

#define STEP_NODE "ProfilerStep*"
#define MODULE_PREFIX "nn.Module: "

/* Divisors of the load budget for names and for frames. */
enum { SHARE_OF_NAMES = 4, SHARE_OF_FRAMES = 2 };

void trace_paths_init(struct trace_build *b)
{
    struct call_path root = {.node = NODE_NONE};
    const struct budget all =
        budget_of(profile_input_bytes(builder_profile(b->builder)), b->l->cancel);

    EACH(intern_init, &b->path_keys, &b->launch_places, &b->collectives, &b->inputs, &b->streams);
    vec_push(&b->paths, root);
    b->cpu_device = builder_str(b->builder, "/cpu:0", 6);
    b->async_device = builder_str(b->builder, ASYNC_DEVICE, sizeof ASYNC_DEVICE - 1);
    b->names = budget_share(all, SHARE_OF_NAMES);
    b->stack_bytes = budget_share(all, SHARE_OF_FRAMES);
}

void trace_paths_done(struct trace_build *b)
{
    EACH(intern_done, &b->path_keys, &b->launch_places, &b->collectives, &b->inputs, &b->streams);
    EACH(vec_done, &b->path_kinds, &b->kernel_classes, &b->input_names, &b->wait_names,
         &b->work_ends, &b->autograd, &b->threads, &b->works, &b->n_inputs, &b->stack_of_frame);
    EACH(idmap_done, &b->frame_stacks, &b->frame_of_name, &b->group_steps, &b->unplaced);
    EACH(vec_done, &b->unplaced_ns, &b->paths, &b->steps, &b->launches, &b->times,
         &b->allocations);
    segment_batch_done(&b->filling);
    segment_batch_done(&b->flushing);
    EACH(vec_done, &b->is_work_name, &b->step_names);
    EACH(sb_done, &b->name, &b->scratch);
}

/* ---- paths */

/* TEXT without a final number and the SEPARATOR before it. */
static struct text without_number(struct text text, char separator)
{
    uint32_t n = text.len;

    while (n && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    if (n == text.len || n < 2 || text.bytes[n - 1] != separator)
        return text;
    return (struct text){text.bytes, n - 1};
}

/* A slice's contribution to path names, and its operation type. */
struct component {
    struct text text;
    bool slashes_are_levels;
    strid op;
    uint8_t free_name; /* enum free_name */
};

static struct component component_of(struct trace_build *b, const struct trace_slice *slice)
{
    const enum category_kind kind = kind_of(b, slice);
    struct component c = {.text = trace_text(b, slice->name), .op = slice->name};
    struct text op;

    c.slashes_are_levels = b->dialect != DIALECT_KINETO || kind == KIND_ANNOTATION;
    c.free_name = kind == KIND_ANNOTATION ? FREE_NAME_ANNOTATION : FREE_NAME_NONE;
    if (b->dialect == DIALECT_KINETO && text_begins(c.text, MODULE_PREFIX)) {
        op = without_number(c.text, '_');
        c.free_name = FREE_NAME_MODULE;
        c.op = builder_str(b->builder, op.bytes, op.len);
        c.text.bytes += sizeof MODULE_PREFIX - 1;
        c.text.len -= (uint32_t)sizeof MODULE_PREFIX - 1;
    } else if (b->dialect == DIALECT_XPROF && trace_args_of(b->log, slice->args).step) {
        c.text = without_number(c.text, ' ');
        c.op = builder_str(b->builder, c.text.bytes, c.text.len);
    }
    return c;
}

/* Removes "PREFIX/" from TEXT: outlines write full names. */
static void drop_prefix(struct text *text, struct text prefix)
{
    if (prefix.len && text->len > prefix.len + 1 && text->bytes[prefix.len] == '/' &&
        memcmp(text->bytes, prefix.bytes, prefix.len) == 0) {
        text->bytes += prefix.len + 1;
        text->len -= prefix.len + 1;
    }
}

/* The name of COMPONENT below PREFIX.  When the budget is exhausted PREFIX becomes DEEP_CALLS,
 * because the total length of nested names grows with the square of their depth. */
static strid join_name(struct trace_build *b, strid prefix, struct text component,
                    bool slashes_are_levels)
{
    struct text above = trace_text(b, prefix);
    size_t start;

    if (!budget_take(&b->names, above.len, 0)) {
        above = (struct text){DEEP_CALLS, sizeof DEEP_CALLS - 1};
        b->n_deep++;
    }
    sb_clear(&b->name);
    sb_add(&b->name, above.bytes, above.len);
    if (above.len)
        sb_addc(&b->name, '/');
    start = b->name.len;
    sb_add(&b->name, component.bytes, component.len);
    for (size_t i = start; i < b->name.len && !slashes_are_levels; i++)
        if (b->name.data[i] == '/')
            b->name.data[i] = '|';
    return builder_str(b->builder, b->name.data, b->name.len);
}

/* Adds each part of a category, separated by commas, as a type of NODE. */
static void add_category_types(struct trace_build *b, node_id node, uint16_t category)
{
    struct text text = {0};

    if (category < b->log->categories.n)
        text = trace_text(b, b->log->categories.data[category].name);
    while (text.len) {
        const char *comma = memchr(text.bytes, ',', text.len);
        const uint32_t n = comma ? (uint32_t)(comma - text.bytes) : text.len;

        if (n)
            builder_add_type(b->builder, node, builder_str(b->builder, text.bytes, n));
        text.bytes += comma ? n + 1 : n;
        text.len -= comma ? n + 1 : n;
    }
}

/* Adds input SOURCE to NODE, unless SOURCE is the root or an input already. */
static void add_input(struct trace_build *b, node_id node, strid source)
{
    const uint32_t key[2] = {node, source};
    const size_t n = b->inputs.n;

    if (source == STRID_EMPTY || intern_put(&b->inputs, key, sizeof key) != n)
        return;
    if (node >= b->n_inputs.n)
        vec_resize_zero(&b->n_inputs, (size_t)node + 1);
    builder_add_input(b->builder, node, (int32_t)b->n_inputs.data[node]++, source, 0, 0);
}

node_id node_of(struct trace_build *b, uint32_t at)
{
    struct call_path *path = &b->paths.data[at];
    bool added;

    if (path->node != NODE_NONE)
        return path->node;
    path->node = builder_node(b->builder, path->name, path->op, &added);
    if (!added) {
        if (path->is_moved)
            builder_add_type(b->builder, path->node, path->op);
        return path->node;
    }
    builder_set_devices(b->builder, path->node, b->cpu_device, STRID_EMPTY);
    if (path->free_name)
        builder_set_free_name(b->builder, path->node, path->free_name);
    if (b->dialect == DIALECT_ONNXRUNTIME)
        return path->node;
    add_category_types(b, path->node, path->category);
    add_input(b, path->node, b->paths.data[path->source].name);
    return path->node;
}

void path_add_type(struct trace_build *b, node_id node, struct text name)
{
    sb_clear(&b->name);
    sb_addc(&b->name, '_');
    sb_add(&b->name, name.bytes, name.len);
    builder_add_type(b->builder, node, builder_str(b->builder, sb_text(&b->name), b->name.len));
}

void path_set_domain(struct trace_build *b, uint32_t path, strid domain)
{
    const struct trace_log *log = b->log;
    const node_id node = node_of(b, path);
    const uint32_t key[3] = {node, domain, 0}; /* no pair: not one of an input */
    const size_t n = b->inputs.n;

    if (domain < log->domain_names.n && log->domain_names.data[domain] &&
        intern_put(&b->inputs, key, sizeof key) == n)
        path_add_type(b, node, trace_text(b, log->domain_names.data[domain]));
}

void add_dependence(struct trace_build *b, uint32_t to, uint32_t from)
{
    if (b->paths.data[to].name != b->paths.data[from].name)
        add_input(b, node_of(b, to), b->paths.data[from].name);
}

uint32_t path_at(struct trace_build *b, uint32_t parent, strid name, uint32_t category,
                        bool *added)
{
    const uint32_t key[3] = {parent, name, category};
    const uint32_t at = intern_put(&b->path_keys, key, sizeof key); /* id 0 is the empty string */
    const struct call_path fresh = {.parent = parent, .source = parent, .node = NODE_NONE};

    *added = at == b->paths.n;
    if (*added)
        vec_push(&b->paths, fresh);
    return at;
}

/* The name of SLICE for its path; all marks of steps share one name, and so one path. */
static strid name_of_step(struct trace_build *b, const struct trace_slice *slice, bool *is_step)
{
    const struct text name = trace_text(b, slice->name);
    uint32_t number, n;

    if (b->dialect == DIALECT_NSYS && kind_of(b, slice) == KIND_CALL &&
        is_step_range(b, slice->name, &number, &n)) {
        *is_step = true;
        sb_clear(&b->name);
        sb_add(&b->name, name.bytes, number);
        sb_addc(&b->name, '*');
        sb_add(&b->name, name.bytes + number + n, name.len - number - n);
        return builder_str(b->builder, sb_text(&b->name), b->name.len);
    }
    *is_step = b->dialect == DIALECT_KINETO && is_step_name(name.bytes, name.len);
    if (*is_step)
        return builder_str(b->builder, STEP_NODE, sizeof STEP_NODE - 1);
    return b->dialect == DIALECT_XPROF && slice->args ? component_of(b, slice).op : slice->name;
}

uint32_t path_of_slice(struct trace_build *b, uint32_t parent, const struct trace_slice *slice)
{
    struct component c;
    struct call_path *path;
    bool added, is_step;
    strid name;
    uint32_t at;

    if (b->dialect == DIALECT_ONNXRUNTIME && !kind_is_work(kind_of(b, slice)) &&
        kind_of(b, slice) != KIND_RUNTIME)
        return session_path(b, slice);
    name = name_of_step(b, slice, &is_step);
    at = path_at(b, parent, name, slice->category, &added);

    if (!added)
        return at;
    path = &b->paths.data[at];
    path->category = slice->category;
    if (is_step) {
        path->prefix = b->paths.data[parent].prefix;
        path->name = path->op = name;
        path->parent = path->source = PATH_ROOT;
        return at;
    }
    c = component_of(b, slice);
    if (is_outline_root(b, slice)) {
        path->prefix = b->paths.data[parent].prefix;
        path->name = path->op = slice->name;
        return at;
    }
    if (b->is_outline)
        drop_prefix(&c.text, trace_text(b, b->paths.data[parent].prefix));
    path->op = c.op;
    path->free_name = c.free_name;
    path->name = path->prefix =
        join_name(b, b->paths.data[parent].prefix, c.text, c.slashes_are_levels);
    return at;
}

uint32_t path_of_moved(struct trace_build *b, uint32_t below, uint32_t source,
                       const struct trace_slice *slice, bool is_named, bool is_counted)
{
    enum { UNCOUNTED = UINT16_MAX + 1 + WORK_CLASSES };
    bool added;
    const uint32_t at = path_at(b, below, slice->name,
                                is_counted ? slice->category : (uint32_t)UNCOUNTED, &added);
    struct call_path *path = &b->paths.data[at];
    const struct component c = component_of(b, slice);

    if (!added)
        return at;
    path->source = source;
    path->category = slice->category;
    path->is_moved = true;
    path->is_uncounted = !is_counted;
    path->op = c.op;
    path->name = path->prefix =
        is_named ? join_name(b, b->paths.data[below].prefix, without_engine(c.text), false)
                 : b->paths.data[below].prefix;
    return at;
}

uint32_t path_of_phase(struct trace_build *b, uint32_t parent, const char *phase, uint16_t category,
                       bool is_nested)
{
    enum { PHASE = UINT16_MAX + 2 + WORK_CLASSES };
    const strid name = builder_str(b->builder, phase, strlen(phase));
    bool added;
    const uint32_t at = path_at(b, parent, name, (uint32_t)PHASE + is_nested, &added);
    struct call_path *path = &b->paths.data[at];

    if (!added)
        return at;
    path->op = name;
    path->category = category;
    path->is_moved = is_nested;
    path->free_name = FREE_NAME_ANNOTATION;
    path->name = path->prefix = is_nested ? b->paths.data[parent].prefix
                                          : join_name(b, b->paths.data[parent].prefix,
                                                   trace_text(b, name), false);
    if (is_nested)
        path->source = b->paths.data[parent].source;
    return at;
}

uint32_t path_named(struct trace_build *b, uint32_t parent, strid name, uint16_t category)
{
    bool added;
    const uint32_t at = path_at(b, parent, name, UINT32_MAX, &added);

    if (added) {
        struct call_path *path = &b->paths.data[at];

        path->op = name;
        path->category = category;
        path->name = path->prefix =
            join_name(b, b->paths.data[parent].prefix, trace_text(b, name), false);
    }
    return at;
}

uint32_t path_of_work(struct trace_build *b, uint32_t parent, uint32_t launch,
                      const struct trace_slice *slice, enum work_class work_class, strid device)
{
    bool added;
    const uint32_t at =
        path_at(b, parent, slice->name, (uint32_t)UINT16_MAX + 1 + (uint32_t)work_class, &added);
    struct call_path *path = &b->paths.data[at];
    const char *class_name = work_class_name(work_class);

    if (!added) {
        add_dependence(b, at, launch);
        return at;
    }
    path->source = launch;
    path->op = slice->name;
    path->category = slice->category;
    path->name = path->prefix =
        join_name(b, b->paths.data[parent].prefix, trace_text(b, slice->name), false);
    path->node = node_of(b, at);
    sb_clear(&b->name);
    sb_addf(&b->name, "_%s", class_name);
    builder_add_type(b->builder, path->node, builder_str(b->builder, b->name.data, b->name.len));
    builder_add_type(b->builder, path->node, device);
    builder_set_devices(b->builder, path->node, device, STRID_EMPTY);
    return at;
}

/* ---- parts */

uint32_t part_of(struct trace_build *b, uint32_t path, uint32_t stack, uint32_t args)
{
    const struct trace_args given = trace_args_of(b->log, args);
    const struct part_def part = {
        .node = node_of(b, path),
        .op = b->paths.data[path].op,
        .stack = stack_id_of(b, stack),
        .call_dims = given.dims,
        .call_values = given.values,
    };

    return builder_part(b->builder, &part);
}
