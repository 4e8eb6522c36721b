/* dtype.c: TensorFlow's element types: names, sizes, decoding of elements, and the attribute of
 * a node. */
#include "load/graph/dtype.h"

#include <math.h>
#include <string.h>

#include "base/wire_in.h"
#include "load/graph/attrs.h"
#include "load/graph/shape.h"

enum { FIRST_REF = 100, BITS_PER_BYTE = 8 };

/* The special values of a small float format. */
enum dtype_specials {
    SPECIALS_IEEE, /* largest exponent: infinity and NaN */
    SPECIALS_FN,   /* all ones is NaN; no infinity */
    SPECIALS_FNUZ, /* negative zero is NaN */
    SPECIALS_NONE, /* none */
};

/* DT_NAME and DT_NAME_REF share a row. */
#define ROW(number, id, ...) [number] = {.name = "DT_" #id, __VA_ARGS__}
#define IN_FIELD(f, w) .field = (f), .wire = (w)
#define INT_VAL IN_FIELD(7, WIRE_VARINT)
#define SMALL_FLOAT(e, m, b, s) \
    .kind = DTYPE_FLOAT, .exponent_bits = (e), .mantissa_bits = (m), .bias = (b), .specials = (s)
#define FLOAT8_VAL IN_FIELD(18, WIRE_LEN)

static const struct dtype types[] = {
    ROW(0, INVALID, .kind = DTYPE_OTHER),
    ROW(1, FLOAT, .kind = DTYPE_FLOAT, .size_bytes = 4, IN_FIELD(5, WIRE_I32)),
    ROW(2, DOUBLE, .kind = DTYPE_FLOAT, .size_bytes = 8, IN_FIELD(6, WIRE_I64)),
    ROW(3, INT32, .kind = DTYPE_SIGNED, .size_bytes = 4, INT_VAL),
    ROW(4, UINT8, .kind = DTYPE_UNSIGNED, .size_bytes = 1, INT_VAL),
    ROW(5, INT16, .kind = DTYPE_SIGNED, .size_bytes = 2, INT_VAL),
    ROW(6, INT8, .kind = DTYPE_SIGNED, .size_bytes = 1, INT_VAL),
    ROW(7, STRING, .kind = DTYPE_OTHER, IN_FIELD(8, WIRE_LEN)),
    ROW(8, COMPLEX64, .kind = DTYPE_COMPLEX, .size_bytes = 8, IN_FIELD(9, WIRE_I32)),
    ROW(9, INT64, .kind = DTYPE_SIGNED, .size_bytes = 8, IN_FIELD(10, WIRE_VARINT)),
    ROW(10, BOOL, .kind = DTYPE_UNSIGNED, .size_bytes = 1, IN_FIELD(11, WIRE_VARINT)),
    ROW(11, QINT8, .kind = DTYPE_SIGNED, .size_bytes = 1, INT_VAL),
    ROW(12, QUINT8, .kind = DTYPE_UNSIGNED, .size_bytes = 1, INT_VAL),
    ROW(13, QINT32, .kind = DTYPE_SIGNED, .size_bytes = 4, INT_VAL),
    ROW(14, BFLOAT16, SMALL_FLOAT(8, 7, 127, SPECIALS_IEEE), .size_bytes = 2,
        IN_FIELD(13, WIRE_VARINT)),
    ROW(15, QINT16, .kind = DTYPE_SIGNED, .size_bytes = 2, INT_VAL),
    ROW(16, QUINT16, .kind = DTYPE_UNSIGNED, .size_bytes = 2, INT_VAL),
    ROW(17, UINT16, .kind = DTYPE_UNSIGNED, .size_bytes = 2, INT_VAL),
    ROW(18, COMPLEX128, .kind = DTYPE_COMPLEX, .size_bytes = 16, IN_FIELD(12, WIRE_I64)),
    ROW(19, HALF, SMALL_FLOAT(5, 10, 15, SPECIALS_IEEE), .size_bytes = 2,
        IN_FIELD(13, WIRE_VARINT)),
    ROW(20, RESOURCE, .kind = DTYPE_OTHER),
    ROW(21, VARIANT, .kind = DTYPE_OTHER),
    ROW(22, UINT32, .kind = DTYPE_UNSIGNED, .size_bytes = 4, IN_FIELD(16, WIRE_VARINT)),
    ROW(23, UINT64, .kind = DTYPE_UNSIGNED, .size_bytes = 8, IN_FIELD(17, WIRE_VARINT)),
    ROW(24, FLOAT8_E5M2, SMALL_FLOAT(5, 2, 15, SPECIALS_IEEE), .size_bytes = 1, FLOAT8_VAL),
    ROW(25, FLOAT8_E4M3FN, SMALL_FLOAT(4, 3, 7, SPECIALS_FN), .size_bytes = 1, FLOAT8_VAL),
    ROW(26, FLOAT8_E4M3FNUZ, SMALL_FLOAT(4, 3, 8, SPECIALS_FNUZ), .size_bytes = 1, FLOAT8_VAL),
    ROW(27, FLOAT8_E4M3B11FNUZ, SMALL_FLOAT(4, 3, 11, SPECIALS_FNUZ), .size_bytes = 1, FLOAT8_VAL),
    ROW(28, FLOAT8_E5M2FNUZ, SMALL_FLOAT(5, 2, 16, SPECIALS_FNUZ), .size_bytes = 1, FLOAT8_VAL),
    ROW(29, INT4, .kind = DTYPE_SIGNED, .size_bytes = 1, INT_VAL),
    ROW(30, UINT4, .kind = DTYPE_UNSIGNED, .size_bytes = 1, INT_VAL),
    ROW(31, INT2, .kind = DTYPE_SIGNED, .size_bytes = 1, INT_VAL),
    ROW(32, UINT2, .kind = DTYPE_UNSIGNED, .size_bytes = 1, INT_VAL),
    ROW(33, FLOAT4_E2M1FN, SMALL_FLOAT(2, 1, 1, SPECIALS_NONE), .size_bytes = 1, FLOAT8_VAL),
};

