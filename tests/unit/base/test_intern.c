/* test_intern.c: one id per byte string, byte order, growth. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/intern.h"

static int start(void **state)
{
    static struct intern in; /* private to this test program */

    intern_init(&in);
    *state = &in;
    return 0;
}

static int stop(void **state)
{
    intern_done(*state);
    return 0;
}

static void the_empty_string_always_exists(void **state)
{
    struct intern *in = *state;

    assert_int_equal(intern_put(in, "", 0), STRID_EMPTY);
    assert_int_equal(intern_find(in, "", 0), STRID_EMPTY);
    assert_int_equal(intern_len(in, STRID_EMPTY), 0);
}

static void equal_bytes_have_equal_ids(void **state)
{
    struct intern *in = *state;
    strid conv = intern_put(in, "conv/weights", 12);

    assert_int_equal(intern_put(in, "conv/weights", 12), conv);
    assert_int_equal(intern_find(in, "conv/weights", 12), conv);
    assert_int_equal(intern_find(in, "conv/weight", 11), STRID_NONE);
    assert_string_equal(intern_text(in, conv), "conv/weights");
}

static void nul_bytes_are_part_of_a_name(void **state)
{
    struct intern *in = *state;
    strid cut = intern_put(in, "a", 1), whole = intern_put(in, "a\0b", 3);

    assert_int_not_equal(cut, whole);
    assert_int_equal(intern_len(in, whole), 3);
    assert_memory_equal(intern_text(in, whole), "a\0b", 4);
}

static void names_compare_in_byte_order(void **state)
{
    struct intern *in = *state;
    strid a = intern_put(in, "a", 1), ab = intern_put(in, "ab", 2), b = intern_put(in, "b", 1);
    strid high = intern_put(in, "\xc3\xa9", 2), nul = intern_put(in, "a\0", 2);

    assert_true(intern_compare(in, a, ab) < 0);
    assert_true(intern_compare(in, b, ab) > 0);
    assert_true(intern_compare(in, high, b) > 0);
    assert_true(intern_compare(in, a, nul) < 0);
    assert_true(intern_compare(in, nul, ab) < 0);
    assert_int_equal(intern_compare(in, ab, ab), 0);
}

static void ids_stay_while_the_table_grows(void **state)
{
    struct intern *in = *state;
    char name[32];

    for (unsigned i = 0; i < 50000; i++) {
        int len = snprintf(name, sizeof name, "node_%u", i);

        assert_int_equal(intern_put(in, name, (size_t)len), i + 1);
    }
    for (unsigned i = 0; i < 50000; i++) {
        int len = snprintf(name, sizeof name, "node_%u", i);

        assert_int_equal(intern_find(in, name, (size_t)len), i + 1);
        assert_string_equal(intern_text(in, i + 1), name);
    }
}

/* Hashes that differ only in the bits that select the start of a search, only in the others, or not
 * at all; the largest ones produce slots that resemble free slots. */
static void equal_hashes_do_not_make_strings_equal(void **state)
{
    enum { COUNT = 3000 };
    static const uint32_t hashes[] = {0, 7, 7 | 1U << 31, UINT32_MAX, UINT32_MAX - 1, 1U << 12};
    struct intern *in = *state;

    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(
                intern_put_hashed(in, &i, sizeof i, hashes[i % (sizeof hashes / sizeof *hashes)]),
                i + 1);
    assert_int_equal(in->n, COUNT + 1);
}

static void borrowed_strings_are_not_copied(void **state)
{
    static const char copied[] = "conv", kept[] = "conv/weights";
    struct intern *in = *state;
    strid conv = intern_put(in, copied, 4);

    assert_int_equal(intern_put_kept(in, copied, 4, intern_hash(copied, 4)), conv);
    assert_ptr_not_equal(intern_text(in, conv), copied);
    assert_int_equal(intern_put_kept(in, kept, 12, intern_hash(kept, 12)), conv + 1);
    assert_ptr_equal(intern_text(in, conv + 1), kept);
    assert_int_equal(intern_find(in, "conv/weights", 12), conv + 1);
}

static void sorting_agrees_with_comparing(void **state)
{
    struct intern *in = *state;
    uint64_t random = 1;
    strid ids[3000];

    /* Long common prefixes, NULs, and strings that are prefixes of others. */
    for (unsigned i = 0; i < 3000; i++) {
        char name[64];
        size_t len;

        random = random * 6364136223846793005u + 1442695040888963407u;
        len = random >> 60 << 2 & 63;
        for (size_t k = 0; k < len; k++)
            name[k] = "scope/\0\xff"[k < 20 ? k * i % 3 : (random >> (k % 50)) % 8];
        ids[i] = intern_put(in, name, len);
    }
    intern_sort(in, ids, 3000);
    for (unsigned i = 1; i < 3000; i++)
        assert_true(intern_compare(in, ids[i - 1], ids[i]) <= 0);
    intern_sort(in, ids, 0);
}

static void *work(void *sorting)
{
    intern_sort_work(sorting);
    return NULL;
}

/* Groups large enough to be split between threads, and small ones. */
static void several_threads_give_the_same_order(void **state)
{
    enum { COUNT = 200000, N_THREADS = 4 };
    static strid ids[COUNT]; /* private to this test program */
    struct intern *in = *state;
    struct intern_sorting *sorting;
    pthread_t threads[N_THREADS];

    for (unsigned i = 0; i < COUNT; i++) {
        char name[64];
        int len = snprintf(name, sizeof name, "tower_%u/gradients/layer_%u/node_%u", i % 3,
                           i * 2654435761u % 7 * 1000, i);

        ids[i] = intern_put(in, name, (size_t)len);
    }
    sorting = intern_sort_begin(in, ids, COUNT);
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, sorting), 0);
    intern_sort_work(sorting);
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    intern_sort_end(sorting, ids);
    for (unsigned i = 1; i < COUNT; i++)
        assert_true(intern_compare(in, ids[i - 1], ids[i]) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_empty_string_always_exists, start, stop),
        cmocka_unit_test_setup_teardown(equal_bytes_have_equal_ids, start, stop),
        cmocka_unit_test_setup_teardown(nul_bytes_are_part_of_a_name, start, stop),
        cmocka_unit_test_setup_teardown(names_compare_in_byte_order, start, stop),
        cmocka_unit_test_setup_teardown(borrowed_strings_are_not_copied, start, stop),
        cmocka_unit_test_setup_teardown(sorting_agrees_with_comparing, start, stop),
        cmocka_unit_test_setup_teardown(several_threads_give_the_same_order, start, stop),
        cmocka_unit_test_setup_teardown(ids_stay_while_the_table_grows, start, stop),
        cmocka_unit_test_setup_teardown(equal_hashes_do_not_make_strings_equal, start, stop),
    };

    return cmocka_run_group_tests_name("base/intern", tests, NULL, NULL);
}
