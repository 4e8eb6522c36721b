/* test_sink_file.c: a file is written completely or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/sinks/sink_file.h"
#include "model/profile.h"
#include "fixtures/skip.h"

/* A separate folder for every test. */
static int enter_folder(void **state)
{
    char folder[] = "/tmp/tfprof-sink-XXXXXX";

    *state = NULL;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    (void)st;
    (void)kind;
    (void)place;
    return remove(path);
}

static int leave_folder(void **state)
{
    if (chdir("/") != 0 || nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
        return -1;
    free(*state);
    return 0;
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

static struct cancel *cancel_from_alarm;

static void cancel_now(int signal_number)
{
    (void)signal_number;
    cancel_ask(cancel_from_alarm);
}

static void send_term(int signal_number)
{
    (void)signal_number;
    raise(SIGTERM); /* blocked until the sink is closed */
}

static bool open_for(struct sink_file *f, const char *path, const struct profile *inputs,
                     struct err *err)
{
    return sink_file_open(f, &(struct sink_file_request){.path = path, .inputs = inputs}, err);
}

static bool put(const char *path, const char *text, struct err *err)
{
    struct sink_file f;
    bool ok = open_for(&f, path, NULL, err);

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
    assert_true(open_for(&f, "new", NULL, &err));
    assert_true(f.sink.write(&f.sink, "text", 4, &err));
    assert_int_equal(access("new", F_OK), -1);
    assert_true(sink_file_finish(&f, &err));
    assert_int_equal(access("new", F_OK), -1);
    assert_true(sink_file_commit(&f, &err));
    expect_text("new", "text");
    assert_int_equal(files_here(), 1);
}

static void the_old_file_stays_until_the_commit_and_gives_its_mode(void **state)
{
    struct sink_file f;
    struct err err = {0};
    struct stat st;

    (void)state;
    write_text("old", "before");
    assert_int_equal(chmod("old", 0640), 0);
    assert_true(open_for(&f, "old", NULL, &err));
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
    assert_false(open_for(&f, "other_name", &inputs, &err));
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

/* Messages to the user and to other programs while a pipe has no reader. */
static void a_pipe_without_reader_blocks_until_a_signal(void **state)
{
    struct cancel token = {0};
    const struct sink_file_request request = {.path = "pipe", .cancel = cancel_mark_now(&token)};
    struct sink_file f;
    struct err err = {0};

    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    cancel_ask(&token);
    assert_false(sink_file_open(&f, &request, &err));
    assert_int_equal(err.kind, ERR_CANCELLED);
    err_done(&err);
}

static void a_signal_ends_waiting_for_a_reader(void **state)
{
    const pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
        struct sink_file f;
        struct err err = {0};

        if (mkfifo("pipe", 0600) != 0)
            _exit(1);
        signal(SIGALRM, send_term);
        setitimer(ITIMER_REAL, &soon, NULL);
        if (open_for(&f, "pipe", NULL, &err))
            _exit(2);
        _exit(3); /* the signal was delivered after it was unblocked */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

/* A reader that stops reading is handled like a missing one. */
static void a_full_pipe_blocks_until_a_signal(void **state)
{
    static const char bytes[1 << 18];
    struct cancel token = {0};
    const struct sink_file_request request = {.path = "pipe", .cancel = cancel_mark_now(&token)};
    struct sink_file f;
    struct err err = {0};
    int reader;

    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(sink_file_open(&f, &request, &err));
    cancel_from_alarm = &token;
    signal(SIGALRM, cancel_now);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 1000}}, NULL);
    assert_false(f.sink.write(&f.sink, bytes, sizeof bytes, &err));
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(err.kind, ERR_CANCELLED);
    sink_file_abandon(&f);
    close(reader);
    err_done(&err);
}

static void a_pipe_with_a_reader_gets_the_output(void **state)
{
    struct err err = {0};
    char got[8] = "";
    int reader;

    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(put("pipe", "text", &err));
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_string_equal(got, "text");
    close(reader);
}

/* ---- symbolic links in world-writable folders */

enum { SOMEBODY_ELSE = 4321 };

/* A folder like /tmp with links that OWNER owns. */
static void make_shared_folder(uid_t owner)
{
    static const struct {
        const char *target, *name;
    } links[] = {{"../victim", "shared/to_file"}, {"..", "shared/to_folder"},
                 {"../unborn", "shared/to_nothing"}, {"to_file", "shared/to_link"}};

    write_text("victim", "before");
    assert_int_equal(mkdir("shared", 0700), 0);
    assert_int_equal(chmod("shared", 01777), 0);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        assert_int_equal(symlink(links[i].target, links[i].name), 0);
        assert_int_equal(lchown(links[i].name, owner, (gid_t)-1), 0);
    }
}

