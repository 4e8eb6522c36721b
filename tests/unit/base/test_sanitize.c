/* test_sanitize.c: with the address sanitizer, bytes next to an allocation of an arena, an array or
 * a mapped file are not accessible, and bytes inside it are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/sanitize.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "load/bytes/mapping.h"

static bool is_forbidden(const void *p)
{
#if SANITIZE_ADDRESS
    return __asan_address_is_poisoned(p);
#else
    (void)p;
    return false;
#endif
}

/* Fails unless LEN bytes from P are accessible and their neighbors are not. */
static void assert_alone(const void *p, size_t len)
{
    const char *bytes = p;

    for (size_t i = 0; i < len; i++)
        assert_false(is_forbidden(bytes + i));
    if (!SANITIZE_ADDRESS)
        return;
    assert_true(is_forbidden(bytes - 1));
    for (size_t i = 0; i < 16; i++)
        assert_true(is_forbidden(bytes + len + i));
}

static void arena_allocations_are_separated(void **state)
{
    struct arena a = {0};
    const void *kept[40];

    (void)state;
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 20; i++) {
            kept[2 * i] = arena_alloc(&a, i, 7);
            kept[2 * i + 1] = arena_memdupz(&a, "some text that is long enough", i);
        }
        for (size_t i = 0; i < 20; i++) {
            assert_alone(kept[2 * i], 7 * i);
            assert_alone(kept[2 * i + 1], i + 1);
        }
        assert_alone(arena_alloc(&a, 3 << 20, 1), 3 << 20);
        arena_reset(&a);
        for (size_t i = 0; SANITIZE_ADDRESS && i < 10; i++)
            assert_true(is_forbidden(kept[i]));
    }
    arena_done(&a);
}

static void bytes_after_arrays_are_poisoned(void **state)
{
    VEC(uint16_t) v = {0};

    (void)state;
    for (uint16_t i = 0; i < 5000; i++) {
        const uint16_t *before = v.data;

        vec_push(&v, i);
        assert_int_equal(v.data[i / 2], i / 2);
        if (SANITIZE_ADDRESS) {
            assert_int_equal(v.capacity, v.n);
            /* The array may fill its heap block completely. */
            assert_true(sanitize_heap_bytes(v.data) == v.n * sizeof *v.data ||
                        is_forbidden(v.data + v.n));
            assert_true(i > 1000 || v.data != before); /* moved */
        }
    }
    vec_resize_zero(&v, 6001);
    assert_int_equal(v.data[6000], 0);
    v.n = 11;
    vec_fit(&v);
    assert_int_equal(v.data[10], 10);
    assert_alone(v.data, 22);
    v.n = 0;
    vec_fit(&v);
    assert_non_null(v.data);
    vec_done(&v);
}

static void strings_end_with_a_nul(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    for (size_t i = 0; i < 100; i++) {
        sb_addf(&sb, "%zu", i);
        assert_alone(sb_text(&sb), sb.len + 1);
    }
    sb_done(&sb);
}

static void bytes_after_a_mapped_file_are_poisoned(void **state)
{
    static const size_t sizes[] = {1, 4095, 4096, 4097, 10000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        FILE *file = tmpfile();
        const uint8_t *bytes;

        assert_non_null(file);
        for (size_t k = 0; k < sizes[i]; k++)
            fputc((int)(k % 251), file);
        assert_int_equal(fflush(file), 0);
        bytes = mapping_new(fileno(file), sizes[i]);
        assert_non_null(bytes);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(bytes[k], k % 251);
        assert_true(!SANITIZE_ADDRESS || is_forbidden(bytes + sizes[i]));
        assert_true(!SANITIZE_ADDRESS || is_forbidden(bytes + sizes[i] + 4095));
        mapping_free(bytes, sizes[i]);
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_allocations_are_separated),
        cmocka_unit_test(bytes_after_arrays_are_poisoned),
        cmocka_unit_test(strings_end_with_a_nul),
        cmocka_unit_test(bytes_after_a_mapped_file_are_poisoned),
    };

    return cmocka_run_group_tests_name("base/sanitize", tests, NULL, NULL);
}
