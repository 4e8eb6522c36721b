/* pickle_values.h: how values are made; private to pickle*.c. */
#ifndef TFPROF_LOAD_SNAPSHOT_PICKLE_VALUES_H
#define TFPROF_LOAD_SNAPSHOT_PICKLE_VALUES_H

#include "load/snapshot/pickle.h"

static inline pickle_value pickle_make(enum pickle_kind kind, uint64_t index)
{
    return index << 4 | kind;
}

/* An integer by its bits and sign. */
pickle_value pickle_number(struct pickle *p, uint64_t bits, bool negative);
/* The same of LEN bytes, little-endian, two's complement. */
pickle_value pickle_long(struct pickle *p, const uint8_t *bytes, size_t len);
/* An empty PICKLE_LIST or PICKLE_DICT. */
pickle_value pickle_container(struct pickle *p, enum pickle_kind kind);
void pickle_append(struct pickle *p, pickle_value list, const pickle_value *values, size_t n);
/* N_PAIRS keys and values by turns; keys that are no texts are left out. */
void pickle_set_items(struct pickle *p, pickle_value dict, const pickle_value *pairs, size_t n_pairs);

/* Completes the containers that were open when reading ended (pickle_damage.c). */
void pickle_complete(struct pickle *p);

#endif
