/* element_type.h: the element types of HLO arrays: names and sizes (formats-hlo.md section 3). */
#ifndef TFPROF_HLO_ELEMENT_TYPE_H
#define TFPROF_HLO_ELEMENT_TYPE_H

#include <stdint.h>

/* Numbers that are more than a size: shapes that are no arrays. */
enum { HLO_TYPE_TUPLE = 13, HLO_TYPE_OPAQUE = 14, HLO_TYPE_TOKEN = 17 };

/* "f32" for 11; NULL for a number that is not known. */
const char *hlo_type_name(uint64_t type);
/* Bits of an element where the layout does not pack it: a multiple of 8.  0 for tuples, tokens,
 * opaque values and numbers that are not known. */
uint32_t hlo_type_bits(uint64_t type);

#endif
