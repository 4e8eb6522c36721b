/* trace_session.c: files of ONNX Runtime: sessions, and nodes that a loaded graph may have
 * (formats-onnx.md section 7). */
#include <inttypes.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "load/graph/attrs.h"
#include "load/graph/row_paths.h"
#include "load/trace/trace_build.h"
#include "model/format.h"

/* ---- detection */

static bool is_session_event(struct text name)
{
    static const char *const names[] = {"model_loading_uri", "model_loading_array",
                                        "model_loading_from_saved_model_format",
                                        "session_initialization", "model_run"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(name, names[i]))
            return true;
    return false;
}

bool is_onnxruntime(const struct trace_log *log)
{
    enum { LOOK_AT_EVENTS = 64 };

    for (size_t i = 0; i < log->slices.n && i < LOOK_AT_EVENTS; i++) {
        const struct trace_slice *slice = &log->slices.data[i];
        const struct text category = log_text(log, log->categories.data[slice->category].name);

        if ((text_is(category, "Session") && is_session_event(log_text(log, slice->name))) ||
            (text_is(category, "Node") && trace_args_of(log, slice->args).node_op))
            return true;
    }
    return false;
}

enum category_kind session_kind(struct text category)
{
    return text_is(category, "Node")     ? KIND_CALL
           : text_is(category, "Kernel") ? KIND_KERNEL
           : text_is(category, "Api")    ? KIND_RUNTIME
                                    : KIND_OTHER;
}

void session_steps(struct trace_build *b)
{
    for (size_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];

        if (text_is(trace_text(b, slice->name), "model_run") &&
            text_is(trace_text(b, b->log->categories.data[slice->category].name), "Session"))
            vec_push(&b->steps,
                     ((struct step_mark){.start_ns = slice->start_ns,
                                         .end_ns = clamp_add(slice->start_ns, slice->dur_ns)}));
    }
}

/* ---- names */

static const char *const suffixes[] = {"_kernel_time", "_fence_before", "_fence_after"};

bool is_fence(struct text name)
{
    return text_ends(name, suffixes[1]) || text_ends(name, suffixes[2]);
}

/* ---- kernels: slice.link becomes the index of the node's event */

/* An event of a node or kernel, sorted by start or by node name. */
struct node_event {
    strid name;
    int64_t start_ns, end_ns;
    uint32_t slice;
};

typedef VEC(struct node_event) node_events;

COMPARE_BY_TWO(by_start, struct node_event, start_ns, slice)
COMPARE_CHAIN(by_name, struct node_event, UP(name) || UP(start_ns) || UP(slice))

/* Collects the events of nodes, or those of kernels with their parents' names. */
static node_events events_of(const struct trace_build *b, enum category_kind kind)
{
    node_events events = {0};

    for (uint32_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];
        const struct node_event event = {
            kind == KIND_CALL ? slice->name : trace_args_of(b->log, slice->args).parent, slice->start_ns,
            clamp_add(slice->start_ns, slice->dur_ns), i};

        if (kind_of(b, slice) == kind && !is_fence(trace_text(b, slice->name)))
            vec_push(&events, event);
    }
    return events;
}

/* The event of KERNEL's parent that began last before it, else the first; NODES are sorted by name.
 * NULL if none. */
static const struct node_event *parent_of(const node_events *nodes, const struct node_event *kernel)
{
    size_t at = 0;

    LOWER_BOUND(at, nodes->n, i, nodes->data[i].name < kernel->name ||
                                     (nodes->data[i].name == kernel->name &&
                                      nodes->data[i].start_ns <= kernel->start_ns));
    if (at && nodes->data[at - 1].name == kernel->name)
        return &nodes->data[at - 1];
    return at < nodes->n && nodes->data[at].name == kernel->name ? &nodes->data[at] : NULL;
}

/* Links kernels without a parent to the innermost node around their start; both sorted by start. */
static void link_around(struct trace_build *b, const node_events *nodes, const node_events *kernels)
{
    VEC(uint32_t) open = {0};
    size_t next = 0;

    for (size_t i = 0; i < kernels->n; i++) {
        struct trace_slice *slice = &b->log->slices.data[kernels->data[i].slice];

        for (; next < nodes->n && nodes->data[next].start_ns <= slice->start_ns; next++)
            vec_push(&open, (uint32_t)next);
        while (open.n && nodes->data[open.data[open.n - 1]].end_ns <= slice->start_ns)
            open.n--;
        if (open.n && slice->link == NUMBER_NONE)
            slice->link = nodes->data[open.data[open.n - 1]].slice;
    }
    vec_done(&open);
}

