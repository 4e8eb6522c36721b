/* fits.h: do these bytes have the structure of a format? */
#ifndef TFPROF_LOAD_FITS_H
#define TFPROF_LOAD_FITS_H

#include "load/loader.h"

/* What speaks for a format and what against it, by weight. */
struct evidence {
    unsigned in_favour, against;
};

/* As wire_next(), but a length that runs past the end is cut there: we may look
 * at the head of a file alone. */
bool fits_next(struct wire_in *in, struct wire_field *f);

/* Each looks at the first elements of a binary file.  At least one element must
 * be there and all that are looked at must fit; a file that is cut behind
 * them fits still, its loader says where it ends.  With E (else NULL) the elements need
 * not fit: E is what they tell.  False then: it cannot be this format. */
bool fits_graph(struct span bytes, struct evidence *e);
bool fits_run_meta(struct span bytes, struct evidence *e);
bool fits_op_log(struct span bytes, struct evidence *e);
bool fits_profile(struct span bytes, struct evidence *e);
bool fits_meta_graph(struct span bytes, struct evidence *e);
bool fits_saved_model(struct span bytes, struct evidence *e);
/* The table of a checkpoint: its first key is empty and holds a message. */
bool fits_checkpoint(struct span bytes, struct evidence *e);

/* A profile of pprof; of one whose head alone is there the strings may be missing. */
bool fits_pprof(struct span bytes, struct evidence *e);

/* What a binary message is that no format reads; NULL: not known. */
const char *fits_other(struct span bytes);

#endif
