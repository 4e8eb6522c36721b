/* functions.c: adds function bodies to the graph, below the nodes that call them.  A body is built
 * and searched for calls once; its nodes are copied for each call, within limits.  Calls in copied
 * bodies are processed breadth-first, without recursion; each copy stores its caller, so recursive
 * functions are detected. */
#include "load/graph/functions.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "load/graph/functions_priv.h"

enum { NODE_INPUT = 3, MAX_DEPTH = 50, ASKED_ROW_BYTES = 512, LOOK_STEPS = 3 };

/* ---- calls */

static void leave_out(struct left_out *reason, const struct library_function *function)
{
    if (!reason->n++)
        reason->function = function->name;
}

/* True when FUNCTION is among the callers of SITE: calling it would be a recursion. */
static bool is_open(const struct expansion *x, int64_t site, const struct library_function *function)
{
    for (; site != NO_SITE; site = x->sites.data[site].caller)
        if (x->sites.data[site].function == function)
            return true;
    return false;
}

/* Appends the arguments of a call in the body at CALLER. */
static void arguments_of_body(struct expansion *x, node_id node, const struct site *caller)
{
    const struct function_body *body = &caller->function->body;
    const node_id inner = node - caller->public.first + body->n_args;
    const struct profile *g = body->graph;

    for (uint32_t i = g->input_begin[inner]; i < g->input_begin[inner + 1]; i++) {
        const struct node_input *in = &g->inputs[i];

        struct origin o;

        if (in->own_index == INPUT_CONTROL)
            continue;
        o = site_origin(x, caller, in->source, profile_input_name(g, i), in->own_index);
        vec_push(&x->arguments, o);
    }
}

/* Parses "name" or "name:3", whose syntax was checked when the graph was read. */
static struct origin parse_origin(struct builder *b, const uint8_t *text, size_t len)
{
    const uint8_t *end = text + len;
    const uint8_t *colon = len ? memchr(text, ':', len) : NULL;
    struct origin o = {builder_str(b, text, colon ? (size_t)(colon - text) : len), 0};

    for (const uint8_t *c = colon ? colon + 1 : end; c < end && *c >= '0' && *c <= '9'; c++)
        o.index = o.index * 10 + (*c - '0');
    return o;
}

static void arguments_of_graph(struct expansion *x, node_id node)
{
    struct builder *b = x->loader->builder;
    const struct node_def def = builder_get_def(b, node);
    struct wire_in in =
        wire_in_of(builder_profile(b)->files[def.file].bytes + def.offset, def.len_bytes);
    struct wire_field f;

    while (wire_next_len(&in, &f, NODE_INPUT))
        if (!f.len || f.bytes[0] != '^')
            vec_push(&x->arguments, parse_origin(b, f.bytes, f.len));
}

/* Sets the arguments that NODE, in SITE or in the graph itself, passes to a function: its inputs
 * without control inputs and the first SKIPPED.  They are listed once for all functions of a
 * node. */
static void set_arguments(struct expansion *x, node_id node, int64_t site, uint32_t skipped,
                          struct site *callee)
{
    if (node != x->arguments_of) {
        x->arguments_of = node;
        x->first_argument = x->arguments.n;
        if (site == NO_SITE) {
            arguments_of_graph(x, node);
        } else {
            const struct site caller = x->sites.data[site];

            arguments_of_body(x, node, &caller);
        }
    }
    callee->n_arguments = (uint32_t)(x->arguments.n - x->first_argument);
    skipped = skipped < callee->n_arguments ? skipped : callee->n_arguments;
    callee->n_arguments -= skipped;
    callee->first_argument = x->first_argument + skipped;
}

/* ---- limits */

static bool is_opened(const struct expansion *x, node_id call)
{
    const struct profile *p = builder_profile(x->loader->builder);
    const strid name = call == NODE_NONE ? STRID_NONE : expanded_name(x, call);

    return name != STRID_NONE && x->opened.n > 1 &&
           intern_find(&x->opened, intern_text(&p->strings, name),
                       intern_len(&p->strings, name)) != STRID_NONE;
}

