/* test_sanitize.c: with the address sanitizer, what is beside an allocation of an arena
 * be touched, and what is within can. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/sanitize.h"

static bool is_forbidden(const void *p)
{
#if SANITIZE_ADDRESS
    return __asan_address_is_poisoned(p);
#else
    (void)p;
    return false;
#endif
}

/* LEN bytes from P on can be touched, the ones beside them cannot. */
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

static void allocations_of_an_arena_stand_apart(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_of_an_arena_stand_apart),
    };

    return cmocka_run_group_tests_name("base/sanitize", tests, NULL, NULL);
}
