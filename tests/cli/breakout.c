/* breakout.c: the program itself, which attacks the system as soon as it begins to load.
 *
 * Linked with --wrap=session_open, which then runs the attempts of a compromised program. Prints
 * "NAME refused", "NAME done" or "NAME failed: WHY" for each attempt to standard output.
 * $BREAKOUT_ELSEWHERE is a folder with the file `victim`, $BREAKOUT_HERE the folder of the
 * output. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/system/sandbox.h"
#include "session/session.h"

extern char **environ;

static const char *in_folder(const char *variable, const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", getenv(variable), name);
    return path;
}

static const char *elsewhere(const char *name)
{
    return in_folder("BREAKOUT_ELSEWHERE", name);
}

/* Created again if an earlier attempt removed it; in the sandbox it still exists. */
static const char *victim(void)
{
    const int fd = open(elsewhere("victim"), O_WRONLY | O_CREAT, 0600);

    if (fd >= 0)
        close(fd);
    return elsewhere("victim");
}

static const char *here(const char *name)
{
    return in_folder("BREAKOUT_HERE", name);
}

/* Prints the outcome of a system call from its RESULT. */
static void tell(const char *what, long result)
{
    const int why = errno;

    if (result >= 0)
        printf("%s done\n", what);
    else if (why == EPERM || why == EACCES || why == EXDEV || why == ENOSYS)
        printf("%s refused\n", what);
    else
        printf("%s failed: %s\n", what, strerror(why));
}

static int opens(const char *path, int flags)
{
    const int fd = open(path, flags, 0600);

    if (fd >= 0)
        close(fd);
    return fd;
}

static void *nothing(void *arg)
{
    return arg;
}

static void write_files(void)
{
    char memory[64];

    tell("make a file", opens(elsewhere("new"), O_WRONLY | O_CREAT));
    tell("write a file", opens(victim(), O_WRONLY));
    tell("empty a file", truncate(victim(), 0));
    tell("make a nameless file", opens(getenv("BREAKOUT_ELSEWHERE"), O_WRONLY | O_TMPFILE));
    tell("remove a file", unlink(victim()));
    tell("rename a file", rename(victim(), elsewhere("renamed")));
    tell("move a file here", rename(victim(), here("moved")));
    tell("link a file here", link(victim(), here("linked")));
    tell("make a link", symlink("/etc/passwd", elsewhere("link")));
    tell("make a link here", symlink("/etc/passwd", here("link")));
    tell("make a folder", mkdir(elsewhere("folder"), 0700));
    tell("make a pipe", mkfifo(elsewhere("pipe"), 0600));
    tell("make a device", mknod(elsewhere("device"), S_IFCHR | 0600, 0x103));
    tell("change a mode", chmod(victim(), 0666));
    tell("change an owner", chown(victim(), getuid(), getgid()));
    tell("change a time", utimes(victim(), NULL));
    tell("change an attribute", setxattr(victim(), "user.tfprof", "x", 1, 0));
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)getppid());
    tell("write another process", opens(memory, O_WRONLY));
}

/* System call numbers, because the headers may be older than the kernel. */
static void change_attributes(void)
{
    enum { CALL_FCHMODAT2 = 452, CALL_SETXATTRAT = 463, CALL_FILE_SETATTR = 469 };
    const struct {
        uint64_t value;
        uint32_t size, flags;
    } attribute = {(uintptr_t)"x", 1, 0};
    const uint64_t flags[3] = {0};
    const int fd = open(victim(), O_RDONLY);
    int none = 0;

    tell("change a mode by a newer call", syscall(CALL_FCHMODAT2, AT_FDCWD, victim(), 0666, 0));
    tell("change an attribute by a newer call",
         syscall(CALL_SETXATTRAT, AT_FDCWD, victim(), 0, "user.tfprof", &attribute, sizeof attribute));
    tell("change flags by a newer call",
         syscall(CALL_FILE_SETATTR, AT_FDCWD, victim(), flags, sizeof flags, 0));
    tell("change the mode of an open file", fchmod(fd, 0666));
    tell("change the owner of an open file", fchown(fd, getuid(), getgid()));
    tell("change the time of an open file", futimens(fd, NULL));
    tell("change an attribute of an open file", fsetxattr(fd, "user.tfprof", "x", 1, 0));
    tell("change the flags of an open file", ioctl(fd, FS_IOC_SETFLAGS, &none));
    tell("empty a file that is read", opens(victim(), O_RDONLY | O_TRUNC));
    if (fd >= 0)
        close(fd);
}

