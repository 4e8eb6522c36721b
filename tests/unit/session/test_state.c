/* test_state.c: saved state, history, clipboard and child programs: complete files, damaged files,
 * folders that do not exist or belong to other users. */
#include <fcntl.h>
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/term_mem.h"
#include "session/state.h"
#include "tui/commands/clipboard.h"
#include "tui/commands/spawn.h"

/* A new folder, removed with all files that a test made. */
struct place {
    char root[64];
    char dir[96]; /* of the state; does not exist yet */
};

static int make_place(void **state)
{
    struct place *p = calloc(1, sizeof *p);

    strcpy(p->root, "/tmp/tfprof-state-XXXXXX");
    assert_non_null(mkdtemp(p->root));
    snprintf(p->dir, sizeof p->dir, "%s/a/b", p->root);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    struct place *p = *state;
    const char *argv[] = {"rm", "-rf", p->root, NULL};
    struct err err = {0};
    int status;

    assert_true(spawn_wait(argv, NULL, 0, SPAWN_SILENT, &status, &err));
    free(p);
    return 0;
}

static void put_file(const struct place *p, const char *name, const char *text, size_t len)
{
    char path[160];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", p->dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    fclose(f);
}

static char *get_file(const char *dir, const char *name)
{
    struct strbuf sb = {0};
    char path[160];
    FILE *f;
    int c;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "r");
    assert_non_null(f);
    while ((c = getc(f)) != EOF)
        sb_addc(&sb, (char)c);
    fclose(f);
    return sb_take(&sb);
}

static void saved_state_is_loaded(void **state)
{
    struct place *p = *state;
    struct strbuf sb = {0};
    struct notes notes = {0};

    assert_false(state_load(p->dir, "x", &sb, &notes));
    assert_true(state_save(p->dir, "x", "view scope\nend\n", 15, &notes));
    assert_true(state_load(p->dir, "x", &sb, &notes));
    assert_string_equal(sb_text(&sb), "view scope\nend\n");
    sb_clear(&sb);
    assert_true(state_save(p->dir, "x", "", 0, &notes));
    assert_true(state_load(p->dir, "x", &sb, &notes));
    assert_string_equal(sb_text(&sb), "");
    assert_int_equal(notes.n, 0);
    assert_false(state_load(NULL, "x", &sb, &notes));
    assert_false(state_save(NULL, "x", "", 0, &notes));
    assert_int_equal(notes.n, 0);
    sb_done(&sb);
}

static void damage_adds_a_note(void **state)
{
    static const char whole[] = "tfprof state 1\nview op\nend\n";
    static const char nul[] = "tfprof state 1\nview\0op\nend\n";
    struct place *p = *state;
    struct strbuf sb = {0};
    struct notes notes = {0};
    size_t n_notes = 0;

    assert_true(state_save(p->dir, "x", "", 0, &notes));
    put_file(p, "x", whole, sizeof whole - 1);
    assert_true(state_load(p->dir, "x", &sb, &notes));
    /* A file truncated anywhere is refused with a message. */
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        put_file(p, "x", whole, len);
        assert_false(state_load(p->dir, "x", &sb, &notes));
        assert_int_equal(notes.n, ++n_notes);
    }
    put_file(p, "x", nul, sizeof nul - 1);
    assert_false(state_load(p->dir, "x", &sb, &notes));
    assert_non_null(strstr(notes.data[notes.n - 1].text, "damaged"));
    notes_done(&notes);
    sb_done(&sb);
}

