/* sandbox.h: what the process itself may no longer do, so that a mistake in
 * reading hostile files cannot harm anything else. */
#ifndef TFPROF_BASE_SYSTEM_SANDBOX_H
#define TFPROF_BASE_SYSTEM_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the kernel took; false and 0: it has no such thing, or refused. */
struct sandbox {
    bool no_new_privs; /* no program that is run gains rights (prctl(2)) */
    int landlock_abi;  /* landlock(7) */
    bool seccomp;      /* sandbox_filter.h */
};

/* Where files may be written. */
struct sandbox_place {
    int fd;         /* O_PATH, borrowed */
    bool is_folder; /* all below it: made, written, renamed, removed; else this file alone */
};

struct sandbox_rules {
    const struct sandbox_place *places;
    size_t n_places;
    bool writes_anywhere; /* places do not matter */
    bool stops_job;       /* ^Z is to stop the process group */
};

/* From here on no program that is started gains rights, by a set-user-ID bit or
 * otherwise.  False when the kernel has no such thing. */
bool sandbox_no_new_privs(void);

/* The same, and more that cannot be taken back: reading is allowed everywhere,
 * writing in the places of RULES; no other program is run, no network is reached,
 * no other process is touched (sandbox_filter.h).  What the kernel does not have
 * is left out in silence.  For all threads started from now on: call it while
 * there is one. */
struct sandbox sandbox_enter(const struct sandbox_rules *rules);

/* ---- pure, for tests */

/* The rights of files that Landlock of ABI is told to refuse where no rule
 * allows them. */
uint64_t sandbox_refused_rights(int abi, bool writes_anywhere);
/* Of those, what is allowed in a place. */
uint64_t sandbox_allowed_rights(int abi, bool is_folder);

#endif
