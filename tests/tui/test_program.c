/* test_program.c: the program on a pseudo-terminal: it starts, draws and restores the terminal on
 * every kind of terminal, size and locale; reacts to signals, ^Z, pastes, hostile names and a
 * million rows; and uses editor, shell, clipboard and state correctly. */
#include <linux/landlock.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "golden.h"
#include "tfprof.h"

static const char profile[] = "data/resnet32.pb.gz";
static const char *const profile_args[] = {profile, NULL};
/* The options on the first screen after the view and the file. */
#define FIRST_OPTIONS " -max_depth all -order_by micros -select float_ops,micros"

static struct pty *start(struct pty_setup setup)
{
    struct pty *p = tfprof_start(setup, profile_args);

    assert_false(p->ended);
    return p;
}

static void assert_whole(struct pty *p)
{
    assert_string_equal(sb_text(&p->errors), "");
    assert_in_range(p->canvas.cursor_row, 0, p->rows - 1);
    assert_in_range(p->canvas.cursor_col, 0, p->cols - 1);
}

/* True when ROW, counted from the top, begins with MARK and no other row does. */
static bool only_row_starts_with(struct pty *p, int row, char mark)
{
    for (int i = 0; i < p->rows; i++)
        if ((pty_row(p, i)[0] == mark) != (i == row))
            return false;
    return true;
}

/* A path below the home of P; valid until the next call. */
static const char *in_home(const struct pty *p, const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", p->home, name);
    return path;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    struct strbuf sb = {0};
    int c;

    if (!f)
        fail_msg("%s is not there", path);
    while (f && (c = getc(f)) != EOF)
        sb_addc(&sb, (char)c);
    if (f)
        fclose(f);
    return sb_take(&sb);
}

/* ---- start */

static void opens_works_and_quits(void **state)
{
    static const char *const first_screen[] = {
        "[1 scope] 2 graph", "@s TIME v", "│ DETAILS",
        "@c >▾ _TFProfRoot 6.45 s 100.0% ▇▇▇▇▇▇▇▇ 53.91 G", "@H 4.64 s 72.0%", "@N !",
        "@b ▇▇▇▇▇▇··", "OPTIONS (o) ─", "@k y copy"};
    struct pty *p = start((struct pty_setup){.rows = 36, .cols = 120});

    (void)state;
    golden_shows(&p->canvas, first_screen, sizeof first_screen / sizeof *first_screen);
    pty_type(p, "j");
    assert_true(only_row_starts_with(p, 6, '>'));
    pty_type(p, "2");
    assert_string_equal(sb_text(&p->state), "tfprof graph data/resnet32.pb.gz" FIRST_OPTIONS);
    pty_type(p, "<esc>o<esc>s<esc>?<esc>");
    assert_whole(p);
    pty_resize(p, 24, 80);
    pty_type(p, "1");
    assert_true(pty_shows(p, "$ tfprof scope data/resnet32.pb.gz"));
    tfprof_quit(p);
}

static void every_size(void **state)
{
    static const int sizes[][2] = {{36, 120}, {24, 80}, {20, 60}, {5, 20}, {1, 1}, {80, 300}};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pty *p = start((struct pty_setup){.rows = sizes[i][0], .cols = sizes[i][1]});

        pty_type(p, "jlG2/conv<ret>n<esc>o<esc>");
        assert_whole(p);
        tfprof_quit(p);
    }
}

/* Golden screens: eight colors, ASCII in the C locale, no colors, a light background. */
static void every_terminal_and_locale(void **state)
{
    static const struct {
        const char *name, *term, *locale, *env[2];
        int colors;
    } cases[] = {
        {"program_screen", "screen", "C.UTF-8", {0}, 8},
        {"program_c_locale", "xterm-256color", "C", {0}, 256},
        {"program_no_color", "xterm-256color", "C.UTF-8", {"NO_COLOR=1"}, 1},
        {"program_light", "xterm-256color", "C.UTF-8", {"COLORFGBG=0;15"}, 256},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = start((struct pty_setup){.term = cases[i].term, .locale = cases[i].locale,
                                                 .env = cases[i].env, .colors = cases[i].colors});

        pty_assert_golden(p, cases[i].name);
        tfprof_quit(p);
    }
}

