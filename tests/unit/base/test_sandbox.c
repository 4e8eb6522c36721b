/* test_sandbox.c: decisions of the system call filter, interpreted without a kernel, and access
 * rights of files. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/sockios.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "base/system/sandbox.h"
#include "config.h"
#include "fixtures/skip.h"

enum { OUR_PID = 4711 };

static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

struct filter {
    struct sock_filter code[SANDBOX_FILTER_MAX];
    size_t n;
};

/* Interprets the filter on DATA as the kernel does; fails if it does not terminate or leaves the
 * program. */
static uint32_t run(const struct filter *f, const struct seccomp_data *data)
{
    uint32_t a = 0;

    for (size_t at = 0; at < f->n; at++) {
        const struct sock_filter *step = &f->code[at];
        bool yes;

        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(step->k % 4 == 0 && step->k <= sizeof *data - sizeof a);
            memcpy(&a, (const char *)data + step->k, sizeof a);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            a &= step->k;
            continue;
        case BPF_RET | BPF_K:
            return step->k;
        case BPF_JMP | BPF_JEQ | BPF_K:
            yes = a == step->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            yes = a >= step->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            yes = a & step->k;
            break;
        default:
            fail_msg("step %zu is unknown", at);
            return 0;
        }
        at += yes ? step->jt : step->jf;
    }
    fail_msg("it runs out of the program");
    return 0;
}

static uint32_t machine(void)
{
#if defined __x86_64__
    return AUDIT_ARCH_X86_64;
#elif defined __aarch64__
    return AUDIT_ARCH_AARCH64;
#else
    return AUDIT_ARCH_RISCV64;
#endif
}

static uint32_t verdict_on(const struct filter *f, long number, uint64_t first, uint64_t second)
{
    const struct seccomp_data data = {
        .nr = (int)number, .arch = machine(), .args = {first, second}};

    return run(f, &data);
}

static int make_filter(void **state)
{
    static struct filter f;

    f.n = sandbox_filter(f.code, OUR_PID, false);
    *state = &f;
    return 0;
}

/* Skips a test on systems without a filter for this processor. */
#define NEED(f)                                                                                \
    do {                                                                                       \
        if (!(f)->n)                                                                           \
            SKIP_TEST("no filter for this processor");                                         \
    } while (0)

static void dangerous_calls_are_refused(void **state)
{
    static const long numbers[] = {
        SYS_socket, SYS_connect, SYS_bind, SYS_process_vm_writev, SYS_setuid, SYS_mount,
        SYS_unshare, SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_bpf,
        SYS_init_module, SYS_kexec_load, SYS_keyctl, SYS_shmget, SYS_tkill, SYS_rt_sigqueueinfo,
        SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_setpriority, SYS_setsid,
        SYS_sched_setaffinity, SYS_ioprio_set, 452, /* fchmodat2 */
#ifndef SANITIZED
        SYS_execve, SYS_execveat, SYS_ptrace,
#endif
    };
    const struct filter *f = *state;

    NEED(f);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(verdict_on(f, numbers[i], 0, 0), refused);
}

static void needed_calls_are_allowed(void **state)
{
    static const long numbers[] = {
        SYS_read, SYS_write, SYS_openat, SYS_close, SYS_fstat, SYS_mmap, SYS_munmap, SYS_mremap,
        SYS_madvise, SYS_futex, SYS_linkat, SYS_renameat2, SYS_unlinkat, SYS_fsync,
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_exit_group,
        SYS_memfd_create, SYS_eventfd2, SYS_signalfd4, SYS_getrandom, SYS_ppoll,
    };
    const struct filter *f = *state;

    NEED(f);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(verdict_on(f, numbers[i], 0, 0), SECCOMP_RET_ALLOW);
}

static void signals_go_to_the_process_itself(void **state)
{
    static const uint64_t others[] = {1, 0, OUR_PID + 1, (uint32_t)-1, (uint32_t)-OUR_PID};
    const struct filter *f = *state;
    struct filter screen;

    NEED(f);
    screen.n = sandbox_filter(screen.code, OUR_PID, true);
    assert_int_equal(verdict_on(f, SYS_kill, OUR_PID, 15), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_tgkill, OUR_PID, OUR_PID), SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const uint32_t group = others[i] ? refused : SECCOMP_RET_ALLOW;

        assert_int_equal(verdict_on(f, SYS_kill, others[i], 15), refused);
        assert_int_equal(verdict_on(f, SYS_tgkill, others[i], 15), refused);
        assert_int_equal(verdict_on(&screen, SYS_kill, others[i], 15), group);
        assert_int_equal(verdict_on(&screen, SYS_tgkill, others[i], 15), refused);
    }
    /* The kernel uses only the lower half. */
    assert_int_equal(verdict_on(f, SYS_kill, (uint64_t)7 << 32 | OUR_PID, 15), SECCOMP_RET_ALLOW);
}

static void the_terminal_receives_no_input(void **state)
{
    const struct filter *f = *state;

    NEED(f);
    assert_int_equal(verdict_on(f, SYS_ioctl, 0, TIOCGWINSZ), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_ioctl, 0, TIOCSTI), refused);
    assert_int_equal(verdict_on(f, SYS_ioctl, 0, (uint64_t)1 << 32 | TIOCSTI), refused);
    assert_int_equal(verdict_on(f, SYS_ioctl, 0, TIOCLINUX), refused);
    assert_int_equal(verdict_on(f, SYS_ioctl, 0, TIOCSETD), refused);
}

