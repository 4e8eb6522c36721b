/* function_body.c: converts a FunctionDef to a graph: arguments become nodes, and node:output:index
 * becomes node:index. */
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "load/graph/attrs.h"
#include "load/bytes/elements.h"
#include "load/graph/function_outputs.h"

enum {
    FUNCTION_SIGNATURE = 1,
    FUNCTION_NODE = 3,
    FUNCTION_RET = 4,
    FUNCTION_ATTR = 5,
    FUNCTION_ARG_ATTR = 7
};
enum { OP_INPUT_ARG = 2, OP_OUTPUT_ARG = 3 };
enum { ARG_NAME = 1, NODE_INPUT = 3, ARG_ATTRS_ENTRY = 1 };

/* A body under construction. */
struct body_builder {
    struct function_library *lib;
    const struct library_function *function;
    struct loader loader;
    struct output_names names;
};

/* ---- arguments */

typedef VEC(struct span) argument_list;

/* Lists the arguments of a signature.  It is scanned once, because a mapped file may change. */
static bool list_arguments(struct body_builder *b, struct span signature, argument_list *arguments,
                           struct err *err)
{
    struct wire_in in = span_walk(signature);
    struct wire_field f;

    while (wire_next_len(&in, &f, OP_INPUT_ARG))
        vec_push(arguments, field_span(&f));
    return load_ended(&b->loader, &in, "signature", err);
}

/* The ArgAttrs of each of the N arguments: map entries, bytes NULL: none.  The caller frees the
 * list. */
static struct span *list_arg_attrs(struct span def, size_t n)
{
    struct span *attrs = xcalloc(n + 1, sizeof *attrs);
    struct wire_in in = span_walk(def);
    struct wire_field f, part;

    while (wire_next_len(&in, &f, FUNCTION_ARG_ATTR)) {
        struct wire_in entry = wire_in_field(&f);
        uint64_t key = 0;

        while (wire_next(&entry, &part))
            if (part.number == 1 && part.type == WIRE_VARINT)
                key = part.value;
        if (key < n)
            attrs[key] = field_span(&f);
    }
    return attrs;
}

static struct node_def def_at(const struct body_builder *b, struct span message,
                              enum node_form form)
{
    return (struct node_def){.offset = (uint64_t)(message.bytes - b->function->file.bytes),
                             .len_bytes = (uint32_t)message.len, .form = (uint8_t)form};
}

/* Sets the shapes of arguments without shapes in ARG_ATTRS from attribute _input_shapes, with which
 * the function was traced. */
static void add_argument_shapes(struct body_builder *b, const struct span *arg_attrs,
                                uint32_t n_args)
{
    struct span def = b->function->def;
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs =
        attrs_of_message(wire_in_of(def.bytes, def.len), FUNCTION_ATTR, &arena, &n);
    const struct attr_value *shapes = attrs_find(attrs, n, "_input_shapes");
    uint32_t n_shapes = shapes && shapes->kind == ATTR_LIST && shapes->item_kind == ATTR_SHAPE
                            ? shapes->n_items
                            : 0;

    for (uint32_t i = 0; i < n_args && i < n_shapes; i++) {
        const struct attr_shape *s = &shapes->v.list_shape[i];
        const struct wire_pieces own =
            wire_submessage(wire_in_of(arg_attrs[i].bytes, arg_attrs[i].len), 2, &arena);

        attrs = attrs_of_message(wire_in_pieces(&own), ARG_ATTRS_ENTRY, &arena, &n);
        if (!attrs_find(attrs, n, "_output_shapes") && !s->unknown_rank)
            builder_add_output(b->loader.builder, i, 0,
                               s->n_dims ? builder_shape(b->loader.builder, s->dims, s->n_dims)
                                         : SHAPE_SCALAR);
    }
    arena_done(&arena);
}

static bool load_arguments(struct body_builder *b, const argument_list *arguments,
                           const struct span *arg_attrs, struct err *err)
{
    for (size_t i = 0; i < arguments->n; i++) {
        struct span name = span_part(arguments->data[i], ARG_NAME);
        struct node_def def = {0};

        if (arg_attrs[i].bytes)
            def = def_at(b, arg_attrs[i], NODE_FORM_ARG_ATTRS);
        if (!name.bytes)
            name = (struct span){arguments->data[i].bytes, 0};
        if (!load_argument(&b->loader, name, arg_attrs[i], def, err))
            return false;
    }
    return true;
}

