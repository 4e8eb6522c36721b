/* part_in.h: reads a part record by record with a bounded buffer. */
#pragma once

#include "base/err.h"
#include "digest/record.h"

/* Fills BYTES with up to LEN bytes of the part from offset AT on; *N is their number, 0 at the
 * end. */
typedef bool part_read_fn(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                          struct err *err);

/* Fields are private except record, ends and ended. */
struct part_in {
    part_read_fn *read;
    void *context;
    uint8_t *buffer; /* heap */
    size_t capacity, at, end;
    uint64_t begin_offset; /* offset of the buffer in the part */
    size_t crc_from;
    uint32_t crc;
    uint64_t n_records;
    struct digest_record record; /* the current record */
    struct digest_key_ends ends; /* part boundaries of its key */
    bool ended;
    bool failed;
};

/* Reads the part from READ, BUFFER_BYTES at a time. */
void part_in_init(struct part_in *in, part_read_fn *read, void *context, size_t buffer_bytes);
/* Reads the next record, or sets in->ended.  False with ERR ("offset N: ...", or READ's error): the
 * part is damaged. */
bool part_in_next(struct part_in *in, struct err *err);
void part_in_done(struct part_in *in);

/* A part in memory, for part_in_init(). */
struct part_bytes {
    const void *bytes;
    size_t len;
};
bool part_read_bytes(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                     struct err *err);

/* True when BYTES begin like a part of any version. */
bool part_fits(const void *bytes, size_t len);
