/* generate_functions.c: function libraries and nodes that call them: calls, branches, loops with a
 * known number of iterations, functions that call each other or themselves. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "proto/graph.pb-c.h"

enum { MAX_ARGUMENTS = 5, MAX_BODY = 8 };

/* ---- calls */

struct call_row {
    const char *op;
    const char *attrs; /* attributes that name functions, separated by blanks */
    const char *list;  /* attribute with a list of functions; NULL: none */
};

static const struct call_row call_rows[] = {
    {"PartitionedCall", "f", NULL},
    {"StatefulPartitionedCall", "f", NULL},
    {"If", "then_branch else_branch", NULL},
    {"StatelessIf", "then_branch else_branch", NULL},
    {"Case", "", "branches"},
    {"StatelessCase", "", "branches"},
    {"While", "cond body", NULL},
    {"StatelessWhile", "body cond", NULL},
    {"For", "body", NULL},
    {"MapDefun", "f", NULL},
    {"SymbolicGradient", "f", NULL},
    {"RemoteCall", "f", NULL},
    {"XlaLaunch", "function", NULL},
    {"BatchFunction", "f", NULL},
    {"MapDataset", "f", NULL},
    {"Conv2D", "f", NULL},
};

static void put_types(struct draw *d, const char *name, uint32_t n)
{
    draw_attr_open(d, name);
    put_open(d->tree, "list");
    for (; n > 0; n--)
        put_int(d->tree, "type", draw_dtype(d));
    case_tree_close(d->tree);
    draw_attr_close(d);
}

