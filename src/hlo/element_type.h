/* element_type.h: names and sizes of the element types of HLO arrays (formats-hlo.md section 3). */
#ifndef TFPROF_HLO_ELEMENT_TYPE_H
#define TFPROF_HLO_ELEMENT_TYPE_H

#include <stdint.h>

/* Types of shapes that are not arrays. */
enum { HLO_TYPE_TUPLE = 13, HLO_TYPE_OPAQUE = 14, HLO_TYPE_TOKEN = 17 };

/* "f32" for 11; NULL for an unknown number. */
const char *hlo_type_name(uint64_t type);
/* Bits of an element when the layout does not pack elements: a multiple of 8.  0 for tuples,
 * tokens, opaque values and unknown numbers. */
uint32_t hlo_type_bits(uint64_t type);

#endif
