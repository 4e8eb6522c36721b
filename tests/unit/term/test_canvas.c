/* test_canvas.c: text in cells: cutting, wide and combining characters, hostile bytes, areas, and
 * the dump that screen tests compare. */
#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/canvas_dump.h"
#include "term/canvas.h"

#define CJK "\xe4\xb8\xad"      /* U+4E2D, two columns */
#define ACUTE "\xcc\x81"        /* U+0301, a mark */
#define ELLIPSIS "\xe2\x80\xa6" /* U+2026 */
#define OVERRIDE "\xe2\x80\xae" /* U+202E, right-to-left override */

static void assert_row(const struct canvas *c, int row, const char *want)
{
    struct strbuf sb = {0};

    canvas_dump_row(&sb, c, row);
    assert_string_equal(sb_text(&sb), want);
    sb_done(&sb);
}

/* Every wide character has its right half, and no half is alone. */
static void assert_whole(const struct canvas *c)
{
    for (int row = 0; row < c->rows; row++) {
        for (int col = 0; col < c->cols; col++) {
            const struct cell *cell = canvas_at(c, row, col);

            assert_in_range(cell->width, 0, 2);
            if (cell->width == 2)
                assert_int_equal(canvas_at(c, row, col + 1)->width, 0);
            if (cell->width == 0)
                assert_int_equal(canvas_at(c, row, col - 1)->width, 2);
            assert_int_equal(cell->base == 0, cell->width == 0);
        }
    }
}

#define WOMAN "\xf0\x9f\x91\xa9"  /* U+1F469 */
#define LAPTOP "\xf0\x9f\x92\xbb" /* U+1F4BB */
#define GIRL "\xf0\x9f\x91\xa7"   /* U+1F467 */
#define THUMB "\xf0\x9f\x91\x8d"  /* U+1F44D */
#define HEART "\xe2\x9d\xa4"      /* U+2764, one column */
#define STAFF "\xe2\x9a\x95"      /* U+2695, one column */
#define BROWN "\xf0\x9f\x8f\xbd"  /* U+1F3FD, a skin tone */
#define JOINER "\xe2\x80\x8d"     /* U+200D */
#define EMOJI "\xef\xb8\x8f"      /* U+FE0F, selects emoji presentation */

static void joined_emoji_are_drawn_separately(void **state)
{
    static const struct {
        const char *text, *seen;
        int cols;
    } cases[] = {
        {"a" WOMAN JOINER LAPTOP "b", "a" WOMAN LAPTOP "b", 6},
        {WOMAN JOINER WOMAN JOINER GIRL JOINER GIRL "x", WOMAN WOMAN GIRL GIRL "x", 9},
        {WOMAN BROWN JOINER STAFF EMOJI "x", WOMAN STAFF "x", 4},
        {HEART EMOJI "x", HEART "x", 2},
        {HEART EMOJI JOINER LAPTOP, HEART LAPTOP, 3},
        {THUMB BROWN "x", THUMB "x", 3},
        /* A joiner outside a sequence is unprintable. */
        {"a" JOINER "b", "a?b", 3},
        {WOMAN JOINER "b", WOMAN "?b", 4},
        {WOMAN JOINER, WOMAN "?", 3},
        {JOINER WOMAN, "?" WOMAN, 3},
        {"a" BROWN, "a" BROWN, 3},
    };
    struct canvas c;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 1, 12);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        canvas_clear(&c);
        assert_int_equal(area_puts(area_all(&c), 0, 0, cases[i].text, ROLE_TEXT), cases[i].cols);
        assert_int_equal(text_cols(cases[i].text, strlen(cases[i].text)), cases[i].cols);
        assert_row(&c, 0, cases[i].seen);
        assert_whole(&c);
    }
    /* None of the sequences is cut. */
    assert_int_equal(text_fit(WOMAN JOINER LAPTOP "x", 12, 3), 0);
    assert_int_equal(text_fit(WOMAN JOINER LAPTOP "x", 12, 4), 11);
    assert_int_equal(text_fit_end("x" WOMAN JOINER LAPTOP, 12, 3), 0);
    canvas_clear(&c);
    assert_int_equal(area_puts(area_sub(area_all(&c), 0, 0, 1, 4), 0, 0, "a" WOMAN JOINER LAPTOP, ROLE_TEXT), 1);
    canvas_done(&c);
}

