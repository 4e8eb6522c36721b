/* sandbox.c: enters the sandbox (Landlock, and seccomp with a filter of system calls). */
#include "base/system/sandbox.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"

#if defined __x86_64__ && defined __LP64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define FIRST_FOREIGN 0x40000000u /* first number of the x32 ABI */
#elif defined __aarch64__ && defined __AARCH64EL__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE

/* Newer calls have the same number on all of these machines, but older headers do not name them. */
enum {
    CALL_FCHMODAT2 = 452,
    CALL_FIRST_UNKNOWN = 463, /* setxattrat */
};

/* Old calls are missing on newer machines. */
static const int refused_calls[] = {
#ifndef SANITIZED /* a sanitizer starts processes to look for leaks and to symbolise its reports */
    SYS_execve, SYS_execveat, SYS_ptrace,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
#endif
    /* other processes */
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler,
    SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_setpgid, SYS_setsid,
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
    /* the network, and ways through the kernel to the memory of other processes */
    SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
    SYS_shmget, SYS_shmat, SYS_msgget, SYS_msgsnd, SYS_semget, SYS_mq_open, SYS_mq_unlink,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
    /* privileges */
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_personality, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_unshare, SYS_setns,
    /* attributes of files, by path or by a descriptor that may only read: Landlock allows them */
    SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, CALL_FCHMODAT2,
    SYS_mknodat, SYS_name_to_handle_at, SYS_open_by_handle_at,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    /* the machine */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_acct, SYS_quotactl, SYS_vhangup, SYS_syslog, SYS_fanotify_init,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_move_pages, SYS_migrate_pages,
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_open_tree
    SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
#endif
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
#ifdef SYS_quotactl_fd
    SYS_quotactl_fd,
#endif
};

/* ---- the program */

struct program {
    struct sock_filter *code;
    size_t n;
};

static void add(struct program *p, struct sock_filter step)
{
    if (p->n < SANDBOX_FILTER_MAX)
        p->code[p->n] = step;
    p->n++;
}

static void load(struct program *p, size_t offset)
{
    add(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Loads the low half of argument I, which holds an int: all supported machines are
 * little-endian. */
static void load_argument(struct program *p, size_t i)
{
    load(p, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t));
}

/* Emits COMPARISON with VALUE. If it is true execution continues, else it skips the next SKIPPED
 * instructions. */
static void skip_unless(struct program *p, unsigned comparison, uint32_t value, uint8_t skipped)
{
    add(p, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | comparison | BPF_K), value, 0, skipped));
}

static void return_verdict(struct program *p, uint32_t verdict)
{
    add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

static void refuse(struct program *p, int number)
{
    skip_unless(p, BPF_JEQ, (uint32_t)number, 1);
    return_verdict(p, SECCOMP_RET_ERRNO | EPERM);
}

/* Call NUMBER is allowed for process PID, and with ZERO for 0: the process itself or its group. */
static void limit_process(struct program *p, int number, int32_t pid, bool zero)
{
    skip_unless(p, BPF_JEQ, (uint32_t)number, zero ? 6 : 4);
    load_argument(p, 0);
    skip_unless(p, BPF_JEQ, (uint32_t)pid, 1);
    return_verdict(p, SECCOMP_RET_ALLOW);
    if (zero) {
        skip_unless(p, BPF_JEQ, 0, 1);
        return_verdict(p, SECCOMP_RET_ALLOW);
    }
    return_verdict(p, SECCOMP_RET_ERRNO | EPERM);
}

/* Allows only requests of terminals, since those of file systems change attributes of files.
 * Refuses to insert input (TIOCSTI, console paste) and to change the role of the terminal. */
static void limit_ioctl(struct program *p)
{
    static const int values[] = {TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, TIOCSCTTY};
    enum { N_VALUES = sizeof values / sizeof *values, OF_TERMINALS = 'T' << 8, KIND_MASK = 0xff00 };

    skip_unless(p, BPF_JEQ, SYS_ioctl, 6 + 2 * N_VALUES);
    load_argument(p, 1);
    add(p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, KIND_MASK));
    add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OF_TERMINALS, 1, 0));
    return_verdict(p, SECCOMP_RET_ERRNO | EPERM);
    load_argument(p, 1);
    for (size_t i = 0; i < N_VALUES; i++)
        refuse(p, values[i]);
    return_verdict(p, SECCOMP_RET_ALLOW);
}

