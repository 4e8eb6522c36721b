/* wait_names.h: calls and Python frames in which a thread waits (formats-trace.md section 4.8). */
#ifndef TFPROF_LOAD_SLICES_WAIT_NAMES_H
#define TFPROF_LOAD_SLICES_WAIT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* True for a call of a runtime or driver that returns once a device is done. */
bool call_name_blocks(const char *name, size_t len);
/* True for a copy that may return before it is done: `cudaMemcpyAsync`. */
bool call_name_is_async_copy(const char *name, size_t len);
/* True for a frame of Python, as PyTorch writes it, that sleeps until another thread or process
 * acts: `threading.py(312): wait`, `<built-in function select>`. */
bool frame_name_sleeps(const char *name, size_t len);

#endif
