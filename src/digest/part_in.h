/* part_in.h: reading a part, record by record, with a bounded buffer. */
#ifndef TFPROF_DIGEST_PART_IN_H
#define TFPROF_DIGEST_PART_IN_H

#include "base/err.h"
#include "digest/record.h"

/* Fills BYTES with up to LEN bytes of the part from AT on; *N of them, 0 behind the end. */
typedef bool part_read_fn(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                          struct err *err);

/* Fields are private but for record, ends and ended. */
struct part_in {
    part_read_fn *read;
    void *context;
    uint8_t *buffer; /* heap */
    size_t capacity, at, end;
    uint64_t begin_offset; /* of the buffer within the part */
    size_t crc_from;
    uint32_t crc;
    uint64_t n_records;
    struct digest_record record; /* the one that was read last */
    struct digest_key_ends ends; /* of its key */
    bool ended;
    bool failed;
};

/* The part that READ gives, BUFFER_BYTES of it at a time. */
void part_in_init(struct part_in *in, part_read_fn *read, void *context, size_t buffer_bytes);
/* Reads the next record, or sets in->ended.  False with ERR ("offset N: ...", or what READ says):
 * the part is damaged. */
bool part_in_next(struct part_in *in, struct err *err);
void part_in_done(struct part_in *in);

/* A part in memory, for part_in_init(). */
struct part_bytes {
    const void *bytes;
    size_t len;
};
bool part_read_bytes(void *context, uint64_t at, void *bytes, size_t len, size_t *n,
                     struct err *err);

/* True when a part begins like BYTES, of any version. */
bool part_fits(const void *bytes, size_t len);

#endif
