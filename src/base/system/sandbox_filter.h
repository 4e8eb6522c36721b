/* sandbox_filter.h: the system calls that a process in the sandbox is refused, as
 * a program for the kernel's filter (seccomp(2)).  Pure: what it says can be
 * tested without a kernel. */
#ifndef TFPROF_BASE_SYSTEM_SANDBOX_FILTER_H
#define TFPROF_BASE_SYSTEM_SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SANDBOX_FILTER_MAX = 512 };

/* Writes the program for process PID to OUT and returns its length; 0 where we do
 * not know the machine's numbers.  STOPS_JOB: the process may signal its own
 * process group, as ^Z does.
 *
 * Refused calls fail with EPERM: to start or to look into another process, to
 * signal one, sockets, to gain or change rights, to change owners, modes and
 * attributes by path, to mount, to load code into the kernel, to type into the
 * terminal.  A call of another architecture ends the process. */
size_t sandbox_filter(struct sock_filter out[SANDBOX_FILTER_MAX], int32_t pid, bool stops_job);

#endif