enum { N_TYPES = sizeof types / sizeof *types };

const struct dtype *dtype_find(int number)
{
    if (number > FIRST_REF)
        number -= FIRST_REF;
    return number >= 0 && number < N_TYPES ? &types[number] : NULL;
}

#define REF(number, id) [number] = "DT_" #id "_REF"

const char *dtype_name(int number)
{
    static const char *const refs[N_TYPES] = {
        REF(1, FLOAT),      REF(2, DOUBLE),
        REF(3, INT32),      REF(4, UINT8),
        REF(5, INT16),      REF(6, INT8),
        REF(7, STRING),     REF(8, COMPLEX64),
        REF(9, INT64),      REF(10, BOOL),
        REF(11, QINT8),     REF(12, QUINT8),
        REF(13, QINT32),    REF(14, BFLOAT16),
        REF(15, QINT16),    REF(16, QUINT16),
        REF(17, UINT16),    REF(18, COMPLEX128),
        REF(19, HALF),      REF(20, RESOURCE),
        REF(21, VARIANT),   REF(22, UINT32),
        REF(23, UINT64),    REF(24, FLOAT8_E5M2),
        REF(25, FLOAT8_E4M3FN), REF(26, FLOAT8_E4M3FNUZ),
        REF(27, FLOAT8_E4M3B11FNUZ), REF(28, FLOAT8_E5M2FNUZ),
        REF(29, INT4),      REF(30, UINT4),
        REF(31, INT2),      REF(32, UINT2),
        REF(33, FLOAT4_E2M1FN),
    };

    if (number >= 0 && number < N_TYPES)
        return types[number].name;
    if (number > FIRST_REF && number < FIRST_REF + N_TYPES)
        return refs[number - FIRST_REF];
    return NULL;
}

uint64_t dtype_load(const struct dtype *type, const uint8_t *element)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < type->size_bytes && i < sizeof bits; i++)
        bits |= (uint64_t)element[i] << BITS_PER_BYTE * i;
    return bits;
}

/* A float of fewer than 32 bits (IEEE 754 section 3.4; the 8-bit forms:
 * Micikevicius et al., "FP8 formats for deep learning", 2022). */
static double small_float(const struct dtype *type, uint64_t bits)
{
    const unsigned sign_at = (unsigned)type->exponent_bits + type->mantissa_bits;
    const uint64_t mantissa_mask = ((uint64_t)1 << type->mantissa_bits) - 1;
    const uint64_t largest_exponent = ((uint64_t)1 << type->exponent_bits) - 1;
    const uint64_t magnitude = bits & (((uint64_t)1 << sign_at) - 1);
    const uint64_t mantissa = magnitude & mantissa_mask;
    const uint64_t exponent = magnitude >> type->mantissa_bits;
    const double sign = bits >> sign_at & 1 ? -1.0 : 1.0;

    if (type->specials == SPECIALS_IEEE && exponent == largest_exponent)
        return mantissa ? NAN : sign * INFINITY;
    if (type->specials == SPECIALS_FN && exponent == largest_exponent && mantissa == mantissa_mask)
        return NAN;
    if (type->specials == SPECIALS_FNUZ && !magnitude && sign < 0)
        return NAN;
    if (!exponent)
        return sign * ldexp((double)mantissa, 1 - type->bias - type->mantissa_bits);
    return sign * ldexp((double)(mantissa + mantissa_mask + 1),
                        (int)exponent - type->bias - type->mantissa_bits);
}

double dtype_double(const struct dtype *type, uint64_t bits)
{
    switch (type->kind) {
    case DTYPE_FLOAT:
        if (type->mantissa_bits)
            return small_float(type, bits);
        return type->size_bytes == 4 ? (double)wire_float(bits) : wire_double(bits);
    case DTYPE_UNSIGNED:
        return (double)(type->size_bytes == 8 ? bits : (uint64_t)dtype_int64(type, bits));
    case DTYPE_SIGNED:
        return (double)dtype_int64(type, bits);
    default:
        return 0;
    }
}

int64_t dtype_int64(const struct dtype *type, uint64_t bits)
{
    const unsigned unused = 64 - BITS_PER_BYTE * (unsigned)type->size_bytes;

    bits <<= unused;
    return type->kind == DTYPE_SIGNED ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

/* In ascending order of rank: ops whose output type differs from the input type have one of the
 * later attributes as well (doc/semantics.md section 2, param_bytes). */
static const char *const keys[] = {"T", "output_type", "out_type", "DstT", "dtype"};

void element_attr_note(struct element_attr *best, struct span key, struct span value)
{
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (i + 1 >= best->rank && span_is(key, keys[i]))
            *best = (struct element_attr){i + 1, value};
}

uint8_t element_attr_bits(const struct element_attr *best, struct arena *pieces)
{
    enum { ATTR_TYPE_FIELD = 6, BITS_A_BYTE = 8 };
    struct wire_in in;
    struct attr_member set;
    const struct dtype *type;

    if (!best->rank || !best->value.len)
        return 0;
    in = span_walk(best->value);
    attr_member_set(&in, pieces, &set);
    if (set.number != ATTR_TYPE_FIELD || set.value > INT32_MAX)
        return 0;
    type = dtype_find((int)set.value);
    return type ? (uint8_t)(type->size_bytes * BITS_A_BYTE) : 0;
}
