/* test_term.c: src/term on a pseudo-terminal, with the probe instead of the program: keys, mouse,
 * paste, resize, suspending, crashes, lost terminals, refused terminals. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "pty.h"

static struct pty *start(struct pty_setup setup)
{
    static const char *argv[] = {NULL, NULL};

    argv[0] = getenv("TFPROF_PROBE") ? getenv("TFPROF_PROBE") : "tests/tui/probe";
    setup.argv = argv;
    return pty_start(&setup);
}

static void assert_row(struct pty *p, int row, const char *want)
{
    assert_string_equal(pty_row(p, row), want);
}

/* Ends the probe with q: the terminal is restored and nothing was printed. */
static void quit(struct pty *p)
{
    pty_keys(p, "q");
    pty_wait_end(p);
    assert_true(WIFEXITED(p->status));
    assert_int_equal(WEXITSTATUS(p->status), 0);
    assert_string_equal(sb_text(&p->errors), "");
    pty_assert_restored(p);
    pty_free(p);
}

static void the_terminal_is_opened_and_restored(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    assert_true(p->alt_screen);
    assert_true(p->mouse != VTERM_PROP_MOUSE_NONE);
    assert_true(p->paste);
    pty_assert_golden(p, "probe");
    quit(p);
}

static void reads_keys(void **state)
{
    static const char *const keys[] = {
        "j", "<ret>", "<tab>", "<s-tab>", "<bs>", "<esc>", "<up>", "<c-left>", "<a-left>",
        "<a-x>", "<c-r>", "<c-c>", "<s-f5>", "<del>", "<pgdn>", "<space>", "<lt>",
        "\xc3\xa9", "\xe4\xb8\xad", "<c-space>", "<f12>", "<home>",
    };
    struct pty *p = start((struct pty_setup){0});
    char want[64];

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        pty_type(p, keys[i]);
        snprintf(want, sizeof want, "key %s", keys[i]);
        assert_row(p, 1, want);
    }
    quit(p);
}

static void send(struct pty *p, const char *bytes)
{
    pty_bytes(p, bytes, strlen(bytes));
    assert_true(pty_sync(p));
}

static void reads_the_mouse_beyond_column_223(void **state)
{
    struct pty *p = start((struct pty_setup){.cols = 300, .term = "tmux-256color"});

    (void)state;
    send(p, "\033[<0;251;5M");
    assert_row(p, 1, "mouse press 1 at 4,250");
    send(p, "\033[<0;251;5m");
    assert_row(p, 1, "mouse release 1 at 4,250");
    send(p, "\033[<65;1;1M");
    assert_row(p, 1, "mouse wheel down 0 at 0,0");
    pty_type(p, "m");
    assert_int_equal(p->mouse, VTERM_PROP_MOUSE_NONE);
    quit(p);
}

static void a_pasted_q_is_text(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    send(p, "\033[200~q\r\nq\033[201~");
    assert_row(p, 1, "paste 3 q\\x0aq");
    quit(p);
}

static void unknown_sequences_are_no_keys(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_type(p, "j");
    send(p, "\033[1;2;3;4;5q\033[?62c\033[I\033[999~\033[[Z");
    assert_row(p, 1, "key j");
    quit(p);
}

/* A sync sent after a resize is answered when the new size is drawn. */
static void resize_storm(void **state)
{
    struct pty *p = start((struct pty_setup){0});
    char want[64];

    (void)state;
    for (int i = 0; i < 300; i++) {
        int rows = 1 + (i * 7) % 60, cols = 40 + (i * 13) % 200;

        pty_resize(p, rows, cols);
        if (i % 3)
            continue;
        assert_true(pty_sync(p));
        snprintf(want, sizeof want, "size %dx%d colors 256 utf8 1", cols, rows);
        want[cols < 63 ? cols : 63] = '\0';
        assert_row(p, 0, want);
    }
    pty_resize(p, 1, 1);
    assert_true(pty_sync(p));
    assert_row(p, 0, "s");
    pty_resize(p, 80, 300);
    pty_type(p, "j");
    assert_row(p, 1, "key j");
    quit(p);
}

static void only_changed_cells_are_written(void **state)
{
    struct pty *p = start((struct pty_setup){.rows = 80, .cols = 300});

    (void)state;
    pty_type(p, "j");
    pty_type(p, "k");
    assert_true(p->raw.len < 200);
    quit(p);
}

static void waits_for_the_worker(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_type(p, "w");
    assert_row(p, 3, "stray 0 wakes 1");
    quit(p);
}