/* Signals to other processes and reading their state. */
static void attack_processes(void)
{
    const pid_t parent = getppid();
    struct sched_param parameters = {.sched_priority = 0};
    struct rlimit limit;
    cpu_set_t cores;
    int ends[2];

    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    tell("limit another process", prlimit(parent, RLIMIT_NOFILE, NULL, &limit));
    tell("change the priority of another process",
         setpriority(PRIO_PROCESS, (id_t)parent, getpriority(PRIO_PROCESS, (id_t)parent)));
    tell("change the schedule of another process",
         sched_setscheduler(parent, SCHED_OTHER, &parameters));
    tell("move another process", sched_setaffinity(parent, sizeof cores, &cores));
    tell("leave the group", setpgid(0, 0));
    if (pipe(ends) == 0) {
        tell("signal another process by a descriptor", fcntl(ends[0], F_SETOWN, parent));
        close(ends[0]);
        close(ends[1]);
    }
}

static void use_processes(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    tell("make a socket", fd);
    if (fd >= 0)
        tell("connect", connect(fd, (struct sockaddr *)&address, sizeof address));
    tell("make a socket of the machine", socket(AF_UNIX, SOCK_STREAM, 0));
    tell("make shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    tell("signal another process", kill(getppid(), 0));
    tell("signal the group", kill(0, 0));
    tell("read another process", process_vm_readv(getppid(), &(struct iovec){&address, 1}, 1,
                                                  &(struct iovec){&address, 1}, 1, 0));
    tell("change the user", setuid(getuid()));
}

/* Only in the sandbox, because these would affect the machine. */
static void attack_system_settings(void)
{
    tell("type into the terminal", ioctl(STDIN_FILENO, TIOCSTI, "x"));
    tell("make a namespace", unshare(CLONE_NEWUSER));
    tell("mount", mount("none", "/mnt", "tmpfs", 0, NULL));
    tell("load a filter", syscall(SYS_bpf, 0, NULL, 0));
    tell("make a ring", syscall(SYS_io_uring_setup, 1, NULL));
    tell("hold a key", syscall(SYS_add_key, "user", "tfprof", "x", 1, -2));
}

/* Not with sanitizers, which start programs themselves. */
static void run_programs(void)
{
    char *argv[] = {(char *)"true", NULL};
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    tell("fork", child);
    errno = posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ);
    tell("spawn", errno ? -1 : 0);
    tell("trace another process", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    tell("run a program", execv("/none", argv));
    tell("run a program from memory", syscall(SYS_execveat, AT_FDCWD, "/none", argv, environ, 0));
}

static void do_what_is_needed(void)
{
    pthread_t thread;

    tell("read a file", opens(elsewhere("victim"), O_RDONLY));
    tell("make a file here", opens(here("new"), O_WRONLY | O_CREAT));
    tell("rename a file here", rename(here("new"), here("renamed")));
    tell("remove a file here", unlink(here("renamed")));
    tell("signal itself", kill(getpid(), 0));
    errno = pthread_create(&thread, NULL, nothing, NULL);
    tell("start a thread", errno ? -1 : 0);
    if (!errno)
        pthread_join(thread, NULL);
}

struct sandbox __real_sandbox_enter(const struct sandbox_rules *rules);
struct sandbox __wrap_sandbox_enter(const struct sandbox_rules *rules);

/* With $BREAKOUT_OPEN the attempts run without a sandbox. */
struct sandbox __wrap_sandbox_enter(const struct sandbox_rules *rules)
{
    return getenv("BREAKOUT_OPEN") ? (struct sandbox){0} : __real_sandbox_enter(rules);
}

struct session *__real_session_open(const struct options *options, const char *const *files,
                                    size_t n_files, struct load_progress *progress,
                                    struct cancel_mark cancel, struct err *err);
struct session *__wrap_session_open(const struct options *options, const char *const *files,
                                    size_t n_files, struct load_progress *progress,
                                    struct cancel_mark cancel, struct err *err);

struct session *__wrap_session_open(const struct options *options, const char *const *files,
                                    size_t n_files, struct load_progress *progress,
                                    struct cancel_mark cancel, struct err *err)
{
    do_what_is_needed();
    write_files();
    change_attributes();
    use_processes();
    attack_processes();
    if (!getenv("BREAKOUT_SANITIZED"))
        run_programs();
    if (!getenv("BREAKOUT_OPEN"))
        attack_system_settings();
    fflush(stdout);
    return __real_session_open(options, files, n_files, progress, cancel, err);
}
