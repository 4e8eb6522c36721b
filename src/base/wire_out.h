/* wire_out.h: writes protocol buffer fields to a buffer.
 *
 * Supports the part of the wire format (formats-graph.md section 1) that our output needs. Messages
 * can be nested as deeply as the data, which rules out recursion: the writer of a nested message
 * writes its length first, or brackets it with wire_begin() and wire_end(). */
#pragma once

#include <stdint.h>

#include "base/strbuf.h"
#include "base/wire_type.h"

void wire_varint(struct strbuf *sb, uint64_t value);
void wire_tag(struct strbuf *sb, uint32_t field, enum wire_type type);
/* Writes the low N_BYTES (4 or 8) of BITS, little-endian. */
void wire_fixed(struct strbuf *sb, uint64_t bits, unsigned n_bytes);
/* Writes a scalar field. Zero is the proto3 default and is omitted. */
void wire_int(struct strbuf *sb, uint32_t field, int64_t value);
/* Like wire_int(), but also writes zero (for map keys, and where 0 is a value). */
void wire_int_always(struct strbuf *sb, uint32_t field, int64_t value);
void wire_bytes(struct strbuf *sb, uint32_t field, const void *bytes, size_t len);
/* Like wire_bytes(), with invalid UTF-8 replaced by U+FFFD. */
void wire_string(struct strbuf *sb, uint32_t field, const char *text, size_t len);
void wire_packed(struct strbuf *sb, uint32_t field, const int64_t *values, size_t n);

/* Begins and ends a nested message that is written in place. */
size_t wire_begin(struct strbuf *sb, uint32_t field);
void wire_end(struct strbuf *sb, size_t mark);

/* Returns the encoded length of a varint. */
size_t wire_varint_size(uint64_t value);
