/* fits.h: tests whether bytes have the structure of a format. */
#pragma once

#include "load/loader.h"

/* Weights of the evidence for and against a format. */
struct evidence {
    unsigned in_favour, against;
};

/* As wire_next(), but clamps a length beyond the end, because only the head of a file may be
 * available. */
bool fits_next(struct wire_in *in, struct wire_field *f);

/* Each tests the first elements of a binary file.  There has to be at least one, and all that are
 * tested have to fit; a file truncated after them fits too, and its loader reports the position.
 * With E (else NULL) elements need not fit: E gets the evidence, and false means that it cannot be
 * this format. */
bool fits_graph(struct span bytes, struct evidence *e);
bool fits_run_meta(struct span bytes, struct evidence *e);
bool fits_op_log(struct span bytes, struct evidence *e);
bool fits_profile(struct span bytes, struct evidence *e);
bool fits_meta_graph(struct span bytes, struct evidence *e);
bool fits_saved_model(struct span bytes, struct evidence *e);
/* The table of a checkpoint: its first key is empty and the value is a message. */
bool fits_checkpoint(struct span bytes, struct evidence *e);

/* A pprof profile; its strings may be missing if only the head is available. */
bool fits_pprof(struct span bytes, struct evidence *e);

/* The kind of a binary message that no format reads; NULL if unknown. */
const char *fits_other(struct span bytes);
