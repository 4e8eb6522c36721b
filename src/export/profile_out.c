/* profile_out.c: writes everything that is loaded as one ProfileProto, which the original reads
 * (semantics.md section 1.5; fields: formats-tfprof.md section 2).
 *
 * Nodes that come from a ProfileProto are copied field by field, so unknown fields are kept; only
 * fields that loading may have changed (types, counts, a call stack) are written anew.  Other nodes
 * are written from the profile, with the attribute bytes of the input.  Shapes recorded by runs and
 * the rows of function bodies are in fields of our own.  Functions cannot be stored, so the counts
 * of their bodies are written as float_ops. */
#include "export/output.h"

#include "base/wire_in.h"
#include "base/wire_out.h"
#include "export/code_def.h"
#include "export/sinks/outbuf.h"
#include "export/trace_out.h"
#include "load/graph/attrs.h"
#include "model/profile_fields.h"

enum { NODEDEF_ATTR = 5, TUPLE_VALUES = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2 };

/* Appends an entry of a map<int, int>. */
static void add_pair(struct strbuf *sb, uint32_t field, int64_t key, int64_t value)
{
    size_t mark = wire_begin(sb, field);

    wire_int(sb, ENTRY_KEY, key);
    wire_int(sb, ENTRY_VALUE, value);
    wire_end(sb, mark);
}

/* ---- ProfileNode */

static void add_types(struct strbuf *sb, const struct profile *p, node_id node)
{
    typeset_id set = p->typeset[node];

    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++)
        wire_name(sb, NODE_TYPE, p, p->typeset_types[i]);
}

static void add_inputs(struct strbuf *sb, const struct profile *p, node_id node)
{
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];
        const int32_t position = profile_input_position(p, node, i);

        if (input->source == NODE_NONE)
            continue; /* the message stores sources by id only */
        add_pair(sb, NODE_INPUT, position, input->source);
        add_pair(sb, NODE_SOURCE_INDEX, input->source, input->output_index);
        if (input->own_index != input->output_index)
            wire_packed(sb, OWN_NODE_INPUT,
                        (const int64_t[]){position, input->own_index == INPUT_CONTROL
                                                        ? OWN_CONTROL
                                                        : input->own_index}, 2);
    }
}

static void add_output_shape(struct strbuf *sb, const struct profile *p,
                             const struct node_output *output)
{
    const struct shape *shape = &p->shapes[output->shape];
    size_t entry = wire_begin(sb, NODE_OUTPUT_SHAPE);
    size_t tuple;

    wire_int(sb, ENTRY_KEY, output->index);
    tuple = wire_begin(sb, ENTRY_VALUE);
    if (shape->n_dims)
        wire_packed(sb, TUPLE_VALUES, shape->dims, shape->n_dims);
    wire_end(sb, tuple);
    wire_end(sb, entry);
}

/* The message stores the shape of a scalar as [1]; these fields mark real scalars. */
static void add_scalars(struct strbuf *sb, const struct profile *p, node_id node)
{
    if (p->shape[node] == SHAPE_SCALAR)
        wire_int_always(sb, OWN_NODE_SCALAR, SCALAR_SHAPE);
    for (uint32_t i = p->output_begin[node]; i < p->output_begin[node + 1]; i++)
        if (p->outputs[i].shape == SHAPE_SCALAR)
            wire_int_always(sb, OWN_NODE_SCALAR, p->outputs[i].index);
}

static void add_run_output(struct strbuf *sb, const struct profile *p,
                           const struct run_output *output)
{
    const struct shape *shape = &p->shapes[output->shape];
    const size_t mark = wire_begin(sb, OWN_NODE_RUN_OUTPUT);

    wire_int(sb, RUN_OUTPUT_SLOT, output->slot);
    if (shape->n_dims && output->shape != SHAPE_SCALAR)
        wire_packed(sb, RUN_OUTPUT_DIMS, shape->dims, shape->n_dims);
    wire_int(sb, RUN_OUTPUT_HAS_SHAPE, output->shape != SHAPE_UNKNOWN);
    wire_end(sb, mark);
}

/* The attribute entries of a NodeDef and of a ProfileNode have the same encoding. */
static void copy_attrs(struct strbuf *sb, const struct profile *p, node_id node,
                       struct arena *scratch)
{
    wire_each(f, node_def_wire(p, node, scratch))
        if (f.number == NODEDEF_ATTR && f.type == WIRE_LEN)
            wire_bytes(sb, NODE_ATTR, f.bytes, f.len);
}

