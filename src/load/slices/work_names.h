/* work_names.h: classifies events by name (formats-trace.md section 5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* True for kernels of collective communication libraries. */
bool work_name_is_communication(const char *name, size_t len);
/* True for copies and memsets as profilers name them. */
bool work_name_is_copy(const char *name, size_t len);
bool work_name_is_memset(const char *name, size_t len);
/* True for a runtime call that waits for a device, or that starts work on it. */
bool call_name_is_sync(const char *name, size_t len);
bool call_name_is_launch(const char *name, size_t len);
/* True for a collective of a CPU library, such as "gloo:all_reduce".  Send and receive do not
 * count: two ranks have different names for them. */
bool call_name_is_collective(const char *name, size_t len);
/* True for functions that read or prepare training data. */
bool name_is_input(const char *name, size_t len);

/* True for a call of a runtime or driver that returns once a device is done. */
bool call_name_blocks(const char *name, size_t len);
/* True for a copy that may return before it is done: `cudaMemcpyAsync`. */
bool call_name_is_async_copy(const char *name, size_t len);
/* True for a Python frame, as PyTorch names it, that sleeps until another thread or process acts:
 * `threading.py(312): wait`, `<built-in function select>`. */
bool frame_name_sleeps(const char *name, size_t len);
