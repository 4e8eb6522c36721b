/* change_mapped.c: runs a program and changes one of its inputs once it is mapped.
 *
 *     change_mapped FILE cut BYTES PROGRAM ARGUMENT...        truncates it
 *     change_mapped FILE replace OTHER PROGRAM ARGUMENT...    renames OTHER to it
 *
 * The first thread of the program is traced until it has mapped FILE; it has not read the mapping then.  The
 * status is that of the program, 128 + N if signal N ended it, 99 if it did not map FILE, 77 if programs
 * cannot be traced here. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_MAPPED = 99, NOT_TRACED = 77, PATH_ROOM = 4096 };

static bool is_file(pid_t pid, int fd, const char *path)
{
    char link[64], target[PATH_ROOM];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, fd);
    n = readlink(link, target, sizeof target);
    return n > 0 && strlen(path) == (size_t)n && memcmp(target, path, (size_t)n) == 0;
}

/* True at the end of a call that maps PATH; *IS_IT is kept from its beginning. */
static bool has_mapped(pid_t pid, const char *path, bool *is_it)
{
    struct __ptrace_syscall_info info;

    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) < 0)
        return false;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
        *is_it = info.entry.nr == SYS_mmap && is_file(pid, (int)info.entry.args[4], path);
    return info.op == PTRACE_SYSCALL_INFO_EXIT && *is_it && !info.exit.is_error;
}

/* Runs PID until it has mapped PATH; false if it ended before. */
static bool run_to_mapping(pid_t pid, const char *path)
{
    bool is_it = false;
    int signal = 0, status;

    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    while (ptrace(PTRACE_SYSCALL, pid, NULL, signal) == 0 && waitpid(pid, &status, 0) == pid &&
           WIFSTOPPED(status)) {
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (!signal && has_mapped(pid, path, &is_it))
            return true;
    }
    return false;
}

static void change(const char *path, const char *how, const char *what)
{
    if ((strcmp(how, "cut") == 0 ? truncate(path, atol(what)) : rename(what, path)) < 0)
        perror(path);
}

int main(int argc, char **argv)
{
    char path[PATH_ROOM];
    int status;
    pid_t pid;

    if (argc < 5 || !realpath(argv[1], path))
        return NOT_MAPPED;
    pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
            _exit(NOT_TRACED);
        execv(argv[4], argv + 4);
        _exit(NOT_MAPPED);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return NOT_TRACED;
    if (!run_to_mapping(pid, path))
        return NOT_MAPPED;
    change(path, argv[2], argv[3]);
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
