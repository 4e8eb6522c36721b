/* wire_out.h: appending protocol buffer fields to a buffer.
 *
 * Enough of the wire format (formats-graph.md section 1) for the messages we
 * write.  They are trees as deep as the data, which rules out a recursive
 * packer: who writes a nested message knows its length beforehand or
 * brackets it with wire_begin() and wire_end(). */
#ifndef TFPROF_BASE_WIRE_OUT_H
#define TFPROF_BASE_WIRE_OUT_H

#include <stdint.h>

#include "base/strbuf.h"
#include "base/wire_type.h"

void wire_varint(struct strbuf *sb, uint64_t value);
void wire_tag(struct strbuf *sb, uint32_t field, enum wire_type type);
/* N_BYTES (4 or 8) of BITS, the lowest first. */
void wire_fixed(struct strbuf *sb, uint64_t bits, unsigned n_bytes);
/* A scalar field; zero is the default of proto3 and not written. */
void wire_int(struct strbuf *sb, uint32_t field, int64_t value);
/* The same, written also when zero (map keys by habit, packed lists aside). */
void wire_int_always(struct strbuf *sb, uint32_t field, int64_t value);
void wire_bytes(struct strbuf *sb, uint32_t field, const void *bytes, size_t len);
/* wire_bytes with all that is not UTF-8 replaced by U+FFFD. */
void wire_string(struct strbuf *sb, uint32_t field, const char *text, size_t len);
void wire_packed(struct strbuf *sb, uint32_t field, const int64_t *values, size_t n);

/* Brackets a nested message that is written in place. */
size_t wire_begin(struct strbuf *sb, uint32_t field);
void wire_end(struct strbuf *sb, size_t mark);

/* Bytes that a varint takes. */
size_t wire_varint_size(uint64_t value);

#endif
