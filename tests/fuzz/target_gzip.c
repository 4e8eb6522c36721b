/* target_gzip.c: gzip: any bytes are decompressed within a limit or rejected; data compressed by
 * zlib, split into members anywhere, are restored, and load equally; several threads give the same. */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "load/bytes/gunzip_ahead.h"
#include "fixtures/load_bytes.h"
#include "targets.h"

enum { MAX_BYTES = 1 << 20, ROOM = 256 };

static void keep_quiet(void *context, size_t n_bytes)
{
    (void)context, (void)n_bytes;
}

/* Unpacks into exactly MAX_BYTES. */
static bool unpack(const uint8_t *bytes, size_t size, unsigned n_threads, byte_vec *out,
                   struct err *err)
{
    enum { STRIDE_BYTES = 24 };
    const struct cancel_mark never = {0};
    struct gunzip_ahead *ahead = gunzip_ahead_new(bytes, size, n_threads, STRIDE_BYTES);
    const struct gunzip_watch watch = {.tell = keep_quiet, .ahead = ahead};
    bool ok;

    *out = (byte_vec){.data = malloc(MAX_BYTES), .capacity = MAX_BYTES};
    FUZZ_REQUIRE(out->data != NULL);
    ok = gunzip(bytes, size, MAX_BYTES, out, &watch, never, err);
    gunzip_ahead_free(ahead);
    return ok;
}

static void threads_agree(const uint8_t *bytes, size_t size)
{
    byte_vec one, more;
    struct err err_one = {0}, err_more = {0};

    FUZZ_REQUIRE(unpack(bytes, size, 1, &one, &err_one) == unpack(bytes, size, 3, &more, &err_more));
    FUZZ_REQUIRE(strcmp(err_text(&err_one), err_text(&err_more)) == 0);
    FUZZ_REQUIRE(one.n == more.n && memcmp(one.data, more.data, one.n) == 0);
    err_done(&err_one);
    err_done(&err_more);
    vec_done(&one);
    vec_done(&more);
}

static void unpacked_or_refused(const uint8_t *bytes, size_t size)
{
    const struct cancel_mark never = {0};
    byte_vec out = {0};
    struct err err = {0};
    const bool ok = gunzip(bytes, size, MAX_BYTES, &out, NULL, never, &err);

    FUZZ_REQUIRE(out.n <= MAX_BYTES);
    FUZZ_REQUIRE(ok == (err.kind == ERR_NONE));
    err_done(&err);
    vec_done(&out);
}

/* Compresses BYTES as one member, at most ROOM bytes longer. */
static size_t pack(const uint8_t *bytes, size_t size, uint8_t *out, int level)
{
    z_stream z = {0};
    size_t n;

    FUZZ_REQUIRE(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)(size + ROOM);
    FUZZ_REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
    n = z.total_out;
    deflateEnd(&z);
    return n;
}

static void packed_or_not(const uint8_t *plain, size_t len, const uint8_t *packed, size_t n)
{
    struct err err = {0}, err_packed = {0};
    const bool ok = load_bytes(BYTES_FILE, plain, len, &err);

    /* Compressed contents are decompressed only once. */
    if (!gunzip_wanted(plain, len))
        FUZZ_REQUIRE(ok == load_bytes(BYTES_FILE, packed, n, &err_packed));
    err_done(&err);
    err_done(&err_packed);
}

static void members_come_back(const uint8_t *bytes, size_t size, size_t cut)
{
    const struct cancel_mark never = {0};
    uint8_t *packed = malloc(size + 3 * ROOM);
    byte_vec out = {0};
    struct err err = {0};
    size_t n;

    FUZZ_REQUIRE(packed != NULL);
    n = pack(bytes, cut, packed, 0);
    n += pack(bytes + cut, size - cut, packed + n, 9);
    memset(packed + n, 0, ROOM / 2); /* padding after the last member */
    FUZZ_REQUIRE(gunzip(packed, n + ROOM / 2, MAX_BYTES, &out, NULL, never, &err));
    FUZZ_REQUIRE(out.n == size && (!size || memcmp(out.data, bytes, size) == 0));
    threads_agree(packed, n + ROOM / 2);
    packed_or_not(bytes, size, packed, n);
    free(packed);
    vec_done(&out);
}

void target_gzip(const uint8_t *bytes, size_t size)
{
    unpacked_or_refused(bytes, size);
    threads_agree(bytes, size);
    if (size && size <= MAX_BYTES / 2)
        members_come_back(bytes, size, bytes[0] % size);
}
