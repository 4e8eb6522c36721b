/* test_hardening.c: uninitialized variables are zero instead of old stack contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "fixtures/skip.h"

#ifdef ZEROED_LOCALS

enum { N_BYTES = 4096 };

/* Makes the compiler assume that BYTES are read and written here. */
#define LOOK_AT(bytes) __asm__ volatile("" : : "r"(bytes) : "memory")

static __attribute__((noinline)) void leave_secrets(void)
{
    unsigned char bytes[N_BYTES];

    memset(bytes, 0xa5, sizeof bytes);
    LOOK_AT(bytes);
}

static __attribute__((noinline)) unsigned sum_of_what_was_never_set(void)
{
    unsigned char bytes[N_BYTES];
    unsigned sum = 0;

    LOOK_AT(bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        sum += bytes[i];
    return sum;
}

static void local_variables_are_initialised_to_zero(void **state)
{
    (void)state;
    leave_secrets();
    assert_int_equal(sum_of_what_was_never_set(), 0);
}

#else

static void local_variables_are_initialised_to_zero(void **state)
{
    (void)state;
    SKIP_TEST("built without -ftrivial-auto-var-init");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_variables_are_initialised_to_zero)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
