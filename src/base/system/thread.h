/* thread.h: the one way to start a thread, and how many there are to be. */
#ifndef TFPROF_BASE_SYSTEM_THREAD_H
#define TFPROF_BASE_SYSTEM_THREAD_H

#include <pthread.h>

/* Starts RUN(ARG) in *THREAD and returns 0, or what pthread_create() says.
 * NAME (at most 15 bytes, a constant) is what debuggers and /proc show.
 *
 * What asks the program for something (an end, a stop, a new size) is blocked
 * in the thread: the first thread answers it.  A fault is not: it comes in the
 * thread that caused it, and its handler runs on a stack of its own there, so
 * that a thread out of stack gives the terminal back too. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg);

/* Threads to share out work to, the caller included: what the environment variable
 * TFPROF_THREADS says, else one for each core; 1 to THREADS_MAX. */
enum { THREADS_MAX = 16 };
unsigned thread_count(void);

#endif
