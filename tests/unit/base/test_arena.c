/* test_arena.c: alignment, zeroing, reset and large blocks of base/arena. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/arena_pool.h"

static void every_size_is_aligned_and_separate(void **state)
{
    struct arena a = {0};
    unsigned char *earlier[200];

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        earlier[i] = arena_alloc(&a, i + 1, 1);
        assert_int_equal((uintptr_t)earlier[i] % _Alignof(max_align_t), 0);
        memset(earlier[i], (int)i, i + 1);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(earlier[i][k], i);
    arena_done(&a);
}

static void calloc_zeroes_memory_used_before(void **state)
{
    struct arena a = {0};
    static const char zeros[512];

    (void)state;
    memset(arena_alloc(&a, 512, 1), 0xff, 512);
    arena_reset(&a);
    assert_memory_equal(arena_calloc(&a, 128, 4), zeros, sizeof zeros);
    arena_done(&a);
}

static void a_copy_keeps_nul_bytes_and_ends_in_one(void **state)
{
    struct arena a = {0};

    (void)state;
    assert_memory_equal(arena_memdupz(&a, "a\0b", 3), "a\0b", 4);
    assert_memory_equal(arena_memdupz(&a, "", 0), "", 1);
    arena_done(&a);
}

static void a_larger_block_is_allocated(void **state)
{
    struct arena a = {0};
    size_t large_bytes = (size_t)8 << 20;
    unsigned char *small = arena_alloc(&a, 1, 16), *large;

    (void)state;
    memset(small, 7, 16);
    large = arena_alloc(&a, large_bytes, 1);
    memset(large, 9, large_bytes);
    assert_int_equal(small[15], 7);
    assert_true(a.total_bytes >= large_bytes);
    arena_done(&a);
    assert_null(a.head);
    assert_int_equal(a.total_bytes, 0);
}

static void reset_does_not_grow_round_after_round(void **state)
{
    struct arena a = {0};
    size_t after_first;

    (void)state;
    for (int i = 0; i < 50; i++)
        arena_alloc(&a, 100, 10);
    arena_reset(&a);
    arena_alloc(&a, 100, 10);
    after_first = a.total_bytes;
    for (int round = 0; round < 20; round++) {
        arena_reset(&a);
        arena_alloc(&a, 100, 10);
    }
    assert_int_equal(a.total_bytes, after_first);
    arena_done(&a);
}

/* Memory moved to another arena stays valid, and both arenas remain usable. */
static void memory_moves_to_another_arena(void **state)
{
    enum { N = 5000 };
    struct arena to = {0}, from = {0};
    const char *moved[N], *later[N];
    char text[32];

    (void)state;
    for (int round = 0; round < 2; round++) { /* to an empty arena, then to one in use */
        for (int i = 0; i < N; i++) {
            snprintf(text, sizeof text, "text %d of %d", i, round);
            moved[i] = arena_memdupz(&from, text, strlen(text));
        }
        arena_adopt(&from, malloc(100), 100);
        arena_move(&to, &from);
        assert_int_equal(from.total_bytes, 0);
        for (int i = 0; i < N; i++) {
            later[i] = arena_memdupz(&to, "later", 5);
            arena_memdupz(&from, "apart", 5);
        }
        arena_done(&from);
        for (int i = 0; i < N; i++) {
            snprintf(text, sizeof text, "text %d of %d", i, round);
            assert_string_equal(moved[i], text);
            assert_string_equal(later[i], "later");
        }
    }
    arena_done(&to);
}

static void a_pool_reuses_returned_arenas(void **state)
{
    struct arena_pool pool;
    struct arena to = {0}, one, two;
    const char *first, *second, *third;

    (void)state;
    arena_pool_init(&pool);
    one = arena_pool_get(&pool);
    two = arena_pool_get(&pool);
    first = arena_memdupz(&one, "first", 5);
    second = arena_memdupz(&two, "second", 6);
    arena_pool_put(&pool, one);
    one = arena_pool_get(&pool);
    third = arena_memdupz(&one, "third", 5);
    arena_pool_put(&pool, two);
    arena_pool_put(&pool, one);
    assert_int_equal(pool.idle.n, 2);
    arena_pool_move(&to, &pool);
    assert_int_equal(arena_requested_bytes(&to), sizeof "first" + sizeof "second" + sizeof "third");
    assert_string_equal(first, "first");
    assert_string_equal(second, "second");
    assert_string_equal(third, "third");
    arena_done(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_moves_to_another_arena),
        cmocka_unit_test(a_pool_reuses_returned_arenas),
        cmocka_unit_test(every_size_is_aligned_and_separate),
        cmocka_unit_test(calloc_zeroes_memory_used_before),
        cmocka_unit_test(a_copy_keeps_nul_bytes_and_ends_in_one),
        cmocka_unit_test(a_larger_block_is_allocated),
        cmocka_unit_test(reset_does_not_grow_round_after_round),
    };

    return cmocka_run_group_tests_name("base/arena", tests, NULL, NULL);
}
