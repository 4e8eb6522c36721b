/* test_loading.c: the screen while files are read: it appears at once, shows the graph as soon as
 * it is read, and merges the rest without disturbing the user.  Named pipes simulate slow files;
 * the test decides when they end. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tfprof.h"

#define MODEL "tests/golden/models/mobilenet/"

static const char graph[] = MODEL "graph.pb.gz";
static const char loading[] = "loading all files";

/* A named pipe in its own folder. */
struct slow_file {
    char folder[32];
    char path[64];
};

static int make_slow_file(void **state)
{
    struct slow_file *f = calloc(1, sizeof *f);

    assert_non_null(f);
    strcpy(f->folder, "/tmp/tfprof-test-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/pipe", f->folder);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    *state = f;
    return 0;
}

static int remove_slow_file(void **state)
{
    struct slow_file *f = *state;

    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

/* Writes all of FROM (relative to the source folder) to TO and closes it. */
static void send_file(int to, const char *from)
{
    char path[512], bytes[4096];
    FILE *in;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", getenv("top_srcdir"), from);
    in = fopen(path, "r");
    assert_non_null(in);
    assert_true(to >= 0);
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(write(to, bytes, n), n);
    fclose(in);
    close(to);
}

/* Writes all of FROM to the slow file, after the program has opened it. */
static void deliver(const struct slow_file *f, const char *from)
{
    send_file(open(f->path, O_WRONLY), from);
}

/* A screen with the graph while its run is not yet read. */
static struct pty *start_with_graph(const struct slow_file *f, struct pty_setup setup)
{
    const char *const args[] = {"--graph_path", graph, "--run_meta_path", f->path, NULL};
    struct pty *p;

    setup.unsynced = true;
    setup.rows = setup.rows ? setup.rows : 36;
    setup.cols = setup.cols ? setup.cols : 120;
    p = tfprof_start(setup, args);
    pty_wait_shows(p, "1,624 of 1,624 rows");
    pty_wait_shows(p, loading);
    return p;
}

/* A screen without data while the only file is not yet read. */
static struct pty *start_with_nothing(const struct slow_file *f, struct pty_setup setup)
{
    const char *const args[] = {f->path, NULL};
    struct pty *p;

    setup.unsynced = true;
    p = tfprof_start(setup, args);
    pty_wait_shows(p, "tfprof scope /tmp/tfprof-test-");
    return p;
}

static void ends_with(struct pty *p, int status, const char *errors)
{
    pty_wait_end(p);
    assert_true(WIFEXITED(p->status));
    assert_int_equal(WEXITSTATUS(p->status), status);
    assert_string_equal(sb_text(&p->errors), errors);
    pty_assert_restored(p);
    pty_free(p);
}

/* ---- graph before run */

static void the_tree_is_there_before_the_steps(void **state)
{
    struct pty *p = start_with_graph(*state, (struct pty_setup){0});

    pty_wait_shows(p, "1,123 nodes");
    pty_wait_shows(p, "conv_dw_1_bn");
    pty_wait_shows(p, "\u2026"); /* times are still being read, so not displayed as 0 */
    assert_false(pty_shows(p, "0 µs"));
    assert_false(pty_shows(p, "1 step"));
    deliver(*state, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "1 step  1,125 nodes"));
    assert_true(pty_shows(p, "loaded: 1 step"));
    assert_false(pty_shows(p, loading));
    tfprof_quit(p);
}

/* Data that the graph does not contain is marked as loading. */
static void pending_data_is_marked_as_loading(void **state)
{
    struct pty *p = start_with_graph(*state, (struct pty_setup){0});

    pty_keys(p, "3");
    pty_wait_shows(p, "call stacks are still being read");
    pty_keys(p, "]");
    pty_wait_shows(p, "the steps are still being read");
    pty_keys(p, "5");
    pty_wait_shows(p, "checkers start after loading");
    pty_keys(p, "i");
    pty_wait_shows(p, "1123 of ");
    for (int row = 2; !strstr(pty_row(p, row), loading); row++)
        assert_in_range(row, 2, 8); /* on the first line of the page */
    pty_keys(p, "<esc>:scope -min_micros 1<ret>");
    pty_wait_shows(p, "u undoes, o edits the options");
    for (int row = 4; !strstr(pty_row(p, row), loading); row++)
        assert_in_range(row, 4, 8); /* instead of the rows */
    deliver(*state, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "1.70 ms"));
    tfprof_quit(p);
}

