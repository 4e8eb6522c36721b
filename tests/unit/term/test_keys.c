/* test_keys.c: text form of keys, themes, and the in-memory terminal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/term_mem.h"
#include "term/keyname.h"
#include "term/term.h"
#include "term/theme.h"

static void assert_key(const char *text, uint32_t want)
{
    uint32_t key = 0;

    assert_int_equal(key_parse(text, strlen(text), &key), strlen(text));
    assert_int_equal(key, want);
}

static void parses_keys(void **state)
{
    uint32_t key;

    (void)state;
    assert_key("j", 'j');
    assert_key("<", '<');
    assert_key("<lt>", '<');
    assert_key("<ret>", TK_ENTER);
    assert_key("<Esc>", TK_ESC);
    assert_key("<c-r>", TK_CTRL | 'r');
    assert_key("<C-R>", TK_CTRL | 'r');
    assert_key("<a-left>", TK_ALT | TK_LEFT);
    assert_key("<c-a-del>", TK_CTRL | TK_ALT | TK_DELETE);
    assert_key("<s-tab>", TK_BACKTAB);
    assert_key("<s-g>", 'G');
    assert_key("<c-i>", TK_TAB);
    assert_key("<c-m>", TK_ENTER);
    assert_key("<f12>", TK_F12);
    assert_key("<space>", ' ');
    assert_key("\xe4\xb8\xad", 0x4e2d);
    assert_int_equal(key_parse("<nope>", 6, &key), 0);
    assert_int_equal(key_parse("<>", 2, &key), 0);
    assert_int_equal(key_parse("<c->", 4, &key), 0);
    assert_int_equal(key_parse("\xff", 1, &key), 0);
    assert_int_equal(key_parse("\x01", 1, &key), 0);
    assert_int_equal(key_parse("", 0, &key), 0);
    assert_int_equal(key_parse("<ret>j", 6, &key), 5);
}

/* The printed form of a key is parsed to the same key. */
static void assert_round_trip(uint32_t key)
{
    struct strbuf sb = {0};
    uint32_t back = 0;

    key_name(&sb, key_normal(key));
    assert_int_equal(key_parse(sb_text(&sb), sb.len, &back), sb.len);
    assert_int_equal(back, key_normal(key));
    sb_done(&sb);
}

static void names_round_trip(void **state)
{
    static const uint32_t bits[] = {0, TK_CTRL, TK_ALT, TK_SHIFT, TK_MODIFIERS};

    (void)state;
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        for (uint32_t key = ' '; key < 0x7f; key++)
            assert_round_trip(bits[b] | key);
        for (uint32_t key = TK_BASE; key <= TK_LAST; key++)
            assert_round_trip(bits[b] | key);
    }
}

static void assert_label(uint32_t key, const char *want)
{
    struct strbuf sb = {0};

    key_label(&sb, key);
    assert_string_equal(sb_text(&sb), want);
    sb_done(&sb);
}

static void labels_are_for_people(void **state)
{
    (void)state;
    assert_label('j', "j");
    assert_label(' ', "Space");
    assert_label('<', "<");
    assert_label(TK_ENTER, "Enter");
    assert_label(TK_CTRL | 'r', "^R");
    assert_label(TK_ALT | TK_LEFT, "Alt-Left");
    assert_label(TK_BACKTAB, "Shift-Tab");
}

