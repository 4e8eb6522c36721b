/* dtype.h: TensorFlow's element types: names, sizes, and decoding of elements (formats-graph.md
 * section 8). */
#pragma once

#include <stdint.h>


enum dtype_kind {
    DTYPE_OTHER, /* strings, resources, variants, and unknown numbers */
    DTYPE_SIGNED,
    DTYPE_UNSIGNED, /* including bool */
    DTYPE_FLOAT,    /* any size */
    DTYPE_COMPLEX,  /* two floats or doubles */
};

struct dtype {
    const char *name; /* "DT_FLOAT" */
    enum dtype_kind kind;
    uint8_t size_bytes; /* of one element in tensor_content and in checkpoints; 0: varies */
    /* The field of TensorProto with the elements when tensor_content is empty. */
    uint8_t field;
    uint8_t wire; /* enum wire_type */
    /* Floats below 32 bits: width of exponent and mantissa, and the exponent bias. */
    uint8_t exponent_bits, mantissa_bits, bias;
    uint8_t specials; /* enum dtype_specials, private */
};

/* The row of a DataType number (for a reference type, of its base), or NULL when it is unknown. */
const struct dtype *dtype_find(int number);
/* "DT_FLOAT" for 1, "DT_FLOAT_REF" for 101; NULL for unknown numbers. */
const char *dtype_name(int number);

/* Loads a little-endian element of at most 8 bytes. */
uint64_t dtype_load(const struct dtype *type, const uint8_t *element);
/* Converts BITS to double; 64-bit integers may lose low digits. */
double dtype_double(const struct dtype *type, uint64_t bits);
/* Converts BITS of an integer type; unsigned values above 2^63 wrap. */
int64_t dtype_int64(const struct dtype *type, uint64_t bits);
