/* part_out.h: writes a part: records in the order of their keys (formats-digest.md section 2). */
#pragma once

#include "base/err.h"
#include "digest/record.h"

/* Writes bytes; false with ERR. */
typedef bool part_write_fn(void *context, const void *bytes, size_t len, struct err *err);

/* Fields are private. */
struct part_out {
    part_write_fn *write;
    void *context;
    struct strbuf bytes; /* not written yet */
    struct strbuf last;  /* key of the previous record */
    uint64_t n_records;
    uint32_t crc;
};

void part_out_begin(struct part_out *out, part_write_fn *write, void *context);
/* Writes R, whose key has to be larger than the previous one.  False with ERR when writing
 * fails. */
bool part_out_add(struct part_out *out, const struct digest_record *r, struct err *err);
bool part_out_end(struct part_out *out, struct err *err);
void part_out_done(struct part_out *out);
