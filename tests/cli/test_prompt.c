/* test_prompt.c: the line prompt on a pseudo-terminal: completion, history, recovery from
 * errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fixtures/patience.h"

/* The program at its prompt; seen: its output since the last expect(). */
struct prompt {
    pid_t pid;
    int master;
    struct strbuf seen;
};

static char home[] = "/tmp/tfprof-prompt-XXXXXX";

static void start(struct prompt *p)
{
    char sample[4096];
    struct winsize size = {.ws_row = 24, .ws_col = 200};

    memset(p, 0, sizeof *p);
    snprintf(sample, sizeof sample, "%s/data/resnet32.pb.gz", getenv("top_srcdir"));
    p->pid = forkpty(&p->master, NULL, NULL, &size);
    assert_true(p->pid >= 0);
    if (p->pid == 0) {
        signal(SIGINT, SIG_DFL); /* background jobs of scripts inherit an ignored SIGINT */
        setenv("TERM", "vt100", 1);
        setenv("HOME", home, 1);
        unsetenv("XDG_STATE_HOME");
        unsetenv("XDG_CONFIG_HOME");
        execl(getenv("TFPROF"), "tfprof", "shell", sample, (char *)NULL);
        _exit(127);
    }
}

/* Reads once; false at the end of output.  Fails the test when no output arrives.  Drops NUL bytes,
 * which terminals get as padding and strings cannot contain. */
static bool read_more(struct prompt *p)
{
    struct pollfd readable = {.fd = p->master, .events = POLLIN};
    char bytes[4096];
    ssize_t n;

    if (poll(&readable, 1, PATIENCE_MS) <= 0)
        fail_msg("nothing more came after: %s", sb_text(&p->seen));
    n = read(p->master, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++)
        if (bytes[i])
            sb_add(&p->seen, &bytes[i], 1);
    return n > 0;
}

/* Reads until TEXT has arrived, and drops the output up to its end. */
static void expect(struct prompt *p, const char *text)
{
    struct strbuf rest = {0};
    const char *found;

    while (!(found = strstr(sb_text(&p->seen), text)))
        if (!read_more(p))
            fail_msg("it ended without '%s': %s", text, sb_text(&p->seen));
    sb_adds(&rest, found + strlen(text));
    sb_done(&p->seen);
    p->seen = rest;
}

static void type(struct prompt *p, const char *keys)
{
    assert_int_equal(write(p->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits for the end and returns the exit status. */
static int finish(struct prompt *p)
{
    int status;

    while (read_more(p))
        ;
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    close(p->master);
    sb_done(&p->seen);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void tab_completes_commands_options_values_and_names(void **state)
{
    struct prompt p;

    (void)state;
    start(&p);
    expect(&p, "tfprof> ");
    type(&p, "sco\t-max_d\t3 -sel\tparams -show\tpool_logit/D\t\n");
    expect(&p, "node name | # parameters");
    expect(&p, "  pool_logit/DW (64x10, 640/1.28k params)");
    expect(&p, "tfprof> ");
    type(&p, "scope -output f\t\t");
    expect(&p, "folded");
    type(&p, "\025quit\n");
    assert_int_equal(finish(&p), 0);
}

static void an_error_is_printed_and_cleared(void **state)
{
    struct prompt p;

    (void)state;
    start(&p);
    expect(&p, "tfprof> ");
    type(&p, "scope -max_dept 1\n");
    expect(&p, "tfprof: unknown option -max_dept: did you mean -max_depth?");
    expect(&p, "tfprof> ");
    type(&p, "op -max_depth 0 -select params\n");
    expect(&p, "AddN  ");
    expect(&p, "tfprof> ");
    type(&p, "quit\n");
    assert_int_equal(finish(&p), 0);
}

/* Waits until libedit reads keys, because keys typed while it changes the terminal mode may be
 * lost.  The line stays empty. */
static void wait_for_editor(struct prompt *p)
{
    type(p, "summ\t");
    expect(p, "ary "); /* the rest of summary */
    type(p, "\025");
}

static void an_interrupt_ends_only_the_query(void **state)
{
    struct prompt p;

    (void)state;
    start(&p);
    expect(&p, "tfprof> ");
    wait_for_editor(&p);
    type(&p, "sql 'with recursive n(i) as (select 1 union all select i + 1 from n) select 9 from n where i < 0'\n");
    expect(&p, "\r\n");
    type(&p, "\x03");
    expect(&p, "cancelled");
    expect(&p, "tfprof> ");
    wait_for_editor(&p);
    type(&p, "sql 'select 40 + 2 as answer'\n");
    expect(&p, "    42");
    expect(&p, "tfprof> ");
    wait_for_editor(&p);
    type(&p, "quit\n");
    assert_int_equal(finish(&p), 0);
}

/* An end of file typed before libedit has changed the terminal mode is lost; a completion shows
 * that libedit is ready. */
static void an_end_of_file_ends_the_prompt(void **state)
{
    struct prompt p;

    (void)state;
    start(&p);
    expect(&p, "tfprof> ");
    type(&p, "summ\t");
    expect(&p, "ary "); /* the rest of summary */
    type(&p, "\025\004");
    assert_int_equal(finish(&p), 0);
}

/* One plain line each, because the screen reads the same file. */
static void expect_in_history(const char *line)
{
    char path[128], text[4096] = "";
    FILE *f;

    snprintf(path, sizeof path, "%s/.local/state/tfprof/history", home);
    f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_non_null(strstr(text, line));
}

static void the_history_outlives_the_program(void **state)
{
    struct prompt p;

    (void)state;
    start(&p);
    expect(&p, "tfprof> ");
    type(&p, "op -max_depth 3 -select params\n");
    expect(&p, "AddN  ");
    expect(&p, "tfprof> ");
    type(&p, "quit\n");
    assert_int_equal(finish(&p), 0);
    expect_in_history("op -max_depth 3 -select params\n");
    start(&p);
    expect(&p, "tfprof> ");
    type(&p, "\020\020\n"); /* the newest entry is quit, the previous one op */
    expect(&p, "node name | # parameters");
    expect(&p, "AddN  ");
    expect(&p, "tfprof> ");
    type(&p, "quit\n");
    assert_int_equal(finish(&p), 0);
}

static int make_home(void **state)
{
    (void)state;
    return mkdtemp(home) ? 0 : -1;
}

static int remove_home(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tab_completes_commands_options_values_and_names),
        cmocka_unit_test(an_error_is_printed_and_cleared),
        cmocka_unit_test(an_interrupt_ends_only_the_query),
        cmocka_unit_test(the_history_outlives_the_program),
        cmocka_unit_test(an_end_of_file_ends_the_prompt),
    };

    return cmocka_run_group_tests_name("prompt", tests, make_home, remove_home);
}
