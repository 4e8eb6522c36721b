/* functions.c: bodies of functions in the graph, below the nodes that call
 * them.
 *
 * A body is read once; for every call its nodes are added again under the
 * call's name.  The nodes added last are looked at for calls in turn, so
 * nothing recurses; who called whom is kept to find circles. */
#include "load/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/attrs.h"
#include "load/function_library.h"

enum { NODE_INPUT = 3, NODE_ATTR = 5, NO_SITE = -1, MOST_DEPTH = 50 };

/* Where an argument of a call comes from, in the names of the whole graph. */
struct origin {
    strid name;
    int32_t index;
};

/* A call_site and what is needed while calls are followed. */
struct site {
    struct call_site public;
    const struct library_function *function;
    int64_t caller; /* the site that the call stands in, or NO_SITE */
    uint32_t depth;
    size_t first_argument; /* in expansion.arguments */
    uint32_t n_arguments;
};

struct expansion {
    struct loader *loader;
    struct function_library *lib;
    uint32_t most_nodes;
    VEC(struct site) sites;
    VEC(struct origin) arguments;
    struct strbuf name;
    bool is_full;         /* no more nodes: said once */
    uint32_t n_recursive; /* calls that were cut */
    strid recursive;      /* the first such function, in lib->names */
};

/* ---- names and sources */

static const struct function_body *body_of(struct expansion *x, const struct site *site)
{
    return library_body(x->lib, (struct library_function *)site->function);
}

static strid node_name(const struct expansion *x, node_id node)
{
    return builder_name(x->loader->builder, node);
}

static void add_name(struct strbuf *sb, const struct intern *strings, strid id)
{
    sb_add(sb, intern_text(strings, id), intern_len(strings, id));
}

/* Where node SOURCE of the body at SITE, output INDEX, comes from. */
static struct origin origin_of(struct expansion *x, const struct site *site, node_id source,
                               strid source_name, int32_t index)
{
    const struct function_body *body = body_of(x, site);
    struct builder *b = x->loader->builder;

    if (source != NODE_NONE && source >= body->n_args)
        return (struct origin){node_name(x, site->public.first + (source - body->n_args)), index};
    if (source != NODE_NONE && source < site->n_arguments)
        return x->arguments.data[site->first_argument + source];
    /* No such argument is given: a name with nothing behind it. */
    sb_clear(&x->name);
    add_name(&x->name, &x->lib->names, site->function->name);
    sb_addc(&x->name, '/');
    add_name(&x->name, &body->graph->strings, source_name);
    return (struct origin){builder_str(b, sb_text(&x->name), x->name.len), index};
}

/* ---- calls */

/* The functions that a node calls: by its op, or by attributes. */
struct callee {
    struct library_function *function;
    char attr[64]; /* "then_branch", "branches_0"; "" for the op itself */
};

static void add_callee(struct expansion *x, struct attr_bytes name, struct attr_bytes attr,
                       int64_t item, struct callee *callees, size_t max, size_t *n)
{
    struct library_function *function = library_find(x->lib, name.bytes, name.len);
    struct callee *callee = &callees[*n];

    if (!function || *n == max)
        return;
    callee->function = function;
    if (item < 0)
        snprintf(callee->attr, sizeof callee->attr, "%.*s", (int)attr.len, attr.bytes);
    else
        snprintf(callee->attr, sizeof callee->attr, "%.*s_%" PRId64, (int)attr.len, attr.bytes,
                 item);
    ++*n;
}

