/* sandbox.c: enters the sandbox (Landlock and seccomp). */
#include "base/system/sandbox.h"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system/sandbox_filter.h"
#include "config.h"

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
