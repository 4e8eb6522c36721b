/* spawn.c: runs other programs. */
#include "tui/commands/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/open_input.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "session/words.h"
#include "term/term_signal.h"
#include "term/term_tty.h"

extern char **environ;

/* Opens the terminal as input of a child when our standard input is a profile; -1: the child
 * inherits ours. */
static int open_keys(void)
{
    struct err ignored = {0};
    struct stat st;
    int fd;

    if (isatty(STDIN_FILENO))
        return -1;
    fd = tty_device();
    if (fd < 0)
        fd = open_input("/dev/null", INPUT_ANY, &st, &ignored);
    err_done(&ignored);
    return fd;
}

/* Sets descriptors 0, 1 and 2 of a child. */
static void set_files(posix_spawn_file_actions_t *files, int input_fd, enum spawn_output output)
{
    posix_spawn_file_actions_init(files);
    if (input_fd >= 0)
        posix_spawn_file_actions_adddup2(files, input_fd, STDIN_FILENO);
    if (output == SPAWN_SILENT) {
        posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
}

/* Resets the signals that the screen masks or handles. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static void write_input(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* the child closed its input */
        bytes += n;
        len -= (size_t)n;
    }
}

/* Waits for the end of PID. If it is stopped, stops the whole job. */
static int wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, WUNTRACED) == pid || errno == EINTR) {
        if (!WIFSTOPPED(status))
            break;
        term_signals_stop_job();
        kill(pid, SIGCONT);
    }
    return status;
}

/* Starts ARGV with INPUT_FD as standard input (-1: ours). */
static bool start(const char *const *argv, int input_fd, enum spawn_output output, pid_t *pid,
                  struct err *err)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failed;

    set_files(&files, input_fd, output);
    set_signals(&attributes);
    failed = posix_spawnp(pid, argv[0], &files, &attributes, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return !failed || err_set(err, ERR_INPUT, "%s cannot be run: %s", argv[0], strerror(failed));
}

/* Writes INPUT to a child, which may close its end early. */
static void feed(int fd, const char *input, size_t len)
{
    const struct timespec at_once = {0};
    sigset_t pipe_signal, before;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    write_input(fd, input, len);
    /* removes a pending SIGPIPE before it is unblocked */
    sigtimedwait(&pipe_signal, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool spawn_wait(const char *const *argv, const char *input, size_t input_len,
                enum spawn_output output, int *status, struct err *err)
{
    int ends[2] = {-1, -1};
    pid_t pid;
    bool ok;

    if (!input)
        ends[0] = open_keys();
    else if (pipe2(ends, O_CLOEXEC) < 0)
        return err_set(err, ERR_INPUT, "%s: %s", argv[0], strerror(errno));
    ok = start(argv, ends[0], output, &pid, err);
    if (ends[0] >= 0)
        close(ends[0]);
    if (input && ok)
        feed(ends[1], input, input_len);
    if (input)
        close(ends[1]);
    if (ok)
        *status = wait_for(pid);
    return ok;
}

/* ---- the editor */

/* Editors that take "FILE:LINE", some after an option. Others take "+LINE FILE". */
static const struct {
    const char *name, *option;
} colon_editors[] = {
    {"code", "-g"}, {"codium", "-g"}, {"hx", NULL}, {"helix", NULL},
    {"micro", NULL}, {"subl", NULL},  {"zed", NULL},
};

enum { N_COLON_EDITORS = sizeof colon_editors / sizeof *colon_editors };

/* The row of PROGRAM; N_COLON_EDITORS if it has none. */
static size_t colon_editor(const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;
    size_t i = 0;

    while (i < N_COLON_EDITORS && strcmp(name, colon_editors[i].name) != 0)
        i++;
    return i;
}

/* Adds the arguments for FILE and LINE. A name that looks like an option gets a folder in front. */
static void add_place(struct words *w, const char *file, long line)
{
    const char *folder = *file == '-' || *file == '+' ? "./" : "";
    const size_t row = line > 0 ? colon_editor(w->items[0]) : N_COLON_EDITORS;
    const bool colon = row < N_COLON_EDITORS;
    struct strbuf sb = {0};

    if (colon && colon_editors[row].option)
        words_add(w, colon_editors[row].option);
    if (line > 0 && !colon) {
        sb_addf(&sb, "+%ld", line);
        words_add(w, sb_text(&sb));
        sb_clear(&sb);
    }
    sb_addf(&sb, "%s%s", folder, file);
    if (colon)
        sb_addf(&sb, ":%ld", line);
    words_add(w, sb_text(&sb));
    sb_done(&sb);
}

static const char *editor_from_environment(void)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);

        if (value && value[strspn(value, " \t")])
            return value;
    }
    return "vi";
}

bool spawn_editor(const char *file, long line, struct err *err)
{
    struct words w = {0};
    const char **argv;
    bool ok;
    int status;

    if (!words_split(editor_from_environment(), &w, err) || !w.n) {
        words_done(&w);
        return err_set(err, ERR_INPUT, "EDITOR is empty");
    }
    add_place(&w, file, line);
    argv = xcalloc(w.n + 1, sizeof *argv);
    for (size_t i = 0; i < w.n; i++)
        argv[i] = w.items[i];
    ok = spawn_wait(argv, NULL, 0, SPAWN_TERMINAL, &status, err);
    if (ok && status != 0)
        ok = err_set(err, ERR_INPUT, "%s failed", w.items[0]);
    free(argv);
    words_done(&w);
    return ok;
}

/* ---- shells */

bool spawn_shell(const char *command, const char *input, size_t input_len, int *status,
                 struct err *err)
{
    const char *shell = getenv("SHELL");
    const char *argv[] = {shell && *shell ? shell : "/bin/sh", "-c", command, NULL};

    if (!*command)
        argv[1] = NULL;
    return spawn_wait(argv, input, input_len, SPAWN_TERMINAL, status, err);
}

void spawn_pause(void)
{
    static const char text[] = "\n[Enter: back to tfprof] ";
    int fd = tty_device();
    char c = 0;

    if (fd < 0)
        return;
    if (write(fd, text, sizeof text - 1) > 0)
        while (c != '\n' && read(fd, &c, 1) == 1)
            ;
    close(fd);
}
