/* detect.h: what an input is, told by its content. */
#ifndef TFPROF_LOAD_DETECT_H
#define TFPROF_LOAD_DETECT_H

#include "load/formats.h"

/* True for what reads like text in the form `field {`, `field <` or `field:`
 * (also when there is nothing but blanks and comments in it). */
bool detect_is_text(struct span bytes);

/* The format, or FORMAT_UNKNOWN. */
enum input_format detect_format(struct span bytes);

/* True when BYTES, the head of a file, may be told wrong because they end within
 * the first element: a node with a name that long looks like an op log. */
bool detect_is_cut(struct span bytes);

/* True when there is nothing in it: no bytes, or blanks and comments. */
bool detect_is_blank(struct span bytes);

/* What bytes of no known format look like, for people: "a PNG image"; NULL for
 * binary data that say nothing. */
const char *detect_lookalike(struct span bytes);

#endif
