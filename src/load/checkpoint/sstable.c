/* sstable.c: reads sorted string tables, the container of checkpoints. */
#include "load/checkpoint/sstable.h"

#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/lower_bound.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "base/xalloc.h"

enum { FOOTER_BYTES = 48, MAGIC_AT = 40, TRAILER_BYTES = 5 };
enum { BLOCK_PLAIN = 0, BLOCK_SNAPPY = 1 };
/* Snappy's densest element expands 3 bytes to 64. */
enum { SNAPPY_MAX_GROWTH = 22 };

static uint32_t load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t sstable_max_bytes(size_t size_bytes)
{
    return 64 * (uint64_t)size_bytes + (1 << 20);
}

static bool damaged(const struct sstable *t, uint64_t offset, const char *cause, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: byte %llu: %s", t->path, (unsigned long long)offset, cause);
}

/* True when the bytes end with the magic of a table. */
static bool is_table(const uint8_t *bytes, size_t size_bytes)
{
    static const uint8_t magic[] = {0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb};

    return size_bytes >= FOOTER_BYTES &&
           memcmp(bytes + size_bytes - sizeof magic, magic, sizeof magic) == 0;
}

/* ---- blocks */

/* Decompresses SIZE bytes at STORED, from a copy, because snappy reads them more than once and a
 * mapped file may change.  NULL, or the reason of failure. */
static const char *unpack(const uint8_t *stored, size_t size, struct strbuf *unpacked, size_t *len)
{
    char *copy = xmemdupz(stored, size);
    const char *why = NULL;

    if (snappy_uncompressed_length(copy, size, len) != SNAPPY_OK ||
        *len / SNAPPY_MAX_GROWTH > size) {
        why = "a compressed block with an invalid length";
    } else {
        sb_clear(unpacked);
        sb_reserve(unpacked, *len);
        if (snappy_uncompress(copy, size, unpacked->data, len) != SNAPPY_OK)
            why = "a compressed block that is damaged";
    }
    free(copy);
    return why;
}

/* Reads the block at OFFSET, verifies and decompresses it: *BLOCK and *LEN; UNPACKED holds it if it
 * was compressed. */
static bool read_block(const struct sstable *t, uint64_t offset, uint64_t size,
                       struct strbuf *unpacked, const uint8_t **block, size_t *len,
                       struct err *err)
{
    const uint8_t *stored;
    const char *why;
    uint8_t type;

    if (offset > t->size_bytes || size > t->size_bytes - offset ||
        t->size_bytes - offset - size < TRAILER_BYTES)
        return damaged(t, offset, "a block that runs past the end of the file", err);
    stored = t->bytes + offset;
    if (crc32c_mask(crc32c_extend(0, stored, size + 1)) != load_u32(stored + size + 1))
        return damaged(t, offset, "the checksum of a block is wrong", err);
    *block = stored;
    *len = size;
    type = stored[size];
    if (type == BLOCK_PLAIN)
        return true;
    if (type != BLOCK_SNAPPY)
        return damaged(t, offset + size, "a block of an unknown compression", err);
    why = unpack(stored, size, unpacked, len);
    if (why)
        return damaged(t, offset, why, err);
    *block = (const uint8_t *)unpacked->data;
    return true;
}

/* The end of the entries of a block, before the restart offsets. */
static bool entries_end(const uint8_t *block, size_t len, const uint8_t **end)
{
    uint32_t restarts;

    if (len < sizeof restarts)
        return false;
    restarts = load_u32(block + len - sizeof restarts);
    if (restarts > (len - sizeof restarts) / sizeof restarts)
        return false;
    *end = block + len - sizeof restarts - restarts * sizeof restarts;
    return true;
}

