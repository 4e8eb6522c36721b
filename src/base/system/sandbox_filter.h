/* sandbox_filter.h: seccomp filter (seccomp(2)) of the system calls that the sandbox refuses. It is
 * a pure function, so tests need no kernel support. */
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