static bool add_arguments(struct body_builder *b, struct span signature, uint32_t *n,
                          struct err *err)
{
    argument_list arguments = {0};
    struct span *arg_attrs;
    bool ok = list_arguments(b, signature, &arguments, err);

    *n = (uint32_t)arguments.n;
    arg_attrs = list_arg_attrs(b->function->def, arguments.n);
    ok = ok && load_arguments(b, &arguments, arg_attrs, err);
    if (ok)
        add_argument_shapes(b, arg_attrs, *n);
    free(arg_attrs);
    vec_done(&arguments);
    return ok;
}

static bool add_nodes(struct body_builder *b, struct err *err)
{
    struct wire_in in = span_walk(b->function->def);
    struct wire_field f;

    while (wire_next(&in, &f))
        if (f.number == FUNCTION_NODE && f.type == WIRE_LEN && f.len <= UINT32_MAX &&
            !load_node(&b->loader, field_span(&f),
                       def_at(b, field_span(&f), NODE_FORM_NODEDEF), err))
            return false;
    return load_ended(&b->loader, &in, "function", err);
}

/* ---- inputs */

static int32_t parse_index(struct span digits)
{
    int32_t value = 0;

    for (size_t i = 0; i < digits.len; i++) {
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9' || value > MAX_OUTPUTS)
            return 0;
        value = value * 10 + (digits.bytes[i] - '0');
    }
    return value;
}

/* The part of S before the first colon; the part after it goes to *REST. */
static struct span cut_colon(struct span s, struct span *rest)
{
    const uint8_t *colon = s.len ? memchr(s.bytes, ':', s.len) : NULL;
    size_t len = colon ? (size_t)(colon - s.bytes) : s.len;

    *rest = colon ? (struct span){colon + 1, s.len - len - 1}
                  : (struct span){s.bytes + s.len, 0};
    return (struct span){s.bytes, len};
}

/* A reference in a body: "arg", "arg:0", "node:out:0", "^node". */
struct reference {
    strid name;
    node_id node; /* NODE_NONE: unknown node */
    int32_t index;
    bool is_control;
};

/* The number of outputs of NODE before those called NAME. */
static int64_t named_before(struct body_builder *b, node_id node, struct span name)
{
    const struct intern *strings = &builder_profile(b->loader.builder)->strings;
    struct node_def def;
    strid op;

    if (node == NODE_NONE)
        return 0;
    def = builder_get_def(b->loader.builder, node);
    op = builder_get_op(b->loader.builder, node);
    return outputs_before(
        &b->names, node, (struct span){b->function->file.bytes + def.offset, def.len_bytes},
        (struct span){(const uint8_t *)intern_text(strings, op), intern_len(strings, op)}, name);
}

static struct reference resolve(struct body_builder *b, struct span text)
{
    struct reference r = {.is_control = text.len && text.bytes[0] == '^'};
    struct span rest, index, output;
    struct span name;

    if (r.is_control)
        text = (struct span){text.bytes + 1, text.len - 1};
    name = cut_colon(text, &rest);
    r.name = builder_str(b->loader.builder, name.bytes, name.len);
    r.node = builder_find(b->loader.builder, r.name);
    output = cut_colon(rest, &index);
    if (index.bytes > rest.bytes + output.len) {
        const int64_t place = clamp_add(named_before(b, r.node, output), parse_index(index));

        r.index = place > INT32_MAX ? INT32_MAX : (int32_t)place;
    } else {
        r.index = parse_index(output);
    }
    return r;
}

static void add_inputs(struct body_builder *b, node_id node)
{
    const struct node_def def = builder_get_def(b->loader.builder, node);
    int32_t position = 0;

    wire_each_len(f, wire_in_of(b->function->file.bytes + def.offset, def.len_bytes), NODE_INPUT) {
        const struct reference r = resolve(b, field_span(&f));

        builder_add_input(b->loader.builder, node, position++, r.name,
                          r.is_control ? 0 : r.index, r.is_control ? INPUT_CONTROL : r.index);
    }
}