static size_t find_callees(struct expansion *x, node_id node, struct callee *callees, size_t max)
{
    const struct builder *b = x->loader->builder;
    const struct profile *p = builder_profile(x->loader->builder);
    const struct node_def def = builder_def(b, node);
    const strid op = builder_op(b, node);
    struct arena arena = {0};
    const struct attr *attrs = NULL;
    size_t n_attrs = 0;
    size_t n = 0;

    add_callee(x, (struct attr_bytes){profile_text(p, op), intern_len(&p->strings, op)},
               (struct attr_bytes){"", 0}, -1, callees, max, &n);
    if (def.form == NODE_FORM_NODEDEF)
        attrs = attrs_of_message(
            wire_in_of(p->files[def.file].bytes + def.offset, def.len_bytes), NODE_ATTR, &arena,
            &n_attrs);
    for (size_t i = 0; i < n_attrs; i++) {
        const struct attr_value *v = &attrs[i].value;

        if (v->kind == ATTR_FUNC)
            add_callee(x, v->v.s, attrs[i].name, -1, callees, max, &n);
        for (uint32_t k = 0; v->kind == ATTR_LIST && v->item_kind == ATTR_FUNC && k < v->n_items; k++)
            add_callee(x, v->v.list_s[k], attrs[i].name, k, callees, max, &n);
    }
    arena_done(&arena);
    return n;
}

/* True when FUNCTION is open where SITE stands: it would call itself. */
static bool is_open(const struct expansion *x, int64_t site, const struct library_function *function)
{
    for (; site != NO_SITE; site = x->sites.data[site].caller)
        if (x->sites.data[site].function == function)
            return true;
    return false;
}

/* Appends the arguments of a call that stands in the body at CALLER. */
static void arguments_of_body(struct expansion *x, node_id node, const struct site *caller,
                              uint32_t skipped)
{
    const struct function_body *body = body_of(x, caller);
    const node_id inner = node - caller->public.first + body->n_args;
    const struct profile *g = body->graph;

    for (uint32_t i = g->input_begin[inner]; i < g->input_begin[inner + 1]; i++) {
        const struct node_input *in = &g->inputs[i];

        if (in->own_index == INPUT_CONTROL)
            continue;
        if (skipped) {
            skipped--;
        } else {
            struct origin o = origin_of(x, caller, in->source, in->source_name, in->own_index);

            vec_push(&x->arguments, o);
        }
    }
}

/* "name" or "name:3"; that it is a number was checked when the graph was read. */
static struct origin parse_origin(struct builder *b, const uint8_t *text, size_t len)
{
    const uint8_t *end = text + len;
    const uint8_t *colon = len ? memchr(text, ':', len) : NULL;
    struct origin o = {builder_str(b, text, colon ? (size_t)(colon - text) : len), 0};

    for (const uint8_t *c = colon ? colon + 1 : end; c < end && *c >= '0' && *c <= '9'; c++)
        o.index = o.index * 10 + (*c - '0');
    return o;
}

static void arguments_of_graph(struct expansion *x, node_id node, uint32_t skipped)
{
    struct builder *b = x->loader->builder;
    const struct node_def def = builder_def(b, node);
    struct wire_in in =
        wire_in_of(builder_profile(b)->files[def.file].bytes + def.offset, def.len_bytes);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number != NODE_INPUT || f.type != WIRE_LEN || (f.len && f.bytes[0] == '^'))
            continue;
        if (skipped)
            skipped--;
        else
            vec_push(&x->arguments, parse_origin(b, f.bytes, f.len));
    }
}

/* Appends what NODE, in SITE or in the graph itself, hands to a function: its
 * inputs but for the control inputs and the SKIPPED first ones. */
static void add_arguments(struct expansion *x, node_id node, int64_t site, uint32_t skipped,
                          struct site *callee)
{
    callee->first_argument = x->arguments.n;
    if (site == NO_SITE) {
        arguments_of_graph(x, node, skipped);
    } else {
        const struct site caller = x->sites.data[site];

        arguments_of_body(x, node, &caller, skipped);
    }
    callee->n_arguments = (uint32_t)(x->arguments.n - callee->first_argument);
}

/* ---- bodies */

