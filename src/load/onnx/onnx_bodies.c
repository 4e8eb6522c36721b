/* onnx_bodies.c: bodies of control flow and of functions in ONNX models (formats-onnx.md sections 1 and 3). */
#include <string.h>

#include "load/onnx/onnx.h"

/* Upper bounds of the cost of a row in a body, and of its edges for each byte. */
enum { ROW_BYTES = 320, ROW_STEPS = 128, BODY_BYTES_PER_BYTE = 6 };
enum { NODE_INPUT = 1, GRAPH_OUTPUT = 12, FUNCTION_INPUT = 4, FUNCTION_OUTPUT = 5,
       FUNCTION_NODE = 7, INFO_NAME = 1 };

/* Sets x->rows.text to the key of a function: domain, name and overload. */
static void put_key(struct onnx *x, struct span domain, struct span name, struct span overload)
{
    sb_clear(&x->rows.text);
    if (!span_is(domain, "ai.onnx"))
        sb_add(&x->rows.text, domain.bytes, domain.len);
    sb_addc(&x->rows.text, '\0');
    sb_add(&x->rows.text, name.bytes, name.len);
    sb_addc(&x->rows.text, '\0');
    sb_add(&x->rows.text, overload.bytes, overload.len);
}

void onnx_add_function(struct onnx *x, struct span message)
{
    enum { NAME = 1, DOMAIN = 10, OVERLOAD = 13 };
    struct onnx_function f = {message, span_part(message, NAME), 0};

    wire_each(field, span_walk(message))
        f.n_nodes += field.number == FUNCTION_NODE;
    put_key(x, span_part(message, DOMAIN), f.name, span_part(message, OVERLOAD));
    if (f.name.bytes &&
        intern_put(&x->function_keys, sb_text(&x->rows.text), x->rows.text.len) == x->functions.n + 1)
        vec_push(&x->functions, f);
}

void onnx_note_call(struct onnx *x, struct span message, struct span domain, struct span type,
                    struct span overload, strid path, node_id node)
{
    struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
    struct node_def def = builder_get_def(x->b, node);
    strid key;

    put_key(x, domain, type, overload);
    key = intern_find(&x->function_keys, sb_text(&x->rows.text), x->rows.text.len);
    if (key == STRID_NONE || key == STRID_EMPTY)
        return;
    def.form = NODE_FORM_OWN_CALL;
    builder_set_def(x->b, node, def);
    vec_push(&frame->bodies, ((struct onnx_body){.graph = x->functions.data[key - 1].message,
                                                 .call = message, .holder = node, .prefix = path,
                                                 .function = key}));
}

/* ---- stack of graphs that are being read */

static bool is_being_expanded(const struct onnx *x, uint32_t function)
{
    for (size_t i = 0; i < x->frames.n; i++)
        if (x->frames.data[i].body.function == function)
            return true;
    return false;
}

/* Pushes a graph that can read values of graphs from depth SEEN_FROM on. */
static void push_frame(struct onnx *x, const struct onnx_body *body, uint32_t seen_from)
{
    const struct onnx_frame frame = {
        .body = *body, .seen_from = seen_from, .first_value = x->bound.n};

    vec_push(&x->frames, frame);
}

/* Binds the formal inputs of a function to the inputs of its call. */
static void bind_arguments(struct onnx *x, const struct onnx_body *body)
{
    struct wire_in formal = span_walk(body->graph), actual = span_walk(body->call);
    VEC(struct onnx_value) given = {0};
    struct wire_field f;
    size_t i = 0;

    while (wire_next_len(&actual, &f, NODE_INPUT)) {
        const struct onnx_value *value = f.len ? onnx_lookup(x, field_span(&f)) : NULL;

        vec_push(&given, (value ? *value : (struct onnx_value){.node = STRID_NONE}));
    }
    push_frame(x, body, (uint32_t)x->frames.n + 1);
    for (; wire_next_len(&formal, &f, FUNCTION_INPUT) && i < given.n; i++)
        if (given.data[i].node != STRID_NONE)
            onnx_bind(x, field_span(&f), given.data[i].node, given.data[i].output);
    vec_done(&given);
}

