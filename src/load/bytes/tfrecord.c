/* tfrecord.c: reads the records of an event file. */
#include "load/bytes/tfrecord.h"

#include "base/crc32c.h"

enum { LENGTH_BYTES = 8, CRC_BYTES = 4, HEADER_BYTES = LENGTH_BYTES + CRC_BYTES };

static uint64_t load_le(const uint8_t *p, unsigned n)
{
    uint64_t value = 0;

    for (unsigned i = n; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static bool crc_fits(const uint8_t *bytes, size_t len)
{
    return crc32c_mask(crc32c_extend(0, bytes, len)) == load_le(bytes + len, CRC_BYTES);
}

enum tfrecord_state tfrecord_next(struct span file, size_t *at, struct span *data)
{
    const uint8_t *record = file.bytes + *at;
    const size_t left = file.len - *at;
    uint64_t len;

    if (left < HEADER_BYTES)
        return TFRECORD_END;
    if (!crc_fits(record, LENGTH_BYTES))
        return TFRECORD_BAD_LENGTH;
    len = load_le(record, LENGTH_BYTES);
    if (len > left - HEADER_BYTES || left - HEADER_BYTES - len < CRC_BYTES)
        return TFRECORD_END;
    *data = (struct span){record + HEADER_BYTES, (size_t)len};
    *at += HEADER_BYTES + (size_t)len + CRC_BYTES;
    return crc_fits(data->bytes, data->len) ? TFRECORD_OK : TFRECORD_BAD_DATA;
}

bool fits_events(struct span bytes, struct evidence *e)
{
    return !e && bytes.len >= HEADER_BYTES && crc_fits(bytes.bytes, LENGTH_BYTES);
}
