/* body_cache.c: a hash table of inferred bodies, keyed by their arguments. */
#include "shapes/body_cache.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "base/xalloc.h"

struct entry {
    struct body_key key;
    struct shape_graph *graph;
    uint64_t hash;
    uint32_t next; /* next entry of the bucket, + 1; 0: none */
};

struct body_cache {
    VEC(struct entry) entries;
    VEC(uint32_t) buckets; /* a power of two; first entry + 1 */
};

struct body_cache *body_cache_new(void)
{
    return xcalloc(1, sizeof(struct body_cache));
}

void body_cache_free(struct body_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->entries.n; i++)
        shape_graph_free(cache->entries.data[i].graph);
    EACH(vec_done, &cache->entries, &cache->buckets);
    free(cache);
}

static bool same_key(const struct body_key *a, const struct body_key *b)
{
    return a->body == b->body && a->n_arguments == b->n_arguments && a->not_inlined == b->not_inlined &&
           tensors_equal(a->arguments, b->arguments, a->n_arguments);
}

static uint64_t mix_dims(uint64_t hash, const struct dims *s)
{
    hash = hash_pair(hash, s ? s->rank : UINT32_MAX);
    for (uint32_t i = 0; s && i < s->rank; i++)
        hash = hash_pair(hash, (uint64_t)s->d[i]);
    return hash;
}

/* Hashes the fields that same_key() compares, except a few flags. */
static uint64_t hash_of(const struct body_key *key)
{
    uint64_t hash = hash_pair((uintptr_t)key->body, 2 * (uint64_t)key->n_arguments + key->not_inlined);

    array_each(const struct tensor, t, key->arguments, key->n_arguments) {
        hash = mix_dims(hash, t->shape);
        for (uint32_t k = 0; t->value && k < t->value->n; k++)
            hash = hash_pair(hash, (uint64_t)t->value->v[k]);
        for (uint32_t k = 0; t->handle && k < t->handle->n; k++)
            hash = mix_dims(hash, t->handle->shapes[k]);
    }
    return hash;
}

struct shape_graph *body_cache_find(const struct body_cache *cache, const struct body_key *key)
{
    const uint64_t hash = hash_of(key);
    uint32_t at = cache->buckets.n ? cache->buckets.data[hash & (cache->buckets.n - 1)] : 0;

    for (; at; at = cache->entries.data[at - 1].next) {
        const struct entry *e = &cache->entries.data[at - 1];

        if (e->hash == hash && same_key(&e->key, key))
            return e->graph;
    }
    return NULL;
}

static void link_entry(struct body_cache *cache, uint32_t i)
{
    uint32_t *bucket =
        &cache->buckets.data[cache->entries.data[i].hash & (cache->buckets.n - 1)];

    cache->entries.data[i].next = *bucket;
    *bucket = i + 1;
}

uint32_t body_cache_add(struct body_cache *cache, const struct body_key *key,
                        struct shape_graph *g)
{
    const struct entry e = {.key = *key, .graph = g, .hash = hash_of(key)};
    const size_t n_buckets = cache->buckets.n;

    vec_push(&cache->entries, e);
    if (cache->entries.n <= n_buckets) {
        link_entry(cache, (uint32_t)cache->entries.n - 1);
        return (uint32_t)cache->entries.n - 1;
    }
    cache->buckets.n = 0;
    vec_resize_zero(&cache->buckets, n_buckets ? 2 * n_buckets : 64);
    for (uint32_t i = 0; i < cache->entries.n; i++)
        link_entry(cache, i);
    return (uint32_t)cache->entries.n - 1;
}