/* Refuses descriptors that signal another process when data arrive. */
static void limit_fcntl(struct program *p)
{
    static const int values[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX};
    enum { N_VALUES = sizeof values / sizeof *values };

    skip_unless(p, BPF_JEQ, SYS_fcntl, 2 + 2 * N_VALUES);
    load_argument(p, 1);
    for (size_t i = 0; i < N_VALUES; i++)
        refuse(p, values[i]);
    return_verdict(p, SECCOMP_RET_ALLOW);
}

#ifndef SANITIZED
/* Allows clone() only for threads. The arguments of clone3() are in memory, which a filter cannot
 * read; it fails with ENOSYS, and the C library falls back to clone(). */
static void limit_clone(struct program *p)
{
    skip_unless(p, BPF_JEQ, SYS_clone, 4);
    load_argument(p, 0);
    skip_unless(p, BPF_JSET, CLONE_THREAD, 1);
    return_verdict(p, SECCOMP_RET_ALLOW);
    return_verdict(p, SECCOMP_RET_ERRNO | EPERM);
#ifdef SYS_clone3
    skip_unless(p, BPF_JEQ, SYS_clone3, 1);
    return_verdict(p, SECCOMP_RET_ERRNO | ENOSYS);
#endif
}
#endif

size_t sandbox_filter(struct sock_filter out[SANDBOX_FILTER_MAX], int32_t pid, bool stops_job)
{
    struct program p = {.code = out};

    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    return_verdict(&p, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
#ifdef FIRST_FOREIGN
    skip_unless(&p, BPF_JGE, FIRST_FOREIGN, 1);
    return_verdict(&p, SECCOMP_RET_KILL_PROCESS);
#endif
    skip_unless(&p, BPF_JGE, CALL_FIRST_UNKNOWN, 1);
    return_verdict(&p, SECCOMP_RET_ERRNO | ENOSYS); /* unknown calls of newer kernels */
    for (size_t i = 0; i < sizeof refused_calls / sizeof *refused_calls; i++)
        refuse(&p, refused_calls[i]);
    limit_process(&p, SYS_kill, pid, stops_job);
    limit_process(&p, SYS_tgkill, pid, false);
    limit_process(&p, SYS_prlimit64, pid, true);
    limit_ioctl(&p);
    limit_fcntl(&p);
#ifndef SANITIZED
    limit_clone(&p);
#endif
    return_verdict(&p, SECCOMP_RET_ALLOW);
    return p.n <= SANDBOX_FILTER_MAX ? p.n : 0;
}

#else

size_t sandbox_filter(struct sock_filter out[SANDBOX_FILTER_MAX], int32_t pid, bool stops_job)
{
    (void)out;
    (void)pid;
    (void)stops_job;
    return 0;
}

#endif

/* Newer parts of landlock.h, which the system header may lack. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP (1ULL << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)
#endif
#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
#endif

/* Landlock ABI version that introduced each right. */
enum { ABI_REFER = 2, ABI_TRUNCATE = 3, ABI_NETWORK = 4, ABI_IOCTL = 5, ABI_SCOPE = 6 };

/* Current layout of struct landlock_ruleset_attr. Older kernels accept a prefix of it. */
struct ruleset {
    uint64_t files, network, scopes;
};

bool sandbox_no_new_privs(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* ---- Landlock */

static uint64_t execute_right(void)
{
#ifdef SANITIZED
    return 0; /* a sanitizer runs another program to symbolise its report */
#else
    return LANDLOCK_ACCESS_FS_EXECUTE;
#endif
}

/* Rights of ABI that the first version did not have. */
static uint64_t later_rights(int abi)
{
    return (abi >= ABI_REFER ? LANDLOCK_ACCESS_FS_REFER : 0) |
           (abi >= ABI_TRUNCATE ? LANDLOCK_ACCESS_FS_TRUNCATE : 0) |
           (abi >= ABI_IOCTL ? LANDLOCK_ACCESS_FS_IOCTL_DEV : 0);
}

uint64_t sandbox_refused_rights(int abi, bool writes_anywhere)
{
    if (writes_anywhere)
        return execute_right();
    return execute_right() | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
           LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
           LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
           LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | later_rights(abi);
}

uint64_t sandbox_allowed_rights(int abi, enum sandbox_path_kind kind)
{
    const uint64_t truncate = later_rights(abi) & LANDLOCK_ACCESS_FS_TRUNCATE;
    const uint64_t files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                           LANDLOCK_ACCESS_FS_MAKE_REG | truncate;

    switch (kind) {
    case SANDBOX_FOLDER:
        return files;
    case SANDBOX_NEW_FOLDERS:
        return files | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR;
    case SANDBOX_FILE:
        break;
    }
    return LANDLOCK_ACCESS_FS_WRITE_FILE | truncate |
           (later_rights(abi) & LANDLOCK_ACCESS_FS_IOCTL_DEV);
}

static void allow(int ruleset_fd, int abi, const struct sandbox_path *path)
{
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = sandbox_allowed_rights(abi, path->kind), .parent_fd = path->fd};

    /* Fails for pipes, which have no path and need no rule. */
    (void)syscall(SYS_landlock_add_rule, ruleset_fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* Returns the Landlock ABI in use; 0: none. */
static int enter_landlock(const struct sandbox_rules *rules)
{
    const int abi =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct ruleset all = {
        .files = sandbox_refused_rights(abi, rules->writes_anywhere),
        .network = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP,
        .scopes = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET |
                  (rules->stops_job ? 0 : LANDLOCK_SCOPE_SIGNAL),
    };
    const size_t size_bytes = (abi >= ABI_SCOPE ? 3 : abi >= ABI_NETWORK ? 2 : 1) * sizeof all.files;
    long ruleset_fd;
    bool entered;

    if (abi <= 0)
        return 0;
    ruleset_fd = syscall(SYS_landlock_create_ruleset, &all, size_bytes, 0);
    if (ruleset_fd < 0)
        return 0;
    for (size_t i = 0; i < rules->n_paths && !rules->writes_anywhere; i++)
        allow((int)ruleset_fd, abi, &rules->writable_paths[i]);
    entered = syscall(SYS_landlock_restrict_self, (int)ruleset_fd, 0) == 0;
    close((int)ruleset_fd);
    return entered ? abi : 0;
}

/* ---- the filter of system calls */

static bool enter_filter(const struct sandbox_rules *rules)
{
    struct sock_filter code[SANDBOX_FILTER_MAX];
    const size_t n = sandbox_filter(code, (int32_t)getpid(), rules->stops_job);
    const struct sock_fprog program = {.len = (unsigned short)n, .filter = code};

    /* Without this flag some kernels enable speculative store bypass mitigation, which slows down
     * the whole process. There are no secrets to protect between threads. */
    return n > 0 && (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                             &program) == 0 ||
                     syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

struct sandbox sandbox_enter(const struct sandbox_rules *rules)
{
    struct sandbox on = {.no_new_privs = sandbox_no_new_privs()};

    if (!on.no_new_privs) /* required by Landlock and seccomp */
        return on;
    on.landlock_abi = enter_landlock(rules);
    on.seccomp = enter_filter(rules);
    return on;
}
