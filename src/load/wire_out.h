/* wire_out.h: writing the protobuf wire format (formats-graph.md section 1.1). */
#ifndef TFPROF_LOAD_WIRE_OUT_H
#define TFPROF_LOAD_WIRE_OUT_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wire_type.h"

/* Bytes that grow; a zeroed one is empty and ready. */
struct wire_out {
    uint8_t *data;
    size_t n, capacity;
};

void wire_out_done(struct wire_out *out);
/* Room for COUNT bytes behind the last one; the caller adds to n. */
uint8_t *wire_out_reserve(struct wire_out *out, size_t count);

void wire_out_varint(struct wire_out *out, uint64_t value);
void wire_out_tag(struct wire_out *out, uint32_t field, enum wire_type type);
/* The payload of a number: BITS is the value as 64 bits (signed ones extended;
 * float and double their bit patterns), TYPE not a string or message. */
void wire_out_scalar(struct wire_out *out, ProtobufCType type, uint64_t bits);

/* Begins something with a length; what it returns goes to wire_out_end(),
 * which is false when more than 2 GiB lie between. */
size_t wire_out_begin(struct wire_out *out);
bool wire_out_end(struct wire_out *out, size_t begin);

/* How a type stands on the wire when it is not packed. */
enum wire_type wire_type_of(ProtobufCType type);

#endif
