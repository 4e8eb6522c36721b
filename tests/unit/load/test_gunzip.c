/* test_gunzip.c: gzip data give the same bytes and the same error for any number of threads, whatever
 * their members are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>

#include "load/bytes/gunzip_ahead.h"
#include "load/bytes/gunzip_stream.h"
#include "load/bytes/inflater.h"
#include "fixtures/random_options.h"

/* Starts are near each other, so that small inputs have several. */
enum { STRIDE_BYTES = 64, MAX_BYTES = 4 << 20 };

static const struct cancel_mark never = {0};

/* ---- inputs */

/* Appends BYTES to OUT as one member; level 0 stores them. */
static void put_member(byte_vec *out, const void *bytes, size_t len, int level)
{
    z_stream z = {.next_in = bytes, .avail_in = (uInt)len};

    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    vec_reserve(out, out->n + deflateBound(&z, len));
    z.next_out = out->data + out->n;
    z.avail_out = (uInt)(out->capacity - out->n);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->n += z.total_out;
    deflateEnd(&z);
}

/* Bytes of which KINDS values occur: 1 for a bomb, 256 for bytes that cannot be compressed. */
static byte_vec some_bytes(size_t len, unsigned kinds, uint64_t *state)
{
    byte_vec bytes = {0};

    vec_reserve(&bytes, len + 1);
    while (bytes.n < len)
        bytes.data[bytes.n++] = (unsigned char)random_below(state, kinds);
    return bytes;
}

static void put_some(byte_vec *packed, size_t len, unsigned kinds, uint64_t *state)
{
    byte_vec bytes = some_bytes(len, kinds, state);

    put_member(packed, bytes.data, len, kinds < 256 ? 6 : 0);
    vec_done(&bytes);
}

/* Members of all sizes, empty ones included. */
static byte_vec many_members(unsigned n, uint64_t *state)
{
    byte_vec packed = {0};

    while (n--)
        put_some(&packed, random_below(state, 4) ? random_below(state, 400) : 0,
                 random_below(state, 2) ? 256 : 20, state);
    return packed;
}

/* ---- the same for any number of threads */

struct outcome {
    byte_vec bytes;
    bool ok;
    struct err err;
};

/* Lets the other threads have the processor. */
static void give_way(void *context, size_t n_bytes)
{
    (void)context, (void)n_bytes;
    for (int k = 0; k < 4; k++)
        sched_yield();
}

static struct outcome unpack(const byte_vec *packed, size_t max, unsigned n_threads)
{
    struct gunzip_ahead *ahead = gunzip_ahead_new(packed->data, packed->n, n_threads, STRIDE_BYTES);
    const struct gunzip_watch watch = {.tell = give_way, .ahead = ahead};
    struct outcome o = {.bytes = {.data = malloc(max), .capacity = max}};

    assert_non_null(o.bytes.data);
    o.ok = gunzip(packed->data, packed->n, max, &o.bytes, &watch, never, &o.err);
    gunzip_ahead_free(ahead);
    return o;
}

static void outcome_done(struct outcome *o)
{
    err_done(&o->err);
    vec_done(&o->bytes);
}

/* Compares the outcome of one thread with those of several; true if PACKED is without damage. */
static bool same_for_threads(const byte_vec *packed, size_t max)
{
    static const unsigned n_threads[] = {2, 3, 16};
    struct outcome one = unpack(packed, max, 1);
    const bool ok = one.ok;

    for (size_t k = 0; k < sizeof n_threads / sizeof *n_threads; k++) {
        struct outcome more = unpack(packed, max, n_threads[k]);

        assert_int_equal(more.ok, one.ok);
        assert_int_equal(more.err.kind, one.err.kind);
        assert_string_equal(err_text(&more.err), err_text(&one.err));
        assert_int_equal(more.bytes.n, one.bytes.n);
        assert_memory_equal(more.bytes.data, one.bytes.data, one.bytes.n);
        outcome_done(&more);
    }
    outcome_done(&one);
    return ok;
}