static void own_links_in_shared_folders_are_followed(void **state)
{
    struct err err = {0};

    (void)state;
    make_shared_folder(geteuid());
    assert_true(put("shared/to_file", "1", &err));
    expect_text("victim", "1");
    assert_true(put("shared/to_link", "2", &err));
    expect_text("victim", "2");
    assert_true(put("shared/to_folder/victim", "3", &err));
    expect_text("victim", "3");
    assert_true(put("shared/to_nothing", "4", &err));
    expect_text("unborn", "4");
}

static void links_of_other_users_in_shared_folders_are_refused(void **state)
{
    static const char *const paths[] = {"shared/to_file", "shared/to_link",
                                        "shared/to_folder/victim", "shared/to_nothing"};
    struct err err = {0};

    (void)state;
    if (geteuid() != 0)
        SKIP_TEST("only root can give a link away");
    make_shared_folder(SOMEBODY_ELSE);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_false(put(paths[i], "x", &err));
        assert_non_null(strstr(err_text(&err), "a link of another user"));
    }
    expect_text("victim", "before");
    assert_int_equal(access("unborn", F_OK), -1);
    /* The rule does not apply when the folder is no longer shared. */
    assert_int_equal(chmod("shared", 0755), 0);
    assert_true(put("shared/to_file", "after", &err));
    expect_text("victim", "after");
    err_done(&err);
}

static void links_without_end_are_refused(void **state)
{
    struct err err = {0};

    (void)state;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_false(put("a", "x", &err));
    assert_non_null(strstr(err_text(&err), "Too many levels"));
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(symlink("../folder/./..//c", "folder/d"), 0);
    assert_true(put("folder/../folder/d", "x", &err));
    expect_text("c", "x");
    assert_false(put("c/d", "x", &err));
    assert_non_null(strstr(err_text(&err), "Not a directory"));
    assert_false(put("e/", "x", &err));
    err_done(&err);
}

/* The child sends itself a signal while it writes. */
static void a_signal_leaves_no_file(void **state)
{
    const pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        static char bytes[1 << 18];
        struct sink_file f;
        struct err err = {0};

        if (!open_for(&f, "new", NULL, &err))
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
        IN_FOLDER(the_old_file_stays_until_the_commit_and_gives_its_mode),
        IN_FOLDER(a_link_is_followed),
        IN_FOLDER(refusals_say_why),
        IN_FOLDER(a_full_disk_leaves_the_old_file),
        IN_FOLDER(a_device_is_written_in_place),
        IN_FOLDER(a_signal_leaves_no_file),
        IN_FOLDER(a_pipe_without_reader_blocks_until_a_signal),
        IN_FOLDER(a_signal_ends_waiting_for_a_reader),
        IN_FOLDER(a_full_pipe_blocks_until_a_signal),
        IN_FOLDER(a_pipe_with_a_reader_gets_the_output),
        IN_FOLDER(own_links_in_shared_folders_are_followed),
        IN_FOLDER(links_of_other_users_in_shared_folders_are_refused),
        IN_FOLDER(links_without_end_are_refused),
    };

    return cmocka_run_group_tests_name("sink_file", tests, NULL, NULL);
}