/* The cursor, folds, options, marks, search and undo are unchanged when the run arrives. */
static void the_merge_keeps_the_screen_state(void **state)
{
    struct pty *p = start_with_graph(*state, (struct pty_setup){0});

    pty_keys(p, "/conv_dw_4_bn$<ret>ma");
    pty_wait_shows(p, "mark a is here");
    pty_keys(p, "ggjj :set<space>-order_by<space>params<ret>");
    pty_wait_shows(p, "undo 1");
    pty_keys(p, "/^conv_dw_9$<ret>ljj");
    pty_wait_shows(p, "conv_dw_9 \u203a depthwise  ");
    pty_wait_shows(p, "undo 2");
    deliver(*state, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "conv_dw_9 \u203a depthwise  "));
    assert_true(pty_shows(p, ">  \u25b8 depthwise  "));
    assert_true(pty_shows(p, "n/N 1 match for /^conv_dw_9$"));
    assert_true(pty_shows(p, "undo 2"));
    assert_non_null(strstr(sb_text(&p->state), " -order_by params"));
    pty_type(p, "'a"); /* a position saved before */
    assert_true(pty_shows(p, "_TFProfRoot \u203a conv_dw_4_bn  "));
    pty_type(p, "M<ret>"); /* the marked row */
    assert_true(pty_shows(p, "_TFProfRoot \u203a conv1  "));
    pty_type(p, "uu"); /* undo steps are still in order */
    assert_non_null(strstr(sb_text(&p->state), " -order_by micros"));
    assert_false(pty_shows(p, "\u25be conv_dw_9 "));
    tfprof_quit(p);
}

/* Nothing writes to the pipe a second time, so reading it again would block. */
static void a_pipe_is_not_read_again(void **state)
{
    struct pty *p = start_with_graph(*state, (struct pty_setup){0});

    deliver(*state, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    pty_type(p, "<f5>");
    assert_true(pty_shows(p, "can be read only once"));
    tfprof_quit(p);
}

static void random_keys_around_the_merge(void **state)
{
    static const char *const keys[] = {
        "j", "k", "l", "h", "G", "g", "<pgdn>", "zR", "zM", "z2", "*", "2", "4", "1", "3", "I", "u",
        "<c-r>", "s<down><ret>", "ma", "'a", " ", "M<ret>", "/conv<ret>", "/dw", "n", "N",
        "<tab>", "i", "x", "<c-o>", ":set<space>-max_depth<space>3<ret>", "fconv",
        "<ret>", "o", "S", "D", "%<space>50<ret>", "[", "]", "<c-c>j", "<esc>",
    };
    enum { THAT_STOP = 2 };
    uint64_t seed = 42;

    for (int i = 0; i < 6; i++) {
        struct pty *p = start_with_graph(*state, (struct pty_setup){0});

        for (int k = 0; k < 60; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            if (k == 30)
                deliver(*state, MODEL "run_meta_0.pb.gz");
            /* The last keys of the list would stop loading. */
            pty_keys(p, keys[(seed >> 33) % (sizeof keys / sizeof *keys - (k < 40 ? THAT_STOP : 0))]);
        }
        pty_keys(p, "<esc><esc><esc><esc><esc>");
        assert_true(pty_sync(p));
        tfprof_quit(p);
    }
}

/* ---- quitting */

static void quitting_before_data_is_loaded(void **state)
{
    struct pty *p = start_with_nothing(*state, (struct pty_setup){0});

    pty_wait_shows(p, "input size unknown");
    pty_keys(p, "q");
    ends_with(p, 0, "");
    p = start_with_nothing(*state, (struct pty_setup){0});
    pty_kill(p, SIGTERM);
    pty_wait_end(p);
    assert_true(WIFSIGNALED(p->status));
    pty_assert_restored(p);
    pty_free(p);
}

/* Esc never quits; ^C quits only when nothing can be stopped. */
static void stopping_before_data_is_loaded_keeps_the_screen(void **state)
{
    static const char *const keys[] = {"<esc>", "<c-c>"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct pty *p = start_with_nothing(*state, (struct pty_setup){0});

        pty_keys(p, "j");
        pty_wait_shows(p, "1 key held");
        pty_keys(p, keys[i]);
        assert_true(pty_sync(p));
        assert_true(pty_shows(p, "nothing to show"));
        assert_true(pty_shows(p, "stopped"));
        pty_type(p, "j<esc>/4");
        assert_true(pty_shows(p, "the profile is not loaded yet"));
        pty_type(p, "T");
        pty_keys(p, "q");
        ends_with(p, 0, "");
    }
}

/* Even while the program waits for the terminal's background color, whose answer begins with ESC,
 * and displays progress. */
static void an_escape_alone_is_a_key(void **state)
{
    static const char *const env[] = {"ESCDELAY=1", NULL};
    struct pty *p = start_with_nothing(*state, (struct pty_setup){.env = env});

    pty_bytes(p, "\033", 1);
    pty_wait_shows(p, "nothing to show");
    pty_keys(p, "q");
    ends_with(p, 0, "");
}

/* Two of three runs were read: they are displayed, not only the graph. */
static void stopping_keeps_files_that_were_read(void **state)
{
    const struct slow_file *f = *state;
    char runs[256];
    const char *const args[] = {"--graph_path", graph, "--run_meta_path", runs, NULL};
    struct pty *p;
    int to;

    snprintf(runs, sizeof runs, "%srun_meta_0.pb.gz,%s,%srun_meta_0.pb.gz", MODEL, f->path, MODEL);
    p = tfprof_start((struct pty_setup){.unsynced = true, .rows = 36, .cols = 120}, args);
    pty_wait_shows(p, "1,624 of 1,624 rows");
    to = open(f->path, O_WRONLY); /* after the first run was read */
    assert_true(to >= 0);
    pty_keys(p, "<c-c>");
    pty_wait_shows(p, "loading stops after this file; press again to stop now");
    send_file(to, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "2 steps  1,125 nodes"));
    pty_type(p, "j");
    assert_true(pty_shows(p, "loading was stopped: 3 of 4 files were read"));
    tfprof_quit(p);

    p = tfprof_start((struct pty_setup){.unsynced = true, .rows = 36, .cols = 120}, args);
    pty_wait_shows(p, "1,624 of 1,624 rows");
    to = open(f->path, O_WRONLY);
    assert_true(to >= 0);
    pty_keys(p, "<c-c><c-c>");
    assert_true(pty_sync(p));
    pty_type(p, "j");
    assert_true(pty_shows(p, "loading was stopped: this is the graph alone"));
    close(to);
    tfprof_quit(p);
}

