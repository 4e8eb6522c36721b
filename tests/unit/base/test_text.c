/* test_text.c: growing arrays, growing text and UTF-8 (base/vec, base/strbuf, base/utf8). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/vec.h"

static void a_vec_keeps_pushed_elements(void **state)
{
    VEC(uint64_t) v = {0};

    (void)state;
    for (uint64_t i = 0; i < 10000; i++)
        vec_push(&v, i * i);
    assert_int_equal(v.n, 10000);
    for (uint64_t i = 0; i < 10000; i++)
        assert_int_equal(v.data[i], i * i);
    vec_done(&v);
    assert_null(v.data);
    assert_int_equal(v.n, 0);
}

static void a_vec_grows_with_zeros(void **state)
{
    VEC(int) v = {0};

    (void)state;
    for (int i = 0; i < 100; i++)
        vec_push(&v, -1);
    vec_resize_zero(&v, 3);
    vec_resize_zero(&v, 100);
    assert_int_equal(v.data[2], -1);
    for (size_t i = 3; i < 100; i++)
        assert_int_equal(v.data[i], 0);
    vec_done(&v);
}

static void text_is_appended_piece_by_piece(void **state)
{
    struct strbuf sb = {0};
    char *taken;

    (void)state;
    assert_string_equal(sb_text(&sb), "");
    sb_adds(&sb, "a");
    sb_addc(&sb, 'b');
    sb_add(&sb, "c\0d", 3);
    sb_pad(&sb, '-', 3);
    sb_addf(&sb, "%d", 42);
    assert_int_equal(sb.len, 10);
    assert_memory_equal(sb_text(&sb), "abc\0d---42", 11);
    taken = sb_take(&sb);
    assert_memory_equal(taken, "abc\0d---42", 11);
    assert_int_equal(sb.len, 0);
    assert_string_equal(sb_text(&sb), "");
    free(taken);
    sb_done(&sb);
}

static void long_formatted_text_is_not_cut(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    sb_addf(&sb, "%*d|%*d", 5000, 1, 3000, 2);
    assert_int_equal(sb.len, 8001);
    assert_int_equal(sb.data[4999], '1');
    assert_int_equal(sb.data[8000], '2');
    sb_clear(&sb);
    assert_string_equal(sb_text(&sb), "");
    sb_done(&sb);
}

struct decoding {
    const char *bytes;
    size_t len, want_len;
    uint32_t want_code;
};

static void utf8_accepts_only_well_formed_characters(void **state)
{
    static const struct decoding decodings[] = {
        {"a", 1, 1, 'a'},
        {"\0", 1, 1, 0},
        {"\xc3\xa9", 2, 2, 0xe9},
        {"\xe2\x82\xac" "x", 4, 3, 0x20ac},
        {"\xf0\x9f\x98\x80", 4, 4, 0x1f600},
        {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
        {"\xf4\x90\x80\x80", 4, 0, 0}, /* past the last code point */
        {"\xc0\x80", 2, 0, 0},         /* overlong */
        {"\xe0\x80\xaf", 3, 0, 0},     /* overlong */
        {"\xf0\x80\x80\xaf", 4, 0, 0}, /* overlong */
        {"\xed\xa0\x80", 3, 0, 0},     /* surrogate */
        {"\xe2\x82", 2, 0, 0},         /* truncated */
        {"\x80", 1, 0, 0},             /* a lone continuation byte */
        {"\xff", 1, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof decodings / sizeof *decodings; i++) {
        const struct decoding *d = &decodings[i];
        uint32_t code = 0;

        assert_int_equal(utf8_decode(d->bytes, d->len, &code), d->want_len);
        if (d->want_len)
            assert_int_equal(code, d->want_code);
    }
}

static void every_code_point_survives_a_round_trip(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        uint32_t back = 0;

        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        sb_clear(&sb);
        utf8_encode(&sb, code);
        assert_int_equal(utf8_decode(sb.data, sb.len, &back), sb.len);
        assert_int_equal(back, code);
    }
    sb_done(&sb);
}

static void control_characters_are_escaped(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    utf8_escape(&sb, "a\033[0m\x7f\xc2\x9b\xc3\xa9\xff\n", 12);
    assert_string_equal(sb_text(&sb), "a\\x1b[0m\\x7f\\xc2\\x9b\xc3\xa9\\xff\\x0a");
    assert_true(utf8_is_plain("caf\xc3\xa9", 5));
    assert_false(utf8_is_plain("\t", 1));
    assert_false(utf8_is_plain("\xc3", 1));
    assert_false(utf8_is_plain("\xc2\x85", 2));
    sb_done(&sb);
}

/* "gpj.exe" after U+202E is displayed as "exe.jpg". */
static void bidirectional_controls_are_escaped(void **state)
{
    static const uint32_t bidi[] = {0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
                                       0x202e, 0x2066, 0x2067, 0x2068, 0x2069};

    (void)state;
    for (uint32_t code = 0xa0; code < 0x3000; code++) {
        struct strbuf raw = {0}, escaped = {0}, expected = {0};
        bool is_bidi = false;

        for (size_t i = 0; i < sizeof bidi / sizeof *bidi; i++)
            is_bidi = is_bidi || bidi[i] == code;
        utf8_encode(&raw, code);
        utf8_escape(&escaped, raw.data, raw.len);
        if (is_bidi)
            sb_addf(&expected, "\\u{%x}", code);
        else
            utf8_encode(&expected, code);
        assert_string_equal(sb_text(&escaped), sb_text(&expected));
        assert_int_equal(utf8_is_plain(raw.data, raw.len), !is_bidi);
        sb_done(&raw);
        sb_done(&escaped);
        sb_done(&expected);
    }
}

static void repair_replaces_only_invalid_bytes(void **state)
{
    struct strbuf sb = {0};

    (void)state;
    utf8_repair(&sb, "a\xff\n\xc3\xa9\xe2\x82", 7);
    assert_string_equal(sb_text(&sb), "a\xef\xbf\xbd\n\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
    sb_done(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vec_keeps_pushed_elements),
        cmocka_unit_test(a_vec_grows_with_zeros),
        cmocka_unit_test(text_is_appended_piece_by_piece),
        cmocka_unit_test(long_formatted_text_is_not_cut),
        cmocka_unit_test(utf8_accepts_only_well_formed_characters),
        cmocka_unit_test(every_code_point_survives_a_round_trip),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(bidirectional_controls_are_escaped),
        cmocka_unit_test(repair_replaces_only_invalid_bytes),
    };

    return cmocka_run_group_tests_name("base/text", tests, NULL, NULL);
}
