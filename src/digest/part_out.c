/* part_out.c: writes a part. */
#include "digest/part_out.h"

#include "base/crc32c.h"
#include "base/wire_out.h"

enum { HAND_ON_BYTES = 64 << 10 };

void part_out_begin(struct part_out *out, part_write_fn *write, void *context)
{
    *out = (struct part_out){.write = write, .context = context};
    sb_add(&out->bytes, PART_MAGIC, PART_MAGIC_BYTES);
}

static bool flush_bytes(struct part_out *out, struct err *err)
{
    const bool ok = out->write(out->context, sb_text(&out->bytes), out->bytes.len, err);

    sb_clear(&out->bytes);
    return ok;
}

static size_t count_shared(const struct strbuf *a, const struct strbuf *b)
{
    const size_t n = a->len < b->len ? a->len : b->len;
    size_t shared = 0;

    while (shared < n && a->data[shared] == b->data[shared])
        shared++;
    return shared;
}

static void add_sketch(struct strbuf *sb, const struct sketch *s)
{
    uint32_t last = 0;

    wire_varint(sb, s->buckets.n);
    for (size_t i = 0; i < s->buckets.n; i++) {
        wire_varint(sb, s->buckets.data[i].index - last);
        wire_varint(sb, s->buckets.data[i].n);
        last = s->buckets.data[i].index;
    }
}

bool part_out_add(struct part_out *out, const struct digest_record *r, struct err *err)
{
    const size_t shared = count_shared(&out->last, &r->key);

    wire_varint(&out->bytes, shared);
    wire_varint(&out->bytes, r->key.len - shared);
    sb_add(&out->bytes, r->key.data + shared, r->key.len - shared);
    for (int i = 0; i < DIGEST_FIGURES; i++)
        wire_varint(&out->bytes, r->figures[i]);
    add_sketch(&out->bytes, &r->times_ps);
    sb_truncate(&out->last, shared);
    sb_add(&out->last, r->key.data + shared, r->key.len - shared);
    out->n_records++;
    if (out->bytes.len < HAND_ON_BYTES)
        return true;
    out->crc = crc32c_extend(out->crc, out->bytes.data, out->bytes.len);
    return flush_bytes(out, err);
}

bool part_out_end(struct part_out *out, struct err *err)
{
    wire_varint(&out->bytes, 0);
    wire_varint(&out->bytes, 0);
    wire_varint(&out->bytes, out->n_records);
    out->crc = crc32c_extend(out->crc, out->bytes.data, out->bytes.len);
    wire_fixed(&out->bytes, out->crc, PART_CRC_BYTES);
    return flush_bytes(out, err);
}

void part_out_done(struct part_out *out)
{
    EACH(sb_done, &out->bytes, &out->last);
}