static void quitting_while_the_rest_is_read(void **state)
{
    struct pty *p = start_with_graph(*state, (struct pty_setup){0});

    pty_keys(p, "jjlq");
    ends_with(p, 0, "");
}

static void stop_leaves_the_graph(const struct slow_file *f, const char *key)
{
    struct pty *p = start_with_graph(f, (struct pty_setup){0});

    pty_keys(p, key);
    assert_true(pty_sync(p)); /* nothing is pending */
    assert_true(pty_shows(p, "stopped"));
    pty_type(p, "jj");
    assert_true(pty_shows(p, "loading was stopped: this is the graph alone"));
    pty_type(p, "]");
    assert_true(pty_shows(p, "no steps: no run"));
    tfprof_quit(p);
}

static void stopped_loading_leaves_the_graph(void **state)
{
    stop_leaves_the_graph(*state, "<c-c>");
    stop_leaves_the_graph(*state, "<esc>");
}

static void suspends_while_nothing_is_there(void **state)
{
    struct pty *p = start_with_nothing(*state, (struct pty_setup){.job_control = true});

    pty_keys(p, "<c-z>");
    pty_wait_stop(p);
    pty_assert_restored(p);
    pty_continue(p);
    pty_wait_shows(p, "reading");
    deliver(*state, graph);
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "1,123 nodes"));
    tfprof_quit(p);
}

/* ---- sizes */

static void resizes_while_files_are_read(void **state)
{
    static const int sizes[][2] = {{24, 80}, {5, 20}, {1, 1}, {50, 132}};
    struct pty *p = start_with_nothing(*state, (struct pty_setup){0});

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        pty_resize(p, sizes[i][0], sizes[i][1]);
    deliver(*state, graph);
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "1,123 nodes"));
    assert_int_equal(p->canvas.cols, 132);
    tfprof_quit(p);

    p = start_with_graph(*state, (struct pty_setup){0});
    pty_resize(p, 24, 80);
    deliver(*state, MODEL "run_meta_0.pb.gz");
    assert_true(pty_sync(p));
    assert_true(pty_shows(p, "loaded: 1 step"));
    tfprof_quit(p);
}

