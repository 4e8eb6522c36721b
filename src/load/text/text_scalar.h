/* text_scalar.h: parses numbers, booleans and enum names of the text format. */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include "base/strbuf.h"
#include "base/wire_type.h"
#include "load/text/text_lexer.h"

struct text_scalar {
    uint64_t bits;   /* sign-extended to 64 bits; bit patterns of floats */
    bool is_dropped; /* an unknown enum name */
};

enum text_scalar_result {
    TEXT_SCALAR_OK,
    TEXT_SCALAR_KIND,         /* the token has another type */
    TEXT_SCALAR_RANGE,        /* the number is out of range */
    TEXT_SCALAR_UNKNOWN_ENUM, /* value->is_dropped is set */
};

/* Parses token T (after a '-' when NEGATIVE) for FIELD, which is neither a string nor a message. */
enum text_scalar_result text_scalar_parse(const struct text_token *t, bool negative,
                                          const ProtobufCFieldDescriptor *field,
                                          struct text_scalar *value);

/* "a whole number": what TYPE accepts, for error messages. */
const char *text_scalar_wanted(ProtobufCType type);

/* The wire type of an unpacked value of TYPE. */
enum wire_type text_wire_type(ProtobufCType type);
/* Appends a number of TYPE in wire format. */
void text_scalar_write(struct strbuf *wire, ProtobufCType type, uint64_t bits);