static void malformed_files_are_skipped(void **state)
{
    struct place *p = *state;
    struct strbuf sb = {0};
    struct notes notes = {0};
    char path[160];

    assert_true(state_save(p->dir, "x", "", 0, &notes));
    snprintf(path, sizeof path, "%s/pipe", p->dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(state_load(p->dir, "pipe", &sb, &notes));
    assert_int_equal(notes.n, 1);
    snprintf(path, sizeof path, "%s/folder", p->dir);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(state_load(p->dir, "folder", &sb, &notes));
    assert_int_equal(notes.n, 2);
    /* A file where the folder should be. */
    snprintf(path, sizeof path, "%s/x", p->dir);
    assert_false(state_save(path, "y", "", 0, &notes));
    assert_int_equal(notes.n, 3);
    notes_done(&notes);
    sb_done(&sb);
}

static void names_follow_the_files(void **state)
{
    const char *a[] = {"/etc/passwd", "nope"}, *b[] = {"/etc/../etc/./passwd", "nope"},
               *c[] = {"nope", "/etc/passwd"}, *d[] = {"/etc/passwdnope", ""};
    struct strbuf sa = {0}, sb = {0}, sc = {0}, sd = {0};

    (void)state;
    state_name(&sa, a, 2);
    state_name(&sb, b, 2);
    state_name(&sc, c, 2);
    state_name(&sd, d, 2);
    assert_string_equal(sb_text(&sa), sb_text(&sb));
    assert_string_not_equal(sb_text(&sa), sb_text(&sc));
    assert_string_not_equal(sb_text(&sa), sb_text(&sd));
    sb_done(&sa);
    sb_done(&sb);
    sb_done(&sc);
    sb_done(&sd);
}

static void folders_follow_the_environment(void **state)
{
    char *dir;

    (void)state;
    setenv("HOME", "/home/x", 1);
    setenv("XDG_STATE_HOME", "/st", 1);
    dir = state_dir();
    assert_string_equal(dir, "/st/tfprof");
    free(dir);
    setenv("XDG_STATE_HOME", "relative", 1);
    dir = state_dir();
    assert_string_equal(dir, "/home/x/.local/state/tfprof");
    free(dir);
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_null(state_dir());
}

static void history_is_shared(void **state)
{
    struct place *p = *state;
    struct history one = {0}, two = {0}, both = {0};
    struct notes notes = {0};

    history_load(&one, p->dir, "history", &notes);
    history_load(&two, p->dir, "history", &notes);
    history_add(&one, "scope -max_depth 4", p->dir, "history", &notes);
    history_add(&two, "op", p->dir, "history", &notes);
    history_add(&one, "graph", p->dir, "history", &notes);
    history_add(&one, "graph", p->dir, "history", &notes);
    history_add(&one, "", p->dir, "history", &notes);
    history_add(&one, "two\nlines", p->dir, "history", &notes);
    history_load(&both, p->dir, "history", &notes);
    assert_int_equal(both.lines.n, 3);
    assert_string_equal(both.lines.data[0], "scope -max_depth 4");
    assert_string_equal(both.lines.data[1], "op");
    assert_string_equal(both.lines.data[2], "graph");
    assert_int_equal(notes.n, 0);
    history_done(&one);
    history_done(&two);
    history_done(&both);
}

static void history_is_bounded(void **state)
{
    struct place *p = *state;
    struct history h = {0}, again = {0};
    struct notes notes = {0};
    char line[900];
    char *text;

    memset(line, 'x', sizeof line);
    for (int i = 0; i < 1500; i++) {
        snprintf(line + sizeof line - 16, 16, "%015d", i);
        history_add(&h, line, p->dir, "history", &notes);
    }
    assert_int_equal(h.lines.n, HISTORY_MAX);
    history_load(&again, p->dir, "history", &notes);
    assert_in_range(again.lines.n, HISTORY_MAX / 4, HISTORY_MAX);
    assert_string_equal(again.lines.data[again.lines.n - 1], line);
    text = get_file(p->dir, "history");
    assert_true(strlen(text) <= STATE_BYTES_MAX);
    free(text);
    assert_int_equal(notes.n, 0);
    history_done(&h);
    history_done(&again);
}

/* Another program was killed while it wrote a line, or the disk was full. */
static void a_truncated_history_line_damages_no_other(void **state)
{
    struct place *p = *state;
    struct history h = {0}, again = {0};
    struct notes notes = {0};

    assert_true(state_save_raw(p->dir, "history", "op\nscope -max_d", 15, &notes));
    history_add(&h, "graph", p->dir, "history", &notes);
    history_load(&again, p->dir, "history", &notes);
    assert_int_equal(again.lines.n, 3);
    assert_string_equal(again.lines.data[2], "graph");
    assert_int_equal(notes.n, 0);
    history_done(&h);
    history_done(&again);
}

/* When a line does not fit, the previous lines stay and nothing is added. */
static void a_full_disk_keeps_the_history(void **state)
{
    struct place *p = *state;
    struct history h = {0};
    struct notes notes = {0};
    const struct rlimit small = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};
    struct rlimit old;
    char *text;

    assert_true(state_save_raw(p->dir, "history", "scope\n", 6, &notes));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    history_add(&h, "graph -max_depth 4", p->dir, "history", &notes);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(notes.n, 1);
    text = get_file(p->dir, "history");
    assert_string_equal(text, "scope\n");
    free(text);
    notes_done(&notes);
    history_done(&h);
}