static void suspends_and_comes_back(void **state)
{
    struct pty *p = start((struct pty_setup){.job_control = true});

    (void)state;
    pty_keys(p, "j");
    pty_check_suspend(p, 10, 50);
    assert_row(p, 0, "size 50x10 colors 256 utf8 1");
    pty_type(p, "x");
    assert_row(p, 1, "key x");
    quit(p);
}

static void stopped_from_outside(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_kill(p, SIGTSTP); /* an orphaned process group is not stopped: it continues at once */
    pty_type(p, "x");
    assert_row(p, 1, "key x");
    assert_true(p->alt_screen);
    quit(p);
}

static void leaves_for_another_program(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_type(p, "!");
    assert_true(p->alt_screen && p->paste && p->mouse);
    assert_string_equal(sb_text(&p->errors), "away\n");
    sb_clear(&p->errors);
    pty_type(p, "x");
    assert_row(p, 1, "key x");
    quit(p);
}

/* Waits for the end by SIGNAL, before which the terminal is restored.  A sanitizer may catch the
 * signal first, print a report and exit. */
static void assert_dies_of(struct pty *p, int signal)
{
    pty_wait_end(p);
    if (WIFSIGNALED(p->status))
        assert_int_equal(WTERMSIG(p->status), signal);
    else
        assert_non_null(strstr(sb_text(&p->errors), "Sanitizer"));
    pty_assert_restored(p);
    pty_free(p);
}

static void crashes_restore_the_terminal(void **state)
{
    static const struct {
        const char *key;
        int signal;
    } cases[] = {{"S", SIGSEGV}, {"B", SIGBUS},  {"F", SIGFPE},
                 {"I", SIGILL},  {"A", SIGABRT}, {"N", SIGSEGV}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = start((struct pty_setup){0});

        pty_keys(p, cases[i].key);
        assert_dies_of(p, cases[i].signal);
    }
}

static void signals_end_the_program_cleanly(void **state)
{
    static const int signals[] = {SIGHUP, SIGTERM, SIGQUIT, SIGINT};

    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct pty *p = start((struct pty_setup){0});

        pty_kill(p, signals[i]);
        assert_dies_of(p, signals[i]);
    }
}

static void out_of_memory_restores_the_terminal(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_keys(p, "O");
    pty_wait_end(p);
    assert_int_equal(WEXITSTATUS(p->status), 1);
    assert_string_equal(sb_text(&p->errors), "tfprof: out of memory\n");
    pty_assert_restored(p);
    pty_free(p);
}

/* Output is not read: the program blocks, but still reacts to signals that end it and restores the
 * line discipline. */
static void a_stopped_terminal_blocks_no_signal(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP};

    (void)state;
#ifdef __SANITIZE_THREAD__
    return; /* its signals are delayed until write() returns, which never happens */
#endif
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct pty *p = start((struct pty_setup){0});
        struct termios now;

        assert_true(pty_sync(p));
        pty_keys(p, "D");
        pty_wait_text(p, "\033[2J"); /* drawing has begun */
        pty_kill(p, signals[i]);
        pty_wait_end_unread(p);
        assert_true(WIFSIGNALED(p->status));
        assert_int_equal(WTERMSIG(p->status), signals[i]);
        assert_int_equal(tcgetattr(p->master, &now), 0);
        assert_int_equal(now.c_lflag, p->modes_before.c_lflag);
        pty_free(p);
    }
}

/* The signal handlers of the screen and of mapped files work in any order. */
static void a_mapped_file_is_truncated_after_a_suspension(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_type(p, "P");
    assert_row(p, 6, "lost 1");
    pty_type(p, "P");
    assert_row(p, 6, "lost 2");
    pty_keys(p, "B");
    assert_dies_of(p, SIGBUS);
}

static void a_lost_terminal_ends_the_program(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_hang_up(p);
    assert_true(WIFEXITED(p->status) || WTERMSIG(p->status) == SIGHUP);
    pty_free(p);
}

/* Even under nohup and while drawing, when its output is discarded. */
static void a_lost_terminal_ends_the_program_without_a_signal(void **state)
{
    for (int drawing = 0; drawing < 2; drawing++) {
        struct pty *p = start((struct pty_setup){.ignored_signal = SIGHUP});

        (void)state;
        if (drawing) {
            assert_true(pty_sync(p));
            pty_keys(p, "D");
            pty_wait_text(p, "\033[2J");
        }
        pty_hang_up(p);
        assert_true(WIFEXITED(p->status));
        pty_free(p);
    }
}

