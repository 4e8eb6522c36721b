/* sandbox.h: restricts the process, so that a bug in reading hostile files cannot do harm outside
 * of it. */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SANDBOX_FILTER_MAX = 512 };

/* Writes the filter for process PID to OUT and returns its length; 0 on an unsupported machine.
 * With STOPS_JOB the process may signal its own process group, as ^Z does.
 *
 * Refused calls fail with EPERM: to start or to look into another process, to
 * signal one or to change its limits and priorities, sockets, to gain or change
 * rights, to change owners, modes, times and attributes of files, to mount, to
 * load code into the kernel, to type into the terminal.  Calls that are newer
 * than this program fail with ENOSYS.  A call of another architecture ends the
 * process. */
size_t sandbox_filter(struct sock_filter out[SANDBOX_FILTER_MAX], int32_t pid, bool stops_job);

/* Restrictions in effect; false or 0 if the kernel lacks or refuses one. */
struct sandbox {
    bool no_new_privs; /* executed programs gain no privileges (prctl(2)) */
    int landlock_abi;  /* ABI in use (landlock(7)), 0: none */
    bool seccomp;      /* sandbox.c */
};

enum sandbox_path_kind {
    SANDBOX_FILE,       /* it can be written */
    SANDBOX_FOLDER,     /* files below it can be created, written, renamed and removed */
    SANDBOX_NEW_FOLDERS /* and so can folders */
};

/* A location that stays writable. */
struct sandbox_path {
    int fd; /* O_PATH, borrowed */
    enum sandbox_path_kind kind;
};

struct sandbox_rules {
    const struct sandbox_path *writable_paths;
    size_t n_paths;
    bool writes_anywhere; /* writing is not restricted */
    bool stops_job;       /* may signal its process group (for ^Z) */
};

/* Prevents executed programs from gaining privileges, for example by a set-user-ID bit. Returns
 * false if the kernel does not support it. */
bool sandbox_no_new_privs(void);

/* Restricts the process irrevocably: reading is allowed everywhere, writing only to the locations
 * of RULES; no program can be executed, no network used, and no other process accessed
 * (sandbox.c). Restrictions that the kernel does not support are silently omitted. Applies
 * to the calling thread and all threads started later: call it while there is only one. */
struct sandbox sandbox_enter(const struct sandbox_rules *rules);

/* ---- pure, for tests */

/* Returns the Landlock rights that a ruleset of ABI denies unless a rule allows them. */
uint64_t sandbox_refused_rights(int abi, bool writes_anywhere);
/* Returns those of them that are allowed in a writable location. */
uint64_t sandbox_allowed_rights(int abi, enum sandbox_path_kind kind);
