/* wire_in.h: walking the fields of a binary message where it stands
 * (formats-graph.md section 1.1). */
#ifndef TFPROF_LOAD_WIRE_IN_H
#define TFPROF_LOAD_WIRE_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/wire_out.h"

/* What is left to walk.  A zeroed one is an empty message. */
struct wire_in {
    const uint8_t *at, *end;
};

struct wire_field {
    uint32_t number;
    enum wire_type type; /* WIRE_VARINT, WIRE_I64, WIRE_LEN or WIRE_I32 */
    uint64_t value;      /* of all but WIRE_LEN; a fixed number's bits */
    const uint8_t *bytes; /* of WIRE_LEN */
    size_t len;
};

static inline struct wire_in wire_in_of(const void *bytes, size_t len)
{
    const uint8_t *at = bytes;

    return (struct wire_in){at, at ? at + len : at};
}

/* The payload of a WIRE_LEN field as a message. */
static inline struct wire_in wire_in_field(const struct wire_field *field)
{
    return (struct wire_in){field->bytes, field->bytes + field->len};
}

/* A varint at *AT, which moves behind it; false when there is none. */
bool wire_varint(const uint8_t **at, const uint8_t *end, uint64_t *value);

/* The next field; groups are passed over.  False at the end and where the
 * bytes are malformed: then in->at != in->end and stands where the bad field
 * begins. */
bool wire_next(struct wire_in *in, struct wire_field *field);

/* True when the walk ended at the end, not at something malformed. */
static inline bool wire_is_done(const struct wire_in *in)
{
    return in->at == in->end;
}

/* The numbers of a repeated field, packed or not: reads one from FIELD's
 * payload at *AT (start with NULL), in wire form TYPE; false when there are no
 * more, or FIELD is of another wire type.
 *
 *     const uint8_t *at = NULL;
 *     while (wire_number(&field, WIRE_VARINT, &at, &value)) use(value);
 */
bool wire_number(const struct wire_field *field, enum wire_type type, const uint8_t **at,
                 uint64_t *value);

static inline float wire_float(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float f;

    __builtin_memcpy(&f, &low, sizeof f);
    return f;
}

static inline double wire_double(uint64_t bits)
{
    double d;

    __builtin_memcpy(&d, &bits, sizeof d);
    return d;
}

#endif
