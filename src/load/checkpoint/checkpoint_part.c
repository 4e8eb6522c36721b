/* checkpoint_part.c: reads the values of one slice of a tensor, from a data file (V2) or a table
 * (V1). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/system/open_input.h"
#include "base/wire_in.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/graph/tensor.h"

enum { SLICES_DATA = 2, SAVED_SLICE_DATA = 3 };

/* ---- data files */

static bool read_at(int fd, uint64_t at, uint8_t *out, size_t len)
{
    while (len) {
        ssize_t n = pread(fd, out, len, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        out += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return true;
}

/* Opens the data file of PART and checks its size; -1 with ERR. */
static int open_shard(const struct checkpoint *c, const struct checkpoint_tensor *t,
                      const struct checkpoint_part *part, struct err *err)
{
    char *path = checkpoint_data_path(&c->files, part->shard, c->n_shards);
    struct stat st;
    int fd;

    if (!path) {
        checkpoint_fail(c, t, "the data file with its values is missing", err);
        return -1;
    }
    fd = open_input(path, INPUT_REGULAR, &st, err);
    if (fd >= 0 && (part->offset > (uint64_t)st.st_size ||
                    part->size_bytes > (uint64_t)st.st_size - part->offset)) {
        checkpoint_fail(c, t, "its values run past the end of the data file", err);
        close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}

/* ---- V1: values are messages in the table */

/* Finds the literal of PART, in the cursor's block or in PIECES; false with ERR. */
static bool find_saved_slice(const struct checkpoint *c, const struct checkpoint_tensor *t,
                             const struct checkpoint_part *part, struct sstable_cursor *cursor,
                             struct arena *pieces, struct attr_tensor *literal, struct err *err)
{
    const struct sstable *table = &c->tables.data[part->table].table;
    struct wire_pieces slice, data;
    bool found;

    *literal = (struct attr_tensor){
        .dtype = t->dtype, .shape = {.n_dims = 1, .dims = &part->n_elements}};
    if (cursor->table != table) {
        sstable_cursor_done(cursor);
        sstable_cursor_init(cursor, table);
    }
    if (!sstable_seek(cursor, part->key.bytes, part->key.len, &found, err))
        return false;
    if (!found)
        return checkpoint_fail(c, t, "one of its slices is missing", err);
    slice = wire_submessage(wire_in_of(cursor->value, cursor->value_len), SLICES_DATA, pieces);
    data = wire_submessage(wire_in_pieces(&slice), SAVED_SLICE_DATA, pieces);
    literal->message = data.bytes;
    literal->len_bytes = data.len;
    /* Every element takes at least one byte. */
    if ((uint64_t)part->n_elements > literal->len_bytes)
        return checkpoint_fail(c, t, "it has fewer values than its shape says", err);
    return true;
}

static bool load_v1_bits(struct part_reader *r, struct err *err)
{
    struct attr_tensor literal;
    struct tensor_bits bits;
    bool ok = find_saved_slice(r->checkpoint, r->tensor, r->part, &r->cursor, &r->arena, &literal,
                               err);

    if (ok) {
        bits = tensor_bits(&literal, r->type, SIZE_MAX, &r->arena);
        r->bits = bits.v;
        ok = bits.n_all == r->part->n_elements ||
             checkpoint_fail(r->checkpoint, r->tensor, "its values do not fit its shape", err);
    }
    if (!ok)
        arena_done(&r->arena);
    return ok;
}

/* ---- numbers */

struct part_reader *part_reader_new(void)
{
    struct part_reader *r = xmalloc(sizeof *r);

    r->cursor = (struct sstable_cursor){0};
    return r;
}

void part_reader_free(struct part_reader *r)
{
    sstable_cursor_done(&r->cursor);
    free(r);
}

bool part_reader_open(struct part_reader *r, const struct checkpoint *c,
                      const struct checkpoint_tensor *t, const struct checkpoint_part *part,
                      struct err *err)
{
    r->checkpoint = c;
    r->tensor = t;
    r->part = part;
    r->type = dtype_find(t->dtype);
    r->arena = (struct arena){0};
    r->bits = NULL;
    r->fd = -1;
    r->window_at = 0;
    r->window_bytes = 0;
    if (!c->is_v2)
        return load_v1_bits(r, err);
    if (part->size_bytes / r->type->size_bytes != (uint64_t)part->n_elements ||
        part->size_bytes % r->type->size_bytes)
        return checkpoint_fail(c, t, "its size does not fit its type and shape", err);
    r->fd = open_shard(c, t, part, err);
    return r->fd >= 0;
}

void part_reader_close(struct part_reader *r)
{
    arena_done(&r->arena);
    if (r->fd >= 0)
        close(r->fd);
}

/* Moves the window to byte AT of the part. */
static bool move_window(struct part_reader *r, uint64_t at, struct err *err)
{
    uint64_t left = r->part->size_bytes - at;

    r->window_at = at;
    r->window_bytes = left < PART_WINDOW_BYTES ? (size_t)left : PART_WINDOW_BYTES;
    if (read_at(r->fd, r->part->offset + at, r->window, r->window_bytes))
        return true;
    r->window_bytes = 0;
    return checkpoint_fail(r->checkpoint, r->tensor, "its data file cannot be read", err);
}

static void swap_bytes(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[n - 1 - i];
}

bool part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                      struct err *err)
{
    const size_t size = r->type->size_bytes;

    if (r->bits) {
        memcpy(bits, r->bits + first, count * sizeof *bits);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = (first + i) * size;
        uint8_t swapped[sizeof *bits];
        const uint8_t *element;

        if ((at < r->window_at || at + size > r->window_at + r->window_bytes) &&
            !move_window(r, at, err))
            return false;
        element = r->window + (at - r->window_at);
        if (r->checkpoint->is_big_endian) {
            swap_bytes(swapped, element, size);
            element = swapped;
        }
        bits[i] = dtype_load(r->type, element);
    }
    return true;
}

bool part_reader_verify(struct part_reader *r, struct err *err)
{
    uint32_t crc = 0;

    if (r->fd < 0)
        return true;
    for (uint64_t at = 0; at < r->part->size_bytes; at += r->window_bytes) {
        if (!move_window(r, at, err))
            return false;
        crc = crc32c_extend(crc, r->window, r->window_bytes);
    }
    if (crc32c_mask(crc) == r->part->masked_crc)
        return true;
    return checkpoint_fail(r->checkpoint, r->tensor, "the checksum of its values is wrong", err);
}

/* ---- strings */

/* The checksum includes each length as 4 or 8 bytes, not as it is encoded. */
static uint32_t extend_by_length(uint32_t crc, uint64_t len)
{
    uint8_t bytes[sizeof len];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(len >> 8 * i);
    return crc32c_extend(crc, bytes, len > UINT32_MAX ? 8 : 4);
}

/* Splits the bytes of PART at BYTES into N strings: lengths, their checksum, then the bytes; NULL
 * on success, else the reason of failure. */
static const char *split_strings(const struct checkpoint_part *part, const uint8_t *bytes,
                                 struct attr_bytes *strings, size_t n)
{
    const uint8_t *at = bytes;
    const uint8_t *end = bytes + part->size_bytes;
    const uint8_t *stored_crc;
    uint32_t crc = 0;
    uint32_t masked;

    for (size_t i = 0; i < n; i++) {
        uint64_t len;

        if (!wire_read_varint(&at, end, &len))
            return "the lengths of its strings are truncated";
        strings[i].len = (size_t)len;
        crc = extend_by_length(crc, len);
    }
    if (end - at < 4)
        return n ? "its strings are truncated" : NULL;
    stored_crc = at;
    at += 4;
    masked = (uint32_t)stored_crc[0] | (uint32_t)stored_crc[1] << 8 |
             (uint32_t)stored_crc[2] << 16 | (uint32_t)stored_crc[3] << 24;
    if (crc32c_mask(crc) != masked)
        return "the checksum of the lengths of its strings is wrong";
    if (crc32c_mask(crc32c_extend(crc, stored_crc, (size_t)(end - stored_crc))) !=
        part->masked_crc)
        return "the checksum of its values is wrong";
    for (size_t i = 0; i < n; i++) {
        if (strings[i].len > (size_t)(end - at))
            return "its strings are truncated";
        strings[i].bytes = (const char *)at;
        at += strings[i].len;
    }
    return NULL;
}

/* Reads PART's strings from the data file FD. */
static const char *load_strings(const struct checkpoint_part *part, int fd, struct arena *arena,
                                const struct attr_bytes **strings)
{
    const size_t n = (size_t)part->n_elements;
    struct attr_bytes *list;
    uint8_t *bytes;

    /* Every string takes at least one byte. */
    if ((uint64_t)part->n_elements > part->size_bytes)
        return "its size does not fit its type and shape";
    bytes = arena_try_alloc(arena, part->size_bytes, 1);
    *strings = list = arena_try_alloc(arena, n, sizeof *list);
    if (!bytes || !list)
        return "its values do not fit into memory";
    if (!read_at(fd, part->offset, bytes, part->size_bytes))
        return "its data file cannot be read";
    return split_strings(part, bytes, list, n);
}

static bool v2_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                       const struct checkpoint_part *part, struct arena *arena,
                       const struct attr_bytes **strings, struct err *err)
{
    int fd = open_shard(c, t, part, err);
    const char *why;

    if (fd < 0)
        return false;
    why = load_strings(part, fd, arena, strings);
    close(fd);
    return !why || checkpoint_fail(c, t, why, err);
}

static bool v1_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                       const struct checkpoint_part *part, struct sstable_cursor *cursor,
                       struct arena *arena, const struct attr_bytes **strings, struct err *err)
{
    struct attr_tensor literal;
    struct attr_strings list;
    bool ok = find_saved_slice(c, t, part, cursor, arena, &literal, err);

