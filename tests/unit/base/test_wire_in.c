/* test_wire_in.c: the fast and the slow path read the same fields, wherever the input ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/wire_in.h"

enum { NUMBER_MAX_BYTES = 10, FILLER = 0x88 };

/* Writes VALUE as a varint of N bytes; returns false if it does not fit. */
static bool put(uint8_t *to, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++, value >>= 7)
        to[i] = (uint8_t)((value & 0x7f) | (i + 1 < n ? 0x80 : 0));
    return value == 0;
}

/* Reads field 1, a varint VALUE of N bytes, from a separate heap block of ROOM bytes. */
static void check(uint64_t value, unsigned n, unsigned room)
{
    uint8_t *bytes = malloc(1 + room), varint[NUMBER_MAX_BYTES];
    struct wire_in in;
    struct wire_field f;

    if (put(varint, value, n)) {
        bytes[0] = 1 << 3 | WIRE_VARINT;
        memset(bytes + 1, FILLER, room);
        memcpy(bytes + 1, varint, n < room ? n : room);
        wire_in_init(&in, bytes, 1 + room);
        assert_int_equal(wire_next(&in, &f), n <= room);
        if (n <= room) {
            assert_true(f.value == value && f.number == 1 && f.type == WIRE_VARINT);
            assert_ptr_equal(in.at, bytes + 1 + n);
        } else {
            assert_string_equal(in.why, "truncated or overlong number");
            assert_ptr_equal(in.at, bytes);
        }
    }
    free(bytes);
}

static void numbers_of_all_lengths_are_read_at_the_end_and_before_it(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 64; bits++) {
        const uint64_t high = bits ? UINT64_C(1) << (bits - 1) : 0;
        const uint64_t values[] = {high, high | (high - !!high), high | (UINT64_C(0x5a5a5a5a5a5a5a5a) & (high - !!high))};

        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            for (unsigned n = 1; n <= NUMBER_MAX_BYTES; n++)
                for (unsigned room = 1; room <= 2 * NUMBER_MAX_BYTES; room++)
                    check(values[v], n, room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_lengths_are_read_at_the_end_and_before_it),
    };

    return cmocka_run_group_tests_name("wire_in", tests, NULL, NULL);
}