/* linux and vt100 have only ASCII and no alternate screen; vt100 has no colors either. */
static void missing_capabilities_are_not_used(void **state)
{
    static const struct {
        const char *term;
        int colors;
        bool alt_screen;
        const char *shows[8];
    } cases[] = {
        {"tmux-256color", 256, true,
         {"@c >▾ _TFProfRoot 6.45 s 100.0% ▇▇▇▇▇▇▇▇ 53.91 G", "step avg(3) ███", "@H 4.64 s 72.0%",
          "!re-aggregated", "@f ────", "@k y copy"}},
        {"linux", 8, false,
         {"@c >- _TFProfRoot 6.45 s 100.0% ######## 53.91 G", "step avg(3) ###", "@H 4.64 s 72.0%",
          "@b ######..", "-order_by micros -s~ y copy", "----", "!─", "!▇"}},
        {"vt100", 1, false,
         {"@c >- _TFProfRoot 6.45 s 100.0% ######## 53.91 G", "step avg(3) ###",
          "@t 4.64 s 72.0%", "@. ######..", "-order_by micros -s~ y copy", "----", "!─", "!▇"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = start((struct pty_setup){.term = cases[i].term, .locale = "C.UTF-8",
                                                 .colors = cases[i].colors});

        golden_shows(&p->canvas, cases[i].shows, sizeof cases[i].shows / sizeof *cases[i].shows);
        assert_int_equal(p->alt_screen, cases[i].alt_screen);
        assert_true(p->mouse != VTERM_PROP_MOUSE_NONE);
        assert_true(p->paste);
        tfprof_quit(p);
    }
}

/* The timeline is readable without colors and in ASCII. */
static void timeline_on_every_terminal(void **state)
{
    static const struct {
        const char *term, *locale, *env[2];
        int colors, rows, cols;
        const char *shows[8];
    } cases[] = {
        {"screen", "C.UTF-8", {0}, 8, 36, 120,
         {"@M [---]", "@c >cpu:0 #0", "@4 QueueDequeueManyV2 ███▅", "@6 Tile", "@b 99.4%",
          "0 µs to 849.49 ms, 849.49 ms: v or Enter restricts views, Esc cancels"}},
        {"screen", "C.UTF-8", {0}, 8, 24, 80,
         {"@M [---]", "@c >cpu:0 #0", "@4 QueueDequeueManyV2 ███▅", "@6 Tile", "@b 99.4%",
          "0 µs to 828.77 ms, 828.77 ms: v or Enter restricts views, Esc cancels"}},
        {"xterm-256color", "C.UTF-8", {"NO_COLOR=1"}, 1, 36, 120,
         {"@M [---]", "@c >cpu:0 #0", "@. QueueDequeueManyV2 ███▅ 606.73 ms 8.9%", "@. Tile",
          "Conv2D ▂▆▅▅▅▆▇▁ 772.26 ms 11.4%│"}},
        {"xterm-256color", "C.UTF-8", {"NO_COLOR=1"}, 1, 24, 80,
         {"@M [---]", "@c >cpu:0 #0", "@. QueueDequeueManyV2 ███▅ 606.73 ms 8.9%", "@. Tile",
          "Conv2D ▂▆▅▄▆▆▆▃ 772.26 ms 11.4%"}},
        {"xterm-256color", "C", {0}, 256, 36, 120,
         {"@M [---]", "@c >cpu:0 #0", "@4 QueueDequeueManyV2 ###=", "@6 Tile", "@n 606.73 ms",
          "!█", "!│", "!…"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = start((struct pty_setup){.term = cases[i].term,
                                                 .locale = cases[i].locale,
                                                 .env = cases[i].env,
                                                 .colors = cases[i].colors,
                                                 .rows = cases[i].rows,
                                                 .cols = cases[i].cols});

        pty_type(p, "7vllll");
        golden_shows(&p->canvas, cases[i].shows, sizeof cases[i].shows / sizeof *cases[i].shows);
        tfprof_quit(p);
    }
}

/* Tables, their menu and the texts about devices with eight colors, and in ASCII, at both sizes. */
static void tables_on_every_terminal(void **state)
{
    static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct {
        const char *keys, *shows[4];
    } views[] = {
        {"8", {"@h DEVICE", "@c /gpu:0 4", "@n 1.31 ms", "@k 8"}},
        {"9", {"@h KERNEL", "@c sm90_xmm", "@n 31.25%", "row 1 of 7"}},
        {":steps<ret>", {"@h RANK STEP", "@c 0 4", "@n 25.00%", "@v [steps]"}},
        {":gaps<ret>", {"@h RANK DEVICE", "@c 0 /gpu:0", "row 1 of 55", "@v [gaps]"}},
        {":ranks<ret>", {"needs the traces of several ranks of one job", "@v [gaps]"}},
        {":check data/budget.txt<ret>", {"@h LINE RULE", "@c 2 total params <= 1m", "@v [check]"}},
        {"S", {"Columns to show", "[x] state", "Space tick"}},
        {"<esc>5", {"Advice", "maximum gain", "/gpu:0 is idle for 6.01 ms (64.4%)", "Enter open"}},
        {"<esc>i", {"Summary", "CPU-bound: launch queue empty for 6.01 ms", "4.28 kB"}},
    };
    static const struct {
        const char *term, *locale;
        int colors, rows, cols;
    } cases[] = {{"screen", "C.UTF-8", 8, 36, 120}, {"screen", "C.UTF-8", 8, 24, 80},
                 {"xterm-256color", "C", 256, 36, 120}, {"xterm-256color", "C", 256, 24, 80}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pty *p = tfprof_start((struct pty_setup){.term = cases[i].term, .locale = cases[i].locale,
                                                        .colors = cases[i].colors,
                                                        .rows = cases[i].rows, .cols = cases[i].cols},
                                     trace);

        for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
            pty_type(p, views[k].keys);
            golden_shows(&p->canvas, views[k].shows, sizeof views[k].shows / sizeof *views[k].shows);
        }
        pty_type(p, "<esc>");
        tfprof_quit(p);
    }
}

static void unsuitable_terminals_are_refused(void **state)
{
    static const char *const terms[] = {"dumb", "unknown", ""};

    (void)state;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct pty *p = tfprof_start((struct pty_setup){.term = terms[i]}, profile_args);

        assert_true(p->ended);
        assert_int_equal(WEXITSTATUS(p->status), 2);
        assert_int_equal(strncmp(sb_text(&p->errors), "tfprof: ", 8), 0);
        assert_ptr_equal(strchr(sb_text(&p->errors), '\n'), p->errors.data + p->errors.len - 1);
        pty_assert_restored(p);
        pty_free(p);
    }
}

static void a_profile_from_a_pipe(void **state)
{
    static const char *const args[] = {"-", NULL};
    char path[512];
    struct pty *p;

    (void)state;
    snprintf(path, sizeof path, "%s/%s", getenv("top_srcdir"), profile);
    p = tfprof_start((struct pty_setup){.stdin_path = path}, args);
    pty_type(p, "4");
    assert_true(pty_shows(p, "QueueDequeueManyV2"));
    tfprof_quit(p);
}

/* ---- signals and sessions */

static void suspends_and_comes_back(void **state)
{
    struct pty *p = start((struct pty_setup){.job_control = true});

    (void)state;
    pty_keys(p, "4");
    pty_check_suspend(p, 20, 60);
    assert_true(pty_shows(p, "$ tfprof op data/resnet32.pb.gz"));
    tfprof_quit(p);
}

static void signals_end_the_program_cleanly(void **state)
{
    static const int signals[] = {SIGHUP, SIGTERM, SIGQUIT, SIGINT};
    char home[] = "/tmp/tfprof-test-XXXXXX";
    struct pty *p;

    (void)state;
    assert_non_null(mkdtemp(home));
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        const char *view = i % 2 ? "2" : "4";

        p = start((struct pty_setup){.home = home});
        pty_type(p, view);
        pty_kill(p, signals[i]);
        pty_wait_end(p);
        assert_true(WIFSIGNALED(p->status));
        assert_int_equal(WTERMSIG(p->status), signals[i]);
        pty_assert_restored(p);
        pty_free(p);
        /* The session was saved. */
        p = start((struct pty_setup){.home = home});
        assert_non_null(strstr(sb_text(&p->state), i % 2 ? "tfprof graph" : "tfprof op"));
        p->own_home = i + 1 == sizeof signals / sizeof *signals;
        tfprof_quit(p);
    }
}

static void a_crash_restores_the_terminal(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_kill(p, SIGSEGV);
    pty_wait_end(p);
    assert_int_not_equal(p->status, 0);
    pty_assert_restored(p);
    pty_free(p);
}

static void a_lost_terminal_ends_the_program(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_hang_up(p);
    assert_true(WIFEXITED(p->status) || WTERMSIG(p->status) == SIGHUP);
    pty_free(p);
}

static void a_pasted_q_does_not_quit(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    pty_bytes(p, "\033[200~q\nQ\n\033[201~", 16);
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "text can be pasted only into a prompt"));
    pty_type(p, "/");
    pty_bytes(p, "\033[200~con\nv\033[201~", 17);
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "con v"));
    pty_type(p, "<esc>");
    tfprof_quit(p);
}

