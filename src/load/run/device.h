/* device.h: what a device string says (semantics.md section 1.2). */
#ifndef TFPROF_LOAD_DEVICE_H
#define TFPROF_LOAD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* All take a lower-cased device of LEN bytes. */

/* PREFIX/KIND:NUMBER, KIND one of device:gpu, gpu, device:cpu, cpu, device:sycl. */
bool device_is_canonical(const char *device, size_t len);
/* Its records are kernels: contains stream:all. */
bool device_is_accelerator_stream(const char *device, size_t len);
/* Contains gpu or sycl. */
bool device_is_accelerator(const char *device, size_t len);
/* Appends the host that schedules the canonical DEVICE: gpu:N (or device:sycl:N)
 * replaced with cpu:0. */
void device_host(struct strbuf *sb, const char *device, size_t len);

#endif