static void only_requests_of_terminals_are_allowed(void **state)
{
    static const uint64_t allowed[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, FIONREAD};
    static const uint64_t others[] = {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FIOSETOWN, SIOCSPGRP, 0};
    const struct filter *f = *state;

    NEED(f);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        assert_int_equal(verdict_on(f, SYS_ioctl, 0, allowed[i]), SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(verdict_on(f, SYS_ioctl, 0, others[i]), refused);
}

static void signals_of_descriptors_are_refused(void **state)
{
    const struct filter *f = *state;

    NEED(f);
    assert_int_equal(verdict_on(f, SYS_fcntl, 0, F_GETFL), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_fcntl, 0, F_SETLK), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_fcntl, 0, F_SETOWN), refused);
    assert_int_equal(verdict_on(f, SYS_fcntl, 0, F_SETOWN_EX), refused);
    assert_int_equal(verdict_on(f, SYS_fcntl, 0, F_SETSIG), refused);
}

static void limits_can_be_set_only_for_the_process_itself(void **state)
{
    const struct filter *f = *state;

    NEED(f);
    assert_int_equal(verdict_on(f, SYS_prlimit64, 0, 7), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_prlimit64, OUR_PID, 7), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_prlimit64, OUR_PID + 1, 7), refused);
}

static void calls_of_newer_kernels_are_missing(void **state)
{
    const struct filter *f = *state;

    NEED(f);
    for (long number = 463; number < 1000; number++)
        assert_int_equal(verdict_on(f, number, 0, 0), SECCOMP_RET_ERRNO | ENOSYS);
}

static void threads_are_the_only_clones(void **state)
{
    const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    const struct filter *f = *state;

    NEED(f);
#ifdef SANITIZED
    SKIP_TEST("a sanitizer has a process of its own");
#endif
    assert_int_equal(verdict_on(f, SYS_clone, thread, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(verdict_on(f, SYS_clone, 17, 0), refused);
    assert_int_equal(verdict_on(f, SYS_clone, CLONE_VM | CLONE_VFORK, 0), refused);
    assert_int_equal(verdict_on(f, SYS_clone3, 0, 0), SECCOMP_RET_ERRNO | ENOSYS);
}

static void calls_of_another_machine_end_the_process(void **state)
{
    const struct filter *f = *state;
    struct seccomp_data data = {.nr = SYS_read, .arch = machine() ^ 1};

    NEED(f);
    assert_int_equal(run(f, &data), SECCOMP_RET_KILL_PROCESS);
#ifdef __x86_64__
    data = (struct seccomp_data){.nr = 0x40000000 | SYS_execve, .arch = machine()};
    assert_int_equal(run(f, &data), SECCOMP_RET_KILL_PROCESS);
#endif
}

/* Every system call number gets a decision. */
static void every_system_call_has_a_decision(void **state)
{
    const struct filter *f = *state;
    unsigned n_refused = 0;

    NEED(f);
    for (long number = 0; number < 463; number++)
        n_refused += verdict_on(f, number, 0, 0) != SECCOMP_RET_ALLOW;
    assert_in_range(n_refused, 60, 200);
}

static void rights_depend_on_the_kernel_version(void **state)
{
    (void)state;
    for (int abi = 1; abi < 10; abi++) {
        const uint64_t all = sandbox_refused_rights(abi, false);

        assert_int_equal(sandbox_allowed_rights(abi, SANDBOX_NEW_FOLDERS) & ~all, 0);
        assert_int_equal(sandbox_allowed_rights(abi, SANDBOX_FILE) & ~all, 0);
        assert_int_equal(all & (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR), 0);
        assert_int_equal(sandbox_refused_rights(abi, true) & ~LANDLOCK_ACCESS_FS_EXECUTE, 0);
        assert_int_equal(sandbox_allowed_rights(abi, SANDBOX_FOLDER) &
                             (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_SYM |
                              LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR),
                         0);
        assert_int_equal(all & ~sandbox_refused_rights(abi + 1, false), 0);
        assert_true(all < (uint64_t)1 << 16);
    }
    assert_true(sandbox_refused_rights(1, false) < (uint64_t)1 << 13);
    assert_true(sandbox_refused_rights(2, false) < (uint64_t)1 << 14);
    assert_true(sandbox_refused_rights(4, false) < (uint64_t)1 << 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dangerous_calls_are_refused),
        cmocka_unit_test(needed_calls_are_allowed),
        cmocka_unit_test(signals_go_to_the_process_itself),
        cmocka_unit_test(the_terminal_receives_no_input),
        cmocka_unit_test(only_requests_of_terminals_are_allowed),
        cmocka_unit_test(signals_of_descriptors_are_refused),
        cmocka_unit_test(limits_can_be_set_only_for_the_process_itself),
        cmocka_unit_test(calls_of_newer_kernels_are_missing),
        cmocka_unit_test(threads_are_the_only_clones),
        cmocka_unit_test(calls_of_another_machine_end_the_process),
        cmocka_unit_test(every_system_call_has_a_decision),
        cmocka_unit_test(rights_depend_on_the_kernel_version),
    };

    return cmocka_run_group_tests(tests, make_filter, NULL);
}
