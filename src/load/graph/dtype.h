/* dtype.h: TensorFlow's element types: names, sizes and how to read one
 * element (formats-graph.md section 8). */
#ifndef TFPROF_LOAD_DTYPE_H
#define TFPROF_LOAD_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wire_type.h"

enum dtype_kind {
    DTYPE_OTHER, /* strings, resources, variants, and numbers not known */
    DTYPE_SIGNED,
    DTYPE_UNSIGNED, /* also truth values */
    DTYPE_FLOAT,    /* any size */
    DTYPE_COMPLEX,  /* two floats or doubles */
};

struct dtype {
    const char *name; /* "DT_FLOAT" */
    enum dtype_kind kind;
    uint8_t size_bytes; /* of one element in tensor_content and checkpoints; 0: no fixed size */
    /* Where a TensorProto holds the elements when not in tensor_content. */
    uint8_t field;
    uint8_t wire; /* enum wire_type */
    /* Of floats below 32 bits: sizes of exponent and mantissa, and what the
     * largest exponent means. */
    uint8_t exponent_bits, mantissa_bits, bias;
    uint8_t specials; /* enum dtype_specials, private */
};

/* The row of a DataType number (of a reference type: of its base), or NULL
 * when the number is not known. */
const struct dtype *dtype_find(int number);
/* "DT_FLOAT" for 1, "DT_FLOAT_REF" for 101; NULL for numbers not known. */
const char *dtype_name(int number);

/* One little-endian element of at most 8 bytes as its bits. */
uint64_t dtype_load(const struct dtype *type, const uint8_t *element);
/* The value of BITS; integers of 64 bits may lose their last places. */
double dtype_double(const struct dtype *type, uint64_t bits);
/* The value of BITS of a signed or unsigned type; above 2^63 it wraps. */
int64_t dtype_int64(const struct dtype *type, uint64_t bits);

#endif
