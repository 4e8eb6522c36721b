/* hostile.h: hostile inputs of any size: each grows in one dimension of the format, and is as small
 * as possible otherwise. */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

enum { HOSTILE_FILES = 3, HOSTILE_WORDS = 12 };

/* The bytes of a graph, and of files loaded with it. */
struct hostile_files {
    struct strbuf file[HOSTILE_FILES];
};

struct hostile_shape {
    const char *name;
    void (*make)(struct hostile_files *f, unsigned n);
    unsigned n; /* the smallest size that takes long enough to measure */
    /* Command and options; "@0", "@1", ... are replaced by the files.  "@0" may be compressed. */
    const char *words[HOSTILE_WORDS];
    const char *suffixes[HOSTILE_FILES]; /* of the file names */
    bool is_packed;
};

extern const struct hostile_shape hostile_graphs[], hostile_runs[], hostile_traces[];
extern const unsigned n_hostile_graphs, n_hostile_runs, n_hostile_traces;

/* Appends text as field FIELD. */
void hostile_text(struct strbuf *sb, uint32_t field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Begins a node of a graph (field 1) or of a function (3) with one input; INPUT "": none.  Ends
 * with wire_end(). */
size_t hostile_node(struct strbuf *sb, uint32_t field, const char *op, const char *input,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