/* ---- results */

/* The outputs of the body that are results, by result name. */
struct rets {
    struct intern names;
    VEC(struct span) outputs; /* by name; bytes NULL: none */
};

/* The first of equal names counts. */
static void list_rets(struct rets *rets, struct span def)
{
    intern_init(&rets->names);
    wire_each_len(f, span_walk(def), FUNCTION_RET) {
        const struct span key = span_part(field_span(&f), 1), value = span_part(field_span(&f), 2);
        strid name;

        if (!key.bytes || !value.bytes)
            continue;
        name = intern_put(&rets->names, key.bytes, key.len);
        if (name >= rets->outputs.n)
            vec_resize_zero(&rets->outputs, (size_t)name + 1);
        if (!rets->outputs.data[name].bytes)
            rets->outputs.data[name] = value;
    }
}

static struct span find_ret(const struct rets *rets, struct span name)
{
    const strid id = name.bytes ? intern_find(&rets->names, name.bytes, name.len) : STRID_NONE;

    return id < rets->outputs.n ? rets->outputs.data[id] : (struct span){0};
}

static void add_results(struct body_builder *b, struct span signature, struct function_body *body)
{
    VEC(struct function_result) results = {0};
    struct function_result *kept;
    struct rets rets = {0};

    list_rets(&rets, b->function->def);
    wire_each_len(f, span_walk(signature), OP_OUTPUT_ARG) {
        struct function_result result = {NODE_NONE, 0};
        const struct span ret = find_ret(&rets, span_part(field_span(&f), ARG_NAME));

        if (ret.bytes) {
            struct reference r = resolve(b, ret);

            result = (struct function_result){r.node, r.index};
        }
        vec_push(&results, result);
    }
    kept = ARENA_NEW(&b->lib->arena, struct function_result, results.n + 1);
    if (results.n)
        memcpy(kept, results.data, results.n * sizeof *kept);
    body->results = kept;
    body->n_results = (uint32_t)results.n;
    EACH(vec_done, &results, &rets.outputs);
    intern_done(&rets.names);
}

static bool has_no_inline_attr(struct span def)
{
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs =
        attrs_of_message(wire_in_of(def.bytes, def.len), FUNCTION_ATTR, &arena, &n);
    const struct attr_value *v = attrs_find(attrs, n, "_noinline");
    bool no_inline = v && v->kind == ATTR_BOOL && v->v.i != 0;

    arena_done(&arena);
    return no_inline;
}

/* ---- building */

enum function_state function_body_build(struct function_library *lib,
                                        struct library_function *function,
                                        struct budget *budget)
{
    static const struct load_request nothing;
    struct body_builder b = {
        .lib = lib, .function = function, .names = {.lib = lib, .budget = budget}};
    struct span signature = span_message(function->def, FUNCTION_SIGNATURE, &lib->arena);
    struct source_file file = {.path = xstrdup(""), .bytes = function->file.bytes,
                               .size_bytes = function->file.len};
    struct err err = {0};
    enum function_state state = FUNCTION_BUILT;
    bool ok;

    loader_init(&b.loader, &nothing, NULL, budget->cancel);
    b.loader.in_function = true;
    b.loader.input = function->file;
    b.loader.path = "";
    b.loader.file = builder_file(b.loader.builder, file);
    ok = add_arguments(&b, signature, &function->body.n_args, &err) && add_nodes(&b, &err);
    for (node_id i = function->body.n_args; ok && i < builder_n_nodes(b.loader.builder); i++)
        add_inputs(&b, i);
    if (ok) {
        add_results(&b, signature, &function->body);
        function->body.no_inline = has_no_inline_attr(function->def);
        function->body.graph = builder_finish(b.loader.builder);
    } else {
        state = err.kind == ERR_CANCELLED ? FUNCTION_NOT_BUILT : FUNCTION_BROKEN;
        builder_abandon(b.loader.builder);
    }
    output_names_done(&b.names);
    loader_done(&b.loader);
    err_done(&err);
    return state;
}
