/* canonical.h: names without what frameworks add or count: "jit(main)/conv2d_3/MatMul.1" is
 * "conv2d/MatMul". */
#ifndef TFPROF_MATCH_CANONICAL_H
#define TFPROF_MATCH_CANONICAL_H

#include "base/strbuf.h"
#include "base/text.h"

/* Appends what is left of NAME: components of the form "jit(...)" are left out, of the others
 * ".kd", ".clone" and numbers at the end ("_3", ".1", "12"). */
void canonical_add(struct strbuf *sb, struct text name);
/* Order of names in which numbers in them count as numbers: "a_9" before "a_10". */
int canonical_order(struct text a, struct text b);

#endif