static void link_kernels(struct trace_build *b)
{
    node_events nodes = events_of(b, KIND_CALL), kernels = events_of(b, KIND_KERNEL);

    for (size_t i = 0; i < b->log->slices.n; i++)
        b->log->slices.data[i].link = kind_of(b, &b->log->slices.data[i]) == KIND_CALL ? (int64_t)i : NUMBER_NONE;
    vec_sort(&nodes, by_name);
    for (size_t i = 0; i < kernels.n; i++) {
        const struct node_event *parent = kernels.data[i].name ? parent_of(&nodes, &kernels.data[i]) : NULL;

        if (parent)
            b->log->slices.data[kernels.data[i].slice].link = parent->slice;
    }
    vec_sort(&nodes, by_start);
    vec_sort(&kernels, by_start);
    link_around(b, &nodes, &kernels);
    EACH(vec_done, &nodes, &kernels);
}

void session_begin(struct trace_build *b)
{
    if (b->dialect != DIALECT_ONNXRUNTIME)
        return;
    builder_profile(b->builder)->op_set = "onnx:";
    link_kernels(b);
}

/* ---- names of nodes */

static struct text without_suffix(struct text name)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_ends(name, suffixes[i]))
            return (struct text){name.bytes, name.len - (uint32_t)strlen(suffixes[i])};
    return name;
}

/* ---- nodes of a loaded graph */

/* True if NODE has operation OP in any domain. */
static bool has_op(const struct trace_build *b, node_id node, struct text op)
{
    struct text whole = trace_text(b, builder_get_op(b->builder, node));
    const char *dot = memrchr(whole.bytes, '.', whole.len);

    if (dot)
        whole = (struct text){dot + 1, (uint32_t)(whole.bytes + whole.len - (dot + 1))};
    return whole.len == op.len && memcmp(whole.bytes, op.bytes, op.len) == 0;
}

/* Finds a node that a layout transformation renamed after its output value: the nearest producer of
 * that value with operation OP. */
static node_id find_renamed(const struct trace_build *b, struct text name, struct text op)
{
    enum { MAX_NODES = 8 };
    static const char suffix[] = "_nchwc";
    const struct run_names *names = &b->l->run_names;
    node_id node;

    if (!text_ends(name, suffix))
        return NODE_NONE;
    node = run_producer_of(names, (struct span){(const uint8_t *)name.bytes, name.len - (sizeof suffix - 1)});
    for (int i = 0; i < MAX_NODES && node != NODE_NONE; i++) {
        if (has_op(b, node, op))
            return node;
        node = node < names->first_input.n ? names->first_input.data[node] : NODE_NONE;
    }
    return NODE_NONE;
}

static node_id find_node(const struct trace_build *b, struct text name, struct text op)
{
    const node_id node = run_node_named(&b->l->run_names, name.bytes, name.len);

    return node != NODE_NONE ? node : find_renamed(b, name, op);
}

/* ---- paths */

static void name_path(struct trace_build *b, struct call_path *path, struct text name, strid op,
                      const char *prefix)
{
    sb_clear(&b->name);
    sb_adds(&b->name, prefix);
    row_put_levels(&b->name, (struct span){(const uint8_t *)name.bytes, name.len}, '/');
    path->name = path->prefix = builder_str(b->builder, sb_text(&b->name), b->name.len);
    path->op = op;
}