/* A name below PREFIX_LEN bytes of x->name that no node has. */
static strid free_name(struct expansion *x, size_t prefix_len, const char *name, size_t len)
{
    struct builder *b = x->loader->builder;
    strid id;

    sb_cut(&x->name, prefix_len);
    sb_add(&x->name, name, len);
    while (id = builder_str(b, sb_text(&x->name), x->name.len), builder_find(b, id) != NODE_NONE)
        sb_adds(&x->name, "_inlined");
    return id;
}

static void copy_shapes(struct builder *b, const struct profile *g, node_id from, node_id to)
{
    const shape_id shape = g->shape[from];

    if (shape != SHAPE_UNKNOWN)
        builder_set_shape(b, to,
                          shape == SHAPE_SCALAR
                              ? SHAPE_SCALAR
                              : builder_shape(b, g->shapes[shape].dims, g->shapes[shape].n_dims));
    for (uint32_t i = g->output_begin[from]; i < g->output_begin[from + 1]; i++) {
        const struct node_output *out = &g->outputs[i];

        builder_add_output(b, to, out->index,
                           out->shape <= SHAPE_SCALAR
                               ? out->shape
                               : builder_shape(b, g->shapes[out->shape].dims,
                                               g->shapes[out->shape].n_dims));
    }
}

/* Adds the nodes of SITE's body, named behind PREFIX_LEN bytes of x->name. */
static void add_nodes(struct expansion *x, struct site *site, size_t prefix_len)
{
    const struct function_body *body = body_of(x, site);
    const struct profile *g = body->graph;
    struct builder *b = x->loader->builder;

    site->public.first = builder_n_nodes(b);
    site->public.n_nodes = g->n_nodes - body->n_args;
    for (node_id i = body->n_args; i < g->n_nodes; i++) {
        strid name = free_name(x, prefix_len, profile_text(g, g->name[i]),
                               intern_len(&g->strings, g->name[i]));
        struct node_def def = g->def[i];
        bool added;
        node_id node = builder_node(b, name,
                                    builder_str(b, profile_text(g, g->op[i]),
                                                intern_len(&g->strings, g->op[i])),
                                    &added);

        def.file = site->function->file_index;
        builder_set_def(b, node, def);
        copy_shapes(b, g, i, node);
    }
}

static void add_inputs(struct expansion *x, const struct site *site)
{
    const struct function_body *body = body_of(x, site);
    const struct profile *g = body->graph;

    for (node_id i = body->n_args; i < g->n_nodes; i++)
        for (uint32_t k = g->input_begin[i]; k < g->input_begin[i + 1]; k++) {
            const struct node_input *in = &g->inputs[k];
            const bool is_control = in->own_index == INPUT_CONTROL;
            struct origin o = origin_of(x, site, in->source, in->source_name,
                                        is_control ? 0 : in->own_index);

            builder_add_input(x->loader->builder, site->public.first + (i - body->n_args),
                              in->position, o.name, is_control ? 0 : o.index,
                              is_control ? INPUT_CONTROL : o.index);
        }
}

/* Puts one body into the graph; x->name holds its prefix. */
static void expand_one(struct expansion *x, struct site site)
{
    const struct function_body *body = body_of(x, &site);
    struct builder *b = x->loader->builder;
    const struct intern *names = &x->lib->names;

    if (!body)
        return;
    if (body->graph->n_nodes > x->most_nodes - builder_n_nodes(b)) {
        x->is_full = true;
        return;
    }
    site.public.function = builder_str(b, intern_text(names, site.function->name),
                                       intern_len(names, site.function->name));
    add_nodes(x, &site, x->name.len);
    vec_push(&x->sites, site);
    add_inputs(x, &site);
}

static void set_prefix(struct expansion *x, node_id call, const struct callee *callee, bool is_one)
{
    sb_clear(&x->name);
    add_name(&x->name, &builder_profile(x->loader->builder)->strings, node_name(x, call));
    sb_addc(&x->name, '/');
    if (!is_one) {
        sb_adds(&x->name, callee->attr);
        sb_addc(&x->name, '/');
    }
}