/* True when FUNCTION's body fits into the graph.  The first copy of each body has the larger limit;
 * further copies need room in the smaller one, or -open_calls. */
static bool has_room(const struct expansion *x, const struct library_function *function,
                     node_id call)
{
    const uint32_t n_added = builder_n_nodes(x->loader->builder) - x->n_main;
    const bool is_bound =
        (use_of(x, function)->is_shown || !x->most_repeated) && !is_opened(x, call);
    const uint32_t max = is_bound ? x->most_repeated : FUNCTIONS_MAX_NODES;

    return n_added < max && function->body.graph->n_nodes <= max - n_added;
}

/* Adds one body to the graph; x->name holds its prefix. */
static void expand_one(struct expansion *x, struct site site)
{
    struct builder *b = x->loader->builder;
    const struct intern *names = &x->lib->names;

    use_of(x, site.function)->is_shown = true;
    site.public.function = builder_str(b, intern_text(names, site.function->name),
                                       intern_len(names, site.function->name));
    site_add_nodes(x, &site, x->name.len);
    vec_push(&x->sites, site);
    site_add_inputs(x, &site);
}

static void set_prefix(struct expansion *x, node_id call, const struct callee *callee, bool is_one)
{
    sb_clear(&x->name);
    expanded_add_name(&x->name, &builder_profile(x->loader->builder)->strings,
                      expanded_name(x, call));
    sb_addc(&x->name, '/');
    if (!is_one) {
        sb_add(&x->name, intern_text(&x->lib->names, callee->role),
               intern_len(&x->lib->names, callee->role));
        sb_addc(&x->name, '/');
    }
}

/* Leading inputs that are not passed to the function: the selector of If and Case, the target of a
 * remote call. */
static uint32_t skipped_inputs(struct expansion *x, node_id node, const char *role)
{
    const struct builder *b = x->loader->builder;
    const char *op = profile_text(builder_profile(x->loader->builder), builder_get_op(b, node));

    if (strcmp(role, "body") == 0 && strcmp(op, "For") == 0)
        return 2; /* the counter replaces start, limit and delta */
    return strcmp(role, "then_branch") == 0 || strcmp(role, "else_branch") == 0 ||
           strncmp(role, "branches_", strlen("branches_")) == 0 ||
           strcmp(op, "RemoteCall") == 0;
}

/* Records that a body of the call NODE was left out. */
static void cut_call(struct expansion *x, node_id node, const struct library_function *function,
                     struct left_out *reason)
{
    leave_out(reason, function);
    if (!x->cut.n || x->cut.data[x->cut.n - 1] != node)
        vec_push(&x->cut, node);
}

/* Adds one of the N bodies that NODE calls in SITE. */
static void expand_call(struct expansion *x, node_id node, int64_t site,
                        const struct callee *callee, size_t n)
{
    const struct intern *names = &x->lib->names;
    const uint32_t depth = site == NO_SITE ? 0 : x->sites.data[site].depth + 1;
    struct site added = {
        .public = {.call = node}, .function = callee->function, .caller = site, .depth = depth};

    if (is_open(x, site, callee->function)) {
        leave_out(&x->recursive, callee->function);
    } else if (depth >= MAX_DEPTH) {
        leave_out(&x->too_deep, callee->function);
    } else if (!library_body(x->lib, callee->function, &x->budget)) {
        if (callee->function->state == FUNCTION_NOT_BUILT)
            cut_call(x, node, callee->function, &x->too_large);
    } else {
        if (!has_room(x, callee->function, node)) {
            cut_call(x, node, callee->function, &x->too_many);
            return;
        }
        set_prefix(x, node, callee, n == 1);
        if (!use_take_cost(x, callee->function, x->name.len)) {
            cut_call(x, node, callee->function, &x->too_large);
            return;
        }
        set_arguments(x, node, site, skipped_inputs(x, node, intern_text(names, callee->role)),
                      &added);
        added.public.role = builder_str(x->loader->builder, intern_text(names, callee->role),
                                        intern_len(names, callee->role));
        set_prefix(x, node, callee, n == 1);
        expand_one(x, added);
    }
}