/* Sets the output shapes of NODE from JSON such as [[1,3],[]]. */
static void set_outputs(struct trace_build *b, node_id node, strid values)
{
    const struct text text = trace_text(b, values);
    struct json_in in = {.at = (const uint8_t *)text.bytes,
                         .end = (const uint8_t *)text.bytes + text.len,
                         .is_last = true};
    struct json_value all, list, size;
    VEC(struct run_output) outputs = {0};

    if (!text.len || !json_value(&in, &all) || all.type != JSON_ARRAY)
        return;
    in = json_again(all, false);
    while (json_element(&in, &list) && outputs.n < INT32_MAX) {
        struct json_in sizes = json_again(list, false);
        struct run_output output = {.slot = (int32_t)outputs.n};
        int64_t number;

        b->l->dims.n = 0;
        while (list.type == JSON_ARRAY && json_element(&sizes, &size))
            vec_push(&b->l->dims, json_integer(size, &number) && number >= 0 ? number : -1);
        output.shape = b->l->dims.n ? builder_shape(b->builder, b->l->dims.data, b->l->dims.n)
                                    : SHAPE_SCALAR;
        vec_push(&outputs, output);
    }
    if (outputs.n > builder_n_run_outputs(b->builder, node))
        builder_set_run_outputs(b->builder, node, outputs.data, outputs.n);
    vec_done(&outputs);
}

/* Sets the node of path AT: that of the graph, else a new one. */
static void place_node(struct trace_build *b, uint32_t at, const struct trace_slice *slice,
                       struct text name)
{
    const struct trace_args args = trace_args_of(b->log, slice->args);
    const strid op = args.node_op ? args.node_op : builder_str(b->builder, name.bytes, name.len);
    const bool has_graph = b->l->run_names.is_used;
    const node_id node = has_graph ? find_node(b, name, trace_text(b, op)) : NODE_NONE;
    struct call_path *path = &b->paths.data[at];

    if (node == NODE_NONE) {
        name_path(b, path, name, op, has_graph ? "(runtime)" : "");
        path->node = node_of(b, at);
    } else {
        path->is_joined = true;
        path->node = node;
        path->name = path->prefix = builder_get_name(b->builder, node);
        path->op = builder_get_op(b->builder, node);
        builder_set_devices(b->builder, node, b->cpu_device, STRID_EMPTY);
    }
    set_outputs(b, path->node, args.values);
    if (args.provider)
        path_add_type(b, path->node, trace_text(b, args.provider));
}

/* Sets the properties of the node of path AT that its first slice NAME recorded. */
static void set_recorded(struct trace_build *b, uint32_t at, strid name)
{
    const strid args = name < b->log->recorded.n ? b->log->recorded.data[name] : STRID_EMPTY;

    if (args)
        builder_set_recorded(b->builder, node_of(b, at), args);
}

uint32_t session_path(struct trace_build *b, const struct trace_slice *slice)
{
    const bool is_node = kind_of(b, slice) == KIND_CALL;
    const struct text name = is_node ? without_suffix(trace_text(b, slice->name))
                                     : trace_text(b, slice->name);
    const strid key = builder_str(b->builder, name.bytes, name.len);
    bool added;
    const uint32_t at = path_at(b, PATH_ROOT, key, slice->category, &added);

    if (added) {
        b->paths.data[at].category = slice->category;
        if (is_node)
            place_node(b, at, slice, trace_text(b, key));
        else
            name_path(b, &b->paths.data[at], trace_text(b, key), key, "(session)");
    }
    set_recorded(b, at, slice->name);
    return at;
}

/* ---- notes */

/* True for an execution provider that runs nodes on the host. */
static bool is_on_host(struct text provider)
{
    static const char *const names[] = {"CPUExecutionProvider", "DnnlExecutionProvider",
                                        "XnnpackExecutionProvider", "AclExecutionProvider",
                                        "ArmNNExecutionProvider"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(provider, names[i]))
            return true;
    return !provider.len;
}

static void note_writer(struct trace_build *b)
{
    enum { EVENTS_MAX = 1000000 };
    struct notes *notes = &builder_profile(b->builder)->notes;
    strid device = STRID_EMPTY;
    bool has_kernels = false;

    if (b->log->n_events == EVENTS_MAX)
        note_add(notes, "%s: exactly 1,000,000 events, the limit of its writer: the rest is "
                        "missing", b->l->path);
    for (size_t i = 0; i < b->log->categories.n; i++)
        has_kernels |= b->log->categories.data[i].n_slices && b->kinds[i] == KIND_KERNEL;
    for (strid i = 1; i < b->log->args.n && !device; i++)
        if (!is_on_host(trace_text(b, trace_args_of(b->log, i).provider)))
            device = trace_args_of(b->log, i).provider;
    if (device && !has_kernels)
        note_add(notes, "%s: times of %s are launch times on the host; build ONNX Runtime with "
                        "onnxruntime_ENABLE_CUDA_PROFILING for kernels",
                 b->l->path, profile_text(builder_profile(b->builder), device));
}