static bool enter_graph(struct onnx *x, const struct onnx_body *body, struct err *err)
{
    if (x->frames.n >= ONNX_MAX_DEPTH)
        return load_fail(x->l, body->graph.bytes, err, "graphs are nested more than %d levels deep",
                         ONNX_MAX_DEPTH);
    if (body->function) {
        bind_arguments(x, body);
    } else {
        push_frame(x, body, x->frames.n ? x->frames.data[x->frames.n - 1].seen_from : 1);
    }
    return onnx_fill_graph(x, err);
}

/* Adds the results of a body, in order, as control inputs of its holder. */
static void add_results(struct onnx *x)
{
    enum { FIRST_POSITION = 1 << 24 };
    const struct onnx_body *body = &x->frames.data[x->frames.n - 1].body;
    const bool is_function = body->function != 0;
    struct wire_in in = span_walk(body->graph);
    struct wire_field f;

    while (x->n_results < INT32_MAX - FIRST_POSITION &&
           wire_next_len(&in, &f, is_function ? FUNCTION_OUTPUT : GRAPH_OUTPUT)) {
        const struct span name = is_function ? field_span(&f) : span_part(field_span(&f), INFO_NAME);
        const struct onnx_value *value = name.bytes && name.len ? onnx_lookup(x, name) : NULL;

        builder_add_input(x->b, body->holder, FIRST_POSITION + x->n_results++,
                          value ? value->node : STRID_EMPTY, value ? value->output : 0,
                          INPUT_CONTROL);
    }
}

static void leave_graph(struct onnx *x)
{
    struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];

    if (x->frames.n > 1)
        add_results(x);
    onnx_unbind(x);
    vec_done(&frame->bodies);
    x->frames.n--;
}

/* True when BODY is to be expanded; false if it exceeds a limit, or with ERR if it is recursive. */
static bool should_expand(struct onnx *x, const struct onnx_body *body, struct err *err)
{
    const struct onnx_function *f;
    struct strbuf name = {0};

    if (!body->function)
        return true;
    f = &x->functions.data[body->function - 1];
    if (is_being_expanded(x, body->function)) {
        load_quote(&name, f->name);
        load_fail(x->l, body->call.bytes, err, "function %s calls itself", sb_text(&name));
        sb_done(&name);
        return false;
    }
    if (x->n_nodes < ONNX_MAX_NODES &&
        budget_take(&x->budget, ROW_BYTES * f->n_nodes + BODY_BYTES_PER_BYTE * body->graph.len,
                    ROW_STEPS * f->n_nodes + body->graph.len / 8))
        return true;
    x->n_closed_calls++;
    return false;
}

void onnx_charge_row(struct onnx *x)
{
    if (x->frames.n > 1 && !x->frames.data[x->frames.n - 1].body.function)
        budget_charge(&x->budget, ROW_BYTES, ROW_STEPS);
}

bool onnx_add_graph(struct onnx *x, struct err *err)
{
    const struct onnx_body main = {.graph = x->graph.data[0], .prefix = STRID_EMPTY, .holder = NODE_NONE};
    bool ok = enter_graph(x, &main, err);

    while (ok && x->frames.n) {
        struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
        struct onnx_body body;

        if (frame->next_body == frame->bodies.n) {
            leave_graph(x);
            continue;
        }
        body = frame->bodies.data[frame->next_body++];
        if (should_expand(x, &body, err)) {
            x->n_flow += body.function == 0;
            ok = enter_graph(x, &body, err);
        }
        ok = ok && err->kind == ERR_NONE;
    }
    for (; x->frames.n; x->frames.n--)
        vec_done(&x->frames.data[x->frames.n - 1].bodies);
    return ok;
}
