/* work_names.h: classifies events by name (formats-trace.md section 5). */
#ifndef TFPROF_LOAD_SLICES_WORK_NAMES_H
#define TFPROF_LOAD_SLICES_WORK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A kernel of a library for collective operations. */
bool work_name_is_communication(const char *name, size_t len);
/* True for copies and memsets, as named by profilers. */
bool work_name_is_copy(const char *name, size_t len);
bool work_name_is_memset(const char *name, size_t len);
/* A call of a runtime that waits for a device, or that starts work on it. */
bool call_name_is_sync(const char *name, size_t len);
bool call_name_is_launch(const char *name, size_t len);
/* "gloo:all_reduce": a collective of a library that works on the CPU.  Sending and receiving concerns
 * two ranks, which have different names for it. */
bool call_name_is_collective(const char *name, size_t len);
/* True for functions that read or prepare training data. */
bool name_is_input(const char *name, size_t len);

#endif