/* Adds all N bodies that NODE calls.  This is charged to the budget, because a call with many
 * branches may be in a body that is called often. */
static void expand_calls(struct expansion *x, node_id node, int64_t site,
                         const struct callee *callees, size_t n)
{
    if (!n)
        return;
    if (!budget_take(&x->budget, 0, n * LOOK_STEPS)) {
        cut_call(x, node, callees[0].function, &x->too_large);
        return;
    }
    for (size_t i = 0; i < n; i++)
        expand_call(x, node, site, &callees[i], n);
}

/* Adds the bodies of CALLS, in the copy of a graph at SITE, whose first node after N_ARGS arguments
 * is node FIRST. */
static void expand_all(struct expansion *x, const struct body_calls *calls, int64_t site,
                       node_id first, uint32_t n_args)
{
    vec_each(const struct body_call, call, &calls->calls) {
        expand_calls(x, first + (call->node - n_args), site,
                     &calls->callees.data[call->first_callee], call->n_callees);
    }
}

static void expand_site(struct expansion *x, size_t site)
{
    const struct site s = x->sites.data[site];
    struct body_calls *calls = &use_of(x, s.function)->calls;

    body_calls_find(calls, x->lib, s.function);
    expand_all(x, calls, (int64_t)site, s.public.first, s.function->body.n_args);
}

/* ---- all calls */