/* Writes the columns with a field number in NODE_COLUMNS. */
static void add_columns(struct strbuf *sb, const struct profile *p, node_id node)
{
#define ADD_NUMBER(member, field) wire_int(sb, (field), (int64_t)p->member[node]);
#define ADD_STRING(member, field) wire_name(sb, (field), p, p->member[node]);
#define ADD_BY_HAND(...)
#define ADD_ALWAYS(...) __VA_ARGS__
#define ADD_WITHOUT_DEF(...)                                                                  \
    if (p->def[node].form == NODE_FORM_NONE || p->def[node].form >= NODE_FORM_OWN_NODE) {     \
        __VA_ARGS__                                                                           \
    }
#define ADD(member, type, kind, vector, part, stored, field) ADD_##stored(ADD_##kind(member, field))
    NODE_COLUMNS(ADD)
}

/* Appends NODE. FLOPS has the counts to store; NULL: recorded counts. */
static void add_node(struct strbuf *sb, const struct result *r, const struct flops *flops,
                     node_id node, struct code_strings *strings, struct arena *scratch,
                     struct exec_lists *lists)
{
    const struct profile *p = r->profile;
    const bool has_parts = p->part_begin && p->part_begin[node] < p->part_begin[node + 1];
    const struct common_calls calls =
        has_parts ? common_calls(p, flops, node) : (struct common_calls){.state = FLOPS_NO_RULE};
    struct exec_walk execs = profile_execs(p, node);
    struct exec e;
    const struct shape *shape = &p->shapes[p->shape[node]];

    wire_name(sb, NODE_NAME, p, p->name[node]);
    wire_name(sb, NODE_OP, p, p->op[node]);
    wire_int(sb, NODE_ID, node);
    add_inputs(sb, p, node);
    for (uint32_t i = p->output_begin[node]; i < p->output_begin[node + 1]; i++)
        add_output_shape(sb, p, &p->outputs[i]);
    if (shape->n_dims)
        wire_packed(sb, NODE_SHAPE, shape->dims, shape->n_dims);
    add_types(sb, p, node);
    add_columns(sb, p, node);
    wire_int(sb, NODE_FLOAT_OPS, has_parts ? calls.float_ops
                                 : flops   ? flops->count[node]
                                           : p->static_float_ops[node]);
    if (!has_parts || calls.stack.n_frames)
        code_def_write(sb, NODE_TRACE, p, strings,
                       has_parts ? &calls.stack : profile_stack(p, p->stack[node]));
    copy_attrs(sb, p, node, scratch);
    while (exec_next(&execs, &e))
        if (trace_exec_is_kept(r, &e))
            exec_write(sb, p, &e, lists);
    if (flops)
        wire_int(sb, OWN_NODE_STATE, (has_parts ? calls.state : flops->state[node]) + 1);
    add_scalars(sb, p, node);
    for (uint32_t i = p->run_output_begin[node]; i < p->run_output_begin[node + 1]; i++)
        add_run_output(sb, p, &p->run_outputs[i]);
}

/* Copies a ProfileNode; *ID is its id in the source. */
static void copy_node(struct strbuf *sb, const struct profile *p, node_id node,
                      struct arena *scratch, uint64_t *id)
{
    struct wire_in in = node_def_wire(p, node, scratch);
    bool had_trace = false;
    struct wire_field f;

    *id = 0;
    while (wire_next(&in, &f)) {
        if (f.number == NODE_TYPE || f.number == NODE_FLOAT_OPS)
            continue;
        if (f.number == NODE_ID)
            *id = f.value;
        had_trace |= f.number == NODE_TRACE;
        sb_add(sb, f.start, (size_t)(in.at - f.start));
    }
    add_types(sb, p, node);
    wire_int(sb, NODE_FLOAT_OPS, p->static_float_ops[node]);
    if (!had_trace)
        code_def_write(sb, NODE_TRACE, p, NULL, profile_stack(p, p->stack[node]));
}

/* ---- ProfileProto */

/* The source file if it is a single ProfileProto, else NULL. */
static const struct source_file *profile_source(const struct profile *p)
{
    if (p->n_nodes && p->def[0].form == NODE_FORM_PROFILENODE)
        return &p->files[p->def[0].file];
    return NULL;
}

static void write_nodes(const struct result *r, const struct flops *flops, struct outbuf *out,
                        struct code_strings *strings)
{
    const struct profile *p = r->profile;
    struct arena scratch = {0};
    struct exec_lists lists = {0};
    bool pass_through = profile_source(p) != NULL;

