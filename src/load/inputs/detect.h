/* detect.h: detects the format of an input by its content. */
#ifndef TFPROF_LOAD_INPUTS_DETECT_H
#define TFPROF_LOAD_INPUTS_DETECT_H

#include "load/formats.h"

/* True for text that begins with `field {`, `field <` or `field:`, or consists of blanks and
 * comments. */
bool detect_is_text(struct span bytes);

/* The format, or FORMAT_UNKNOWN. */
enum input_format detect_format(struct span bytes);

/* True when BYTES, the head of a file, end within the first element, which may lead to a wrong
 * format: a node with a name that long looks like an op log. */
bool detect_is_cut(struct span bytes);

/* True for no bytes, or only blanks and comments. */
bool detect_is_blank(struct span bytes);

/* What bytes of an unknown format look like: "a PNG image"; NULL: nothing known. */
const char *detect_lookalike(struct span bytes);

#endif
