/* sandbox.h: restricts the process, so that a bug in reading hostile files cannot do harm outside
 * of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Restrictions in effect; false or 0 if the kernel lacks or refuses one. */
struct sandbox {
    bool no_new_privs; /* executed programs gain no privileges (prctl(2)) */
    int landlock_abi;  /* ABI in use (landlock(7)), 0: none */
    bool seccomp;      /* sandbox_filter.h */
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
 * (sandbox_filter.h). Restrictions that the kernel does not support are silently omitted. Applies
 * to the calling thread and all threads started later: call it while there is only one. */
struct sandbox sandbox_enter(const struct sandbox_rules *rules);

/* ---- pure, for tests */

/* Returns the Landlock rights that a ruleset of ABI denies unless a rule allows them. */
uint64_t sandbox_refused_rights(int abi, bool writes_anywhere);
/* Returns those of them that are allowed in a writable location. */
uint64_t sandbox_allowed_rights(int abi, enum sandbox_path_kind kind);
