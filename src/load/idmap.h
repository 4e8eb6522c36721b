/* idmap.h: a hash map from 64-bit ids of a file to 32-bit values. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap_slot {
    int64_t id;
    uint32_t value; /* IDMAP_NONE: unused slot */
    uint32_t file;
};

/* Empty when zeroed. */
struct idmap {
    struct idmap_slot *slots; /* open addressing */
    size_t n, n_slots;
};

/* Sets ID to VALUE (not IDMAP_NONE).  Within a file the last value of an id counts, as in protobuf
 * maps; between files the first. */
void idmap_put(struct idmap *m, int64_t id, uint32_t value, uint32_t file);
/* The value, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *m, int64_t id);
/* Prefetches the slot of ID. */
void idmap_prefetch(const struct idmap *m, int64_t id);
/* A pointer to the value, valid until the next idmap_put(); NULL if none. */
uint32_t *idmap_find(const struct idmap *m, int64_t id);
void idmap_done(struct idmap *m);
