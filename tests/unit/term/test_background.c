/* test_background.c: which terminals are queried for their background color, and their answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "term/terminfo.h"

static int no_environment(void **state)
{
    (void)state;
    unsetenv("STY");
    unsetenv("TMUX");
    unsetenv("ESCDELAY");
    unsetenv("SSH_CONNECTION");
    unsetenv("SSH_TTY");
    return 0;
}

static bool is_light(const char *text)
{
    bool light = false;

    assert_true(background_parse(text, strlen(text), &light));
    return light;
}

static void colors_are_light_or_dark(void **state)
{
    (void)state;
    assert_false(is_light("rgb:0000/0000/0000"));
    assert_true(is_light("rgb:ffff/ffff/ffff"));
    assert_false(is_light("rgb:1e/1e/1E"));
    assert_true(is_light("rgb:f/f/d"));
    assert_true(is_light("rgba:fdfd/f6f6/e3e3/ffff")); /* solarized */
    assert_false(is_light("rgb:0000/2b2b/3636"));
    assert_false(is_light("rgb:0000/0000/ffff")); /* blue is dark ... */
    assert_true(is_light("rgb:0000/ffff/0000"));  /* ... and green is light */
    assert_false(is_light("rgb:6b/6b/6b"));
    assert_true(is_light("rgb:6d/6d/6d")); /* luminance .18 */
}

static void invalid_colors_are_ignored(void **state)
{
    static const char *const texts[] = {"", "rgb", "rgb:", "rgb:1/2", "rgb:1/2/", "rgb:x/1/1",
                                        "rgb:12345/1/1", "rgb://", "#ffffff", "rgb:1;1;1", "?"};
    bool light;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(background_parse(texts[i], strlen(texts[i]), &light));
    /* The text has a length and no terminator. */
    assert_false(background_parse("rgb:1/1/1", 8, &light));
    assert_true(background_parse("rgb:1/1/1f", 9, &light));
}

static void only_terminals_that_answer_are_queried(void **state)
{
    static const char *const asked[] = {"xterm", "xterm-256color", "xterm-kitty", "tmux-256color",
                                        "alacritty", "foot", "rxvt-unicode-256color", "st-256color"};
    static const char *const others[] = {"dumb", "linux", "vt100", "vt220", "screen", "ansi",
                                         "screen-256color", "cygwin", "eterm-color", "unknown", ""};

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_true(environment_answers_background(asked[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(environment_answers_background(others[i]));
    setenv("TMUX", "/tmp/tmux-0/default,1,0", 1);
    assert_true(environment_answers_background("screen-256color"));
    setenv("STY", "1.pts-0.host", 1); /* screen does not forward the query, whatever TERM is */
    assert_false(environment_answers_background("screen-256color"));
    assert_false(environment_answers_background("xterm-256color"));
}

static void escape_timeouts_are_longer_over_a_network(void **state)
{
    (void)state;
    assert_int_equal(environment_esc_delay_ms(), 25);
    setenv("SSH_TTY", "/dev/pts/1", 1);
    assert_int_equal(environment_esc_delay_ms(), 100);
    unsetenv("SSH_TTY");
    setenv("SSH_CONNECTION", "10.0.0.1 50000 10.0.0.2 22", 1);
    assert_int_equal(environment_esc_delay_ms(), 100);
    setenv("ESCDELAY", "50", 1);
    assert_int_equal(environment_esc_delay_ms(), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_are_light_or_dark),
        cmocka_unit_test(invalid_colors_are_ignored),
        cmocka_unit_test_setup(only_terminals_that_answer_are_queried, no_environment),
        cmocka_unit_test_setup(escape_timeouts_are_longer_over_a_network, no_environment),
    };

    return cmocka_run_group_tests_name("tests/unit/term/test_background", tests, NULL, NULL);
}
