/* test_open_input.c: which files may be opened for reading, and that opening never blocks. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/system/open_input.h"

static char folder[] = "/tmp/tfprof-open-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void assert_refused(const char *path, enum input_kind kind, const char *why, int number)
{
    struct err err = {0};
    struct stat st;
    char text[160];

    assert_int_equal(open_input(path, kind, &st, &err), -1);
    assert_int_equal(errno, number);
    snprintf(text, sizeof text, "%s: %s", path, why);
    assert_string_equal(err_text(&err), text);
    assert_int_equal(err.kind, ERR_INPUT);
    err_done(&err);
}

/* Fails unless PATH can be opened; returns the mode of the file. */
static mode_t assert_opens(const char *path, enum input_kind kind)
{
    struct err err = {0};
    struct stat st;
    const int fd = open_input(path, kind, &st, &err);

    assert_string_equal(err_text(&err), "");
    assert_true(fd > STDERR_FILENO);
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    close(fd);
    return st.st_mode;
}

static int make_files(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    assert_non_null(mkdtemp(folder));
    strcpy(address.sun_path, in_folder("socket"));
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    close(listener);
    close(creat(in_folder("file"), 0600));
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(symlink("pipe", in_folder("link")), 0);
    return 0;
}

static int remove_files(void **state)
{
    static const char *const names[] = {"socket", "file", "pipe", "link"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static void file_references_must_be_regular_files(void **state)
{
    (void)state;
    assert_true(S_ISREG(assert_opens(in_folder("file"), INPUT_REGULAR)));
    assert_refused(in_folder("pipe"), INPUT_REGULAR, "is not a regular file", EINVAL);
    assert_refused(in_folder("link"), INPUT_REGULAR, "is not a regular file", EINVAL);
    assert_refused(in_folder("socket"), INPUT_REGULAR, "is not a regular file", EINVAL);
    assert_refused("/dev/null", INPUT_REGULAR, "is not a regular file", EINVAL);
    assert_refused(folder, INPUT_REGULAR, "is a folder", EISDIR);
    assert_refused(in_folder("none"), INPUT_REGULAR, "No such file or directory", ENOENT);
    assert_refused("-", INPUT_REGULAR, "No such file or directory", ENOENT);
}

static void pipes_and_standard_input_are_allowed_for_users(void **state)
{
    (void)state;
    assert_true(S_ISREG(assert_opens(in_folder("file"), INPUT_ANY)));
    /* Opening a FIFO without a writer does not block. */
    assert_true(S_ISFIFO(assert_opens(in_folder("pipe"), INPUT_ANY)));
    assert_true(S_ISCHR(assert_opens("/dev/null", INPUT_ANY)));
    assert_refused("/dev/zero", INPUT_ANY, "is a device, not a file", EINVAL);
    assert_refused(folder, INPUT_ANY, "is a folder", EISDIR);
    assert_refused(in_folder("socket"), INPUT_ANY, "No such device or address", ENXIO);
}

static void standard_input_is_reopened(void **state)
{
    const int before = dup(STDIN_FILENO);
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    assert_true(S_ISFIFO(assert_opens("-", INPUT_ANY)));
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    dup2(before, STDIN_FILENO);
    close(before);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_references_must_be_regular_files),
        cmocka_unit_test(pipes_and_standard_input_are_allowed_for_users),
        cmocka_unit_test(standard_input_is_reopened),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