/* If and Case choose by their first input, which the branches do not get. */
static uint32_t choosing_inputs(const char *attr)
{
    return strcmp(attr, "then_branch") == 0 || strcmp(attr, "else_branch") == 0 ||
           strncmp(attr, "branches_", strlen("branches_")) == 0;
}

/* The bodies of all that NODE calls; SITE is where it stands. */
static void expand_calls(struct expansion *x, node_id node, int64_t site)
{
    struct callee callees[64];
    const size_t n = find_callees(x, node, callees, sizeof callees / sizeof *callees);
    const uint32_t depth = site == NO_SITE ? 0 : x->sites.data[site].depth + 1;

    for (size_t i = 0; i < n; i++) {
        struct site callee = {.public = {.call = node},
                              .function = callees[i].function,
                              .caller = site,
                              .depth = depth};

        if (is_open(x, site, callees[i].function) || depth >= MOST_DEPTH) {
            if (!x->n_recursive++)
                x->recursive = callees[i].function->name;
            continue;
        }
        if (!library_body(x->lib, callees[i].function))
            continue;
        add_arguments(x, node, site, choosing_inputs(callees[i].attr), &callee);
        set_prefix(x, node, &callees[i], n == 1);
        expand_one(x, callee);
    }
}

/* ---- the whole */

static bool expand_inline(struct expansion *x, struct err *err)
{
    int64_t site = NO_SITE;

    for (node_id i = 0; i < builder_n_nodes(x->loader->builder) && !x->is_full; i++) {
        if (i % 1024 == 0 && cancel_asked(x->loader->cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        /* Sites follow each other as their nodes do; some have none. */
        while (site + 1 < (int64_t)x->sites.n && i >= x->sites.data[site + 1].public.first)
            site++;
        expand_calls(x, i, site);
    }
    return true;
}

static void expand_list(struct expansion *x)
{
    for (size_t i = 0; i < x->lib->functions.n && !x->is_full; i++) {
        struct library_function *function = &x->lib->functions.data[i];
        struct site site = {
            .public = {.call = NODE_NONE}, .function = function, .caller = NO_SITE};

        if (!library_body(x->lib, function))
            continue;
        sb_clear(&x->name);
        add_name(&x->name, &x->lib->names, function->name);
        sb_addc(&x->name, '/');
        expand_one(x, site);
    }
}

static void tell(const struct expansion *x, struct profile *p)
{
    if (x->is_full)
        note_add(&p->notes, "%s: functions: more than %d nodes: the rest is left out",
                 x->loader->path, FUNCTIONS_MOST_NODES);
    if (x->n_recursive)
        note_add(&p->notes, "%s: function %s calls itself: cut (%" PRIu32 " such calls)",
                 x->loader->path, intern_text(&x->lib->names, x->recursive), x->n_recursive);
}

static void keep_sites(const struct expansion *x, struct profile *p)
{
    p->call_sites = ARENA_NEW(&p->arena, struct call_site, x->sites.n + 1);
    for (size_t i = 0; i < x->sites.n; i++)
        if (x->sites.data[i].public.n_nodes)
            p->call_sites[p->n_call_sites++] = x->sites.data[i].public;
}

bool functions_expand(struct loader *l, struct err *err)
{
    struct expansion x = {.loader = l, .lib = l->library};
    struct profile *p = builder_profile(l->builder);
    bool ok = true;

    if (!x.lib || !x.lib->functions.n || l->request->functions == FUNCTIONS_OFF)
        return true;
    x.most_nodes = builder_n_nodes(l->builder) + FUNCTIONS_MOST_NODES;
    if (l->request->functions == FUNCTIONS_LIST)
        expand_list(&x);
    else
        ok = expand_inline(&x, err);
    tell(&x, p);
    keep_sites(&x, p);
    vec_done(&x.sites);
    vec_done(&x.arguments);
    sb_done(&x.name);
    return ok;
}
