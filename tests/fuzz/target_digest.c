/* target_digest.c: a valid digest part is unchanged when it is merged alone, or with an empty one;
 * every valid part can be loaded. */
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/xalloc.h"
#include "digest/part_files.h"
#include "targets.h"

static bool keep(void *context, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(context, bytes, len);
    return true;
}

/* Merges N parts; false when one is damaged. */
static bool merge(struct part_bytes *parts, size_t n, struct strbuf *merged)
{
    const struct cancel_mark never = {NULL, 0};
    struct part_in ins[2];
    struct part_out out;
    struct err err = {0};
    size_t failed;
    bool ok;

    for (size_t i = 0; i < n; i++)
        part_in_init(&ins[i], part_read_bytes, &parts[i], 61);
    part_out_begin(&out, keep, merged);
    ok = digest_merge(ins, n, &out, never, &failed, &err);
    part_out_done(&out);
    for (size_t i = 0; i < n; i++)
        part_in_done(&ins[i]);
    err_done(&err);
    return ok;
}

void target_digest(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = xmalloc(size + 1);
    struct strbuf empty = {0}, merged = {0};
    struct part_bytes parts[2] = {{copy, size}, {NULL, 0}};

    memcpy(copy, bytes, size);
    if (size > 4) { /* otherwise a wrong checksum would hide all other errors */
        const uint32_t crc = crc32c_extend(0, copy, size - 4);

        for (int i = 0; i < 4; i++)
            copy[size - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
    }
    if (!merge(NULL, 0, &empty))
        abort();
    parts[1] = (struct part_bytes){empty.data, empty.len};
    if (merge(parts, 1, &merged) && (merged.len != size || memcmp(merged.data, copy, size) != 0))
        abort();
    sb_clear(&merged);
    if (merge(parts, 2, &merged) && (merged.len != size || memcmp(merged.data, copy, size) != 0))
        abort();
    target_file(copy, size);
    sb_done(&empty);
    sb_done(&merged);
    free(copy);
}
