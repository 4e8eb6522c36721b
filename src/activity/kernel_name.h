/* kernel_name.h: short names of kernels: of C++ functions, mangled or not, and of what libraries
 * generate. */
#pragma once

#include "base/strbuf.h"
#include "base/text.h"

/* Appends the short name of the kernel NAME, which may be any bytes; NAME itself where it has no
 * shorter one.  Takes time linear in the length of NAME. */
void kernel_name_add(struct strbuf *sb, struct text name);
