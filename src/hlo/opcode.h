/* opcode.h: opcodes and their counting rules (formats-hlo.md sections 6 and 7). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rules that count the operations of one execution (formats-hlo.md section 6). */
enum hlo_count_rule {
    HLO_COUNT_UNKNOWN, /* no rule */
    HLO_COUNT_NOTHING, HLO_COUNT_ELEMENTWISE, HLO_COUNT_TRANSCENDENTAL, HLO_COUNT_RANDOM,
    HLO_COUNT_DOT, HLO_COUNT_CONVOLUTION, HLO_COUNT_REDUCE, HLO_COUNT_REDUCE_WINDOW,
    HLO_COUNT_SELECT_AND_SCATTER, HLO_COUNT_MAP, HLO_COUNT_SCATTER, HLO_COUNT_FUSION,
    HLO_COUNT_ALL_REDUCE, HLO_COUNT_FFT, HLO_COUNT_TRIANGULAR_SOLVE, HLO_COUNT_CHOLESKY,
    HLO_COUNT_SORT,
    HLO_COUNT_CALL,   /* the callee's instructions count themselves, once per call */
    HLO_COUNT_BODIES, /* the callees' instructions count themselves, as often as they run */
    HLO_COUNT_CUSTOM_CALL,
    HLO_COUNT_RULES
};

/* Rules that count the bytes that one execution reads and writes (formats-hlo.md section 7). */
enum hlo_bytes_rule {
    HLO_BYTES_DEFAULT, HLO_BYTES_NOTHING, HLO_BYTES_OUTFEED, HLO_BYTES_TRANSPOSE, HLO_BYTES_SLICE,
    HLO_BYTES_DYNAMIC_SLICE, HLO_BYTES_DYNAMIC_UPDATE_SLICE, HLO_BYTES_GATHER, HLO_BYTES_SCATTER,
    HLO_BYTES_FUSION, HLO_BYTES_TRIANGULAR_SOLVE, HLO_BYTES_CHOLESKY, HLO_BYTES_CUSTOM_CALL,
    HLO_BYTES_RULES
};

