/* big_profile.h: generates profiles of any size with the shape of real ones: scopes 6 to 12 deep,
 * about 40 bytes of name and two inputs per node, 80 operation types, three steps on two devices,
 * call stacks of 12 frames. */
#pragma once

#include <stdint.h>

#include "model/profile.h"

/* N nodes; deterministic. */
struct profile *big_profile(uint32_t n);
/* N nodes in one chain of inputs, in one scope. */
struct profile *chain_profile(uint32_t n);