static void cuts_by_columns(void **state)
{
    struct canvas c;
    struct area a;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 4, 6);
    a = area_all(&c);
    assert_int_equal(area_puts(a, 0, 0, "abcdefgh", ROLE_TEXT), 6);
    assert_row(&c, 0, "abcdef");
    assert_int_equal(area_puts(a, 1, 0, "abcde" CJK, ROLE_TEXT), 5);
    assert_row(&c, 1, "abcde");
    assert_int_equal(area_puts(a, 2, -3, "abc" CJK "de", ROLE_TEXT), 7);
    assert_row(&c, 2, CJK "de");
    assert_int_equal(area_puts(a, 3, -1, CJK "x", ROLE_TEXT), 3);
    assert_row(&c, 3, " x");
    assert_int_equal(area_puts(a, 4, 0, "x", ROLE_TEXT), 0);
    assert_int_equal(area_puts(a, -1, 0, "x", ROLE_TEXT), 0);
    assert_whole(&c);
    canvas_done(&c);
}

static void hostile_bytes_are_escaped(void **state)
{
    struct canvas c;
    struct area a;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 3, 40);
    a = area_all(&c);
    assert_int_equal(area_put(a, 0, 0, "a\0\x1b[m\xff", 6, ROLE_TEXT), 15);
    assert_row(&c, 0, "a\\x00\\x1b[m\\xff");
    area_puts(a, 1, 0, "x" OVERRIDE "y\xc2\x9bz", ROLE_TEXT);
    assert_row(&c, 1, "x\\u{202e}y\\xc2\\x9bz");
    /* An escape is never cut. */
    assert_int_equal(area_puts(area_sub(a, 2, 0, 1, 6), 0, 0, "abc\x01", ROLE_TEXT), 3);
    assert_row(&c, 2, "abc");
    canvas_done(&c);
}

static void combining_marks_stay_with_their_base(void **state)
{
    struct canvas c;
    struct area a;
    const char many[] = "e" ACUTE ACUTE ACUTE ACUTE "f";

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 2, 8);
    a = area_all(&c);
    assert_int_equal(area_puts(a, 0, 0, many, ROLE_TEXT), 2);
    assert_row(&c, 0, "e" ACUTE ACUTE "f");
    assert_int_equal(area_puts(a, 1, 0, ACUTE "x", ROLE_TEXT), 2);
    assert_row(&c, 1, " " ACUTE "x");
    assert_int_equal(text_fit(many, sizeof many - 1, 1), sizeof many - 2);
    assert_int_equal(text_fit_end("ae" ACUTE "f", 5, 2), 4);
    assert_int_equal(text_fit_end("ae" ACUTE "f", 5, 1), 1);
    canvas_done(&c);
}

static void wide_characters_are_never_split(void **state)
{
    struct canvas c;
    struct area a;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 1, 8);
    a = area_all(&c);
    for (int col = 0; col < 8; col++) {
        for (int over = 0; over < 8; over++) {
            canvas_clear(&c);
            area_puts(a, 0, 0, CJK CJK CJK CJK, ROLE_TEXT);
            area_puts(a, 0, col, CJK, ROLE_BAR);
            area_puts(a, 0, over, "x", ROLE_TEXT);
            assert_whole(&c);
            assert_int_equal(canvas_at(&c, 0, over)->base, 'x');
        }
    }
    canvas_done(&c);
}

static void areas_clip(void **state)
{
    struct canvas c;
    struct area a, sub;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 3, 10);
    a = area_all(&c);
    sub = area_sub(a, 1, 2, 1, 5);
    area_puts(sub, 0, 0, "0123456789", ROLE_TEXT);
    area_puts(sub, 1, 0, "below", ROLE_TEXT);
    area_fill(sub, 0, 3, 100, '#', ROLE_BAR);
    area_fill(sub, 5, 0, 100, '!', ROLE_BAR);
    assert_row(&c, 0, "");
    assert_row(&c, 1, "  012##");
    assert_row(&c, 2, "");
    sub = area_sub(a, -1, -2, 2, 4);
    assert_int_equal(sub.rows, 1);
    assert_int_equal(sub.cols, 2);
    sub = area_sub(a, 50, 50, 2, 4);
    assert_int_equal(sub.rows, 0);
    area_cursor(sub, 3, 3, true);
    assert_in_range(c.cursor_row, 0, 2);
    assert_in_range(c.cursor_col, 0, 9);
    canvas_done(&c);
}

