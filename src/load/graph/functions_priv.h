/* functions_priv.h: an expansion of functions under way, shared by functions.c, which
 * follows the calls, and function_copy.c, which adds the nodes. */
#ifndef TFPROF_LOAD_FUNCTIONS_PRIV_H
#define TFPROF_LOAD_FUNCTIONS_PRIV_H

#include "base/budget.h"
#include "load/graph/function_calls.h"
#include "load/graph/functions.h"

enum { NO_SITE = -1 };

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

/* Calls that have no body below them for one reason. */
struct left_out {
    uint64_t n;
    strid function; /* of the first one, in lib->names */
};

/* A function while its body is added below calls.  The tables by body string or shape
 * tell what it is in the graph, once it was asked for: a body may come often. */
struct function_use {
    struct body_calls calls;
    bool is_shown;      /* the body stands below a call */
    bool is_measured;
    uint64_t name_bytes; /* of all its nodes */
    strid *strings;      /* STRID_NONE: not asked for */
    strid *missing;      /* of names that no argument is given for; NULL: none yet */
    shape_id *shapes;    /* SHAPE_UNKNOWN: not asked for */
};

struct expansion {
    struct loader *loader;
    struct budget budget;
    uint64_t reserve_bytes; /* of it, for functions that have no rows yet */
    struct function_library *lib;
    uint32_t n_main; /* nodes of the graph itself */
    VEC(struct site) sites;
    VEC(struct origin) arguments;
    node_id arguments_of; /* the node whose arguments stand last, from first_argument on */
    size_t first_argument;
    struct strbuf name;
    uint32_t most_repeated;   /* nodes of bodies that stand there already */
    struct intern opened;     /* names of calls that have their body in any case */
    VEC(node_id) cut;         /* calls that have not, for want of room */
    struct function_use *uses; /* [lib->functions.n] */
    struct left_out too_many, too_large, recursive, too_deep;
};

static inline struct function_use *use_of(const struct expansion *x,
                                          const struct library_function *function)
{
    return &x->uses[function - x->lib->functions.data];
}

/* ---- what function_copy.c does */

/* Takes the cost of FUNCTION's body behind a prefix of PREFIX_LEN bytes from the budget;
 * false: there is not so much left. */
bool use_take_cost(struct expansion *x, const struct library_function *function,
                   size_t prefix_len);
void use_done(struct function_use *use);
/* The name of a node of the graph. */
strid expanded_name(const struct expansion *x, node_id node);
/* Where node SOURCE of the body at SITE, output INDEX, comes from. */
struct origin site_origin(struct expansion *x, const struct site *site, node_id source,
                          strid source_name, int32_t index);
/* Adds the nodes of SITE's body, named behind PREFIX_LEN bytes of x->name, and sets where
 * they stand; then their inputs. */
void site_add_nodes(struct expansion *x, struct site *site, size_t prefix_len);
void site_add_inputs(struct expansion *x, const struct site *site);
/* Appends a name. */
void expanded_add_name(struct strbuf *sb, const struct intern *strings, strid id);

#endif