static void the_mouse_at_column_250(void **state)
{
    struct pty *p = start((struct pty_setup){.rows = 40, .cols = 300, .term = "tmux-256color"});

    (void)state;
    pty_bytes(p, "\033[<0;251;30M\033[<0;251;30m", 24);
    assert_true(pty_sync(p));
    assert_whole(p);
    /* The keys go to that pane: rows of the tree do not move. */
    pty_type(p, "G");
    assert_true(only_row_starts_with(p, 5, '>'));
    tfprof_quit(p);
}

static void resize_storm(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    for (int i = 0; i < 200; i++) {
        pty_resize(p, 1 + (i * 7) % 50, 1 + (i * 13) % 200);
        if (i % 5 == 0)
            pty_keys(p, "j");
    }
    pty_resize(p, 24, 80);
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "$ tfprof scope data/resnet32.pb.gz"));
    assert_whole(p);
    tfprof_quit(p);
}

/* ---- contents of profiles */

static struct pty *start_with(const char *name, const char *bytes, size_t len)
{
    const char *args[] = {name, NULL};
    char *home = strdup("/tmp/tfprof-test-XXXXXX");
    char path[512];
    struct pty *p;
    FILE *f;

    assert_non_null(mkdtemp(home));
    snprintf(path, sizeof path, "%s/%s", home, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    fclose(f);
    p = tfprof_start((struct pty_setup){.home = home, .in_home = true}, args);
    p->own_home = true;
    free(home);
    return p;
}

static void names_cannot_write_on_the_screen(void **state)
{
    static const char graph[] =
        "node { name: \"a\\033[2Jb\" op: \"X\\033]0;t\\007\" }\n"
        "node { name: \"\344\270\255\346\226\207/e\314\201\314\202\314\203z\" op: \"Y\" }\n"
        "node { name: \"x\342\200\256y\" op: \"Z\" }\n"
        "node { name: \"bad\\377\" op: \"Z\" }\n";
    static const char *const of_types[] = {
        "names.pbtxt TensorFlow 4 nodes", "[4 op]", "X\\x1b]0;t\\x07 no rule 0 0.0% ········",
        "Y no rule 0", "Z no rule 0", "3 of 3 rows 0"};
    struct pty *p = start_with("names.pbtxt", graph, sizeof graph - 1);

    (void)state;
    assert_true(pty_shows(p, "a\\x1b[2Jb"));
    pty_type(p, "zR");
    assert_true(pty_shows(p, "x\\u{202e}y"));
    assert_true(pty_shows(p, "bad\\xff"));
    assert_true(pty_shows(p, "\344\270\255\346\226\207"));
    pty_type(p, "4");
    assert_true(pty_shows(p, "X\\x1b]0;t\\x07"));
    golden_shows(&p->canvas, of_types, sizeof of_types / sizeof *of_types);
    tfprof_quit(p);
}

/* A graph of nodes n0, n1, ... */
static void add_nodes(struct strbuf *sb, int n)
{
    for (int i = 0; i < n; i++) {
        char name[16];
        int len = snprintf(name, sizeof name, "n%d", i);

        sb_addf(sb, "\n%c\n%c%s\022\001A", len + 5, len, name);
    }
}

/* For a large profile the details show the finished figures first, then the rest. */
static void low_priority_work_waits(void **state)
{
    struct strbuf sb = {0};
    struct pty *p;

    (void)state;
    add_nodes(&sb, 60000);
    p = start_with("large.pb", sb.data, sb.len);
    pty_resize(p, 36, 120);
    pty_type(p, "<esc>");
    assert_true(pty_shows(p, "ops by type"));
    pty_keys(p, ":set<space>-max_depth<space>3<ret>");
    assert_true(pty_sync_early(p));
    assert_true(pty_shows(p, "-max_depth 3"));
    assert_true(pty_shows(p, "\u2502 \u2026"));
    assert_false(pty_shows(p, "ops by type"));
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "ops by type"));
    tfprof_quit(p);
    sb_done(&sb);
}

