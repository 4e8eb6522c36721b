/* thread.h: starts threads, and determines their number. */
#pragma once

#include <pthread.h>

/* Starts RUN(ARG) in *THREAD and returns 0, or the error number of pthread_create(). NAME (at most
 * 15 bytes, a constant) is shown by debuggers and in /proc.
 *
 * Signals that request an end, a stop or a resize are blocked in the thread; the first thread
 * handles them. Fault signals are handled in the thread that caused them, on an alternate stack, so
 * that the terminal is restored even after a stack overflow. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg);

/* Returns the number of worker threads including the caller: the environment variable
 * TFPROF_THREADS, else the number of cores; 1 to THREADS_MAX. */
enum { THREADS_MAX = 16 };
unsigned thread_count(void);
