/* attention.h: operators of LLM servers that compute attention over a key/value cache. */
#ifndef TFPROF_MODEL_ATTENTION_H
#define TFPROF_MODEL_ATTENTION_H

#include <stdbool.h>

#include "base/text.h"

/* True for the whole name of such an operator; *FIRST is the index of its query among its inputs,
 * before key and value. */
bool attention_inputs(struct text op, unsigned *first);

#endif
