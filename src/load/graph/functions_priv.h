/* functions_priv.h: an expansion of functions under way, shared by functions.c, which
 * follows the calls, and function_copy.c, which adds the nodes. */
#ifndef TFPROF_LOAD_FUNCTIONS_PRIV_H
#define TFPROF_LOAD_FUNCTIONS_PRIV_H

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

struct expansion {
    struct loader *loader;
    struct function_library *lib;
    uint32_t n_main; /* nodes of the graph itself */
    VEC(struct site) sites;
    VEC(struct origin) arguments;
    struct strbuf name;
    uint32_t most_repeated;   /* nodes of bodies that stand there already */
    struct intern opened;     /* names of calls that have their body in any case */
    VEC(node_id) cut;         /* calls that have not, for want of room */
    struct body_calls *calls; /* [lib->functions.n] */
    bool *is_shown;           /* [lib->functions.n] the body stands below a call */
    struct left_out too_many, recursive, too_deep;
};

/* What function_copy.c does.  The body of SITE's function, which is there. */
const struct function_body *site_body(struct expansion *x, const struct site *site);
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
