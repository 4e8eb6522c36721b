/* count_calls.c: the functions that a node calls, their arguments, and how often they run. */
#include "flops/count_calls.h"

#include <string.h>

#include "base/satmath.h"

/* The arguments of the function. */
enum call_arguments {
    ARGUMENTS_INPUTS,  /* the inputs, without those that select or index */
    ARGUMENTS_LOOP,    /* the inputs, reduced to what all iterations have in common */
    ARGUMENTS_RANGE,   /* a counter, then the inputs after start, limit and delta */
    ARGUMENTS_SLICES,  /* the inputs without their first dimension */
    ARGUMENTS_UNKNOWN, /* such as elements of a data set */
};

/* How often the function runs. */
enum call_times { TIMES_ONCE, TIMES_TRIPS, TIMES_TRIPS_AND_ONE, TIMES_RANGE, TIMES_SLICES,
                  TIMES_UNKNOWN };

struct call_rule {
    const char *ops;   /* separated by blanks */
    const char *attrs; /* attributes that name functions, separated by blanks; NULL: any */
    enum call_arguments arguments;
    enum call_times times;
    uint32_t first;   /* leading inputs that are not passed on */
    bool is_branch;
    bool is_entered;  /* TensorFlow inlines the body */
    bool is_ungiven;  /* the code that runs is derived from the function and unknown */
};

static const struct call_rule rules[] = {
    {.ops = "PartitionedCall StatefulPartitionedCall", .attrs = "f", .is_entered = true},
    {.ops = "Case StatelessCase", .attrs = "branches", .first = 1, .is_branch = true,
     .is_entered = true},
    {.ops = "If StatelessIf _If XlaIf", .attrs = "then_branch else_branch", .first = 1,
     .is_branch = true},
    {.ops = "While StatelessWhile _While XlaWhile", .attrs = "body", .arguments = ARGUMENTS_LOOP,
     .times = TIMES_TRIPS},
    {.ops = "While StatelessWhile _While XlaWhile", .attrs = "cond", .arguments = ARGUMENTS_LOOP,
     .times = TIMES_TRIPS_AND_ONE},
    {.ops = "For", .attrs = "body", .arguments = ARGUMENTS_RANGE, .times = TIMES_RANGE, .first = 3},
    {.ops = "RemoteCall", .attrs = "f", .first = 1},
    {.ops = "TPUPartitionedCall BatchFunction", .attrs = "f"},
    {.ops = "XlaLaunch", .attrs = "function"},
    {.ops = "MapDefun", .attrs = "f", .arguments = ARGUMENTS_SLICES, .times = TIMES_SLICES},
    {.ops = "SymbolicGradient", .attrs = "f", .is_ungiven = true},
};
static const struct call_rule by_name = {.is_entered = true};
static const struct call_rule of_dataset = {.arguments = ARGUMENTS_UNKNOWN, .times = TIMES_UNKNOWN};

