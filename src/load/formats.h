/* formats.h: the table of input formats, one row each. */
#ifndef TFPROF_LOAD_FORMATS_H
#define TFPROF_LOAD_FORMATS_H

#include <protobuf-c/protobuf-c.h>

#include "load/loader.h"

enum input_format {
    FORMAT_UNKNOWN,
    FORMAT_PROFILE,
    FORMAT_GRAPH,
    FORMAT_META_GRAPH,
    FORMAT_SAVED_MODEL,
    FORMAT_EVENTS,
    FORMAT_OP_LOG,
    FORMAT_CHECKPOINT,
    FORMAT_RUN_META,
    FORMAT_COUNT
};

struct evidence; /* load/fits.h */

/* The rows stand in the order of loading (semantics.md section 1.1). */
struct format_row {
    const char *name; /* "GraphDef" */
    const char *binary_name, *text_name; /* for people, while it loads */
    bool keep_bytes;  /* attributes stay as ranges of it */
    /* True when binary bytes have the structure of this format; looks at the
     * first elements only; with E not NULL it weighs them (load/fits.h). */
    bool (*fits)(struct span bytes, struct evidence *e);
    const ProtobufCMessageDescriptor *message; /* of its text form */
    bool (*load)(struct loader *l, struct err *err);
    /* Of a text; NULL: the text is turned into binary form first. */
    bool (*load_text)(struct loader *l, struct err *err);
    bool is_graph; /* goes where a graph is asked for */
    /* What comes after all other inputs; NULL: nothing. */
    bool (*load_late)(struct loader *l, struct err *err);
    /* Instead of `load`, of formats that are several files: opens what
     * l->path names; nothing is read before. */
    bool (*load_path)(struct loader *l, struct err *err);
};

extern const struct format_row formats[FORMAT_COUNT];

#endif