static void put_callees(struct draw *d, const struct call_row *row)
{
    for (const char *at = row->attrs; *at;) {
        char name[32];
        const size_t len = strcspn(at, " ");

        snprintf(name, sizeof name, "%.*s", (int)len, at);
        draw_attr_func(d, name, draw_any_function(d));
        at += len + (at[len] == ' ');
    }
    if (!row->list)
        return;
    draw_attr_open(d, row->list);
    put_open(d->tree, "list");
    for (uint32_t n = draw_below(d, 5); n > 0; n--) {
        put_open(d->tree, "func");
        put_text(d->tree, "name", draw_any_function(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    draw_attr_close(d);
}

void draw_call(struct draw *d, uint32_t i)
{
    const struct call_row *row = &DRAW_ONE(d, call_rows);
    const uint32_t n = draw_below(d, MAX_ARGUMENTS + 1);
    char text[80];

    if (draw_rarely(d, 4)) {
        put_text(d->tree, "op", draw_any_function(d));
    } else {
        put_text(d->tree, "op", row->op);
        put_callees(d, row);
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t output = draw_rarely(d, 5) ? draw_below(d, 9) : 0;

        draw_node_name(d, draw_rarely(d, 10) ? draw_below(d, d->n_nodes) : draw_below(d, i + 1));
        snprintf(text, sizeof text, "%s:%u", d->text, output);
        put_text(d->tree, "input", text);
    }
    put_types(d, "Tin", draw_rarely(d, 8) ? draw_below(d, 9) : n);
    put_types(d, "Tout", draw_below(d, 4));
    if (draw_rarely(d, 4))
        draw_attrs(d, 20);
}

/* ---- functions */

static void put_argument(struct draw *d, const char *field, const char *name)
{
    put_open(d->tree, field);
    put_text(d->tree, "name", name);
    if (draw_rarely(d, 12)) {
        put_text(d->tree, "type_attr", "T");
        put_text(d->tree, "number_attr", draw_rarely(d, 2) ? "N" : "");
    } else if (draw_rarely(d, 12)) {
        put_text(d->tree, "type_list_attr", "Tin");
    } else {
        put_int(d->tree, "type", draw_dtype(d));
    }
    case_tree_close(d->tree);
}

static void put_signature(struct draw *d, uint32_t f, uint32_t n_in, uint32_t n_out)
{
    char name[16];

    put_open(d->tree, "signature");
    put_text(d->tree, "name", draw_rarely(d, 40) ? draw_any_function(d) : draw_function_name(d, f));
    for (uint32_t i = 0; i < n_in; i++) {
        snprintf(name, sizeof name, "a%u", draw_rarely(d, 40) ? 0 : i);
        put_argument(d, "input_arg", name);
    }
    for (uint32_t i = 0; i < n_out; i++) {
        snprintf(name, sizeof name, "r%u", draw_rarely(d, 40) ? 0 : i);
        put_argument(d, "output_arg", name);
    }
    if (draw_rarely(d, 6)) {
        put_open(d->tree, "attr");
        put_text(d->tree, "name", "T");
        put_text(d->tree, "type", "type");
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

/* An input of a node of the body, or the source of a result. */
static const char *body_source(struct draw *d, uint32_t n_in, uint32_t before, char *text, size_t size)
{
    static const char *const outputs[] = {"output", "z", "y", "r0", "r1", "product", "value", ""};

    if (before == 0 || draw_rarely(d, 3))
        snprintf(text, size, "a%u", draw_below(d, n_in + (draw_rarely(d, 20) ? 3 : 1)));
    else
        snprintf(text, size, "b%u:%s:%d", draw_below(d, before), DRAW_ONE(d, outputs),
                 draw_rarely(d, 10) ? (int)draw_int(d) : 0);
    return text;
}

static void put_body_node(struct draw *d, uint32_t k, uint32_t n_in)
{
    static const char *const ops[] = {"AddV2", "Mul", "MatMul", "Less", "Identity", "Conv2D", "Const",
                                      "Shape", "Reshape", "ReadVariableOp", "TensorListSetItem"};
    char text[48];

    put_open(d->tree, "node_def");
    snprintf(text, sizeof text, "b%u", draw_rarely(d, 40) ? 0 : k);
    put_text(d->tree, "name", text);
    if (draw_rarely(d, 4)) {
        draw_call(d, 0);
    } else {
        const char *op = DRAW_ONE(d, ops);

        put_text(d->tree, "op", op);
        if (strcmp(op, "Const") == 0)
            draw_attr_tensor(d, "value");
    }
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_text(d->tree, "input", body_source(d, n_in, draw_rarely(d, 10) ? MAX_BODY : k, text, sizeof text));
    if (draw_rarely(d, 3))
        draw_attrs(d, 20);
    case_tree_close(d->tree);
}

/* Attributes of arguments, which are outside the signature. */
static void put_argument_attrs(struct draw *d, uint32_t n_in)
{
    put_open(d->tree, "arg_attr");
    put_int(d->tree, "key", draw_rarely(d, 10) ? draw_int(d) : draw_below(d, n_in + 1));
    put_open(d->tree, "value");
    draw_attr_open(d, "_output_shapes");
    put_open(d->tree, "list");
    for (uint32_t n = draw_rarely(d, 6) ? draw_below(d, 4) : 1; n > 0; n--)
        draw_shape(d, "shape");
    case_tree_close(d->tree);
    draw_attr_close(d);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_function(struct draw *d, uint32_t f)
{
    const uint32_t n_in = draw_below(d, MAX_ARGUMENTS), n_out = draw_below(d, 4);
    const uint32_t n_body = draw_below(d, MAX_BODY);
    char text[48];

    put_open(d->tree, "function");
    put_signature(d, f, n_in, n_out);
    for (uint32_t k = 0; k < n_body; k++)
        put_body_node(d, k, n_in);
    for (uint32_t i = 0; i < n_out; i++) {
        snprintf(text, sizeof text, "r%u", i);
        put_entry(d->tree, "ret", text);
        put_text(d->tree, "value", body_source(d, n_in, n_body, text, sizeof text));
        case_tree_close(d->tree);
    }
    if (draw_rarely(d, 3))
        put_argument_attrs(d, n_in);
    if (draw_rarely(d, 4))
        draw_attrs(d, 40);
    if (draw_rarely(d, 6)) {
        put_open(d->tree, "resource_arg_unique_id");
        put_int(d->tree, "key", draw_int(d));
        put_int(d->tree, "value", draw_int(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

/* ---- a While with a known number of iterations: cond_count and body_count */

static void put_simple_function(struct draw *d, const char *name, const char *op, bool keeps)
{
    put_open(d->tree, "function");
    put_open(d->tree, "signature");
    put_text(d->tree, "name", name);
    for (int i = 0; i < 2; i++) {
        put_open(d->tree, "input_arg");
        put_text(d->tree, "name", i ? "a1" : "a0");
        put_int(d->tree, "type", i ? 1 : 3);
        case_tree_close(d->tree);
        if (i && !keeps)
            break;
        put_open(d->tree, "output_arg");
        put_text(d->tree, "name", i ? "r1" : "r0");
        put_int(d->tree, "type", !keeps ? 10 : i ? 1 : 3);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    put_open(d->tree, "node_def");
    put_text(d->tree, "name", "c");
    put_text(d->tree, "op", "Const");
    draw_attr_type(d, "dtype", 3);
    draw_attr_open(d, "value");
    draw_int_tensor(d, "tensor", 1, true);
    draw_attr_close(d);
    case_tree_close(d->tree);
    put_open(d->tree, "node_def");
    put_text(d->tree, "name", "o");
    put_text(d->tree, "op", op);
    put_text(d->tree, "input", "a0");
    put_text(d->tree, "input", "c:output:0");
    case_tree_close(d->tree);
    for (int i = 0; i < (keeps ? 2 : 1); i++) {
        put_entry(d->tree, "ret", i ? "r1" : "r0");
        put_text(d->tree, "value", i ? "a1" : "o:z:0");
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_counted_while(struct draw *d)
{
    put_open(d->tree, "node");
    put_text(d->tree, "name", "counted");
    put_text(d->tree, "op", draw_rarely(d, 2) ? "While" : "StatelessWhile");
    put_text(d->tree, "input", draw_rarely(d, 4) ? draw_any_node(d) : "start");
    put_text(d->tree, "input", draw_any_node(d));
    draw_attr_func(d, "cond", "cond_count");
    draw_attr_func(d, "body", draw_rarely(d, 8) ? "cond_count" : "body_count");
    draw_attr_open(d, "T");
    put_open(d->tree, "list");
    put_int(d->tree, "type", 3);
    put_int(d->tree, "type", 1);
    case_tree_close(d->tree);
    draw_attr_close(d);
    case_tree_close(d->tree);
    put_open(d->tree, "node");
    put_text(d->tree, "name", "start");
    put_text(d->tree, "op", "Const");
    draw_attr_open(d, "value");
    draw_int_tensor(d, "tensor", 1, true);
    draw_attr_close(d);
    case_tree_close(d->tree);
}

void draw_library(struct draw *d)
{
    const bool counted = draw_rarely(d, 2);

    if (counted)
        put_counted_while(d);
    put_open(d->tree, "library");
    for (uint32_t f = 0; f < d->n_functions; f++)
        put_function(d, f);
    if (counted) {
        put_simple_function(d, "cond_count", draw_rarely(d, 5) ? "GreaterEqual" : "Less", false);
        put_simple_function(d, "body_count", draw_rarely(d, 5) ? "Sub" : "AddV2", true);
    }
    if (draw_rarely(d, 5)) {
        put_open(d->tree, "gradient");
        put_text(d->tree, "function_name", draw_any_function(d));
        put_text(d->tree, "gradient_func", draw_any_function(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

void generate_functions(struct draw *d)
{
    d->n_functions = 1 + draw_below(d, DRAW_MAX_FUNCTIONS);
    generate_graph(d);
}
