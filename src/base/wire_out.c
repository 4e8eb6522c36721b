/* wire_out.c: writes protocol buffer fields to a buffer. */
#include "base/wire_out.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

enum { VARINT_MAX_BYTES = 10 };

static size_t put_varint(unsigned char *out, uint64_t value)
{
    size_t n = 0;

    while (value >= 0x80) {
        out[n++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (unsigned char)value;
    return n;
}

void wire_varint(struct strbuf *sb, uint64_t value)
{
    unsigned char bytes[VARINT_MAX_BYTES];

    sb_add(sb, bytes, put_varint(bytes, value));
}

void wire_tag(struct strbuf *sb, uint32_t field, enum wire_type type)
{
    wire_varint(sb, (uint64_t)field << 3 | type);
}

void wire_fixed(struct strbuf *sb, uint64_t bits, unsigned n_bytes)
{
    unsigned char bytes[sizeof bits];

    for (unsigned i = 0; i < n_bytes; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    sb_add(sb, bytes, n_bytes);
}

void wire_int_always(struct strbuf *sb, uint32_t field, int64_t value)
{
    wire_tag(sb, field, WIRE_VARINT);
    wire_varint(sb, (uint64_t)value);
}

void wire_int(struct strbuf *sb, uint32_t field, int64_t value)
{
    if (value)
        wire_int_always(sb, field, value);
}

void wire_bytes(struct strbuf *sb, uint32_t field, const void *bytes, size_t len)
{
    wire_tag(sb, field, WIRE_LEN);
    wire_varint(sb, len);
    sb_add(sb, bytes, len);
}

void wire_string(struct strbuf *sb, uint32_t field, const char *text, size_t len)
{
    size_t mark = wire_begin(sb, field);

    utf8_repair(sb, text, len);
    wire_end(sb, mark);
}

void wire_packed(struct strbuf *sb, uint32_t field, const int64_t *values, size_t n)
{
    size_t mark = wire_begin(sb, field);

    for (size_t i = 0; i < n; i++)
        wire_varint(sb, (uint64_t)values[i]);
    wire_end(sb, mark);
}

size_t wire_begin(struct strbuf *sb, uint32_t field)
{
    wire_tag(sb, field, WIRE_LEN);
    return sb->len;
}

/* The length is inserted before the content. Nested messages are small, so moving them is cheaper
 * than a second pass. */
void wire_end(struct strbuf *sb, size_t mark)
{
    unsigned char bytes[VARINT_MAX_BYTES];
    size_t len = sb->len - mark;
    size_t n = put_varint(bytes, len);

    assert(mark <= sb->len);
    sb_add(sb, bytes, n);
    memmove(sb->data + mark + n, sb->data + mark, len);
    memcpy(sb->data + mark, bytes, n);
}

size_t wire_varint_size(uint64_t value)
{
    unsigned char bytes[VARINT_MAX_BYTES];

    return put_varint(bytes, value);
}