static void a_million_rows(void **state)
{
    struct strbuf sb = {0};
    struct pty *p;

    (void)state;
    add_nodes(&sb, 1000000);
    p = start_with("million.pb", sb.data, sb.len);
    assert_true(pty_shows(p, "1,000,000 of 1,000,000 rows"));
    pty_type(p, "G");
    assert_true(pty_shows(p, "n999999"));
    pty_type(p, "<pgup><pgup>g<pgdn>I/n54321$<ret>");
    assert_true(pty_shows(p, "n54321"));
    assert_whole(p);
    tfprof_quit(p);
    sb_done(&sb);
}

/* ---- other programs */

static void put_script(const struct pty *p, const char *name, const char *text)
{
    FILE *f = fopen(in_home(p, name), "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(in_home(p, name), 0755), 0);
}

static void commands_and_pipes(void **state)
{
    struct pty *p = start((struct pty_setup){0});
    struct strbuf macro = {0};
    char *text;

    (void)state;
    sb_addf(&macro, "!echo hi<gt>%s/said<ret>", p->home);
    pty_keys(p, sb_text(&macro));
    pty_wait_text(p, "Enter: back");
    pty_type(p, "<ret>");
    text = read_text(in_home(p, "said"));
    assert_string_equal(text, "hi\n");
    free(text);
    sb_clear(&macro);
    sb_addf(&macro, "4|cat<gt>%s/piped<ret>", p->home);
    pty_keys(p, sb_text(&macro));
    pty_wait_text(p, "Enter: back");
    pty_type(p, "<ret>");
    text = read_text(in_home(p, "piped"));
    assert_non_null(strstr(text, "ApplyMomentum"));
    free(text);
    assert_true(p->alt_screen && p->mouse && p->paste);
    assert_whole(p);
    sb_done(&macro);
    tfprof_quit(p);
}

static void the_editor_gets_the_line(void **state)
{
    char home[] = "/tmp/tfprof-test-XXXXXX", env_text[128];
    const char *env[] = {env_text, NULL};
    struct pty *p;
    char *text;

    (void)state;
    assert_non_null(mkdtemp(home));
    snprintf(env_text, sizeof env_text, "EDITOR=%s/ed", home);
    p = start((struct pty_setup){.home = home, .env = env});
    p->own_home = true;
    put_script(p, "ed", "#!/bin/sh\necho \"$@\" >\"$HOME/edited\"\n");
    pty_type(p, "3jE");
    if (access(in_home(p, "edited"), R_OK) == 0) {
        text = read_text(in_home(p, "edited"));
        assert_int_equal(strncmp(text, "+", 1), 0);
        assert_non_null(strstr(text, ".py"));
        free(text);
    } else {
        assert_true(pty_shows(p, ".py")); /* message: the source file does not exist */
    }
    assert_whole(p);
    tfprof_quit(p);
}

static void the_command_line_is_copied(void **state)
{
    struct pty *p = start((struct pty_setup){0});
    char *text;

    (void)state;
    pty_type(p, "4y");
    assert_true(pty_shows(p, "sent to the terminal"));
    /* "tfprof op data/..." in base 64 */
    assert_non_null(memmem(p->raw.data, p->raw.len, "\033]52;c;dGZwcm9mIG9wIGRhdGE", 26));
    text = read_text(in_home(p, ".local/state/tfprof/last-copy"));
    assert_string_equal(text, "tfprof op data/resnet32.pb.gz" FIRST_OPTIONS);
    free(text);
    tfprof_quit(p);
}

/* A copied name cannot run a command where it is pasted, nor end the bracketed paste. */
static void a_copied_name_is_one_plain_line(void **state)
{
    static const char graph[] =
        "node { name: \"a\\033[201~\\necho run\\n\\302\\2331m\\342\\200\\256\" op: \"Op\" }\n";
    static const char line[] = "a\\x1b[201~\\x0aecho run\\x0a\\xc2\\x9b1m\\u{202e}";
    struct pty *p = start_with("hostile.pbtxt", graph, sizeof graph - 1);
    char *text;

    (void)state;
    pty_type(p, "jY");
    text = read_text(in_home(p, ".local/state/tfprof/last-copy"));
    assert_string_equal(text, line);
    free(text);
    tfprof_quit(p);
}

/* The pipe has no reader; the screen still reacts to keys. */
static void an_export_into_a_pipe_can_be_stopped(void **state)
{
    static const char *const stops[] = {"<esc>", "<c-c>"};

    (void)state;
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct pty *p = start((struct pty_setup){0});
        char keys[600];

        assert_int_equal(mkfifo(in_home(p, "pipe"), 0600), 0);
        snprintf(keys, sizeof keys, "e<tab><c-u>%s<ret><space><ret>", in_home(p, "pipe"));
        pty_keys(p, keys);
        pty_keys(p, stops[i]);
        assert_true(pty_sync(p));
        assert_true(pty_shows(p, "stopped"));
        pty_type(p, "4");
        tfprof_quit(p);
    }
}