static void sizes_are_bounded(void **state)
{
    struct canvas c;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 0, -5);
    assert_int_equal(c.rows, 1);
    assert_int_equal(c.cols, 1);
    area_puts(area_all(&c), 0, 0, CJK, ROLE_TEXT);
    assert_whole(&c);
    canvas_resize(&c, 1, INT_MAX);
    assert_int_equal(c.cols, CANVAS_MAX);
    canvas_done(&c);
}

static void dump_shows_roles_and_cursor(void **state)
{
    struct canvas c, copy;
    struct strbuf sb = {0};

    (void)state;
    canvas_init(&c);
    canvas_init(&copy);
    canvas_resize(&c, 2, 10);
    area_puts(area_all(&c), 0, 0, "ab" CJK, ROLE_TITLE);
    area_puts(area_all(&c), 1, 0, "row", ROLE_TEXT);
    area_paint(area_all(&c), 1, 0, 10, ROLE_CURSOR);
    area_cursor(area_all(&c), 1, 2, true);
    canvas_copy(&copy, &c);
    canvas_dump(&sb, &copy, "alt");
    assert_string_equal(sb_text(&sb), "screen 10x2\nab" CJK "\nrow\nroles\ntttt\ncccccccccc\n"
                                      "cursor row 1 col 2 visible\nmodes alt\n");
    sb_done(&sb);
    canvas_done(&c);
    canvas_done(&copy);
}

static void ascii_replaces_glyphs(void **state)
{
    struct canvas c;

    (void)state;
    canvas_init(&c);
    canvas_resize(&c, 1, 20);
    area_puts(area_all(&c), 0, 0, "\xe2\x96\xb8 a\xe2\x80\xba" CJK "e" ACUTE ELLIPSIS, ROLE_TEXT);
    glyph_ascii_canvas(&c);
    assert_row(&c, 0, "+ a>? e~");
    assert_whole(&c);
    canvas_done(&c);
}

/* In a UTF-8 locale the widths are those of the C library, otherwise those of the short table: they
 * agree for common characters. */
static void widths_do_not_depend_on_the_locale(void **state)
{
    static const struct {
        uint32_t code;
        int cols;
    } cases[] = {
        {'a', 1},     {0x7f, -1},   {0x85, -1},   {0xe9, 1},     {0x301, 0},
        {0x4e2d, 2},  {0xac00, 2},  {0x2587, 1},  {0x200b, -1},  {0x202e, -1},
        {0xfe0f, -1}, {0x1f600, 2}, {0xff21, 2},  {0x110000, -1},
    };

    (void)state;
    for (int utf8 = 0; utf8 < 2; utf8++) {
        setlocale(LC_ALL, utf8 ? "C.UTF-8" : "C");
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            assert_int_equal(char_cols(cases[i].code), cases[i].cols);
    }
    setlocale(LC_ALL, "C");
}

static void roles_have_distinct_letters(void **state)
{
    (void)state;
    for (int a = 0; a < ROLE_COUNT; a++) {
        assert_true(role_letter((enum role)a) > ' ');
        for (int b = 0; b < a; b++)
            assert_int_not_equal(role_letter((enum role)a), role_letter((enum role)b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_emoji_are_drawn_separately),
        cmocka_unit_test(cuts_by_columns),
        cmocka_unit_test(hostile_bytes_are_escaped),
        cmocka_unit_test(combining_marks_stay_with_their_base),
        cmocka_unit_test(wide_characters_are_never_split),
        cmocka_unit_test(areas_clip),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(dump_shows_roles_and_cursor),
        cmocka_unit_test(ascii_replaces_glyphs),
        cmocka_unit_test(widths_do_not_depend_on_the_locale),
        cmocka_unit_test(roles_have_distinct_letters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
