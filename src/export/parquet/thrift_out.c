/* thrift_out.c: writes structures in Thrift's compact protocol. */
#include "export/parquet/thrift_out.h"

#include <assert.h>

#include "base/wire_out.h"

/* Integers are zigzag-encoded varints. */
static void add_integer(struct strbuf *sb, int64_t value)
{
    wire_varint(sb, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void add_field(struct thrift_out *t, int id, enum thrift_type type)
{
    const int delta = id - t->last_id[t->depth];

    assert(delta >= 1 && delta <= 15);
    sb_addc(t->sb, (char)(delta << 4 | (int)type));
    t->last_id[t->depth] = id;
}

void thrift_int(struct thrift_out *t, int id, enum thrift_type type, int64_t value)
{
    add_field(t, id, type);
    add_integer(t->sb, value);
}

void thrift_text(struct thrift_out *t, int id, const char *bytes, size_t len)
{
    add_field(t, id, THRIFT_BINARY);
    thrift_element_text(t, bytes, len);
}

void thrift_begin(struct thrift_out *t, int id)
{
    add_field(t, id, THRIFT_STRUCT);
    thrift_element_begin(t);
}

void thrift_list(struct thrift_out *t, int id, enum thrift_type type, size_t n)
{
    add_field(t, id, THRIFT_LIST);
    if (n < 15) {
        sb_addc(t->sb, (char)(n << 4 | (unsigned)type));
    } else {
        sb_addc(t->sb, (char)(0xf0 | (unsigned)type));
        wire_varint(t->sb, n);
    }
}

void thrift_element_int(struct thrift_out *t, int64_t value)
{
    add_integer(t->sb, value);
}

void thrift_element_text(struct thrift_out *t, const char *bytes, size_t len)
{
    wire_varint(t->sb, len);
    sb_add(t->sb, bytes, len);
}

void thrift_element_begin(struct thrift_out *t)
{
    assert(t->depth + 1 < THRIFT_MAX_DEPTH);
    t->last_id[++t->depth] = 0;
}

void thrift_end(struct thrift_out *t)
{
    sb_addc(t->sb, 0);
    if (t->depth)
        t->depth--;
}
