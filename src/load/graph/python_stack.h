/* python_stack.h: call stacks as Python prints them. */
#pragma once

#include "load/loader.h"

/* The stack in TEXT: lines `File "F", line N, in G`, outermost first, each followed by its source.
 * STACK_NONE if it has no frame. */
stack_id python_stack(struct loader *l, struct span text);