/* Sorted by name for binary search: constant, name, rules. */
#define HLO_OPCODE_LIST(X) \
    X(ABS, "abs", ELEMENTWISE, DEFAULT) \
    X(ACOS, "acos", TRANSCENDENTAL, DEFAULT) \
    X(ACOSH, "acosh", TRANSCENDENTAL, DEFAULT) \
    X(ADD, "add", ELEMENTWISE, DEFAULT) \
    X(ADD_DEPENDENCY, "add-dependency", NOTHING, NOTHING) \
    X(AFTER_ALL, "after-all", NOTHING, NOTHING) \
    X(ALL_GATHER, "all-gather", NOTHING, DEFAULT) \
    X(ALL_GATHER_DONE, "all-gather-done", NOTHING, DEFAULT) \
    X(ALL_GATHER_START, "all-gather-start", NOTHING, DEFAULT) \
    X(ALL_REDUCE, "all-reduce", ALL_REDUCE, DEFAULT) \
    X(ALL_REDUCE_DONE, "all-reduce-done", NOTHING, DEFAULT) \
    X(ALL_REDUCE_START, "all-reduce-start", ALL_REDUCE, DEFAULT) \
    X(ALL_TO_ALL, "all-to-all", NOTHING, DEFAULT) \
    X(AND, "and", ELEMENTWISE, DEFAULT) \
    X(ASIN, "asin", TRANSCENDENTAL, DEFAULT) \
    X(ASINH, "asinh", TRANSCENDENTAL, DEFAULT) \
    X(ASYNC_DONE, "async-done", NOTHING, DEFAULT) \
    X(ASYNC_START, "async-start", CALL, NOTHING) \
    X(ASYNC_UPDATE, "async-update", NOTHING, DEFAULT) \
    X(ATAN2, "atan2", TRANSCENDENTAL, DEFAULT) \
    X(ATANH, "atanh", TRANSCENDENTAL, DEFAULT) \
    X(BITCAST, "bitcast", NOTHING, NOTHING) \
    X(BITCAST_CONVERT, "bitcast-convert", ELEMENTWISE, DEFAULT) \
    X(BROADCAST, "broadcast", NOTHING, DEFAULT) \
    X(CALL, "call", CALL, NOTHING) \
    X(CBRT, "cbrt", TRANSCENDENTAL, DEFAULT) \
    X(CEIL, "ceil", ELEMENTWISE, DEFAULT) \
    X(CHOLESKY, "cholesky", CHOLESKY, CHOLESKY) \
    X(CLAMP, "clamp", ELEMENTWISE, DEFAULT) \
    X(CLZ, "clz", ELEMENTWISE, DEFAULT) \
    X(COLLECTIVE_BROADCAST, "collective-broadcast", NOTHING, DEFAULT) \
    X(COLLECTIVE_PERMUTE, "collective-permute", NOTHING, DEFAULT) \
    X(COLLECTIVE_PERMUTE_DONE, "collective-permute-done", NOTHING, DEFAULT) \
    X(COLLECTIVE_PERMUTE_START, "collective-permute-start", NOTHING, DEFAULT) \
    X(COMPARE, "compare", ELEMENTWISE, DEFAULT) \
    X(COMPLEX, "complex", ELEMENTWISE, DEFAULT) \
    X(CONCATENATE, "concatenate", NOTHING, DEFAULT) \
    X(CONDITIONAL, "conditional", BODIES, NOTHING) \
    X(CONSTANT, "constant", NOTHING, NOTHING) \
    X(CONVERT, "convert", ELEMENTWISE, DEFAULT) \
    X(CONVOLUTION, "convolution", CONVOLUTION, DEFAULT) \
    X(COPY, "copy", NOTHING, DEFAULT) \
    X(COPY_DONE, "copy-done", NOTHING, DEFAULT) \
    X(COPY_START, "copy-start", NOTHING, DEFAULT) \
    X(COSH, "cosh", TRANSCENDENTAL, DEFAULT) \
    X(COSINE, "cosine", TRANSCENDENTAL, DEFAULT) \
    X(COUNT_LEADING_ZEROS, "count-leading-zeros", ELEMENTWISE, DEFAULT) \
    X(CUSTOM_CALL, "custom-call", CUSTOM_CALL, CUSTOM_CALL) \
    X(DIVIDE, "divide", ELEMENTWISE, DEFAULT) \
    X(DOMAIN, "domain", NOTHING, NOTHING) \
    X(DOT, "dot", DOT, DEFAULT) \
    X(DYNAMIC_RESHAPE, "dynamic-reshape", NOTHING, DEFAULT) \
    X(DYNAMIC_SLICE, "dynamic-slice", NOTHING, DYNAMIC_SLICE) \
    X(DYNAMIC_UPDATE_SLICE, "dynamic-update-slice", NOTHING, DYNAMIC_UPDATE_SLICE) \
    X(ERF, "erf", TRANSCENDENTAL, DEFAULT) \
    X(EXPONENTIAL, "exponential", TRANSCENDENTAL, DEFAULT) \
    X(EXPONENTIAL_MINUS_ONE, "exponential-minus-one", TRANSCENDENTAL, DEFAULT) \
    X(FFT, "fft", FFT, DEFAULT) \
    X(FLOOR, "floor", ELEMENTWISE, DEFAULT) \
    X(FUSION, "fusion", FUSION, FUSION) \
    X(GATHER, "gather", NOTHING, GATHER) \
    X(GET_DIMENSION_SIZE, "get-dimension-size", NOTHING, DEFAULT) \
    X(GET_TUPLE_ELEMENT, "get-tuple-element", NOTHING, NOTHING) \
    X(IMAG, "imag", ELEMENTWISE, DEFAULT) \
    X(INFEED, "infeed", NOTHING, DEFAULT) \
    X(IOTA, "iota", NOTHING, DEFAULT) \
    X(IS_FINITE, "is-finite", ELEMENTWISE, DEFAULT) \
    X(LOG, "log", TRANSCENDENTAL, DEFAULT) \
    X(LOG_PLUS_ONE, "log-plus-one", TRANSCENDENTAL, DEFAULT) \
    X(LOGISTIC, "logistic", TRANSCENDENTAL, DEFAULT) \
    X(MAP, "map", MAP, DEFAULT) \
    X(MAXIMUM, "maximum", ELEMENTWISE, DEFAULT) \
    X(MINIMUM, "minimum", ELEMENTWISE, DEFAULT) \
    X(MULTIPLY, "multiply", ELEMENTWISE, DEFAULT) \
    X(NEGATE, "negate", ELEMENTWISE, DEFAULT) \
    X(NOT, "not", ELEMENTWISE, DEFAULT) \
    X(OPT_BARRIER, "opt-barrier", NOTHING, DEFAULT) \
    X(OPTIMIZATION_BARRIER, "optimization-barrier", NOTHING, DEFAULT) \
    X(OR, "or", ELEMENTWISE, DEFAULT) \
    X(OUTFEED, "outfeed", NOTHING, OUTFEED) \
    X(PAD, "pad", NOTHING, DEFAULT) \
    X(PARAMETER, "parameter", NOTHING, NOTHING) \
    X(PARTITION_ID, "partition-id", NOTHING, DEFAULT) \
    X(POPCNT, "popcnt", ELEMENTWISE, DEFAULT) \
    X(POWER, "power", TRANSCENDENTAL, DEFAULT) \
    X(RAGGED_ALL_TO_ALL, "ragged-all-to-all", NOTHING, DEFAULT) \
    X(REAL, "real", ELEMENTWISE, DEFAULT) \
    X(RECV, "recv", NOTHING, DEFAULT) \
    X(RECV_DONE, "recv-done", NOTHING, DEFAULT) \
    X(REDUCE, "reduce", REDUCE, DEFAULT) \
    X(REDUCE_PRECISION, "reduce-precision", ELEMENTWISE, DEFAULT) \
    X(REDUCE_SCATTER, "reduce-scatter", NOTHING, DEFAULT) \
    X(REDUCE_WINDOW, "reduce-window", REDUCE_WINDOW, DEFAULT) \
    X(REMAINDER, "remainder", ELEMENTWISE, DEFAULT) \
    X(REPLICA_ID, "replica-id", NOTHING, DEFAULT) \
    X(RESHAPE, "reshape", NOTHING, DEFAULT) \
    X(REVERSE, "reverse", NOTHING, DEFAULT) \
    X(RNG, "rng", RANDOM, DEFAULT) \
    X(RNG_BIT_GENERATOR, "rng-bit-generator", RANDOM, DEFAULT) \
    X(RNG_GET_AND_UPDATE_STATE, "rng-get-and-update-state", NOTHING, DEFAULT) \
    X(ROUND_NEAREST_AFZ, "round-nearest-afz", ELEMENTWISE, DEFAULT) \
    X(ROUND_NEAREST_EVEN, "round-nearest-even", ELEMENTWISE, DEFAULT) \
    X(RSQRT, "rsqrt", TRANSCENDENTAL, DEFAULT) \
    X(SCATTER, "scatter", SCATTER, SCATTER) \
    X(SELECT, "select", ELEMENTWISE, DEFAULT) \
    X(SELECT_AND_SCATTER, "select-and-scatter", SELECT_AND_SCATTER, DEFAULT) \
    X(SEND, "send", NOTHING, DEFAULT) \
    X(SEND_DONE, "send-done", NOTHING, DEFAULT) \
    X(SET_DIMENSION_SIZE, "set-dimension-size", NOTHING, DEFAULT) \
    X(SHIFT_LEFT, "shift-left", ELEMENTWISE, DEFAULT) \
    X(SHIFT_RIGHT_ARITHMETIC, "shift-right-arithmetic", ELEMENTWISE, DEFAULT) \
    X(SHIFT_RIGHT_LOGICAL, "shift-right-logical", ELEMENTWISE, DEFAULT) \
    X(SIGN, "sign", ELEMENTWISE, DEFAULT) \
    X(SINE, "sine", TRANSCENDENTAL, DEFAULT) \
    X(SINH, "sinh", TRANSCENDENTAL, DEFAULT) \
    X(SLICE, "slice", NOTHING, SLICE) \
    X(SORT, "sort", SORT, DEFAULT) \
    X(SQRT, "sqrt", TRANSCENDENTAL, DEFAULT) \
    X(STOCHASTIC_CONVERT, "stochastic-convert", ELEMENTWISE, DEFAULT) \
    X(SUBTRACT, "subtract", ELEMENTWISE, DEFAULT) \
    X(TAN, "tan", TRANSCENDENTAL, DEFAULT) \
    X(TANH, "tanh", TRANSCENDENTAL, DEFAULT) \
    X(TOPK, "topk", NOTHING, DEFAULT) \
    X(TRANSPOSE, "transpose", NOTHING, TRANSPOSE) \
    X(TRIANGULAR_SOLVE, "triangular-solve", TRIANGULAR_SOLVE, TRIANGULAR_SOLVE) \
    X(TUPLE, "tuple", NOTHING, NOTHING) \
    X(WHILE, "while", BODIES, NOTHING) \
    X(XOR, "xor", ELEMENTWISE, DEFAULT)