void session_finish(struct trace_build *b)
{
    struct notes *notes = &builder_profile(b->builder)->notes;
    uint32_t n_names = 0, n_joined = 0;
    struct strbuf time = {0};
    int64_t lost_ns = 0;

    if (b->dialect != DIALECT_ONNXRUNTIME)
        return;
    note_writer(b);
    for (size_t i = 1; i < b->paths.n && b->l->run_names.is_used; i++) {
        const struct call_path *path = &b->paths.data[i];

        if (path->category >= b->log->categories.n || b->kinds[path->category] != KIND_CALL)
            continue;
        n_names++;
        n_joined += path->is_joined;
        lost_ns = clamp_add(lost_ns, path->is_joined ? 0 : path->self_ns);
    }
    format_time(&time, clamp_mul(lost_ns, PS_PER_NS));
    if (n_joined < n_names)
        note_add(notes, "%s: %" PRIu32 " %s no node of the graph (%s): shown below "
                        "(runtime); set optimized_model_filepath and open that file",
                 b->l->path, n_names - n_joined, n_names - n_joined == 1 ? "name matches" : "names match",
                 sb_text(&time));
    if (n_joined < n_names - n_joined)
        note_add(notes, "%s: this profile seems to belong to another model (%" PRIu32 " of %" PRIu32
                        " names found)", b->l->path, n_joined, n_names);
    sb_done(&time);
}

/* ---- arguments that are shown of a node */

/* Sizes of tensors and memory of the allocators.  Objects hold times of threads. */
static bool is_shown(struct json_value key, struct json_value value)
{
    static const char *const names[] = {"activation_size", "parameter_size", "output_size"};
    const struct span name = {key.at, key.len};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_is(name, names[i]))
            return true;
    return span_begins(name, "mem_") ||
           (value.type == JSON_OBJECT && span_is(name, "thread_scheduling_stats"));
}

/* NAME and KEY, separated by a blank. */
static struct attr_bytes join(struct attr_bytes name, struct json_value key, struct arena *arena)
{
    struct strbuf sb = {0};

    sb_add(&sb, name.bytes, name.len);
    sb_adds(&sb, name.len ? " " : "");
    sb_add(&sb, key.at, key.len);
    name = (struct attr_bytes){arena_memdupz(arena, sb_text(&sb), sb.len), sb.len};
    sb_done(&sb);
    return name;
}

/* Adds VALUE; of an object its members, whose names follow NAME; below DEPTH 0 its source text. */
static void add_value(attr_list *list, struct attr_bytes name, struct json_value value, unsigned depth,
                      struct arena *arena)
{
    const struct attr attr = {.name = name,
                              .value = {.kind = ATTR_STRING, .v.s = {(const char *)value.at, value.len}}};
    struct json_in in = json_again(value, false);
    struct json_value key, member;

    if (value.type != JSON_OBJECT || !depth) {
        vec_push(list, attr);
        return;
    }
    for (bool ok = json_open(&in); ok && json_key(&in, &key) && json_value(&in, &member);)
        add_value(list, join(name, key, arena), member, depth - 1, arena);
}

const struct attr *attrs_recorded(const struct profile *p, node_id node, struct arena *arena,
                                  size_t *n)
{
    enum { DEPTH = 3 };
    const struct text json = intern_string(&p->strings, p->recorded[node]);
    struct json_in in = {.at = (const uint8_t *)json.bytes,
                         .end = (const uint8_t *)json.bytes + json.len, .is_last = true};
    struct json_value key, value;
    attr_list list = {0};

    for (bool ok = json.len && *in.at == '{' && json_open(&in);
         ok && json_key(&in, &key) && json_value(&in, &value);)
        if (is_shown(key, value))
            add_value(&list, value.type == JSON_OBJECT ? (struct attr_bytes){"", 0}
                                                       : (struct attr_bytes){(const char *)key.at, key.len},
                      value, DEPTH, arena);
    return attr_list_take(&list, arena, n);
}