static bool expand_inline(struct expansion *x, struct err *err)
{
    struct body_calls calls = {0};
    const bool found = body_calls_of_graph(&calls, x->lib, x->loader, x->n_main);

    if (found)
        expand_all(x, &calls, NO_SITE, 0, 0);
    body_calls_done(&calls);
    for (size_t site = 0; found && site < x->sites.n; site++) {
        if (cancel_asked(x->loader->cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        expand_site(x, site);
    }
    return found || err_set(err, ERR_CANCELLED, "cancelled");
}

struct named_function {
    const char *name;
    struct library_function *function;
};

COMPARE_CHAIN(compare_names, struct named_function, THEN(strcmp(a->name, b->name)))

static void expand_listed(struct expansion *x, struct library_function *function)
{
    const struct site site = {.public = {.call = NODE_NONE, .role = STRID_EMPTY},
                              .function = function, .caller = NO_SITE};

    if (!library_body(x->lib, function, &x->budget)) {
        if (function->state == FUNCTION_NOT_BUILT)
            leave_out(&x->too_large, function);
        return;
    }
    if (!has_room(x, function, NODE_NONE)) {
        leave_out(&x->too_many, function);
        return;
    }
    sb_clear(&x->name);
    expanded_add_name(&x->name, &x->lib->names, function->name);
    sb_addc(&x->name, '/');
    if (use_take_cost(x, function, x->name.len))
        expand_one(x, site);
    else
        leave_out(&x->too_large, function);
}

static void expand_list(struct expansion *x)
{
    VEC(struct named_function) list = {0};

    for (size_t i = 0; i < x->lib->functions.n; i++) {
        struct library_function *function = &x->lib->functions.data[i];

        vec_push(&list, ((struct named_function){
                            intern_text(&x->lib->names, function->name), function}));
    }
    vec_sort(&list, compare_names);
    for (size_t i = 0; i < list.n; i++)
        expand_listed(x, list.data[i].function);
    vec_done(&list);
}

/* Adds a note that bodies were left out for the reason WHY. */
static void note_reason(const struct expansion *x, const struct left_out *reason, const char *why)
{
    struct strbuf name = {0};

    if (!reason->n)
        return;
    load_quote(&name, (struct span){(const uint8_t *)intern_text(&x->lib->names, reason->function),
                                    intern_len(&x->lib->names, reason->function)});
    note_add(&builder_profile(x->loader->builder)->notes,
             "%s: function %s %s: cut (%" PRIu64 " such call%s)", x->loader->path,
             sb_text(&name), why, reason->n, reason->n == 1 ? "" : "s");
    sb_done(&name);
}

static void note_left_out(const struct expansion *x)
{
    if (x->most_repeated) /* else -functions off */
        note_reason(x, &x->too_many, "is not shown below every call: too many rows");
    note_reason(x, &x->too_large,
                "is not shown below every call: its rows would take more than 64 times the file");
    note_reason(x, &x->recursive, "calls itself");
    note_reason(x, &x->too_deep, "is called by functions that are nested too deeply");
}

COMPARE_VALUES(compare_node_ids, node_id)

static void store_sites(struct expansion *x, struct profile *p)
{
    p->call_sites = ARENA_NEW(&p->arena, struct call_site, x->sites.n + 1);
    for (size_t i = 0; i < x->sites.n; i++)
        if (x->sites.data[i].public.n_nodes)
            p->call_sites[p->n_call_sites++] = x->sites.data[i].public;
    vec_sort(&x->cut, compare_node_ids); /* so far they are sorted by name */
    p->n_cut_calls = (uint32_t)x->cut.n;
    p->cut_calls = ARENA_NEW(&p->arena, node_id, x->cut.n + 1);
    if (x->cut.n)
        memcpy(p->cut_calls, x->cut.data, x->cut.n * sizeof *p->cut_calls);
}

static void add_opened(const char *item, size_t len, size_t offset UNUSED, void *opened)
{
    intern_put(opened, item, len);
}

/* Three quarters of the load's budget; the rest is for counting operations.  Rows requested beyond
 * the default limit are added. */
static struct budget expansion_budget(const struct loader *l)
{
    const int64_t rows = l->request->options->function_rows;
    struct budget budget =
        budget_of(profile_input_bytes(builder_profile(l->builder)), l->cancel);

    budget.bytes_left -= budget.bytes_left / 4;
    if (rows > FUNCTIONS_REPEATED_NODES)
        budget.bytes_left += (uint64_t)(rows - FUNCTIONS_REPEATED_NODES) * ASKED_ROW_BYTES;
    return budget;
}

bool functions_expand(struct loader *l, struct err *err)
{
    struct expansion x = {.loader = l, .lib = l->library};
    struct profile *p = builder_profile(l->builder);
    const struct options *options = l->request->options;
    uint64_t budget_bytes;
    bool ok = true;

    p->n_functions = x.lib ? (uint32_t)x.lib->functions.n : 0;
    if (!p->n_functions || options->functions == FUNCTIONS_OFF)
        return true;
    x.n_main = builder_n_nodes(l->builder);
    x.arguments_of = NODE_NONE;
    assert(options->function_rows >= 0); /* the minimum of the option */
    x.most_repeated = options->function_rows < FUNCTIONS_MAX_NODES
                          ? (uint32_t)options->function_rows
                          : FUNCTIONS_MAX_NODES;
    intern_init(&x.opened);
    if (options->open_calls)
        regexes_split(options->open_calls, add_opened, &x.opened);
    x.budget = expansion_budget(l);
    x.reserve_bytes = x.budget.bytes_left / 8;
    budget_bytes = x.budget.bytes_left;
    x.uses = xcalloc(x.lib->functions.n, sizeof *x.uses);
    if (options->functions == FUNCTIONS_LIST) {
        p->function_rows = FUNCTION_ROWS_LISTED;
        x.most_repeated = FUNCTIONS_MAX_NODES;
        expand_list(&x);
    } else {
        p->function_rows = FUNCTION_ROWS_BELOW_CALLS;
        ok = expand_inline(&x, err);
    }
    p->expanded_bytes = budget_bytes - x.budget.bytes_left;
    note_left_out(&x);
    store_sites(&x, p);
    for (size_t i = 0; i < x.lib->functions.n; i++)
        use_done(&x.uses[i]);
    free(x.uses);
    intern_done(&x.opened);
    EACH(vec_done, &x.cut, &x.sites, &x.arguments);
    sb_done(&x.name);
    return ok;
}