    if (ok) {
        /* The cursor's block is freed, so the strings are copied. */
        literal.message =
            (const uint8_t *)arena_memdupz(arena, literal.message, literal.len_bytes);
        list = tensor_strings(&literal, SIZE_MAX, arena);
        *strings = list.v;
        ok = list.n_all == part->n_elements ||
             checkpoint_fail(c, t, "its values do not fit its shape", err);
    }
    return ok;
}

bool part_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                  const struct checkpoint_part *part, struct sstable_cursor *cursor,
                  struct arena *arena, const struct attr_bytes **strings, struct err *err)
{
    return c->is_v2 ? v2_strings(c, t, part, arena, strings, err)
                    : v1_strings(c, t, part, cursor, arena, strings, err);
}

bool part_exists(const struct checkpoint *c, const struct checkpoint_tensor *t,
                   const struct checkpoint_part *part, struct sstable_cursor *cursor,
                   struct err *err)
{
    struct attr_tensor literal;
    struct arena pieces = {0};
    bool ok;
    int fd;

    if (c->is_v2) {
        fd = open_shard(c, t, part, err);
        if (fd >= 0)
            close(fd);
        return fd >= 0 && ((uint64_t)part->n_elements <= part->size_bytes ||
                           checkpoint_fail(c, t, "its size does not fit its type and shape", err));
    }
    ok = find_saved_slice(c, t, part, cursor, &pieces, &literal, err);
    arena_done(&pieces);
    return ok;
}
