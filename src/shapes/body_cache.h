/* body_cache.h: a cache of inferred function bodies.  Each body is inferred once for each set of
 * argument shapes and constants, independent of the number of calls. */
#pragma once

#include "shapes/shape_graph.h"

struct body_cache;

/* Identifies one inference of a body. */
struct body_key {
    const struct function_body *body;
    const struct tensor *arguments;
    uint32_t n_arguments;
    bool not_inlined; /* see shape_graph_enter() */
};

struct body_cache *body_cache_new(void);
/* Also frees the graphs in it. */
void body_cache_free(struct body_cache *cache);

/* The graph of KEY, or NULL. */
struct shape_graph *body_cache_find(const struct body_cache *cache, const struct body_key *key);
/* Takes ownership of G and returns its number, counted from 0; KEY's arguments have to live as long
 * as the cache. */
uint32_t body_cache_add(struct body_cache *cache, const struct body_key *key,
                        struct shape_graph *g);
