/* canonical.h: strips prefixes, suffixes and numbers that frameworks add to names:
 * "jit(main)/conv2d_3/MatMul.1" becomes "conv2d/MatMul". */
#ifndef TFPROF_MATCH_CANONICAL_H
#define TFPROF_MATCH_CANONICAL_H

#include "base/strbuf.h"
#include "base/text.h"

/* Appends the canonical form of NAME: components "jit(...)" are dropped, and in others ".kd",
 * ".clone" and trailing numbers ("_3", ".1", "12"). */
void canonical_add(struct strbuf *sb, struct text name);
/* Natural order of names: numbers in them compare as numbers, so "a_9" is before "a_10". */
int canonical_order(struct text a, struct text b);

#endif
