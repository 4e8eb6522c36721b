/* test_term_input.c: decoding of keys, mouse events and pastes, for any bytes and any split. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "term/keyname.h"
#include "term/term_input.h"

static void feed(struct key_decoder *in, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        input_byte(in, (unsigned char)bytes[i]);
}

/* Appends all events so far, one word each. */
static void words(struct key_decoder *in, struct strbuf *sb)
{
    static const char *const mouse[] = {"press", "release", "up", "down", "left", "right"};
    struct term_event ev;

    sb_clear(sb);
    while (input_next(in, &ev)) {
        if (sb->len)
            sb_addc(sb, ' ');
        if (ev.kind == EVENT_KEY)
            key_name(sb, ev.key);
        else if (ev.kind == EVENT_MOUSE)
            sb_addf(sb, "%s%d@%d,%d", mouse[ev.mouse.kind], ev.mouse.button, ev.mouse.row,
                    ev.mouse.col);
        else if (ev.kind == EVENT_PASTE)
            sb_addf(sb, "paste(%s)", ev.text);
        else if (ev.kind == EVENT_BACKGROUND)
            sb_adds(sb, ev.is_light ? "light" : "dark");
        else
            sb_adds(sb, "sync");
    }
}

static void assert_events(const char *bytes, const char *want)
{
    struct key_decoder in = {.test_keys = true};
    struct strbuf sb = {0};

    feed(&in, bytes, strlen(bytes));
    input_pause(&in);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), want);
    assert_int_equal(input_gap_ms(&in), -1);
    sb_done(&sb);
    input_done(&in);
}

static void characters(void **state)
{
    (void)state;
    assert_events("aZ ~", "a Z <space> ~");
    assert_events("\r\n\t\b\x7f", "<ret> <ret> <tab> <bs> <bs>");
    assert_events("\x01\x12\x1a\x1c\x1f", "<c-a> <c-r> <c-z> <c-\\> <c-_>");
    assert_events("\xc3\xa9\xe4\xb8\xad", "\xc3\xa9 \xe4\xb8\xad");
    /* Invalid UTF-8 gives no key, and the following bytes are decoded. */
    assert_events("\xff\xc3x\xe4\xb8y\xc2\x9bz", "x y z");
    assert_events("\033x\033\xc3\xa9", "<a-x> <a-\xc3\xa9>");
}

static void sequences(void **state)
{
    (void)state;
    assert_events("\033[A\033OB\033[1;5C\033[1;4D\033[Z", "<up> <down> <c-right> <a-s-left> <s-tab>");
    assert_events("\033[H\033[7~\033[4~\033OF\033[5;3~", "<home> <home> <end> <end> <a-pgup>");
    assert_events("\033OP\033[15~\033[24;2~\033[[A", "<f1> <f5> <s-f12> <f1>");
    assert_events("\033OM\033Op\033Ok", "<ret> 0 +");
    assert_events("\033[27;5;9~\033[13;2u\033[97;5u", "<c-tab> <s-ret> <c-a>");
    assert_events("\033[99~\033[98~", "sync <esc>");
    assert_events("\033[<0;1;1M\033[<2;300;7m\033[<64;1;1M\033[<65;2;2M",
                  "press1@0,0 release3@6,299 up0@0,0 down0@1,1");
    assert_events("\033[M !!\033[M#!!", "press1@0,0 release0@0,0");
    assert_events("\033[<66;1;1M\033[<67;1;1M\033[<68;1;1M\033[<69;1;1M",
                  "left0@0,0 right0@0,0 left0@0,0 right0@0,0"); /* the last two with Shift */
    /* Motion, unknown and broken sequences give no event. */
    assert_events("\033[<35;1;1M\033[<72;1;1M\033[<0;0;0M\033[999q\033[?1;2c\033[[Z\033[20\001", "");
    assert_events("\033[1\033[Aj", "<up> j");
}

static void lone_escapes(void **state)
{
    (void)state;
    assert_events("\033", "<esc>");
    assert_events("\033\033", "<esc> <esc>");
    assert_events("\033\033[A", "<esc> <up>");
}

/* After a query for the background color: checks the events of BYTES, with a pause after each byte
 * and a long one at the end. */
static void assert_after_question(const char *bytes, const char *want)
{
    struct key_decoder in = {.awaits_background = true};
    struct strbuf sb = {0};

    for (size_t i = 0; bytes[i]; i++) {
        input_byte(&in, (unsigned char)bytes[i]);
        input_pause(&in);
    }
    if (input_gap_ms(&in) >= 0)
        input_abandon(&in);
    assert_int_equal(input_gap_ms(&in), -1);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), want);
    sb_done(&sb);
    input_done(&in);
}

