/* flat.h: reads FlatBuffers that nobody vouches for: every offset is checked before it is followed. */
#pragma once

#include "load/loader.h"

/* A buffer, and what was wrong with it first; everything reads as absent from then on. */
struct flat {
    struct span bytes;
    const char *why; /* NULL, or static text */
    size_t at;       /* where */
};

/* A table; offset 0 is none. */
struct flat_table {
    size_t at, vtable;
    uint16_t vtable_bytes;
};

struct flat_vector {
    size_t begin; /* of the items */
    uint32_t n;
};

/* Sets the error, unless there is one. */
void flat_fail(struct flat *f, size_t at, const char *why);

uint8_t flat_u8(struct flat *f, size_t at);
uint32_t flat_u32(struct flat *f, size_t at);
uint64_t flat_u64(struct flat *f, size_t at);

struct flat_table flat_root(struct flat *f);
uint8_t flat_field_u8(struct flat *f, struct flat_table t, uint16_t offset, uint8_t absent);
int32_t flat_field_i32(struct flat *f, struct flat_table t, uint16_t offset, int32_t absent);
uint64_t flat_field_u64(struct flat *f, struct flat_table t, uint16_t offset);
/* A table, a vector of items of SIZE_BYTES, or a string in a field; empty ones when it is absent. */
struct flat_table flat_field_table(struct flat *f, struct flat_table t, uint16_t offset);
struct flat_vector flat_field_vector(struct flat *f, struct flat_table t, uint16_t offset,
                                     size_t size_bytes);
struct span flat_field_string(struct flat *f, struct flat_table t, uint16_t offset);
/* Item I of a vector of tables, of numbers. */
struct flat_table flat_item_table(struct flat *f, struct flat_vector v, uint32_t i);
int32_t flat_item_i32(struct flat *f, struct flat_vector v, uint32_t i);
