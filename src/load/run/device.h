/* device.h: classifies device names (semantics.md section 1.2). */
#ifndef TFPROF_LOAD_DEVICE_H
#define TFPROF_LOAD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* All functions take a lower-case device of LEN bytes. */

/* True for PREFIX/KIND:NUMBER, KIND one of device:gpu, gpu, device:cpu, cpu, device:sycl. */
bool device_is_canonical(const char *device, size_t len);
/* True when its records are kernels: the name contains stream:all. */
bool device_is_accelerator_stream(const char *device, size_t len);
/* True when the name contains gpu or sycl. */
bool device_is_accelerator(const char *device, size_t len);
/* Appends the host of the canonical DEVICE: gpu:N (or device:sycl:N) replaced by cpu:0. */
void device_host(struct strbuf *sb, const char *device, size_t len);

#endif