    for (node_id node = 0; node < p->n_nodes && outbuf_step(out); node++) {
        struct strbuf *sb = &out->text;
        struct strbuf message = {0};
        uint64_t id = node;
        size_t entry = wire_begin(sb, PROFILE_NODE);

        if (pass_through)
            copy_node(&message, p, node, &scratch, &id);
        else
            add_node(&message, r, flops, node, strings, &scratch, &lists);
        wire_int_always(sb, ENTRY_KEY, (int64_t)id);
        wire_bytes(sb, ENTRY_VALUE, sb_text(&message), message.len);
        wire_end(sb, entry);
        sb_done(&message);
        arena_reset(&scratch);
    }
    arena_done(&scratch);
    exec_lists_done(&lists);
}

/* Copies all fields of the source except nodes and the trace flag, including unknown fields. */
static void copy_rest(const struct source_file *file, struct outbuf *out)
{
    struct wire_in in;
    struct wire_field f;

    wire_in_init(&in, file->bytes, file->size_bytes);
    while (wire_next(&in, &f) && outbuf_step(out))
        if (f.number != PROFILE_NODE && f.number != PROFILE_HAS_TRACE)
            sb_add(&out->text, f.start, (size_t)(in.at - f.start));
}

static void add_call_site(struct strbuf *sb, const struct profile *p,
                          const struct call_site *site)
{
    const size_t mark = wire_begin(sb, OWN_CALL_SITE);

    if (site->call != NODE_NONE)
        wire_int(sb, CALL_SITE_CALL, (int64_t)site->call + 1);
    wire_name(sb, CALL_SITE_ROLE, p, site->role);
    wire_name(sb, CALL_SITE_FUNCTION, p, site->function);
    wire_int(sb, CALL_SITE_FIRST, site->first);
    wire_int(sb, CALL_SITE_N_NODES, site->n_nodes);
    wire_end(sb, mark);
}

static void write_own(const struct result *r, const struct flops *flops, struct outbuf *out)
{
    const struct profile *p = r->profile;

    wire_int(&out->text, OWN_PRODUCER, p->producer);
    if (flops)
        wire_int(&out->text, OWN_COUNT_RULES, (int64_t)flops_rules_of(flops) + 1);
    for (uint32_t i = 0; i < p->n_call_sites && outbuf_step(out); i++)
        add_call_site(&out->text, p, &p->call_sites[i]);
}

static void write_rest(const struct profile *p, struct outbuf *out,
                       const struct code_strings *strings)
{
    if (p->n_steps)
        wire_packed(&out->text, PROFILE_STEPS, p->steps, p->n_steps);
    wire_int(&out->text, PROFILE_MISS_ACCELERATOR_STREAM, p->misses_accelerator_stream);
    for (size_t id = 0; p->has_stacks && id < strings->n && outbuf_step(out); id++)
        code_string_write(&out->text, PROFILE_STRING, strings, id);
}

/* Adds a note about data that is lost because functions cannot be stored. */
static void note_lost_functions(struct result *r, const struct flops *flops)
{
    static const char *const rules[] = {
        [FLOPS_RULES_LOG] = "log", [FLOPS_RULES_COMPAT] = "compat", [FLOPS_RULES_FULL] = "full"};
    _Static_assert(sizeof rules / sizeof *rules == FLOPS_RULES_COUNT, "a name for each");

    note_add(&r->notes, "a profile stores no functions, only the rows of their bodies and their "
                        "counts by -flops %s; other rules, shapes and rows of the bodies need "
                        "the model", rules[flops_rules_of(flops)]);
}

static bool profile_write(struct result *r, struct sink *sink, struct err *err)
{
    const struct profile *p = r->profile;
    const struct source_file *source = profile_source(p);
    const struct flops *flops = NULL;
    struct code_strings strings;
    struct outbuf out;

    if (!trace_out_check(r, err))
        return false;
    if (!source && (p->n_functions || p->n_parts)) {
        flops = result_flops(r, err);
        if (!flops)
            return false;
        if (p->n_functions)
            note_lost_functions(r, flops);
        if (p->n_parts)
            trace_out_note(r, flops);
    }
    code_strings_init(&strings, p);
    outbuf_init(&out, sink, err);
    write_nodes(r, flops, &out, &strings);
    wire_int(&out.text, PROFILE_HAS_TRACE, p->has_stacks);
    if (source)
        copy_rest(source, &out);
    else {
        write_rest(p, &out, &strings);
        write_own(r, flops, &out);
    }
    code_strings_done(&strings);
    return outbuf_end(&out);
}

const struct output output_profile = {
    .name = "profile",
    .help = "all loaded data with all steps, as one profile file",
    .outfile = OUTFILE_NEEDED,
    .counts_operations = true,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_OP | 1u << VIEW_CODE,
    .write = profile_write,
};