/* Quitting stops the export. */
static void an_export_into_a_pipe_does_not_keep_the_program(void **state)
{
    struct pty *p = start((struct pty_setup){0});
    char keys[600];

    (void)state;
    assert_int_equal(mkfifo(in_home(p, "pipe"), 0600), 0);
    snprintf(keys, sizeof keys, "e<tab><c-u>%s<ret><space><ret>", in_home(p, "pipe"));
    pty_keys(p, keys);
    tfprof_quit(p);
}

static bool kernel_has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* A number from the status of P in /proc; 0 when it does not exist. */
static int process_status(const struct pty *p, const char *name)
{
    char path[64];
    char *text;
    const char *at;
    int value;

    snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid);
    text = read_text(path);
    at = strstr(text, name);
    value = at ? atoi(at + strlen(name)) : 0;
    free(text);
    return value;
}

static void the_screen_gains_no_privileges(void **state)
{
    struct pty *p = start((struct pty_setup){0});

    (void)state;
    assert_int_equal(process_status(p, "NoNewPrivs:"), 1);
    tfprof_quit(p);
}

/* By keys, by names, and by keys that a configuration binds. */
static void a_secure_screen_runs_no_child_programs(void **state)
{
    static const char *const keys[] = {"!", "|", "jE", ":shell<ret>", ":pipe<ret>",
                                       ":edit-source<ret>", "<f9>", "<f10>", "<f12>"};
    char folder[64] = "XDG_CONFIG_HOME=/tmp/tfprof-test-XXXXXX", path[96];
    const char *const env[] = {"TFPROF_SECURE=1", "TMUX=/tmp/none", folder, NULL};
    char *const config = strchr(folder, '/');
    struct pty *p;
    FILE *f;

    (void)state;
    assert_non_null(mkdtemp(config));
    snprintf(path, sizeof path, "%s/tfprof", config);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/tfprof/tfprofrc", config);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("bind <f9> shell\nbind <f10> pipe\nbind <f12> edit-source\n", f);
    fclose(f);
    p = start((struct pty_setup){.env = env});
    assert_int_equal(process_status(p, "NoNewPrivs:"), 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        pty_type(p, keys[i]);
        if (!pty_shows(p, "other programs are disabled: TFPROF_SECURE is set"))
            fail_msg("%s is not refused", keys[i]);
        pty_type(p, "<esc>k");
    }
    pty_type(p, "y");
    assert_true(pty_shows(p, "sent to the terminal"));
    tfprof_quit(p);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(config);
}

