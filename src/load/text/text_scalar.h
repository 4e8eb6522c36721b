/* text_scalar.h: numbers, truth values and enum names of the text format. */
#ifndef TFPROF_LOAD_TEXT_SCALAR_H
#define TFPROF_LOAD_TEXT_SCALAR_H

#include <protobuf-c/protobuf-c.h>

#include "base/strbuf.h"
#include "base/wire_type.h"
#include "load/text/text_lexer.h"

struct text_scalar {
    uint64_t bits;   /* 64 of them: signed numbers extended, floats as they are */
    bool is_dropped; /* an enum name that is not known */
};

enum text_scalar_result {
    TEXT_SCALAR_OK,
    TEXT_SCALAR_KIND,         /* the token is nothing of that type */
    TEXT_SCALAR_RANGE,        /* the number does not fit */
    TEXT_SCALAR_UNKNOWN_ENUM, /* value->is_dropped is set */
};

/* The value of token T (behind a '-' when NEGATIVE) for FIELD, which is no
 * string and no message. */
enum text_scalar_result text_scalar_parse(const struct text_token *t, bool negative,
                                          const ProtobufCFieldDescriptor *field,
                                          struct text_scalar *value);

/* "a whole number": what a field of TYPE takes, for messages. */
const char *text_scalar_wanted(ProtobufCType type);

/* How a value of TYPE stands on the wire when it is not packed. */
enum wire_type text_wire_type(ProtobufCType type);
/* Appends the payload of a number of TYPE. */
void text_scalar_write(struct strbuf *wire, ProtobufCType type, uint64_t bits);

#endif
