/* test_export_parts.c: helper functions shared by the outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "export/sinks/escape.h"
#include "base/track_ends.h"

static void json_escapes(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    json_add_string(&sb, "a\"\\\n\x01\x7f", 6);
    assert_string_equal(sb.data, "\"a\\\"\\\\\\n\\u0001\\u007f\"");
    sb_clear(&sb);
    json_add_string(&sb, "\xc3\xa4\xf0\x9f\x98\x80", 6);
    assert_string_equal(sb.data, "\"\\u00e4\\ud83d\\ude00\"");
    sb_clear(&sb);
    json_add_string(&sb, "x\xff\0y", 4);
    assert_string_equal(sb.data, "\"x\\ufffd\\u0000y\"");
    sb_done(&sb);
}

static void wire_fields(void **state)
{
    const int64_t values[] = {1, -1, 300};
    struct strbuf sb = {0};
    size_t mark;

    (void)state;
    wire_int(&sb, 3, 0);
    assert_int_equal(sb.len, 0);
    wire_int(&sb, 3, 150);
    assert_memory_equal(sb.data, "\x18\x96\x01", 3);
    sb_clear(&sb);
    wire_packed(&sb, 1, values, 3);
    assert_memory_equal(sb.data, "\x0a\x0d\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\xac\x02", 15);
    sb_clear(&sb);
    mark = wire_begin(&sb, 2);
    sb_pad(&sb, 'x', 200);
    wire_end(&sb, mark);
    assert_int_equal(sb.len, 1 + 2 + 200);
    assert_memory_equal(sb.data, "\x12\xc8\x01xx", 5);
    sb_clear(&sb);
    wire_string(&sb, 1, "a\xff", 2);
    assert_memory_equal(sb.data, "\x0a\x04" "a\xef\xbf\xbd", 6);
    sb_done(&sb);
}

/* Direct implementation of the definition: the first track whose last event ends at or before
 * START_US. */
static uint32_t naive_place(int64_t *ends, uint32_t *n, int64_t start_us, int64_t end_us)
{
    uint32_t i = 0;

    while (i < *n && ends[i] > start_us)
        i++;
    if (i == *n)
        (*n)++;
    ends[i] = end_us;
    return i;
}

static void timeline_are_first_fit(void **state)
{
    static int64_t ends[5000];
    struct track_ends placed = {0};
    uint32_t n = 0;
    uint64_t seed = 42;
    int64_t start_us = -100;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        int64_t dur_us;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        start_us += (int64_t)(seed >> 60);
        dur_us = (int64_t)(seed >> 40 & 0x3ff) - 20;
        assert_int_equal(track_ends_assign(&placed, start_us, start_us + dur_us),
                         naive_place(ends, &n, start_us, start_us + dur_us));
    }
    assert_true(n > 8);
    track_ends_done(&placed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(wire_fields),
        cmocka_unit_test(timeline_are_first_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
