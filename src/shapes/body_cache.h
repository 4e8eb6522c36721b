/* body_cache.h: bodies of functions that are inferred already, by the
 * arguments they were called with: a body is looked at once for each set of
 * shapes and constants, however many calls there are. */
#ifndef TFPROF_SHAPES_BODY_CACHE_H
#define TFPROF_SHAPES_BODY_CACHE_H

#include "shapes/shape_graph.h"

struct body_cache;

/* What tells one inference of a body from another. */
struct body_key {
    const struct function_body *body;
    const struct tensor *arguments;
    uint32_t n_arguments;
    bool stays; /* see shape_graph_enter() */
};

struct body_cache *body_cache_new(void);
/* Frees the graphs in it too. */
void body_cache_free(struct body_cache *cache);

/* The graph of KEY, or NULL. */
struct shape_graph *body_cache_find(const struct body_cache *cache, const struct body_key *key);
/* Takes G and returns its number, in order; KEY's arguments must live as long
 * as the cache. */
uint32_t body_cache_add(struct body_cache *cache, const struct body_key *key,
                        struct shape_graph *g);

#endif