static void a_secure_screen_writes_in_its_folder(void **state)
{
    static const char *const env[] = {"TFPROF_SECURE=1", NULL};
    static const char graph[] = "node { name: \"a\" op: \"Op\" }\n";
    static const char *const args[] = {"graph.pbtxt", NULL};
    struct pty *p = start_with("graph.pbtxt", graph, sizeof graph - 1);
    char *home = strdup(p->home);
    char there[64], keys[128];

    (void)state;
    p->own_home = false;
    tfprof_quit(p);
    p = tfprof_start(
        (struct pty_setup){.home = home, .in_home = true, .env = env, .cols = 120}, args);
    pty_type(p, "e<tab><c-u>here<ret>");
    assert_true(pty_shows(p, "written: here"));
    snprintf(there, sizeof there, "/tmp/tfprof-there-%d", (int)getpid());
    snprintf(keys, sizeof keys, "e<tab><c-u>%s<ret>", there);
    pty_type(p, keys);
    if (kernel_has_landlock())
        assert_true(pty_shows(p, "Permission denied"));
    unlink(there);
    pty_type(p, "4");
    tfprof_quit(p);
    p = tfprof_start((struct pty_setup){.home = home, .in_home = true, .env = env}, args);
    assert_non_null(strstr(sb_text(&p->state), "tfprof op"));
    p->own_home = true;
    tfprof_quit(p);
    free(home);
}

