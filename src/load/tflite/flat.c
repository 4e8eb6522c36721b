/* flat.c: reads untrusted FlatBuffers. */
#include "load/tflite/flat.h"

enum { OFFSET_BYTES = 4, VTABLE_HEAD_BYTES = 4 };

void flat_fail(struct flat *f, size_t at, const char *why)
{
    if (f->why)
        return;
    f->why = why;
    f->at = at < f->bytes.len ? at : f->bytes.len;
}

static bool has(struct flat *f, size_t at, size_t n)
{
    if (f->why)
        return false;
    if (at <= f->bytes.len && n <= f->bytes.len - at)
        return true;
    flat_fail(f, at, "runs past the end");
    return false;
}

/* The little-endian number of N bytes at AT. */
static uint64_t number(struct flat *f, size_t at, unsigned n)
{
    uint64_t value = 0;

    if (!has(f, at, n))
        return 0;
    for (unsigned i = n; i-- > 0;)
        value = value << 8 | f->bytes.bytes[at + i];
    return value;
}

uint8_t flat_u8(struct flat *f, size_t at)
{
    return (uint8_t)number(f, at, 1);
}

uint32_t flat_u32(struct flat *f, size_t at)
{
    return (uint32_t)number(f, at, 4);
}

uint64_t flat_u64(struct flat *f, size_t at)
{
    return number(f, at, 8);
}

static struct flat_table table_at(struct flat *f, size_t at)
{
    struct flat_table t = {.at = at};
    const int64_t back = (int32_t)flat_u32(f, at);
    const int64_t vtable = (int64_t)at - back;

    if (f->why)
        return (struct flat_table){0};
    if (vtable < 0 || (uint64_t)vtable >= f->bytes.len) {
        flat_fail(f, at, "a vtable is outside the file");
        return (struct flat_table){0};
    }
    t.vtable = (size_t)vtable;
    t.vtable_bytes = (uint16_t)number(f, t.vtable, 2);
    if (t.vtable_bytes < VTABLE_HEAD_BYTES || t.vtable_bytes % 2 != 0)
        flat_fail(f, t.vtable, "the size of a vtable is wrong");
    return has(f, t.vtable, t.vtable_bytes) ? t : (struct flat_table){0};
}

/* The position that the offset at AT refers to. */
static size_t follow(struct flat *f, size_t at)
{
    const uint32_t offset = flat_u32(f, at);

    if (f->why)
        return 0;
    if (offset < OFFSET_BYTES || offset > f->bytes.len - at) {
        flat_fail(f, at, "an offset points outside the file");
        return 0;
    }
    return at + offset;
}

struct flat_table flat_root(struct flat *f)
{
    const size_t at = follow(f, 0);

    return at ? table_at(f, at) : (struct flat_table){0};
}

/* The position of a field of T, given its offset in the vtable; 0 if absent. */
static size_t flat_field(struct flat *f, struct flat_table t, uint16_t offset, size_t size_bytes)
{
    size_t at;

    if (f->why || !t.at || (size_t)offset + 2 > t.vtable_bytes)
        return 0;
    at = (size_t)number(f, t.vtable + offset, 2);
    if (!at)
        return 0;
    return has(f, t.at + at, size_bytes) ? t.at + at : 0;
}

uint8_t flat_field_u8(struct flat *f, struct flat_table t, uint16_t offset, uint8_t absent)
{
    const size_t at = flat_field(f, t, offset, 1);

    return at ? flat_u8(f, at) : absent;
}

int32_t flat_field_i32(struct flat *f, struct flat_table t, uint16_t offset, int32_t absent)
{
    const size_t at = flat_field(f, t, offset, 4);

    return at ? (int32_t)flat_u32(f, at) : absent;
}

uint64_t flat_field_u64(struct flat *f, struct flat_table t, uint16_t offset)
{
    const size_t at = flat_field(f, t, offset, 8);

    return at ? flat_u64(f, at) : 0;
}

struct flat_table flat_field_table(struct flat *f, struct flat_table t, uint16_t offset)
{
    const size_t field = flat_field(f, t, offset, OFFSET_BYTES), at = field ? follow(f, field) : 0;

    return at ? table_at(f, at) : (struct flat_table){0};
}

struct flat_vector flat_field_vector(struct flat *f, struct flat_table t, uint16_t offset,
                                     size_t size_bytes)
{
    const size_t field = flat_field(f, t, offset, OFFSET_BYTES), at = field ? follow(f, field) : 0;
    struct flat_vector v = {0};

    if (!at)
        return v;
    v.n = flat_u32(f, at);
    v.begin = at + OFFSET_BYTES;
    if (!f->why && v.n > (f->bytes.len - v.begin) / size_bytes)
        flat_fail(f, at, "a list is longer than the file");
    return f->why ? (struct flat_vector){0} : v;
}

struct span flat_field_string(struct flat *f, struct flat_table t, uint16_t offset)
{
    const struct flat_vector v = flat_field_vector(f, t, offset, 1);

    return (struct span){f->bytes.bytes + v.begin, v.n};
}

struct flat_table flat_item_table(struct flat *f, struct flat_vector v, uint32_t i)
{
    const size_t at = i < v.n ? follow(f, v.begin + (size_t)i * OFFSET_BYTES) : 0;

    return at ? table_at(f, at) : (struct flat_table){0};
}

int32_t flat_item_i32(struct flat *f, struct flat_vector v, uint32_t i)
{
    return i < v.n ? (int32_t)flat_u32(f, v.begin + (size_t)i * 4) : 0;
}
