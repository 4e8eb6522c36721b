/* output.h: the output table: every way a result leaves the program. */
#ifndef TFPROF_EXPORT_OUTPUT_H
#define TFPROF_EXPORT_OUTPUT_H

#include "base/err.h"
#include "view/query.h"

/* Where bytes go.  write returns false with ERR when the bytes cannot be
 * taken; it may be called any number of times. */
struct sink {
    bool (*write)(struct sink *s, const void *bytes, size_t len, struct err *err);
};

/* A parsed -output value. */
struct output_spec {
    const struct output *output;
    char *outfile; /* heap; NULL when none is needed */
};

struct output {
    const char *name; /* of -output */
    const char *help;
    bool needs_outfile;
    unsigned views;   /* bit per view_id it can be made of */
    bool per_step;    /* may write several files, OUTFILE_STEP */
    /* Checks fields and options; NULL: anything goes. */
    bool (*check)(const struct result *r, struct err *err);
    /* Writes R; NULL: nothing is written (none). */
    bool (*write)(struct result *r, struct sink *s, struct err *err);
};

extern const struct output *const outputs[]; /* NULL-terminated */

/* Parses TYPE[:key=value]; usage error as semantics.md section 3 says. */
bool output_parse(const char *text, struct output_spec *spec, struct err *err);
void output_spec_done(struct output_spec *spec);

#endif
