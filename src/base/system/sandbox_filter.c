/* sandbox_filter.c: the system calls that a process in the sandbox is refused. */
#include "base/system/sandbox_filter.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "config.h"

#if defined __x86_64__ && defined __LP64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define FIRST_FOREIGN 0x40000000u /* of x32, which has numbers of its own */
#elif defined __aarch64__ && defined __AARCH64EL__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE

/* Old calls are missing on newer machines, new ones in older headers. */
static const int refused_calls[] = {
#ifndef SANITIZED /* a sanitizer looks for leaks from a process of its own, and names lines by another */
    SYS_execve, SYS_execveat, SYS_ptrace,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
#endif
    /* other processes */
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
    /* the network, and other processes by way of the kernel's memory */
    SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
    SYS_shmget, SYS_shmat, SYS_msgget, SYS_msgsnd, SYS_semget, SYS_mq_open, SYS_mq_unlink,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
    /* rights */
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_personality, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_unshare, SYS_setns,
    /* files by path that are only changed about, which Landlock does not see */
    SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_mknodat, SYS_name_to_handle_at, SYS_open_by_handle_at,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
#ifdef SYS_setxattrat
    SYS_setxattrat, SYS_removexattrat,
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

/* The half of an argument that an int is in; all of these machines are little-endian. */
static void load_argument(struct program *p, size_t i)
{
    load(p, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t));
}

/* COMPARISON with VALUE; true: goes on; false: leaves out the next SKIPPED steps. */
static void go_on_if(struct program *p, unsigned comparison, uint32_t value, uint8_t skipped)
{
    add(p, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | comparison | BPF_K), value, 0, skipped));
}

static void answer(struct program *p, uint32_t verdict)
{
    add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

static void refuse(struct program *p, int number)
{
    go_on_if(p, BPF_JEQ, (uint32_t)number, 1);
    answer(p, SECCOMP_RET_ERRNO | EPERM);
}

/* A signal to PID alone, or with STOPS_JOB to the process group. */
static void limit_signals(struct program *p, int number, int32_t pid, bool stops_job)
{
    go_on_if(p, BPF_JEQ, (uint32_t)number, stops_job ? 6 : 4);
    load_argument(p, 0);
    go_on_if(p, BPF_JEQ, (uint32_t)pid, 1);
    answer(p, SECCOMP_RET_ALLOW);
    if (stops_job) {
        go_on_if(p, BPF_JEQ, 0, 1);
        answer(p, SECCOMP_RET_ALLOW);
    }
    answer(p, SECCOMP_RET_ERRNO | EPERM);
}

/* What looks like typed: TIOCSTI, and the pasting of a console. */
static void limit_ioctl(struct program *p)
{
    go_on_if(p, BPF_JEQ, SYS_ioctl, 6);
    load_argument(p, 1);
    go_on_if(p, BPF_JEQ, TIOCSTI, 1);
    answer(p, SECCOMP_RET_ERRNO | EPERM);
    go_on_if(p, BPF_JEQ, TIOCLINUX, 1);
    answer(p, SECCOMP_RET_ERRNO | EPERM);
    answer(p, SECCOMP_RET_ALLOW);
}

#ifndef SANITIZED
/* Threads alone.  What clone3() makes stands in memory, which a filter cannot
 * read; where it is missing the C library takes clone(). */
static void limit_clone(struct program *p)
{
    go_on_if(p, BPF_JEQ, SYS_clone, 4);
    load_argument(p, 0);
    go_on_if(p, BPF_JSET, CLONE_THREAD, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, SECCOMP_RET_ERRNO | EPERM);
#ifdef SYS_clone3
    go_on_if(p, BPF_JEQ, SYS_clone3, 1);
    answer(p, SECCOMP_RET_ERRNO | ENOSYS);
#endif
}
#endif

size_t sandbox_filter(struct sock_filter out[SANDBOX_FILTER_MAX], int32_t pid, bool stops_job)
{
    struct program p = {.code = out};

    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(&p, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
#ifdef FIRST_FOREIGN
    go_on_if(&p, BPF_JGE, FIRST_FOREIGN, 1);
    answer(&p, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t i = 0; i < sizeof refused_calls / sizeof *refused_calls; i++)
        refuse(&p, refused_calls[i]);
    limit_signals(&p, SYS_kill, pid, stops_job);
    limit_signals(&p, SYS_tgkill, pid, false);
    limit_ioctl(&p);
#ifndef SANITIZED
    limit_clone(&p);
#endif
    answer(&p, SECCOMP_RET_ALLOW);
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
