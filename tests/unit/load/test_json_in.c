/* test_json_in.c: JSON token by token, whole or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "load/trace/event.h"

static struct json_in over(const char *text, bool bare_quotes)
{
    return (struct json_in){.at = (const uint8_t *)text,
                            .end = (const uint8_t *)text + strlen(text),
                            .is_last = true,
                            .bare_quotes = bare_quotes};
}

static struct json_value text_value(const char *text)
{
    return (struct json_value){(const uint8_t *)text, strlen(text), JSON_STRING,
                               strchr(text, '\\') != NULL};
}

static void decimals_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"0", 0},
        {"1", 1000},
        {"1.5e3", 1500000},
        {"1712195495502094.533", INT64_C(1712195495502094533)},
        {"37.515999999999998", 37516},
        {"0.0005", 1},
        {"0.00049", 0},
        {"0.000001", 0},
        {"-1.-500", -1500},
        {"-2.25", -2250},
        {"1E-3", 1},
        {"9223372036854775.807", INT64_MAX},
        {"000123.4", 123400},
        {"0.9999", 1000},
    };
    static const char *const bad[] = {"",   "NaN", "Infinity", "-", "1.2.3", "1e",
                                      "1x", "9223372036854775.808", "9999999999999999.999", "1e30",
                                      "."};
    int64_t ns;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(json_decimal(text_value(cases[i].text), 3, &ns));
        assert_int_equal(ns, cases[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(json_decimal(text_value(bad[i]), 3, &ns));
}

static void escapes_are_resolved(void **state)
{
    static const struct {
        const char *text, *meant;
    } cases[] = {
        {"a\\nb", "a\nb"},
        {"\\u00e9\\u20ac", "\xc3\xa9\xe2\x82\xac"},
        {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
        {"\\ud83d!", "\xef\xbf\xbd!"},
        {"C:\\Windows\\qux", "C:\\Windows\\qux"},
        {"\\\\\\\"\\/", "\\\"/"},
        {"tail\\", "tail\\"},
        {"\\u12", "\\u12"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf sb = {0};

        json_unescape(&sb, text_value(cases[i].text));
        assert_string_equal(sb_text(&sb), cases[i].meant);
        sb_done(&sb);
    }
}

static void events_are_read_whole(void **state)
{
    struct json_in in = over("{\"ph\": \"X\", \"name\":\"a\\\"b\", \"ts\": 12.5,, \"args\": "
                             "{\"correlation\": 7, \"Input Dims\": [[1,2],[]], \"x\": {}},}",
                             false);
    struct trace_event e;

    (void)state;
    assert_true(event_read(&in, &e));
    assert_true(json_is(e.phase, "X", 1));
    assert_true(json_is(e.name, "a\\\"b", 4));
    assert_true(json_is(e.ts, "12.5", 4));
    assert_true(event_has(&e, ARG_CORRELATION));
    assert_true(json_is(e.arg[ARG_DIMS], "[[1,2],[]]", 10));
    assert_ptr_equal(in.at, in.end);
}

static void the_last_of_two_keys_counts(void **state)
{
    struct json_in in = over("{\"name\":\"a\",\"name\":\"b\",\"args\":{\"bytes\":1},\"args\":{}}", false);
    struct trace_event e;

    (void)state;
    assert_true(event_read(&in, &e));
    assert_true(json_is(e.name, "b", 1));
    assert_false(event_has(&e, ARG_BYTES));
}

static void bare_quotes_end_by_the_following_text(void **state)
{
    static const char text[] = "{\"ph\":\"X\",\"name\":\"torch/_dynamo/{\"device\": "
                               "\"cpu\"}.py(3): f\",\"ts\":1}";
    struct json_in plain = over(text, false), bare = over(text, true);
    struct trace_event e;

    (void)state;
    assert_false(event_read(&plain, &e));
    assert_int_equal(plain.fault, JSON_BAD);
    assert_true(event_read(&bare, &e));
    assert_int_equal(e.name.len, strlen("torch/_dynamo/{\"device\": \"cpu\"}.py(3): f"));
}

static void truncation_is_distinguished_from_damage(void **state)
{
    static const char text[] = "{\"ph\":\"X\",\"args\":{\"a\":[1,{\"b\":\"c\"}]}}";
    struct trace_event e;

    (void)state;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        struct json_in in = over(text, false);

        in.end = in.at + n;
        in.is_last = false;
        assert_false(event_read(&in, &e));
        assert_int_equal(in.fault, JSON_ENDS);
    }
}

static void depth_is_bounded(void **state)
{
    char text[2 * JSON_MAX_DEPTH + 3];
    struct json_value value;
    struct json_in in;

    (void)state;
    memset(text, '[', JSON_MAX_DEPTH);
    memset(text + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
    text[2 * JSON_MAX_DEPTH] = '\0';
    in = over(text, false);
    assert_true(json_value(&in, &value));
    memset(text, '[', JSON_MAX_DEPTH + 1);
    memset(text + JSON_MAX_DEPTH + 1, ']', JSON_MAX_DEPTH + 1);
    text[2 * JSON_MAX_DEPTH + 2] = '\0';
    in = over(text, false);
    assert_false(json_value(&in, &value));
    assert_int_equal(in.fault, JSON_BAD);
}

static void elements_are_walked(void **state)
{
    struct json_in in = over("[[1,2],[],[3] , 4]", false);
    struct json_value array, element;
    int n = 0;

    (void)state;
    assert_true(json_value(&in, &array));
    in = json_again(array, false);
    while (json_element(&in, &element))
        n++;
    assert_int_equal(n, 4);
    assert_true(json_is(element, "4", 1));
}

static void control_characters_are_counted(void **state)
{
    struct json_in in = over("{\"name\":\"a\x01\x02\t\"}", false);
    struct trace_event e;

    (void)state;
    assert_true(event_read(&in, &e));
    assert_int_equal(in.n_controls, 2);
    assert_int_equal(*in.first_control, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(escapes_are_resolved),
        cmocka_unit_test(events_are_read_whole),
        cmocka_unit_test(the_last_of_two_keys_counts),
        cmocka_unit_test(bare_quotes_end_by_the_following_text),
        cmocka_unit_test(truncation_is_distinguished_from_damage),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(elements_are_walked),
        cmocka_unit_test(control_characters_are_counted),
    };

    return cmocka_run_group_tests_name("load/trace/json_in", tests, NULL, NULL);
}