/* ---- faults */

static void a_bad_first_file_ends_the_program(void **state)
{
    const struct slow_file *f = *state;
    struct pty *p = start_with_nothing(f, (struct pty_setup){0});
    char line[256];

    deliver(f, "README.md");
    pty_wait_end(p);
    assert_int_equal(WEXITSTATUS(p->status), 1);
    snprintf(line, sizeof line, "tfprof: %s: ", f->path);
    assert_memory_equal(sb_text(&p->errors), line, strlen(line));
    assert_ptr_equal(strchr(sb_text(&p->errors), '\n'), p->errors.data + p->errors.len - 1);
    pty_assert_restored(p);
    pty_free(p);
}

static void a_bad_late_file_leaves_the_graph(void **state)
{
    const struct slow_file *f = *state;
    struct pty *p = start_with_graph(f, (struct pty_setup){0});
    char line[256];

    deliver(f, "README.md");
    assert_true(pty_sync(p));
    snprintf(line, sizeof line, "E: %s: ", f->path);
    assert_true(pty_shows(p, line));
    pty_type(p, "jj"); /* the message stays */
    assert_true(pty_shows(p, line + strlen("E: ")));
    assert_true(pty_shows(p, "1,123 nodes"));
    pty_keys(p, "Q");
    pty_wait_end(p);
    assert_int_equal(WEXITSTATUS(p->status), 1);
    snprintf(line, sizeof line, "tfprof: %s: ", f->path);
    assert_memory_equal(sb_text(&p->errors), line, strlen(line));
    pty_assert_restored(p);
    pty_free(p);
}

/* ---- parts of traces */

/* A trace with one event at each end, and enough blanks between them for a part to be read
 * first. */
static void write_large_trace(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"early\",\"ts\":1,\"dur\":2}", file);
    for (int i = 0; i < 52; i++)
        fprintf(file, "%*s", 1 << 20, "");
    fputs(",{\"ph\":\"X\",\"name\":\"late\",\"ts\":9,\"dur\":2}]}", file);
    assert_int_equal(fclose(file), 0);
}

static void all_of_a_large_trace_replaces_a_part(void **state)
{
    const struct slow_file *f = *state;
    char path[64];
    const char *const args[] = {path, NULL};
    struct pty *p;

    snprintf(path, sizeof path, "%s/trace.json", f->folder);
    write_large_trace(path);
    p = tfprof_start((struct pty_setup){.unsynced = true, .rows = 36, .cols = 120}, args);
    pty_wait_shows(p, "early");
    pty_keys(p, "jk");
    pty_wait_shows(p, "late");
    assert_true(pty_sync(p));
    assert_false(pty_shows(p, "partial"));
    assert_false(pty_shows(p, loading));
    tfprof_quit(p);
    unlink(path);
}

int main(void)
{
#define WITH_SLOW_FILE(test) cmocka_unit_test_setup_teardown(test, make_slow_file, remove_slow_file)
    const struct CMUnitTest tests[] = {
        WITH_SLOW_FILE(the_tree_is_there_before_the_steps),
        WITH_SLOW_FILE(pending_data_is_marked_as_loading),
        WITH_SLOW_FILE(the_merge_keeps_the_screen_state),
        WITH_SLOW_FILE(a_pipe_is_not_read_again),
        WITH_SLOW_FILE(random_keys_around_the_merge),
        WITH_SLOW_FILE(quitting_before_data_is_loaded),
        WITH_SLOW_FILE(stopping_before_data_is_loaded_keeps_the_screen),
        WITH_SLOW_FILE(an_escape_alone_is_a_key),
        WITH_SLOW_FILE(stopping_keeps_files_that_were_read),
        WITH_SLOW_FILE(quitting_while_the_rest_is_read),
        WITH_SLOW_FILE(stopped_loading_leaves_the_graph),
        WITH_SLOW_FILE(suspends_while_nothing_is_there),
        WITH_SLOW_FILE(resizes_while_files_are_read),
        WITH_SLOW_FILE(a_bad_first_file_ends_the_program),
        WITH_SLOW_FILE(a_bad_late_file_leaves_the_graph),
        WITH_SLOW_FILE(all_of_a_large_trace_replaces_a_part),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
