/* pty_child.c: the child process of pty.c. */
#include "pty_child.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { CANNOT_RUN = 127 };

char *pty_make_home(void)
{
    const char *tmp = getenv("TMPDIR");
    struct strbuf sb = {0};

    sb_addf(&sb, "%s/tfprof-test-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(sb.data));
    return sb_take(&sb);
}

struct environment {
    VEC(char *) vars;
};

/* Sets NAME, replacing an earlier value. */
static void env_set(struct environment *env, const char *name, const char *value)
{
    const size_t len = strlen(name);
    struct strbuf sb = {0};

    for (size_t i = 0; i < env->vars.n; i++) {
        if (!strncmp(env->vars.data[i], name, len) && env->vars.data[i][len] == '=') {
            free(env->vars.data[i]);
            env->vars.data[i] = env->vars.data[--env->vars.n];
        }
    }

    sb_addf(&sb, "%s=%s", name, value);
    vec_push(&env->vars, sb_take(&sb));
}

/* The same environment for every run: everything that could change the screen is set or absent. */
static char **make_environment(const struct pty_setup *setup, const char *home, int sync_fd)
{
    static const char *const kept[] = {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};
    const char *top = getenv("top_srcdir");
    struct environment env = {0};
    char text[512];

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (getenv(kept[i]))
            env_set(&env, kept[i], getenv(kept[i]));
    env_set(&env, "TERM", setup->term ? setup->term : "xterm-256color");
    env_set(&env, "LC_ALL", setup->locale ? setup->locale : "C.UTF-8");
    env_set(&env, "TZ", "UTC");
    /* Tests send the Escape key as a separate sequence, so a lone ESC is always the start of a
     * delayed sequence. */
    env_set(&env, "ESCDELAY", "30000");
    env_set(&env, "HOME", home);
    env_set(&env, "SHELL", "/bin/sh");
    env_set(&env, "TFPROF_CLOCK", "fake");
    snprintf(text, sizeof text, "print_suppressions=0:suppressions=%s/tests/lsan.supp", top ? top : ".");
    env_set(&env, "LSAN_OPTIONS", text);
    snprintf(text, sizeof text, "%d", sync_fd);
    env_set(&env, "TFPROF_TEST_FD", text);
    for (size_t i = 0; setup->env && setup->env[i]; i++) {
        const char *equals = strchr(setup->env[i], '=');
        char *name = xmemdupz(setup->env[i], (size_t)(equals - setup->env[i]));

        env_set(&env, name, equals + 1);
        free(name);
    }
    vec_push(&env.vars, NULL);
    return env.vars.data;
}

/* Resets signals that the parent of the tests ignores (nohup) or blocks. */
static void default_signals(const struct pty_setup *setup)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        if (number != SIGTTOU)
            signal(number, SIG_DFL);
    if (setup->ignored_signal)
        signal(setup->ignored_signal, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run(const struct pty_setup *setup, char **env)
{
    default_signals(setup);
    execve(setup->argv[0], (char *const *)setup->argv, env);
    perror(setup->argv[0]);
    _exit(CANNOT_RUN);
}

/* A shell with one foreground job: reports when it stops, continues it on request, and exits with
 * its status. */
static _Noreturn void run_under_shell(const struct pty_setup *setup, char **env, int control)
{
    pid_t job = fork();
    int status;
    char byte = PTY_SHELL_STOPPED;

    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(STDIN_FILENO, getpid());
        signal(SIGTTOU, SIG_DFL);
        close(control);
        run(setup, env);
    }
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        tcsetpgrp(STDIN_FILENO, getpgrp());
        if (write(control, &byte, 1) != 1 || read(control, &byte, 1) != 1)
            break;
        tcsetpgrp(STDIN_FILENO, job);
        kill(-job, SIGCONT);
        byte = PTY_SHELL_STOPPED;
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static _Noreturn void child(const struct pty_setup *setup, const char *home, char **env,
                            int errors, int control)
{
    const char *dir = setup->in_home ? home : setup->dir;

    if (dir && chdir(dir) != 0)
        _exit(CANNOT_RUN);
    if (setup->stdin_path) {
        int fd = open(setup->stdin_path, O_RDONLY);

        if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
            _exit(CANNOT_RUN);
        close(fd);
    }
    if (errors >= 0)
        dup2(errors, STDERR_FILENO);
    if (!setup->job_control)
        run(setup, env);
    /* The shell sets the terminal's foreground group while it is in the background. */
    signal(SIGTTOU, SIG_IGN);
    run_under_shell(setup, env, control);
}

void pty_spawn(const struct pty_setup *setup, const char *home, int rows, int cols,
               struct pty_ends *ends)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    int sync_pipe[2], errors_pipe[2] = {-1, -1}, control[2] = {-1, -1};
    int slave;
    char **env;

    assert_int_equal(pipe2(sync_pipe, O_CLOEXEC), 0);
    assert_int_equal(fcntl(sync_pipe[1], F_SETFD, 0), 0);
    if (!setup->stderr_tty)
        assert_int_equal(pipe2(errors_pipe, O_CLOEXEC), 0);
    if (setup->job_control)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control), 0);
    env = make_environment(setup, home, sync_pipe[1]);
    assert_int_equal(openpty(&ends->master, &slave, NULL, NULL, &size), 0);
    /* Before the child can change them. */
    assert_int_equal(tcgetattr(slave, &ends->modes), 0);
    ends->pid = fork();
    assert_true(ends->pid >= 0);
    if (ends->pid == 0) {
        close(ends->master);
        if (login_tty(slave) != 0)
            _exit(CANNOT_RUN);
        child(setup, home, env, errors_pipe[1], control[1]);
    }
    close(slave);
    for (char **var = env; *var; var++)
        free(*var);
    free(env);
    close(sync_pipe[1]);
    if (errors_pipe[1] >= 0)
        close(errors_pipe[1]);
    if (control[1] >= 0)
        close(control[1]);
    ends->sync_fd = sync_pipe[0];
    ends->errors_fd = errors_pipe[0];
    ends->shell_fd = control[0];
    fcntl(ends->master, F_SETFD, FD_CLOEXEC);
    fcntl(ends->master, F_SETFL, O_NONBLOCK);
}
