/* runmeta.h: loads a RunMetadata file as one step. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "load/loader.h"

/* Adds the binary RunMetadata in l->input as step l->next_step, and increments that; a file without
 * step statistics adds a note and no step. */
bool load_runmeta(struct loader *l, struct err *err);

/* All functions take a lower-case device of LEN bytes. */

/* True for PREFIX/KIND:NUMBER, KIND one of device:gpu, gpu, device:cpu, cpu, device:sycl. */
bool device_is_canonical(const char *device, size_t len);
/* True when its records are kernels: the name contains stream:all. */
bool device_is_accelerator_stream(const char *device, size_t len);
/* True when the name contains gpu or sycl. */
bool device_is_accelerator(const char *device, size_t len);
/* Appends the host of the canonical DEVICE: gpu:N (or device:sycl:N) replaced by cpu:0. */
void device_host(struct strbuf *sb, const char *device, size_t len);
