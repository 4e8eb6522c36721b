/* hostile.h: inputs of any size that mean harm: each grows in one way that a file may grow, and is
 * no larger than it takes to say so. */
#ifndef TFPROF_FAULT_HOSTILE_H
#define TFPROF_FAULT_HOSTILE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum { HOSTILE_FILES = 3, HOSTILE_WORDS = 12 };

/* The bytes of a graph, and of what is loaded with it. */
struct hostile_files {
    struct strbuf file[HOSTILE_FILES];
};

struct hostile_shape {
    const char *name;
    void (*make)(struct hostile_files *f, unsigned n);
    unsigned n; /* the smallest size, which takes long enough to be measured */
    /* Command and options; "@0", "@1", ... stand for the files, of which "@0" may be packed. */
    const char *words[HOSTILE_WORDS];
    const char *suffixes[HOSTILE_FILES]; /* of the names of the files */
    bool is_packed;
};

extern const struct hostile_shape hostile_graphs[], hostile_runs[], hostile_traces[];
extern const unsigned n_hostile_graphs, n_hostile_runs, n_hostile_traces;

/* Text field FIELD. */
void hostile_text(struct strbuf *sb, uint32_t field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A node of a graph (field 1) or of a function (3) with one input; INPUT "": none.  Ends with
 * wire_end(). */
size_t hostile_node(struct strbuf *sb, uint32_t field, const char *op, const char *input,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