/* A stopped program that holds the lock must not block this one. */
static void a_lock_that_is_never_released(void **state)
{
    struct place *p = *state;
    struct history h = {0};
    struct notes notes = {0};
    char path[160], *text;
    int fd;

    assert_true(state_save_raw(p->dir, "history", "scope\n", 6, &notes));
    snprintf(path, sizeof path, "%s/history", p->dir);
    fd = open(path, O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    history_add(&h, "graph", p->dir, "history", &notes);
    text = get_file(p->dir, "history");
    assert_string_equal(text, "scope\ngraph\n");
    assert_int_equal(notes.n, 0);
    free(text);
    close(fd);
    history_done(&h);
}

static void clipboard_says_where_it_went(void **state)
{
    struct place *p = *state;
    struct term *t = term_mem_new(1, 1, -1);
    struct strbuf message = {0};
    char *big = calloc(1, CLIPBOARD_OSC52_MAX + 1);
    char want[200], *text;
    size_t len;

    unsetenv("TMUX");
    assert_true(clipboard_send(t, true, p->dir, "hello", 5, &message));
    snprintf(want, sizeof want, "sent to the terminal and to %s/last-copy", p->dir);
    assert_string_equal(sb_text(&message), want);
    assert_string_equal(term_mem_raw(t, &len), "\033]52;c;aGVsbG8=\a");
    text = get_file(p->dir, "last-copy");
    assert_string_equal(text, "hello");
    free(text);

    sb_clear(&message);
    assert_true(clipboard_send(t, true, NULL, "hi", 2, &message));
    assert_string_equal(sb_text(&message), "sent to the terminal");

    sb_clear(&message);
    memset(big, 'x', CLIPBOARD_OSC52_MAX + 1);
    assert_true(clipboard_send(t, true, p->dir, big, CLIPBOARD_OSC52_MAX + 1, &message));
    snprintf(want, sizeof want, "too long for the terminal: sent to %s/last-copy", p->dir);
    assert_string_equal(sb_text(&message), want);
    sb_clear(&message);
    assert_false(clipboard_send(t, true, NULL, big, CLIPBOARD_OSC52_MAX + 1, &message));
    assert_string_equal(sb_text(&message), "not sent: too long for the terminal");
    free(big);
    sb_done(&message);
    t->ops->free(t);
}

/* Creates a program NAME that records its arguments and input. */
static void fake_program(const struct place *p, const char *name, int status)
{
    char path[160];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", p->root, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\nfor a; do echo \"$a\"; done >'%s/args'\ncat >'%s/input'\nexit %d\n",
            p->root, p->root, status);
    fclose(f);
    assert_int_equal(chmod(path, 0755), 0);
}

static void assert_file(const struct place *p, const char *name, const char *want)
{
    char *text = get_file(p->root, name);

    assert_string_equal(text, want);
    free(text);
}

