/* part_in.c: reads a part.  Every part has one canonical encoding; all others are rejected as
 * damaged, so a copy has always the same bytes. */
#include "digest/part_in.h"

#include <inttypes.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/xalloc.h"

void part_in_init(struct part_in *in, part_read_fn *read, void *context, size_t buffer_bytes)
{
    *in = (struct part_in){.read = read, .context = context, .capacity = buffer_bytes};
    in->buffer = xmalloc(buffer_bytes);
}

void part_in_done(struct part_in *in)
{
    digest_record_done(&in->record);
    free(in->buffer);
    memset(in, 0, sizeof *in);
}

static bool damaged(struct part_in *in, struct err *err, const char *what)
{
    in->failed = true;
    return err_set(err, ERR_INPUT, "offset %" PRIu64 ": %s", in->begin_offset + in->at, what);
}

/* ---- bytes */

static void update_checksum(struct part_in *in)
{
    in->crc = crc32c_extend(in->crc, in->buffer + in->crc_from, in->at - in->crc_from);
    in->crc_from = in->at;
}

/* Makes at least one byte available; false with ERR. */
static bool refill(struct part_in *in, struct err *err)
{
    if (in->at < in->end)
        return true;
    update_checksum(in);
    in->begin_offset += in->end;
    in->at = in->end = in->crc_from = 0;
    if (!in->read(in->context, in->begin_offset, in->buffer, in->capacity, &in->end, err)) {
        in->failed = true;
        return false;
    }
    return in->end || damaged(in, err, "the part ends early");
}

static bool get_varint(struct part_in *in, uint64_t *value, struct err *err)
{
    unsigned shift = 0;

    *value = 0;
    for (;; shift += 7) {
        uint8_t byte;

        if (!refill(in, err))
            return false;
        byte = in->buffer[in->at++];
        if ((shift == 63 && byte > 1) || (shift && !byte))
            return damaged(in, err, "a number is malformed");
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
}

static bool get_bytes(struct part_in *in, struct strbuf *to, size_t len, struct err *err)
{
    while (len) {
        size_t n;

        if (!refill(in, err))
            return false;
        n = in->end - in->at < len ? in->end - in->at : len;
        sb_add(to, in->buffer + in->at, n);
        in->at += n;
        len -= n;
    }
    return true;
}

/* ---- records */

static bool get_magic(struct part_in *in, struct err *err)
{
    struct strbuf magic = {0};
    const bool ok = get_bytes(in, &magic, PART_MAGIC_BYTES, err);
    const bool fits = ok && part_fits(magic.data, magic.len);
    const bool same = fits && memcmp(magic.data, PART_MAGIC, PART_MAGIC_BYTES) == 0;

    sb_done(&magic);
    if (ok && !fits)
        return damaged(in, err, "not a part of a digest");
    return same || (ok && damaged(in, err, "a part of a newer version"));
}

/* Reads and verifies the number of records and the checksum. */
static bool get_end(struct part_in *in, struct err *err)
{
    struct strbuf crc = {0};
    uint64_t n_records;
    uint32_t expected = 0, crc_of_all;

    if (!get_varint(in, &n_records, err))
        return false;
    if (n_records != in->n_records)
        return damaged(in, err, "records are missing");
    update_checksum(in);
    crc_of_all = in->crc; /* refill() extends the checksum by its own bytes */
    if (!get_bytes(in, &crc, PART_CRC_BYTES, err)) {
        sb_done(&crc);
        return false;
    }
    for (int i = 0; i < PART_CRC_BYTES; i++)
        expected |= (uint32_t)(uint8_t)crc.data[i] << 8 * i;
    sb_done(&crc);
    if (expected != crc_of_all)
        return damaged(in, err, "the checksum is wrong");
    in->ended = true;
    if (in->at < in->end)
        return damaged(in, err, "bytes follow the end");
    in->begin_offset += in->end;
    in->at = in->end = in->crc_from = 0;
    return (in->read(in->context, in->begin_offset, in->buffer, 1, &in->end, err) && !in->end) ||
           damaged(in, err, "bytes follow the end");
}

static struct text key_text(const struct part_in *in)
{
    return (struct text){sb_text(&in->record.key), (uint32_t)in->record.key.len};
}

/* Reads a key: SHARED bytes of the previous one and REST new bytes. */
static bool get_key(struct part_in *in, uint64_t shared, uint64_t rest, struct err *err)
{
    struct strbuf *key = &in->record.key;
    const size_t old_len = key->len;
    const uint8_t next = shared < old_len ? (uint8_t)key->data[shared] : 0;

    if (shared > old_len || rest > DIGEST_KEY_MAX_BYTES - shared)
        return damaged(in, err, "a key is malformed");
    digest_key_ends_cut(&in->ends, key_text(in), (uint32_t)shared);
    sb_truncate(key, shared);
    if (!get_bytes(in, key, rest, err))
        return false;
    if (shared < old_len && (uint8_t)key->data[shared] <= next)
        return damaged(in, err, "keys are not in order");
    return digest_key_ends_extend(&in->ends, key_text(in), (uint32_t)shared) ||
           damaged(in, err, "a key is malformed");
}

static bool get_sketch(struct part_in *in, struct sketch *s, struct err *err)
{
    uint64_t n, index = 0;

    sketch_clear(s);
    if (!get_varint(in, &n, err))
        return false;
    if (n > SKETCH_BUCKETS)
        return damaged(in, err, "too many buckets");
    for (uint64_t i = 0; i < n; i++) {
        struct sketch_bucket bucket;
        uint64_t step;

        if (!get_varint(in, &step, err) || !get_varint(in, &bucket.n, err))
            return false;
        index += step < SKETCH_BUCKETS ? step : SKETCH_BUCKETS;
        if (index >= SKETCH_BUCKETS || (i && !step) || !bucket.n)
            return damaged(in, err, "a bucket is malformed");
        bucket.index = (uint32_t)index;
        vec_push(&s->buckets, bucket);
    }
    return true;
}

bool part_in_next(struct part_in *in, struct err *err)
{
    uint64_t shared, rest;

    if (!in->n_records && !in->begin_offset && !in->end && !get_magic(in, err))
        return false;
    if (!get_varint(in, &shared, err) || !get_varint(in, &rest, err))
        return false;
    if (!rest)
        return shared ? damaged(in, err, "a key is malformed") : get_end(in, err);
    if (!get_key(in, shared, rest, err))
        return false;
    for (int i = 0; i < DIGEST_FIGURES; i++)
        if (!get_varint(in, &in->record.figures[i], err))
            return false;
    if (!get_sketch(in, &in->record.times_ps, err))
        return false;
    in->n_records++;
    return digest_record_is_valid(&in->record) ||
           damaged(in, err, "the figures of a record contradict each other");
}

/* ---- parts in memory */

bool part_read_bytes(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                     struct err *err UNUSED)
{
    const struct part_bytes *part = context;
    const size_t left = at < part->len ? part->len - (size_t)at : 0;

    *n = left < len ? left : len;
    if (*n)
        memcpy(bytes, (const char *)part->bytes + at, *n);
    return true;
}

bool part_fits(const void *bytes, size_t len)
{
    return len >= PART_MAGIC_BYTES && memcmp(bytes, PART_MAGIC, PART_MAGIC_BYTES - 1) == 0;
}
