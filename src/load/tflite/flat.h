/* flat.h: reads untrusted FlatBuffers: every offset is checked before it is used. */
#pragma once

#include "load/loader.h"

/* A buffer and its first error.  After an error all reads return "absent". */
struct flat {
    struct span bytes;
    const char *why; /* static text; NULL: no error */
    size_t at;       /* position of the error */
};

/* A table; at 0: absent. */
struct flat_table {
    size_t at, vtable;
    uint16_t vtable_bytes;
};

struct flat_vector {
    size_t begin; /* position of the first item */
    uint32_t n;
};

/* Sets the error unless there is one already. */
void flat_fail(struct flat *f, size_t at, const char *why);

uint8_t flat_u8(struct flat *f, size_t at);
uint32_t flat_u32(struct flat *f, size_t at);
uint64_t flat_u64(struct flat *f, size_t at);

struct flat_table flat_root(struct flat *f);
uint8_t flat_field_u8(struct flat *f, struct flat_table t, uint16_t offset, uint8_t absent);
int32_t flat_field_i32(struct flat *f, struct flat_table t, uint16_t offset, int32_t absent);
uint64_t flat_field_u64(struct flat *f, struct flat_table t, uint16_t offset);
/* The table, vector (of items of SIZE_BYTES) or string in a field; empty if absent. */
struct flat_table flat_field_table(struct flat *f, struct flat_table t, uint16_t offset);
struct flat_vector flat_field_vector(struct flat *f, struct flat_table t, uint16_t offset,
                                     size_t size_bytes);
struct span flat_field_string(struct flat *f, struct flat_table t, uint16_t offset);
/* Item I of a vector of tables or of numbers. */
struct flat_table flat_item_table(struct flat *f, struct flat_vector v, uint32_t i);
int32_t flat_item_i32(struct flat *f, struct flat_vector v, uint32_t i);