/* True when LIST, separated by blanks, contains WORD. */
static bool has_word(const char *list, const char *word, size_t len)
{
    while (*list) {
        size_t n = strcspn(list, " ");

        if (n == len && memcmp(list, word, len) == 0)
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}

/* ---- arguments and times */

/* T without its first dimension. */
static struct tensor slice_of(struct arena *keep, struct tensor t)
{
    return (struct tensor){.shape = dims_slice(keep, t.shape, 1, DIMS_MAX_RANK)};
}

static const struct shape_graph *enter_range(struct opctx *c, struct attr_bytes name, bool not_inlined)
{
    struct tensor *arguments = ARENA_NEW(c->scratch, struct tensor, (size_t)c->n_in + 1);
    uint32_t n = 0;

    arguments[n++] = (struct tensor){.shape = &dims_scalar};
    for (uint32_t i = 3; i < c->n_in; i++)
        arguments[n++] = (struct tensor){.shape = c->in[i].shape, .handle = c->in[i].handle};
    return shape_graph_enter_with(c, name, arguments, n, not_inlined);
}

static const struct shape_graph *enter_slices(struct opctx *c, struct attr_bytes name, bool not_inlined)
{
    const size_t n_sliced = opctx_n_items(c, "Targuments");
    struct tensor *arguments = ARENA_NEW(c->scratch, struct tensor, (size_t)c->n_in + 1);

    for (uint32_t i = 0; i < c->n_in; i++)
        arguments[i] = i < n_sliced ? slice_of(c->keep, c->in[i]) : c->in[i];
    return shape_graph_enter_with(c, name, arguments, c->n_in, not_inlined);
}

/* Enters with the shapes that the function itself declares for its arguments. */
static const struct shape_graph *enter_unknown(struct opctx *c, const struct shape_graph *g,
                                               struct attr_bytes name, bool not_inlined)
{
    const struct function_body *body = shape_graph_function(g, name);
    struct tensor *arguments;

    if (!body)
        return NULL;
    arguments = ARENA_NEW(c->scratch, struct tensor, (size_t)body->n_args + 1);
    memset(arguments, 0, body->n_args * sizeof *arguments);
    return shape_graph_enter_with(c, name, arguments, body->n_args, not_inlined);
}

static const struct shape_graph *enter(struct opctx *c, const struct shape_graph *g,
                                       const struct call_rule *rule, struct attr_bytes name,
                                       bool not_inlined)
{
    switch (rule->arguments) {
    case ARGUMENTS_INPUTS:
        /* In a function that is not inlined, inference has at most the shapes of its arguments, not their
         * values. */
        return shape_graph_enter(c, name, rule->first, !not_inlined || c->stronger, not_inlined);
    case ARGUMENTS_LOOP:
        return shape_graph_enter(c, name, 0, false, not_inlined);
    case ARGUMENTS_RANGE:
        return enter_range(c, name, not_inlined);
    case ARGUMENTS_SLICES:
        return enter_slices(c, name, not_inlined);
    case ARGUMENTS_UNKNOWN:
        break;
    }
    return enter_unknown(c, g, name, not_inlined);
}

/* How often a rule's function runs; TRIPS_UNKNOWN when that cannot be derived. */
static int64_t times_of(struct opctx *c, const struct call_rule *rule)
{
    const struct shape_graph *condition, *body;
    int64_t start, limit, delta, trips;

    switch (rule->times) {
    case TIMES_ONCE:
        return 1;
    case TIMES_TRIPS:
    case TIMES_TRIPS_AND_ONE:
        condition = shape_graph_enter(c, opctx_string(c, "cond", ""), 0, false, true);
        body = shape_graph_enter(c, opctx_string(c, "body", ""), 0, false, true);
        trips = condition && body ? trips_of_while(c, condition, body) : TRIPS_UNKNOWN;
        if (trips != TRIPS_UNKNOWN && rule->times == TIMES_TRIPS_AND_ONE)
            trips = clamp_add(trips, 1);
        return trips;
    case TIMES_RANGE:
        if (in_const_scalar(c, 0, &start) && in_const_scalar(c, 1, &limit) &&
            in_const_scalar(c, 2, &delta))
            return trips_of_range(start, limit, delta);
        return TRIPS_UNKNOWN;
    case TIMES_SLICES:
        return dim_at(in_shape(c, 0), 0) >= 0 ? dim_at(in_shape(c, 0), 0) : TRIPS_UNKNOWN;
    case TIMES_UNKNOWN:
        break;
    }
    return TRIPS_UNKNOWN;
}

/* ---- parts */

/* Collects the calls of one node. */
struct gathering {
    const struct call_request *request;
    struct opctx c;
    call_part_list *parts;
    bool settled; /* inputs are reduced to what all iterations of the loop agree on */
};

/* Adds function NAME, called by attribute ATTR; ITEM is its index in a list of functions, or -1. */
static void add_part(struct gathering *a, const struct call_rule *rule, struct attr_bytes name,
                     struct attr_bytes attr, int64_t item)
{
    const struct shape_graph *g = a->request->graph;
    const struct function_body *body = shape_graph_function(g, name);
    struct call_part part = {.attr = attr, .item = item, .function = name,
                             .is_branch = rule->is_branch, .is_ungiven = rule->is_ungiven,
                             .not_inlined = !rule->is_entered || (body && body->no_inline)};
    int64_t times = TRIPS_UNKNOWN;

    if (rule->arguments == ARGUMENTS_LOOP && !a->settled) {
        shape_graph_weaken_inputs(&a->c);
        a->settled = true;
    }
    part.graph = enter(&a->c, g, rule, name, part.not_inlined);
    if (a->request->full || rule->times == TIMES_ONCE)
        times = times_of(&a->c, rule);
    part.per_trip = times == TRIPS_UNKNOWN;
    part.times = part.per_trip ? 1 : times;
    vec_push(a->parts, part);
}

/* Adds the functions that RULE's attributes of the node name. */
static void add_attrs(struct gathering *a, const struct call_rule *rule)
{
    (void)opctx_attr(&a->c, "");
    for (size_t i = 0; i < a->c.n_attrs; i++) {
        const struct attr *attr = &a->c.attrs[i];
        const struct attr_value *v = &attr->value;

        if (rule->attrs && !has_word(rule->attrs, attr->name.bytes, attr->name.len))
            continue;
        if (v->kind == ATTR_FUNC)
            add_part(a, rule, v->v.s, attr->name, -1);
        for (uint32_t k = 0; v->kind == ATTR_LIST && v->item_kind == ATTR_FUNC && k < v->n_items;
             k++)
            add_part(a, rule, v->v.list_s[k], attr->name, k);
    }
}

static struct attr_bytes op_of(const struct shape_graph *g, node_id node)
{
    const struct profile *p = shape_graph_profile(g);

    return (struct attr_bytes){profile_text(p, p->op[node]),
                               intern_len(&p->strings, p->op[node])};
}

void call_parts(const struct call_request *r, call_part_list *parts)
{
    const struct attr_bytes op = op_of(r->graph, r->node);
    struct gathering a = {.request = r, .parts = parts};
    bool loaded = false;

    if (!shape_graph_has_functions(r->graph))
        return;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (!has_word(rules[i].ops, op.bytes, op.len))
            continue;
        if (!loaded)
            shape_graph_load(r->graph, r->node, r->scratch, &a.c);
        loaded = true;
        add_attrs(&a, &rules[i]);
    }
    if (!loaded && strstr(op.bytes, "Dataset")) {
        shape_graph_load(r->graph, r->node, r->scratch, &a.c);
        add_attrs(&a, &of_dataset);
    } else if (!loaded && shape_graph_function(r->graph, op)) {
        shape_graph_load(r->graph, r->node, r->scratch, &a.c);
        add_part(&a, &by_name, op, (struct attr_bytes){"", 0}, -1);
    }
}

bool calls_function(const struct shape_graph *g, node_id node)
{
    const struct attr_bytes op = op_of(g, node);

    for (size_t i = 0; shape_graph_has_functions(g) && i < sizeof rules / sizeof *rules; i++)
        if (has_word(rules[i].ops, op.bytes, op.len))
            return true;
    return shape_graph_function(g, op) != NULL;
}

struct call_part call_of_function(const struct shape_graph *g, struct attr_bytes function)
{
    const struct opctx c = {.graph = g};

    return (struct call_part){.item = -1, .function = function, .times = 1,
                              .graph = shape_graph_enter_with(&c, function, NULL, 0, false)};
}