static void members_of_any_size(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int round = 0; round < 20; round++) {
        byte_vec packed = many_members(1 + random_below(&seed, 60), &seed);

        assert_true(same_for_threads(&packed, MAX_BYTES));
        vec_done(&packed);
    }
}

/* One byte changed, the end cut off, or other bytes after it. */
static void damaged_members(void **state)
{
    uint64_t seed = 2;
    unsigned n_damaged = 0;

    (void)state;
    for (int round = 0; round < 300; round++) {
        byte_vec packed = many_members(20, &seed);
        const size_t at = random_below(&seed, (uint32_t)packed.n);

        if (round % 3 == 0)
            packed.n = at + 1;
        else if (round % 3 == 1)
            packed.data[at] ^= (unsigned char)(1u << random_below(&seed, 8));
        else
            for (int k = 0; k < 30; k++)
                vec_push(&packed, (unsigned char)(k < 3 ? 0x8b1f >> 8 * (k % 2) : k));
        n_damaged += !same_for_threads(&packed, MAX_BYTES);
        vec_done(&packed);
    }
    assert_true(n_damaged > 200);
}

/* Limits before, in and after each member. */
static void limits(void **state)
{
    uint64_t seed = 3;
    byte_vec packed = {0};

    (void)state;
    for (int k = 0; k < 6; k++)
        put_some(&packed, 100 << 10, 20, &seed);
    for (size_t max = 1; max < 1000 << 10; max += 7 << 10)
        assert_int_equal(same_for_threads(&packed, max), max >= 600 << 10);
    assert_true(same_for_threads(&packed, 600 << 10));
    assert_false(same_for_threads(&packed, (600 << 10) - 1));
    put_some(&packed, 0, 20, &seed);
    assert_false(same_for_threads(&packed, 600 << 10)); /* as always, even for an empty member */
    vec_done(&packed);
}

/* Stored bytes that are members themselves. */
static void headers_inside_members(void **state)
{
    uint64_t seed = 4;
    byte_vec inner = many_members(30, &seed), packed = {0};

    (void)state;
    put_some(&inner, 3 << 20, 1, &seed);
    for (int k = 0; k < 4; k++) {
        put_member(&packed, inner.data, inner.n, 0);
        put_some(&packed, 300, 256, &seed);
    }
    assert_true(same_for_threads(&packed, MAX_BYTES));
    vec_done(&inner);
    vec_done(&packed);
}

/* More than a thread may inflate ahead, within the limit and beyond it. */
static void bombs(void **state)
{
    const size_t len = 20 << 20;
    uint64_t seed = 5;
    byte_vec packed = {0};

    (void)state;
    for (int k = 0; k < 4; k++)
        put_some(&packed, len, 1, &seed);
    assert_true(same_for_threads(&packed, 4 * len));
    assert_false(same_for_threads(&packed, 3 * len - 1));
    vec_done(&packed);
}

/* ---- what other threads did */

/* What another thread inflated is used if it began before it was asked for. */
static void a_run_is_taken(void **state)
{
    uint64_t seed = 6;
    byte_vec packed = {0}, out = {0};
    struct gunzip_ahead *ahead = NULL;
    struct inflater *i;
    size_t at;

    (void)state;
    put_some(&packed, 200, 256, &seed);
    at = packed.n;
    put_some(&packed, 100, 20, &seed);
    vec_reserve(&out, MAX_BYTES);
    i = inflater_new(packed.data, packed.n);
    inflater_set(i, packed.data + at);
    do {
        gunzip_ahead_free(ahead);
        ahead = gunzip_ahead_new(packed.data, packed.n, 2, STRIDE_BYTES);
        give_way(NULL, 0);
    } while (!gunzip_ahead_take(ahead, &i, &out));
    while (inflater_goes_on(i))
        inflater_part(i, &out, INFLATER_PART_BYTES);
    assert_int_equal(i->status, Z_STREAM_END);
    assert_int_equal(out.n, 100);
    inflater_free(i);
    gunzip_ahead_free(ahead);
    vec_done(&packed);
    vec_done(&out);
}

