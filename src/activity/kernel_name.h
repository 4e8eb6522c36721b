/* kernel_name.h: short names of kernels, from C++ names (mangled or not) and generated names. */
#pragma once

#include "base/strbuf.h"
#include "base/text.h"

/* Appends the short name of the kernel NAME, or NAME itself if there is none. NAME may hold any
 * bytes. Linear time. */
void kernel_name_add(struct strbuf *sb, struct text name);
