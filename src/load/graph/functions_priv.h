/* functions_priv.h: state shared by functions.c, which follows calls, and function_copy.c, which
 * copies nodes. */
#pragma once

#include "base/budget.h"
#include "load/graph/function_calls.h"

enum { NO_SITE = -1 };

/* The source of a call's argument, as a node name of the whole graph. */
struct origin {
    strid name;
    int32_t index;
};

/* A call_site, and state for following calls. */
struct site {
    struct call_site public;
    const struct library_function *function;
    int64_t caller; /* the site that contains the call, or NO_SITE */
    uint32_t depth;
    size_t first_argument; /* index in expansion.arguments */
    uint32_t n_arguments;
};

/* Calls whose bodies were left out for one reason. */
struct left_out {
    uint64_t n;
    strid function; /* the first one, in lib->names */
};

/* A function whose body is copied.  The tables cache, by string or shape of the body, their ids in
 * the graph, because a body may be copied often. */
struct function_use {
    struct body_calls calls;
    bool is_shown;      /* the body was copied at least once */
    bool is_measured;
    uint64_t name_bytes; /* sum over its nodes */
    strid *strings;      /* STRID_NONE: not converted yet */
    strid *missing;      /* names of arguments without a value; NULL: none yet */
    shape_id *shapes;    /* SHAPE_UNKNOWN: not converted yet */
};

struct expansion {
    struct loader *loader;
    struct budget budget;
    uint64_t reserve_bytes; /* part of it reserved for functions without a copy */
    struct function_library *lib;
    uint32_t n_main; /* nodes of the graph itself */
    VEC(struct site) sites;
    VEC(struct origin) arguments;
    node_id arguments_of; /* the node whose arguments are the last ones, from first_argument on */
    size_t first_argument;
    struct strbuf name;
    uint32_t most_repeated;   /* limit for nodes of repeated bodies */
    struct intern opened;     /* names of calls whose bodies are always added */
    VEC(node_id) cut;         /* calls whose bodies were left out */
    struct function_use *uses; /* [lib->functions.n] */
    struct left_out too_many, too_large, recursive, too_deep;
};

static inline struct function_use *use_of(const struct expansion *x,
                                          const struct library_function *function)
{
    return &x->uses[function - x->lib->functions.data];
}

/* ---- function_copy.c */

/* Charges the budget for FUNCTION's body with a prefix of PREFIX_LEN bytes; false when it is
 * exhausted. */
bool use_take_cost(struct expansion *x, const struct library_function *function,
                   size_t prefix_len);
void use_done(struct function_use *use);
/* The name of a node of the graph. */
strid expanded_name(const struct expansion *x, node_id node);
/* The source of output INDEX of node SOURCE in the body at SITE. */
struct origin site_origin(struct expansion *x, const struct site *site, node_id source,
                          strid source_name, int32_t index);
/* Copies the nodes of SITE's body, with names that begin with PREFIX_LEN bytes of x->name, and sets
 * their range; then copies their inputs. */
void site_add_nodes(struct expansion *x, struct site *site, size_t prefix_len);
void site_add_inputs(struct expansion *x, const struct site *site);
/* Appends string ID. */
void expanded_add_name(struct strbuf *sb, const struct intern *strings, strid id);