static bool read_u32(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
    uint64_t wide;

    if (!wire_read_varint(at, end, &wide) || wide > UINT32_MAX)
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* Reads the entry at C->at; false when it is malformed. */
static bool read_entry(struct sstable_cursor *c)
{
    uint32_t shared, fresh, value_len;

    if (!read_u32(&c->at, c->end, &shared) || !read_u32(&c->at, c->end, &fresh) ||
        !read_u32(&c->at, c->end, &value_len) || shared > c->key.len ||
        fresh > (size_t)(c->end - c->at) || value_len > (size_t)(c->end - c->at) - fresh)
        return false;
    c->key.len = shared;
    sb_add(&c->key, c->at, fresh);
    c->value = c->at + fresh;
    c->value_len = value_len;
    c->at = c->value + value_len;
    return true;
}

/* ---- the index */

static bool read_handle(const uint8_t **at, const uint8_t *end, uint64_t *offset, uint64_t *size)
{
    return wire_read_varint(at, end, offset) && wire_read_varint(at, end, size);
}

/* Moves C to the start of the block at OFFSET. */
static bool enter_block(struct sstable_cursor *c, uint64_t offset, uint64_t size, struct err *err)
{
    size_t len = 0;

    if (!read_block(c->table, offset, size, &c->unpacked, &c->block, &len, err))
        return false;
    if (!entries_end(c->block, len, &c->end))
        return damaged(c->table, offset, "a block with an invalid number of restarts", err);
    c->at = c->block;
    c->key.len = 0;
    c->value = NULL;
    return true;
}

/* Reads the index entry at C.  Rejects overlapping blocks, and keys that together are much longer
 * than the file, because their cost would exceed the limit for its size. */
static bool read_index_entry(struct sstable_cursor *c, uint64_t *behind_last, uint64_t *key_bytes,
                             struct sstable_block *b)
{
    const uint8_t *handle;

    if (!read_entry(c))
        return false;
    handle = c->value;
    if (!read_handle(&handle, c->value + c->value_len, &b->offset, &b->size_bytes) ||
        b->offset < *behind_last || b->size_bytes > UINT64_MAX - b->offset)
        return false;
    *behind_last = b->offset + b->size_bytes;
    *key_bytes += c->key.len;
    return *key_bytes <= sstable_max_bytes(c->table->size_bytes);
}

static bool read_index(struct sstable *t, uint64_t offset, uint64_t size, struct err *err)
{
    struct sstable_cursor c = {.table = t};
    VEC(struct sstable_block) blocks = {0};
    uint64_t behind_last = 0, key_bytes = 0;
    bool ok = enter_block(&c, offset, size, err);

    while (ok && c.at < c.end) {
        struct sstable_block b = {0};

        ok = read_index_entry(&c, &behind_last, &key_bytes, &b);
        if (!ok) {
            damaged(t, offset, "a malformed entry in the index", err);
            break;
        }
        b.last_key = xmemdupz(sb_text(&c.key), c.key.len);
        b.last_key_len = c.key.len;
        vec_push(&blocks, b);
    }
    t->blocks = blocks.data;
    t->n_blocks = blocks.n;
    sstable_cursor_done(&c);
    return ok;
}

bool sstable_open(struct sstable *t, const uint8_t *bytes, size_t size_bytes, const char *path,
                struct err *err)
{
    const uint8_t *at, *magic;
    uint64_t offset, size;

    *t = (struct sstable){.bytes = bytes, .size_bytes = size_bytes, .path = path};
    if (!is_table(bytes, size_bytes))
        return err_set(err, ERR_INPUT, "%s: %s", path,
                       size_bytes < FOOTER_BYTES ? "too short to be a table"
                                                 : "not a table: its magic number is missing");
    at = bytes + size_bytes - FOOTER_BYTES;
    magic = at + MAGIC_AT;
    if (!read_handle(&at, magic, &offset, &size) || !read_handle(&at, magic, &offset, &size))
        return damaged(t, size_bytes - FOOTER_BYTES, "a malformed footer", err);
    if (read_index(t, offset, size, err))
        return true;
    sstable_close(t);
    return false;
}

void sstable_close(struct sstable *t)
{
    for (size_t i = 0; i < t->n_blocks; i++)
        free((char *)t->blocks[i].last_key);
    free(t->blocks);
    memset(t, 0, sizeof *t);
}

/* ---- the cursor */

void sstable_cursor_init(struct sstable_cursor *c, const struct sstable *t)
{
    *c = (struct sstable_cursor){.table = t};
}

void sstable_cursor_done(struct sstable_cursor *c)
{
    EACH(sb_done, &c->unpacked, &c->key);
}

bool sstable_next(struct sstable_cursor *c, bool *more, struct err *err)
{
    while (c->at == c->end) {
        const struct sstable_block *b = &c->table->blocks[c->next_block];

        *more = c->next_block < c->table->n_blocks;
        if (!*more)
            return true;
        c->next_block++;
        if (!enter_block(c, b->offset, b->size_bytes, err))
            return false;
    }
    *more = true;
    if (!read_entry(c))
        return damaged(c->table, c->table->blocks[c->next_block - 1].offset,
                       "a malformed entry in the block that begins here", err);
    return true;
}

static int compare_keys(const void *a, size_t a_len, const void *b, size_t b_len)
{
    int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* True when C's last entry is in block BLOCK and not greater than KEY; *FOUND when it is equal. */
static bool is_at_or_before(const struct sstable_cursor *c, size_t block, const void *key,
                            size_t len,
                            bool *found)
{
    const int order = c->value && c->next_block == block + 1
                          ? compare_keys(sb_text(&c->key), c->key.len, key, len)
                          : 1;

    *found = order == 0;
    return order <= 0;
}

bool sstable_seek(struct sstable_cursor *c, const void *key, size_t len, bool *found, struct err *err)
{
    const struct sstable_block *blocks = c->table->blocks;
    size_t at = 0;
    bool more = true;

    LOWER_BOUND(at, c->table->n_blocks, i,
                compare_keys(blocks[i].last_key, blocks[i].last_key_len, key, len) < 0);
    if (!is_at_or_before(c, at, key, len, found)) {
        c->next_block = at;
        c->at = c->end = NULL;
    }
    if (*found)
        return true;
    for (;;) {
        int order;

        if (!sstable_next(c, &more, err))
            return false;
        if (!more)
            return true;
        order = compare_keys(sb_text(&c->key), c->key.len, key, len);
        *found = order == 0;
        if (order >= 0)
            return true;
    }
}
