/* test_sink_file.c: a file is written whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/sink_file.h"

/* An own folder for every test. */
static int enter_folder(void **state)
{
    char folder[] = "/tmp/tfprof-sink-XXXXXX";

    *state = NULL;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return 0;
}

static int leave_folder(void **state)
{
    DIR *dir = opendir(".");
    struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        unlink(entry->d_name);
    closedir(dir);
    chmod(*state, 0700);
    rmdir(*state);
    free(*state);
    return chdir("/");
}

static int files_here(void)
{
    DIR *dir = opendir(".");
    int n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void expect_text(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, text);
}

static bool put(const char *path, const char *text, struct err *err)
{
    struct sink_file f;
    bool ok = sink_file_open(&f, path, NULL, err);

    if (!ok)
        return false;
    ok = f.sink.write(&f.sink, text, strlen(text), err) && sink_file_finish(&f, err) &&
         sink_file_commit(&f, err);
    sink_file_abandon(&f);
    return ok;
}

static void a_file_appears_only_when_committed(void **state)
{
    struct sink_file f;
    struct err err = {0};

    (void)state;
    assert_true(sink_file_open(&f, "new", NULL, &err));
    assert_true(f.sink.write(&f.sink, "text", 4, &err));
    assert_int_equal(access("new", F_OK), -1);
    assert_true(sink_file_finish(&f, &err));
    assert_int_equal(access("new", F_OK), -1);
    assert_true(sink_file_commit(&f, &err));
    expect_text("new", "text");
    assert_int_equal(files_here(), 1);
}

static void an_old_file_stays_until_then_and_lends_its_mode(void **state)
{
    struct sink_file f;
    struct err err = {0};
    struct stat st;

    (void)state;
    write_text("old", "before");
    assert_int_equal(chmod("old", 0640), 0);
    assert_true(sink_file_open(&f, "old", NULL, &err));
    assert_true(f.sink.write(&f.sink, "after", 5, &err));
    expect_text("old", "before");
    sink_file_abandon(&f);
    expect_text("old", "before");
    assert_int_equal(files_here(), 1);
    assert_true(put("old", "after", &err));
    expect_text("old", "after");
    assert_int_equal(stat("old", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void a_link_is_followed(void **state)
{
    struct err err = {0};
    struct stat st;

    (void)state;
    write_text("real", "before");
    assert_int_equal(symlink("real", "link"), 0);
    assert_true(put("link", "after", &err));
    expect_text("real", "after");
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void refusals_say_why(void **state)
{
    struct source_file input = {.path = (char *)"input"};
    struct profile inputs = {.files = &input, .n_files = 1};
    struct sink_file f;
    struct err err = {0};

    (void)state;
    write_text("input", "graph");
    assert_int_equal(link("input", "other_name"), 0);
    assert_false(sink_file_open(&f, "other_name", &inputs, &err));
    assert_string_equal(err_text(&err), "other_name: not written: it is the input input");
    expect_text("input", "graph");
    assert_false(put("no/such/folder", "x", &err));
    assert_non_null(strstr(err_text(&err), "No such file or directory"));
    assert_false(put(".", "x", &err));
    assert_non_null(strstr(err_text(&err), "it is a folder"));
    write_text("fixed", "before");
    assert_int_equal(chmod("fixed", 0444), 0);
    assert_false(put("fixed", "x", &err));
    assert_non_null(strstr(err_text(&err), "it is read-only"));
    expect_text("fixed", "before");
    assert_int_equal(err_status(err.kind), 1);
    err_done(&err);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    struct rlimit limit, tight = {10, RLIM_INFINITY};
    struct err err = {0};

    (void)state;
    assert_false(put("/dev/full", "x", &err));
    assert_non_null(strstr(err_text(&err), "No space left"));
    write_text("old", "before");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    tight.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &tight);
    assert_false(put("old", "more than ten bytes", &err));
    setrlimit(RLIMIT_FSIZE, &limit);
    expect_text("old", "before");
    assert_int_equal(files_here(), 1);
    err_done(&err);
}

static void a_device_is_written_in_place(void **state)
{
    struct err err = {0};
    struct stat st;

    (void)state;
    assert_true(put("/dev/null", "x", &err));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

/* The child sends itself a signal in the middle of writing. */
static void a_signal_ends_it_without_a_trace(void **state)
{
    const pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        static char bytes[1 << 18];
        struct sink_file f;
        struct err err = {0};

        if (!sink_file_open(&f, "new", NULL, &err))
            _exit(1);
        raise(SIGTERM);
        if (f.sink.write(&f.sink, bytes, sizeof bytes, &err) || err.kind != ERR_CANCELLED)
            _exit(2);
        sink_file_abandon(&f); /* the signal arrives here */
        _exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(files_here(), 0);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_appears_only_when_committed),
        IN_FOLDER(an_old_file_stays_until_then_and_lends_its_mode),
        IN_FOLDER(a_link_is_followed),
        IN_FOLDER(refusals_say_why),
        IN_FOLDER(a_full_disk_leaves_the_old_file),
        IN_FOLDER(a_device_is_written_in_place),
        IN_FOLDER(a_signal_ends_it_without_a_trace),
    };

    return cmocka_run_group_tests_name("sink_file", tests, NULL, NULL);
}