static void output_during_the_screen_is_printed_afterwards(void **state)
{
    struct pty *p = start((struct pty_setup){.stderr_tty = true});

    (void)state;
    pty_type(p, "W");
    assert_row(p, 1, "key W");
    pty_type(p, "W");
    assert_row(p, 3, "stray 2 wakes 0");
    pty_keys(p, "q");
    pty_wait_end(p);
    pty_assert_restored(p);
    assert_true(pty_shows(p, "a stray line"));
    pty_free(p);
}

static void keys_come_from_the_terminal_when_stdin_is_a_file(void **state)
{
    struct pty *p = start((struct pty_setup){.stdin_path = "/dev/null"});

    (void)state;
    pty_type(p, "j");
    assert_row(p, 1, "key j");
    quit(p);
}

static void assert_refused(const char *term, const char *why)
{
    struct pty *p = start((struct pty_setup){.term = term});

    assert_true(p->ended);
    assert_true(WIFEXITED(p->status));
    assert_int_equal(WEXITSTATUS(p->status), 2);
    assert_non_null(strstr(sb_text(&p->errors), why));
    assert_null(strchr(sb_text(&p->errors), '\033'));
    pty_assert_restored(p);
    pty_free(p);
}

static void unsuitable_terminals_are_refused(void **state)
{
    (void)state;
    assert_refused("dumb", "TERM=dumb");
    assert_refused("unknown", "TERM=unknown");
    assert_refused("no-such-terminal", "TERM=no-such-terminal");
    assert_refused("", "TERM is not set");
}

static void every_terminal_and_locale(void **state)
{
    static const struct {
        const char *term, *locale, *env[2];
        int colors;
        const char *first, *sample;
    } cases[] = {
        {"xterm-256color", "C.UTF-8", {0}, 256, "size 80x24 colors 256 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
        {"tmux-256color", "C.UTF-8", {0}, 256, "size 80x24 colors 256 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
        {"screen", "C.UTF-8", {0}, 8, "size 80x24 colors 8 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
        {"linux", "C.UTF-8", {0}, 8, "size 80x24 colors 8 utf8 0",
         "+ ? ?  e \\x1b[31m\\xff end"},
        {"vt100", "C.UTF-8", {0}, 0, "size 80x24 colors 0 utf8 0",
         "+ ? ?  e \\x1b[31m\\xff end"},
        {"xterm-256color", "C", {0}, 256, "size 80x24 colors 256 utf8 0",
         "+ ? ?  e \\x1b[31m\\xff end"},
        {"xterm-256color", "C.UTF-8", {"NO_COLOR=1"}, 1, "size 80x24 colors 0 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
        {"xterm-256color", "C.UTF-8", {"NO_COLOR="}, 256, "size 80x24 colors 256 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
        {"xterm-256color", "C.UTF-8", {"COLUMNS=17"}, 256, "size 80x24 colors 256 utf8 1",
         "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \\x1b[31m\\xff end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = start((struct pty_setup){.term = cases[i].term, .locale = cases[i].locale,
                                                 .env = cases[i].env, .colors = cases[i].colors});

        assert_row(p, 0, cases[i].first);
        assert_row(p, 2, cases[i].sample);
        pty_type(p, "<up>");
        assert_row(p, 1, "key <up>");
        quit(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_terminal_is_opened_and_restored),
        cmocka_unit_test(reads_keys),
        cmocka_unit_test(reads_the_mouse_beyond_column_223),
        cmocka_unit_test(a_pasted_q_is_text),
        cmocka_unit_test(unknown_sequences_are_no_keys),
        cmocka_unit_test(resize_storm),
        cmocka_unit_test(only_changed_cells_are_written),
        cmocka_unit_test(waits_for_the_worker),
        cmocka_unit_test(suspends_and_comes_back),
        cmocka_unit_test(stopped_from_outside),
        cmocka_unit_test(leaves_for_another_program),
        cmocka_unit_test(crashes_restore_the_terminal),
        cmocka_unit_test(signals_end_the_program_cleanly),
        cmocka_unit_test(out_of_memory_restores_the_terminal),
        cmocka_unit_test(a_stopped_terminal_blocks_no_signal),
        cmocka_unit_test(a_mapped_file_is_truncated_after_a_suspension),
        cmocka_unit_test(a_lost_terminal_ends_the_program),
        cmocka_unit_test(a_lost_terminal_ends_the_program_without_a_signal),
        cmocka_unit_test(output_during_the_screen_is_printed_afterwards),
        cmocka_unit_test(keys_come_from_the_terminal_when_stdin_is_a_file),
        cmocka_unit_test(unsuitable_terminals_are_refused),
        cmocka_unit_test(every_terminal_and_locale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
