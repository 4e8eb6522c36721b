/* formats.h: the table of input formats, one record each. */
#ifndef TFPROF_LOAD_FORMATS_H
#define TFPROF_LOAD_FORMATS_H

#include <protobuf-c/protobuf-c.h>

#include "load/loader.h"

/* Every format: FORMAT_NAME is the record `format_name`, which stands beside its
 * reader.  The order of this list counts for formats of equal numbers alone. */
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

/* What an input brings, and so what it goes together with. */
enum input_contents {
    CONTAINS_ANNOTATIONS, /* about nodes of a graph: goes with anything */
    CONTAINS_GRAPH,       /* goes where a graph is asked for */
    CONTAINS_STEPS,       /* runs of a graph, or of one that they show themselves */
    CONTAINS_PROFILE,     /* a graph and its runs: excludes other graphs, steps and profiles */
};

struct evidence; /* load/fits.h */

struct format_row {
    const char *name; /* "GraphDef" */
    const char *help; /* what it is and how its files are called */
    const char *binary_name, *text_name; /* for people, while it loads */
    enum input_contents contents;
    /* Inputs are loaded by this, lowest first, those of one format in the order in which
     * they are named (semantics.md section 1.1).  Graphs come before all but profiles. */
    unsigned load_order;
    /* Formats are tried by this, lowest first, and the first that fits is taken. */
    unsigned detect_order;
    bool keep_bytes;  /* attributes stay as ranges of it */
    /* True when binary bytes have the structure of this format; looks at the
     * first elements only; with E not NULL it weighs them (load/fits.h). */
    bool (*fits)(struct span bytes, struct evidence *e);
    /* The head of a graph whose first element is cut may look like this format. */
    bool fits_cut_graph;
    const ProtobufCMessageDescriptor *message; /* of its text form; NULL: it has none */
    bool (*load)(struct loader *l, struct err *err);
    /* `load` reads what arrives (l->unpacking); else all is awaited first. */
    bool loads_while_unpacking;
    bool is_plain_text; /* `fits` and `load` are for texts that are no messages */
    bool takes_damaged; /* of packed data that are damaged, what came before */
    /* Of a text; NULL: the text is turned into binary form first. */
    bool (*load_text)(struct loader *l, struct err *err);
    /* What comes behind the last input of this format; NULL: nothing. */
    bool (*load_end)(struct loader *l, struct err *err);
    /* What comes after all other inputs; NULL: nothing. */
    bool (*load_late)(struct loader *l, struct err *err);
    /* Instead of `load`, of formats that are several files: opens what
     * l->path names; nothing is read before. */
    bool (*load_path)(struct loader *l, struct err *err);
};

#define FORMAT_RECORD(id, name) extern const struct format_row format_##name;
FORMAT_LIST(FORMAT_RECORD)
#undef FORMAT_RECORD

/* By enum input_format; NULL for FORMAT_UNKNOWN. */
extern const struct format_row *const formats[FORMAT_COUNT];

/* The format that is tried after FORMAT at detection, the first one after
 * FORMAT_UNKNOWN; FORMAT_UNKNOWN behind the last. */
enum input_format format_next_to_try(enum input_format format);
/* The same in the order of loading. */
enum input_format format_next_to_load(enum input_format format);
/* For both, of any table: the row behind row AFTER when rows 1 to N_ROWS - 1 are sorted by NUMBER and,
 * where that is equal, by index; the first one after 0; 0 behind the last. */
unsigned format_next_by(const struct format_row *const *rows, unsigned n_rows,
                        unsigned (*number)(const struct format_row *row), unsigned after);

#endif