static bool style_equal(struct style a, struct style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static void roles_look_different(void **state)
{
    (void)state;
    for (const struct theme *t = theme_table; t->name; t++) {
        assert_ptr_equal(theme_find(t->name), t);
        for (int colors = 8; colors <= 256; colors += 248)
            for (int a = 0; a < ROLE_COUNT; a++)
                for (int b = 0; b < a; b++)
                    assert_false(style_equal(theme_style(t, (enum role)a, colors),
                                             theme_style(t, (enum role)b, colors)));
        for (int role = 0; role < ROLE_COUNT; role++) {
            struct style mono = theme_style(t, (enum role)role, 0);

            assert_int_equal(mono.fg, -1);
            assert_int_equal(mono.bg, -1);
            assert_in_range(theme_style(t, (enum role)role, 8).fg + 1, 0, 8);
            assert_in_range(theme_style(t, (enum role)role, 8).bg + 1, 0, 8);
        }
    }
    assert_null(theme_find("nope"));
}

/* One term of the relative luminance (WCAG 2.1). */
static double linear(int value)
{
    const double c = value / 255.0;

    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* The luminance of entry N >= 16 of xterm's 256-color palette. */
static double luminance(int n)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    const int grey = 8 + 10 * (n - 232), i = n - 16;

    assert_in_range(n, 16, 255);
    if (n >= 232)
        return linear(grey);
    return 0.2126 * linear(steps[i / 36]) + 0.7152 * linear(steps[i / 6 % 6]) +
           0.0722 * linear(steps[i % 6]);
}

/* Figures, texts and messages have a contrast of at least 4.5 to 1 on black or white. */
static void themes_have_contrast(void **state)
{
    static const enum role read[] = {
        ROLE_DIM,  ROLE_TITLE, ROLE_TAB,    ROLE_HEADER, ROLE_SORT,    ROLE_CURSOR,
        ROLE_MARK, ROLE_BAR,   ROLE_NUMBER, ROLE_MATCH,  ROLE_CHANGED, ROLE_CURSOR_BLURRED,
        ROLE_NOTE, ROLE_KEY,   ROLE_INPUT,  ROLE_ERROR,  ROLE_HOT,
        ROLE_CELL, ROLE_CELL_OTHER, ROLE_GROUP_1, ROLE_GROUP_2, ROLE_GROUP_3, ROLE_GROUP_4,
        ROLE_GROUP_5, ROLE_GROUP_6};

    (void)state;
    for (const struct theme *t = theme_table; t->name; t++)
        for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
            const struct style s = theme_style(t, read[i], 256);
            const double fg = luminance(s.fg);
            const double bg = s.bg >= 0 ? luminance(s.bg) : strcmp(t->name, "light") == 0;
            const double ratio = fg > bg ? (fg + 0.05) / (bg + 0.05) : (bg + 0.05) / (fg + 0.05);

            if (ratio < 4.5)
                fail_msg("theme %s, role %d: contrast %.2f", t->name, (int)read[i], ratio);
        }
}

static void themes_cycle(void **state)
{
    const struct theme *t = theme_table;
    size_t n = 0;

    (void)state;
    do {
        n++;
        t = theme_next(t);
    } while (t != theme_table);
    assert_int_equal(n, 4);
}

static void guesses_the_background(void **state)
{
    (void)state;
    assert_string_equal(theme_guess(NULL)->name, "dark");
    assert_string_equal(theme_guess("15;0")->name, "dark");
    assert_string_equal(theme_guess("0;15")->name, "light");
    assert_string_equal(theme_guess("0;default;15")->name, "light");
    assert_string_equal(theme_guess("12;8")->name, "dark");
    assert_string_equal(theme_guess("junk")->name, "dark");
}

static void count_sync(struct term *t, const char *state, void *arg)
{
    (void)t;
    assert_string_equal(state, "line");
    ++*(int *)arg;
}

static void memory_terminal_plays_a_script(void **state)
{
    struct term *t = term_mem_new(3, 20, -1);
    struct canvas c;
    int syncs = 0;
    size_t len;

    (void)state;
    term_mem_on_sync(t, count_sync, &syncs);
    assert_true(term_mem_push_keys(t, "j<ret>"));
    assert_false(term_mem_push_keys(t, "<nope>"));
    term_mem_push(t, (struct term_event){.kind = EVENT_PASTE, .text = "hi", .len = 2});
    term_mem_push(t, (struct term_event){.kind = EVENT_RESIZE, .rows = 5, .cols = 30});
    term_mem_push(t, (struct term_event){.kind = EVENT_TEST_SYNC});
    assert_int_equal(t->ops->next(t, -1).key, 'j');
    assert_int_equal(t->ops->next(t, -1).key, TK_ENTER);
    assert_string_equal(t->ops->next(t, -1).text, "hi");
    assert_int_equal(t->ops->next(t, -1).kind, EVENT_RESIZE);
    assert_int_equal(t->cols, 30);
    assert_int_equal(t->ops->next(t, -1).kind, EVENT_TEST_SYNC);
    assert_int_equal(t->ops->next(t, 0).kind, EVENT_NONE);
    canvas_init(&c);
    area_puts(area_all(&c), 0, 0, "x", ROLE_TEXT);
    t->ops->show(t, &c);
    t->ops->sync(t, "line");
    assert_int_equal(syncs, 1);
    assert_int_equal(canvas_at(term_mem_canvas(t), 0, 0)->base, 'x');
    assert_int_equal(t->ops->next(t, -1).kind, EVENT_GONE);
    t->ops->raw_write(t, "ab", 2);
    assert_string_equal(term_mem_raw(t, &len), "ab");
    canvas_done(&c);
    t->ops->free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_keys),
        cmocka_unit_test(names_round_trip),
        cmocka_unit_test(labels_are_for_people),
        cmocka_unit_test(roles_look_different),
        cmocka_unit_test(guesses_the_background),
        cmocka_unit_test(memory_terminal_plays_a_script),
        cmocka_unit_test(themes_have_contrast),
        cmocka_unit_test(themes_cycle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