/* The answer with the background color gives no key, however it is split. */
static void answers_give_no_keys(void **state)
{
    (void)state;
    assert_after_question("\033]11;rgb:1e1e/1e1e/1e1e\033\\j", "dark j");
    assert_after_question("j\033]11;rgb:ffff/ffff/ffff\ak", "j light k");
    assert_after_question("\033]11;what\aq", "q");
    assert_after_question("\033]11;rgb:1e1e/1e", "");
    assert_after_question("\033]11;rgb:1e1e\033[Aj", "<up> j"); /* interrupted by a key */
    /* After the answer ESC is a key again; ESC ] is two keys unless an answer follows. */
    assert_after_question("\033]11;rgb:0/0/0\a\033]j", "dark <esc> ] j");
    assert_after_question("\033]j", "<a-]> j");
    assert_after_question("\033]1", "<a-]> 1");
    assert_after_question("\033]\033[A", "<a-]> <up>");
    assert_after_question("\033", "<esc>");
    assert_after_question("\033[A\033[<64;1;1M", "<up> up0@0,0");
}

static void without_a_test_its_keys_are_dead(void **state)
{
    struct key_decoder in = {0};
    struct strbuf sb = {0};

    (void)state;
    feed(&in, "\033[99~\033[98~", 10);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), "");
    sb_done(&sb);
    input_done(&in);
}

static void pastes(void **state)
{
    (void)state;
    assert_events("\033[200~q\r\nx\ry\nz\033[201~j", "paste(q\nx\ny\nz) j");
    assert_events("\033[200~\033[A\033[20\033[201~", "paste(\033[A\033[20)");
    assert_events("\033[200~\033[201~", "paste()");
    assert_events("\033[201~", "");
}

static void an_unterminated_paste_ends_early(void **state)
{
    struct key_decoder in = {0};
    struct strbuf sb = {0};

    (void)state;
    feed(&in, "\033[200~quit", 10);
    input_pause(&in);
    input_key(&in, TK_UP);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), "");
    assert_true(input_gap_ms(&in) > 0);
    input_abandon(&in);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), "paste(quit)");
    assert_int_equal(input_gap_ms(&in), -1);
    sb_done(&sb);
    input_done(&in);
}

static void a_long_paste_is_cut(void **state)
{
    struct key_decoder in = {0};
    struct term_event ev;

    (void)state;
    feed(&in, "\033[200~", 6);
    for (size_t i = 0; i < PASTE_MAX + 1000; i++)
        input_byte(&in, 'q');
    feed(&in, "\033[201~", 6);
    assert_true(input_next(&in, &ev));
    assert_int_equal(ev.len, PASTE_MAX);
    assert_false(input_next(&in, &ev));
    input_done(&in);
}

static void keys_of_the_library(void **state)
{
    struct key_decoder in = {0};
    struct strbuf sb = {0};

    (void)state;
    input_byte(&in, 27);
    input_key(&in, TK_LEFT);
    input_key(&in, TK_F3);
    words(&in, &sb);
    assert_string_equal(sb_text(&sb), "<a-left> <f3>");
    sb_done(&sb);
    input_done(&in);
}

/* A sequence may be split with pauses, except directly after ESC. */
static void split_sequences_give_the_same_keys(void **state)
{
    static const char bytes[] = "a\033[1;5C\033OBz\xe4\xb8\xad\033[<0;5;6M\033[200~p\033[201~\033[5~";
    struct strbuf sb = {0};

    (void)state;
    for (size_t cut = 1; cut < sizeof bytes - 1; cut++) {
        struct key_decoder in = {0};

        if (bytes[cut - 1] == '\033')
            continue;
        feed(&in, bytes, cut);
        input_pause(&in);
        feed(&in, bytes + cut, sizeof bytes - 1 - cut);
        words(&in, &sb);
        assert_string_equal(sb_text(&sb),
                            "a <c-right> <down> z \xe4\xb8\xad press1@5,4 paste(p) <pgup>");
        input_done(&in);
    }
    sb_done(&sb);
}

/* Random bytes: no crash, and every decoded key has a name. */
static void random_bytes(void **state)
{
    static const char alphabet[] = "\033\033\033[[[<?;0123456789~mMuABZO \x7f\x80\xc3\xe4\xff\x01q\r";
    struct strbuf sb = {0};
    uint32_t seed = 12345;
    struct key_decoder in = {.test_keys = true};

    (void)state;
    for (int i = 0; i < 300000; i++) {
        struct term_event ev;

        seed = seed * 1664525u + 1013904223u;
        input_byte(&in, (unsigned char)alphabet[(seed >> 16) % (sizeof alphabet - 1)]);
        if ((seed >> 8) % 50 == 0)
            input_pause(&in);
        if ((seed >> 8) % 997 == 0)
            input_abandon(&in);
        while (input_next(&in, &ev)) {
            uint32_t back;

            if (ev.kind != EVENT_KEY)
                continue;
            sb_clear(&sb);
            key_name(&sb, ev.key);
            assert_int_equal(key_parse(sb_text(&sb), sb.len, &back), sb.len);
            assert_int_equal(back, ev.key);
        }
    }
    sb_done(&sb);
    input_done(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters),
        cmocka_unit_test(sequences),
        cmocka_unit_test(lone_escapes),
        cmocka_unit_test(answers_give_no_keys),
        cmocka_unit_test(without_a_test_its_keys_are_dead),
        cmocka_unit_test(pastes),
        cmocka_unit_test(an_unterminated_paste_ends_early),
        cmocka_unit_test(a_long_paste_is_cut),
        cmocka_unit_test(keys_of_the_library),
        cmocka_unit_test(split_sequences_give_the_same_keys),
        cmocka_unit_test(random_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