enum hlo_opcode {
    HLO_OTHER, /* any opcode that is not listed */
#define HLO_OPCODE_CONSTANT(constant, name, count, bytes) HLO_##constant,
    HLO_OPCODE_LIST(HLO_OPCODE_CONSTANT)
#undef HLO_OPCODE_CONSTANT
        HLO_OPCODES
};

struct hlo_opcode_row {
    const char *name; /* NULL: HLO_OTHER */
    enum hlo_count_rule count;
    enum hlo_bytes_rule bytes;
};

/* By enum hlo_opcode. */
extern const struct hlo_opcode_row hlo_opcodes[HLO_OPCODES];

/* True when the computations that OPCODE calls are executed instruction by instruction; else they
 * are part of the calling instruction. */
static inline bool hlo_executes_callees(uint8_t opcode)
{
    return opcode == HLO_WHILE || opcode == HLO_CONDITIONAL || opcode == HLO_CALL ||
           opcode == HLO_ASYNC_START;
}

/* The opcode named NAME; HLO_OTHER when it is not listed. */
enum hlo_opcode hlo_opcode_find(const void *name, size_t len);

/* Types of shapes that are not arrays. */
enum { HLO_TYPE_TUPLE = 13, HLO_TYPE_OPAQUE = 14, HLO_TYPE_TOKEN = 17 };

/* "f32" for 11; NULL for an unknown number. */
const char *hlo_type_name(uint64_t type);
/* Bits of an element when the layout does not pack elements: a multiple of 8.  0 for tuples,
 * tokens, opaque values and unknown numbers. */
uint32_t hlo_type_bits(uint64_t type);