static void one_thread_or_one_stride_needs_no_other(void **state)
{
    uint64_t seed = 7;
    byte_vec packed = some_bytes(STRIDE_BYTES, 256, &seed);

    (void)state;
    assert_null(gunzip_ahead_new(packed.data, packed.n, 1, STRIDE_BYTES));
    assert_null(gunzip_ahead_new(packed.data, packed.n - 1, 2, STRIDE_BYTES));
    vec_done(&packed);
}

/* ---- streams */

/* A copy, which the stream owns. */
static struct gunzip_stream *start(const byte_vec *packed, struct cancel_mark cancel)
{
    unsigned char *copy = malloc(packed->n);

    assert_non_null(copy);
    memcpy(copy, packed->data, packed->n);
    return gunzip_start(copy, packed->n, 256 << 20, cancel);
}

/* Bytes arrive in order, and do not change, while later members are inflated. */
static void a_stream_grows(void **state)
{
    uint64_t seed = 8;
    byte_vec packed = {0}, plain = {0};
    struct source_file file = {0};
    struct err err = {0};
    struct gunzip_stream *s;
    bool ended = false;
    size_t n = 0;

    (void)state;
    vec_reserve(&plain, 6 << 20);
    while (plain.n < 6 << 20) {
        byte_vec piece = some_bytes(500 << 10, plain.n % 3 ? 20 : 256, &seed);

        put_member(&packed, piece.data, piece.n, 1);
        vec_reserve(&plain, plain.n + piece.n);
        memcpy(plain.data + plain.n, piece.data, piece.n);
        plain.n += piece.n;
        vec_done(&piece);
    }
    setenv("TFPROF_THREADS", "4", 1);
    s = start(&packed, never);
    while (!ended) {
        const size_t had = n;

        n = gunzip_await(s, n + 1, &ended);
        assert_true(n <= plain.n);
        assert_memory_equal(gunzip_bytes(s) + had, plain.data + had, n - had);
    }
    assert_true(gunzip_finish(s, &file, &err));
    assert_int_equal(file.size_bytes, plain.n);
    file.release(&file);
    unsetenv("TFPROF_THREADS");
    vec_done(&packed);
    vec_done(&plain);
}

static void a_stream_is_cancelled(void **state)
{
    uint64_t seed = 9;
    byte_vec packed = {0};
    struct cancel token = {0};
    bool ended;

    (void)state;
    for (int k = 0; k < 8; k++)
        put_some(&packed, 300 << 10, 256, &seed);
    setenv("TFPROF_THREADS", "4", 1);
    for (size_t want = 0; want < 8 * (300 << 10); want += 300 << 10) {
        struct gunzip_stream *s = start(&packed, cancel_mark_now(&token));
        struct source_file file = {0};
        struct err err = {0};

        gunzip_await(s, want, &ended);
        if (want % 2) {
            gunzip_cancel(s);
            continue;
        }
        cancel_ask(&token);
        if (!gunzip_finish(s, &file, &err))
            assert_int_equal(err.kind, ERR_CANCELLED);
        err_done(&err);
        file.release(&file);
    }
    unsetenv("TFPROF_THREADS");
    vec_done(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_of_any_size),
        cmocka_unit_test(damaged_members),
        cmocka_unit_test(limits),
        cmocka_unit_test(headers_inside_members),
        cmocka_unit_test(bombs),
        cmocka_unit_test(a_run_is_taken),
        cmocka_unit_test(one_thread_or_one_stride_needs_no_other),
        cmocka_unit_test(a_stream_grows),
        cmocka_unit_test(a_stream_is_cancelled),
    };

    return cmocka_run_group_tests_name("gunzip", tests, NULL, NULL);
}
