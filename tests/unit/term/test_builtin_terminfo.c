/* test_builtin_terminfo.c: terminal types without a terminfo entry on the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "term/terminfo.h"

static void entries_are_read_by_ncurses(void **state)
{
    static const char *const names[] = {"xterm-256color", "screen-256color", "tmux-256color",
                                        "linux", "vt100"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct terminfo *info;

        assert_true(builtin_terminfo_use(names[i]));
        assert_string_equal(getenv("TERM"), names[i]);
        info = terminfo_new(names[i], STDOUT_FILENO);
        assert_non_null(info);
        assert_non_null(terminfo_text("cup"));
        terminfo_free(info);
    }
}

static void unknown_xterm_variants_use_the_xterm_entry(void **state)
{
    struct terminfo *info;

    (void)state;
    unsetenv("TERMINFO");
    setenv("TERM", "xterm-of-tomorrow", 1);
    info = terminfo_new("xterm-of-tomorrow", STDOUT_FILENO);
    assert_non_null(info);
    assert_string_equal(getenv("TERM"), "xterm-256color");
    assert_memory_equal(terminfo_text("cup"), "\033[", 2);
    terminfo_free(info);
}

static void others_stay_unknown(void **state)
{
    (void)state;
    unsetenv("TERMINFO");
    setenv("TERM", "teletype", 1);
    assert_null(terminfo_new("teletype", STDOUT_FILENO));
    assert_string_equal(getenv("TERM"), "teletype");
    assert_null(getenv("TERMINFO"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_read_by_ncurses),
        cmocka_unit_test(unknown_xterm_variants_use_the_xterm_entry),
        cmocka_unit_test(others_stay_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