static void tmux_is_preferred_for_the_editor(void **state)
{
    struct place *p = *state;
    struct term *t = term_mem_new(1, 1, -1);
    struct strbuf message = {0};
    char path[300];
    const char *old = getenv("PATH");
    char *kept = strdup(old);
    size_t len;

    snprintf(path, sizeof path, "%s:%s", p->root, old);
    setenv("PATH", path, 1);
    setenv("TMUX", "/tmp/x,1,0", 1);
    fake_program(p, "tmux", 0);
    assert_true(clipboard_send(t, true, NULL, "hello", 5, &message));
    assert_string_equal(sb_text(&message), "sent to the tmux buffer");
    assert_file(p, "args", "load-buffer\n-w\n-\n");
    assert_file(p, "input", "hello");
    term_mem_raw(t, &len);
    assert_int_equal(len, 0);

    /* If tmux fails, the terminal is used. */
    fake_program(p, "tmux", 1);
    sb_clear(&message);
    assert_true(clipboard_send(t, true, NULL, "hello", 5, &message));
    assert_string_equal(sb_text(&message), "sent to the terminal");
    unsetenv("TMUX");
    setenv("PATH", kept, 1);
    free(kept);
    sb_done(&message);
    t->ops->free(t);
}

static void editors_get_file_and_line(void **state)
{
    struct place *p = *state;
    struct err err = {0};
    char editor[200];

    unsetenv("VISUAL");
    fake_program(p, "ed", 0);
    snprintf(editor, sizeof editor, "%s/ed --wait 'a b'", p->root);
    setenv("EDITOR", editor, 1);
    /* No part of the name is interpreted by a shell. */
    assert_true(spawn_editor("-x;touch hit$(id).py", 17, &err));
    assert_file(p, "args", "--wait\na b\n+17\n./-x;touch hit$(id).py\n");
    assert_true(spawn_editor("m.py", 0, &err));
    assert_file(p, "args", "--wait\na b\nm.py\n");
    fake_program(p, "code", 0);
    snprintf(editor, sizeof editor, "%s/code", p->root);
    setenv("VISUAL", editor, 1);
    assert_true(spawn_editor("m.py", 3, &err));
    assert_file(p, "args", "-g\nm.py:3\n");
    fake_program(p, "code", 4);
    assert_false(spawn_editor("m.py", 3, &err));
    assert_non_null(strstr(err_text(&err), "failed"));
    setenv("VISUAL", "/no/such/editor", 1);
    assert_false(spawn_editor("m.py", 3, &err));
    assert_non_null(strstr(err_text(&err), "/no/such/editor cannot be run"));
    setenv("VISUAL", "'open quote", 1);
    assert_false(spawn_editor("m.py", 3, &err));
    unsetenv("VISUAL");
    err_done(&err);
}

static void commands_get_the_view(void **state)
{
    struct place *p = *state;
    struct err err = {0};
    const size_t big = 1 << 20;
    char *text = malloc(big);
    char command[200];
    int status = -1;

    setenv("SHELL", "/bin/sh", 1);
    snprintf(command, sizeof command, "wc -c | tr -d ' ' >'%s/count'; exit 3", p->root);
    memset(text, 'x', big);
    assert_true(spawn_shell(command, text, big, &status, &err));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_file(p, "count", "1048576\n");
    /* A program that does not read its input does not block. */
    assert_true(spawn_shell("true", text, big, &status, &err));
    assert_int_equal(status, 0);
    snprintf(command, sizeof command, "echo hi >'%s/said'", p->root);
    assert_true(spawn_shell(command, NULL, 0, &status, &err));
    assert_file(p, "said", "hi\n");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(saved_state_is_loaded),
        TEST(damage_adds_a_note),
        TEST(malformed_files_are_skipped),
        cmocka_unit_test(names_follow_the_files),
        cmocka_unit_test(folders_follow_the_environment),
        TEST(history_is_shared),
        TEST(history_is_bounded),
        TEST(a_truncated_history_line_damages_no_other),
        TEST(a_full_disk_keeps_the_history),
        TEST(a_lock_that_is_never_released),
        TEST(clipboard_says_where_it_went),
        TEST(tmux_is_preferred_for_the_editor),
        TEST(editors_get_file_and_line),
        TEST(commands_get_the_view),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