static void a_secure_screen_suspends_and_resumes(void **state)
{
    static const char *const env[] = {"TFPROF_SECURE=1", NULL};
    struct pty *p = start((struct pty_setup){.env = env, .job_control = true});

    (void)state;
    pty_check_suspend(p, 30, 90);
    tfprof_quit(p);
}

/* Two programs have the same profile open and both save their state: the later one wins, and the
 * file is never torn. */
static void state_is_shared(void **state)
{
    char home[] = "/tmp/tfprof-test-XXXXXX";
    struct pty *one, *two;

    (void)state;
    assert_non_null(mkdtemp(home));
    one = start((struct pty_setup){.home = home});
    two = start((struct pty_setup){.home = home});
    pty_type(one, "4");
    pty_type(two, "2");
    tfprof_quit(one);
    tfprof_quit(two);
    one = start((struct pty_setup){.home = home});
    assert_string_equal(sb_text(&one->state), "tfprof graph data/resnet32.pb.gz" FIRST_OPTIONS);
    one->own_home = true;
    tfprof_quit(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_works_and_quits),
        cmocka_unit_test(every_size),
        cmocka_unit_test(every_terminal_and_locale),
        cmocka_unit_test(missing_capabilities_are_not_used),
        cmocka_unit_test(timeline_on_every_terminal),
        cmocka_unit_test(tables_on_every_terminal),
        cmocka_unit_test(unsuitable_terminals_are_refused),
        cmocka_unit_test(a_profile_from_a_pipe),
        cmocka_unit_test(suspends_and_comes_back),
        cmocka_unit_test(signals_end_the_program_cleanly),
        cmocka_unit_test(a_crash_restores_the_terminal),
        cmocka_unit_test(a_lost_terminal_ends_the_program),
        cmocka_unit_test(a_pasted_q_does_not_quit),
        cmocka_unit_test(the_mouse_at_column_250),
        cmocka_unit_test(resize_storm),
        cmocka_unit_test(names_cannot_write_on_the_screen),
        cmocka_unit_test(low_priority_work_waits),
        cmocka_unit_test(a_million_rows),
        cmocka_unit_test(commands_and_pipes),
        cmocka_unit_test(the_editor_gets_the_line),
        cmocka_unit_test(the_command_line_is_copied),
        cmocka_unit_test(a_copied_name_is_one_plain_line),
        cmocka_unit_test(an_export_into_a_pipe_can_be_stopped),
        cmocka_unit_test(an_export_into_a_pipe_does_not_keep_the_program),
        cmocka_unit_test(the_screen_gains_no_privileges),
        cmocka_unit_test(a_secure_screen_runs_no_child_programs),
        cmocka_unit_test(a_secure_screen_writes_in_its_folder),
        cmocka_unit_test(a_secure_screen_suspends_and_resumes),
        cmocka_unit_test(state_is_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
