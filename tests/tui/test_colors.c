/* test_colors.c: the theme chosen by the terminal's background color, which the program queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tfprof.h"

#define QUESTION "\033]11;?\033\\"
#define WHITE "\033]11;rgb:ffff/ffff/ffff\033\\"
#define BLACK "\033]11;rgb:0000/0000/0000\a"

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};

static struct pty *start(struct pty_setup setup, const char *const *args)
{
    setup.unsynced = true;
    return tfprof_start(setup, args);
}

static void answer(struct pty *p, const char *text)
{
    pty_bytes(p, text, strlen(text));
}

/* T shows the next theme: contrast after light, light after dark. */
static void has_theme_before(struct pty *p, const char *next)
{
    pty_type(p, "T");
    assert_true(pty_shows(p, next));
}

static void the_theme_suits_the_background(void **state)
{
    static const char *const contrary[] = {"COLORFGBG=0;15", NULL};
    struct pty *p = start((struct pty_setup){0}, sample);

    (void)state;
    pty_wait_text(p, QUESTION);
    answer(p, WHITE);
    assert_true(pty_sync(p));
    has_theme_before(p, "theme contrast");
    tfprof_quit(p);

    /* The terminal's answer overrides COLORFGBG in the environment. */
    p = start((struct pty_setup){.env = contrary}, sample);
    pty_wait_text(p, QUESTION);
    answer(p, BLACK);
    assert_true(pty_sync(p));
    has_theme_before(p, "theme light");
    tfprof_quit(p);
}

/* The answer arrives between keys, and after a theme was chosen. */
static void a_late_answer_changes_nothing(void **state)
{
    struct pty *p = start((struct pty_setup){0}, sample);

    (void)state;
    assert_true(pty_sync(p));
    has_theme_before(p, "theme light");
    pty_keys(p, "j");
    answer(p, WHITE);
    pty_type(p, "j");
    assert_true(pty_shows(p, "> \u25b8 random_shuffle_queue"));
    assert_true(pty_shows(p, "undo 0"));
    assert_non_null(strstr(sb_text(&p->state), "tfprof scope "));
    has_theme_before(p, "theme contrast");
    tfprof_quit(p);
}

static void terminals_that_may_not_answer_are_not_queried(void **state)
{
    static const struct {
        const char *term, *env[2];
        const char *stdin_path;
    } cases[] = {
        {.term = "linux"},
        {.term = "vt100"},
        {.term = "screen-256color"},
        {.term = "xterm-256color", .env = {"STY=1.pts-0.host"}},
        {.term = "xterm-256color", .env = {"NO_COLOR=1"}},
        {.term = "xterm-256color", .stdin_path = "data/resnet32.pb.gz"},
    };
    static const char *const of_stdin[] = {"-", NULL};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pty_setup setup = {.term = cases[i].term, .env = cases[i].env,
                                        .stdin_path = cases[i].stdin_path};
        struct pty *p = start(setup, cases[i].stdin_path ? of_stdin : sample);

        pty_wait_shows(p, "5,208 nodes");
        assert_null(memmem(p->raw.data, p->raw.len, "]11;", 4));
        assert_true(pty_sync(p));
        tfprof_quit(p);
    }
}

/* A theme from the config file needs no query. */
static void a_chosen_theme_sends_no_query(void **state)
{
    char config[64] = "XDG_CONFIG_HOME=/tmp/tfprof-test-XXXXXX", path[96];
    const char *const env[] = {config, NULL};
    const char *const dir = strchr(config, '=') + 1;
    FILE *f;
    struct pty *p;

    (void)state;
    assert_non_null(mkdtemp(strchr(config, '=') + 1));
    snprintf(path, sizeof path, "%s/tfprof", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/tfprof/tfprofrc", dir);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("theme colorblind\n", f);
    fclose(f);
    p = start((struct pty_setup){.env = env}, sample);
    pty_wait_shows(p, "5,208 nodes");
    assert_null(memmem(p->raw.data, p->raw.len, "]11;", 4));
    assert_true(pty_sync(p));
    has_theme_before(p, "theme dark");
    tfprof_quit(p);
    unlink(path);
    snprintf(path, sizeof path, "%s/tfprof", dir);
    rmdir(path);
    rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_theme_suits_the_background),
        cmocka_unit_test(a_late_answer_changes_nothing),
        cmocka_unit_test(terminals_that_may_not_answer_are_not_queried),
        cmocka_unit_test(a_chosen_theme_sends_no_query),
    };

    return cmocka_run_group_tests_name("tests/tui/test_colors", tests, NULL, NULL);
}
