/* formats.h: the table of input formats. */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include "load/loader.h"

/* Every format: FORMAT_NAME has the record `format_name` in the source of its reader.  The order
 * matters only for formats of equal numbers. */
#define FORMAT_LIST(ROW)             \
    ROW(PROFILE, profile)            \
    ROW(GRAPH, graph)                \
    ROW(META_GRAPH, meta_graph)      \
    ROW(SAVED_MODEL, saved_model)    \
    ROW(EVENTS, events)              \
    ROW(CAPTURE, capture)            \
    ROW(DIGEST, digest)              \
    ROW(HLO, hlo)                    \
    ROW(ONNX, onnx)                  \
    ROW(TFLITE, tflite)              \
    ROW(TFLITE_RUN, tflite_run)      \
    ROW(OP_LOG, op_log)              \
    ROW(CHECKPOINT, checkpoint)      \
    ROW(RUN_META, run_meta)          \
    ROW(SNAPSHOT, snapshot)          \
    ROW(PPROF, pprof)                \
    ROW(TRACE, trace)                \
    ROW(NSYS, nsys)

#define FORMAT_ID(id, name) FORMAT_##id,
enum input_format { FORMAT_UNKNOWN, FORMAT_LIST(FORMAT_ID) FORMAT_COUNT };
#undef FORMAT_ID

/* The contents of an input; they determine which inputs can be combined. */
enum input_contents {
    CONTAINS_ANNOTATIONS, /* about nodes of a graph: combines with all */
    CONTAINS_GRAPH,       /* may be used where a graph is expected */
    CONTAINS_STEPS,       /* runs of a graph, or of a graph derived from them */
    CONTAINS_PROFILE,     /* a graph and its runs: excludes other graphs, steps and profiles */
};

struct evidence; /* load/fits.h */

struct format_row {
    const char *name; /* "GraphDef" */
    const char *help; /* description and usual file names */
    const char *binary_name, *text_name; /* shown while it loads */
    enum input_contents contents;
    /* Load order, lowest first; inputs of one format in the given order (semantics.md section 1.1).
     * Only profiles come before graphs. */
    unsigned load_order;
    /* Detection order, lowest first; the first format that fits is taken. */
    unsigned detect_order;
    bool keep_bytes;  /* attributes are byte ranges in the file */
    /* True when binary bytes have the structure of this format; tests the first elements only.
     * With E not NULL it weighs evidence (load/fits.h). */
    bool (*fits)(struct span bytes, struct evidence *e);
    /* The head of a graph that ends within its first element may look like this format. */
    bool fits_cut_graph;
    const ProtobufCMessageDescriptor *message; /* of its text form; NULL: none */
    bool (*load)(struct loader *l, struct err *err);
    /* `load` reads data as it arrives (l->unpacking); else it gets complete data. */
    bool loads_while_unpacking;
    bool is_plain_text; /* `fits` and `load` are for texts other than protobuf text */
    bool loads_parts;   /* `load` stops at l->part_bytes */
    bool takes_damaged; /* loads the part of compressed data before the damage */
    /* Loads a text; NULL: the text is converted to binary form first. */
    bool (*load_text)(struct loader *l, struct err *err);
    /* Called after the last input of this format; NULL: nothing. */
    bool (*load_end)(struct loader *l, struct err *err);
    /* Called after all other inputs; NULL: nothing. */
    bool (*load_late)(struct loader *l, struct err *err);
    /* Replaces `load` for formats of several files; opens l->path, which was not read yet. */
    bool (*load_path)(struct loader *l, struct err *err);
};

#define FORMAT_RECORD(id, name) extern const struct format_row format_##name;
FORMAT_LIST(FORMAT_RECORD)
#undef FORMAT_RECORD

/* Indexed by enum input_format; NULL for FORMAT_UNKNOWN. */
extern const struct format_row *const formats[FORMAT_COUNT];

/* The format after FORMAT in detection order; FORMAT_UNKNOWN gives the first one, and follows the
 * last. */
enum input_format format_next_to_try(enum input_format format);
/* The same in load order. */
enum input_format format_next_to_load(enum input_format format);
/* Implements both: the row after AFTER when rows 1 to N_ROWS - 1 are sorted by NUMBER, then by
 * index; 0 gives the first row, and follows the last. */
unsigned format_next_by(const struct format_row *const *rows, unsigned n_rows,
                        unsigned (*number)(const struct format_row *row), unsigned after);
