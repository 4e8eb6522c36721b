/* options.h: the options of a query and of the program, as one struct that
 * the option table (option_table.c) addresses row by row. */
#ifndef TFPROF_OPT_OPTIONS_H
#define TFPROF_OPT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "opt/fields.h"
#include "opt/time_range.h"

/* X(ID, name) of every view; the trees first, the advice last. */
#define VIEW_LIST(X) \
    X(SCOPE, scope)  \
    X(GRAPH, graph)  \
    X(OP, op)        \
    X(CODE, code)    \
    X(ADVISE, advise)

#define VIEW_ID(id, name) VIEW_##id,
enum view_id { VIEW_LIST(VIEW_ID) VIEW_COUNT };
#undef VIEW_ID
_Static_assert(VIEW_ADVISE == VIEW_COUNT - 1, "arrays of tree views have VIEW_ADVISE elements");

extern const char *const view_names[VIEW_COUNT];

/* -order_by: ORDER_NAME, ORDER_DEPTH, ORDER_METRIC + a metric_id, or one of those that only a
 * comparison has, of options_compared_metric(). */
enum {
    ORDER_NAME,
    ORDER_DEPTH,
    ORDER_METRIC,
    ORDER_BASE = ORDER_METRIC + METRIC_COUNT,
    ORDER_DELTA,
    ORDER_DELTA_ABS,
    ORDER_DELTA_PERCENT,
    ORDER_COUNT
};

/* -diff_step: the base is of the step that is shown; alone, nothing is compared. */
#define DIFF_STEP_SAME (STEP_OUTSIDE + 1)
/* -min_delta: whatever differs at all. */
#define MIN_DELTA_ANY (-1)

enum min_on { MIN_ON_DEFAULT, MIN_ON_SELF, MIN_ON_TOTAL, MIN_ON_COUNT };
enum flops_mode { FLOPS_DEFAULT, FLOPS_LOG, FLOPS_COMPAT, FLOPS_FULL, FLOPS_MODE_COUNT };
/* Where the bodies of functions stand: below every node that calls them, each once by its name,
 * or nowhere. */
enum functions_mode { FUNCTIONS_INLINE, FUNCTIONS_LIST, FUNCTIONS_OFF, FUNCTIONS_MODE_COUNT };
/* Where the backward pass stands: below the forward pass, or as recorded. */
enum backward_choice {
    BACKWARD_DEFAULT, /* forward for traces of PyTorch, else own */
    BACKWARD_FORWARD,
    BACKWARD_OWN,
    BACKWARD_CHOICE_COUNT
};
enum kernels_choice { KERNELS_IN_OPS, KERNELS_AS_ROWS, KERNELS_CHOICE_COUNT };
/* Of a capture's hosts: ops alone, or also Python calls, what the runtime did, both. */
enum host_events {
    HOST_EVENTS_OPS,
    HOST_EVENTS_PYTHON,
    HOST_EVENTS_RUNTIME,
    HOST_EVENTS_ALL,
    HOST_EVENTS_COUNT,
};
/* What ran on several devices of a capture is one node, or one for each of them. */
enum devices_mode { DEVICES_JOIN, DEVICES_SPLIT, DEVICES_MODE_COUNT };
enum flops_unit { FLOPS_UNIT_FLOPS, FLOPS_UNIT_MACS, FLOPS_UNIT_COUNT };
/* By what live memory is grouped. */
enum memory_grouping { GROUPING_DEFAULT, GROUPING_NODE, GROUPING_SCOPE, GROUPING_TYPE, GROUPING_CODE,
                       GROUPING_STACK, GROUPING_SIZE, GROUPING_CATEGORY, GROUPING_STREAM,
                       GROUPING_METADATA, GROUPING_BLOCK, GROUPING_COUNT };
extern const char *const memory_grouping_names[GROUPING_COUNT + 1];
/* -points: 2000, and of RunMetadata all. */
#define POINTS_DEFAULT 0
/* Values of -flops_release, by enum flops_release in flops/flops.h. */
enum { FLOPS_RELEASE_COUNT = 8 };

/* Bytes of the name of a step, with its NUL. */
enum { STEP_NAME_BYTES = 128 };

/* Value of -step and -diff_step. */
struct step_option {
    int64_t number; /* a step, or STEP_ALL and its like in model/recording.h */
    char name[STEP_NAME_BYTES]; /* of STEP_NAMED: "train 3"; else zeros, or ignored */
};

/* All text is heap memory owned by the struct; regex lists and paths are kept
 * as typed.  Copy with options_copy, free with options_done. */
struct options {
    /* the query */
    int64_t max_depth;
    int64_t min[METRIC_COUNT];
    int64_t rank; /* RANK_AVERAGE, RANK_ALL, or one */
    union {
        struct step_option step_value;
        int64_t step; /* STEP_ALL, STEP_OUTSIDE, STEP_WORST, STEP_MEDIAN, STEP_NAMED; else negative:
                         average of all */
    };
    struct time_range time_range; /* only what runs in it counts */
    int order_by;
    union {
        struct step_option diff_step_value;
        int64_t diff_step; /* of the base, as step; DIFF_STEP_SAME */
    };
    int64_t min_delta;   /* in the unit of the metric's name; MIN_DELTA_ANY */
    int64_t min_percent;
    bool significant;
    char *account_type_regexes;
    char *start_name_regexes;
    char *trim_name_regexes;
    char *show_name_regexes;
    char *hide_name_regexes;
    char *device_regexes;
    char *source_map;  /* FROM=TO[,...]: where source files are now; NULL: where they were */
    char *hide_frames; /* code view: regexes of files, and the word for libraries */
    bool account_displayed_op_only;
    bool hide_unaccounted;
    bool fold_twins;
    bool trace_text;
    int min_on; /* enum min_on */
    field_set select;
    char *output; /* TYPE or TYPE:key=value,... as typed */
    int flops;    /* enum flops_mode */
    int flops_unit; /* enum flops_unit */
    bool flops_loops;
    int flops_release; /* index into the names in option_table.c: newest first */
    int64_t flops_transcendental, flops_division; /* weights */
    int64_t peak_flops, peak_bandwidth; /* a second; 0: see view/pictures/roofs.h */
    int64_t batch;  /* 0: none */
    char *bind;     /* NODE=2x3x?[,...], NULL: none */
    bool viz;     /* accepted, explained, without effect */

    /* the inputs */
    char *graph_path;
    char *run_meta_path; /* F[,F...] */
    char *op_log_path;
    char *checkpoint_path;
    char *profile_path;
    char *tag;         /* of a SavedModel's meta graph; NULL: the one for serving */
    char *signature;   /* only what this signature of a model needs; NULL: all */
    int functions;     /* enum functions_mode */
    int kernels;       /* enum kernels_choice */
    int backward;      /* enum backward_choice */
    bool streams;      /* anatomy: rows of streams */
    int64_t idle_gap;  /* anatomy: microseconds */
    char *at, *since;  /* memory: instants; NULL: the peak, the start */
    int group;         /* memory: enum memory_grouping */
    int64_t points;    /* memory: of each curve; POINTS_DEFAULT */
    bool segments;     /* memory: rows of segments */
    bool align_clocks; /* ranks: correct clocks by the ends of collectives */
    /* Bodies below further calls of a function put at most so many nodes into the graph. */
    int64_t function_rows;
    char *open_calls;  /* NODE[,...]: bodies are below these calls anyway; NULL: none */
    char *sample_index; /* of profiles of samples: which values are shown; NULL: as they say */
    int host_events;   /* enum host_events: what of a capture's hosts becomes nodes */
    int devices;       /* enum devices_mode */
    char *nvtx_steps;   /* names of NVTX ranges that are steps */
    char *host_regexes; /* of captures, traces and digests: which are read */
    char *host, *program; /* digest: labels of what is digested; NULL: none */
    char *files_from;  /* digest, merge: a file of names, each ended by a NUL */
    char *define_type; /* NAME=REGEX[,...]: types by name; NULL: none */
    char *rename;      /* REGEX=TEMPLATE[,...] of names of the base; NULL: none */
    char *unmatch;     /* regexes of names whose pairs are parted again */
    char *diff_base;   /* F[,F...]: what is compared with; NULL: none */
};

/* A word that stands for a number. */
struct option_word {
    const char *word; /* NULL: the end of a list */
    int64_t value;
};

enum option_kind {
    OPT_INT,
    OPT_RATE,    /* int64_t: per second; 312T, 1.5TB/s; option->choices: names of what is counted */
    OPT_BOOL,
    OPT_CHOICE,  /* int; one of option->choices */
    OPT_ORDER,   /* int; names of metrics, name, depth */
    OPT_REGEXES, /* char *: comma-separated */
    OPT_FIELDS,  /* field_set */
    OPT_OUTPUT,  /* char * */
    OPT_PATH,    /* char *: NULL when not given */
    OPT_NAME,    /* char *: NULL when not given */
    OPT_TYPES,   /* char *: NAME=REGEX, comma-separated, NULL when not given */
    OPT_PAIRS,   /* char *: FROM=TO, comma-separated, NULL when not given */
    OPT_PATHS,   /* char *: comma-separated, NULL when not given */
    OPT_RANGE,   /* struct time_range: FROM:TO */
    OPT_STEP,    /* struct step_option: as OPT_INT, or the name of a mark */
    OPT_KIND_COUNT
};

/* Which stages of view/query.h an option feeds: bits. */
enum option_stage {
    STAGE_NONE = 0,
    STAGE_TREE = 1 << 0, /* of the code view, and -backward of the scope view */
    STAGE_ACCOUNT = 1 << 1,
    STAGE_SELF = 1 << 2,
    STAGE_START = 1 << 3,
    STAGE_SHOW = 1 << 4,
    STAGE_ORDER = 1 << 5,
    STAGE_RENDER = 1 << 6,
    STAGE_LOAD = 1 << 7,
    STAGE_REPEATS = 1 << 8,
    STAGE_BY_STEP = 1 << 9, /* what STAGE_SELF options but -step and -diff_step feed */
};

struct option {
    const char *name; /* without dash */
    /* Put before a value as typed: the row is another way to set the option
     * at the same offset (-dump_to_file F is -output file:outfile=F).  Such a
     * row is never printed and has no default.  NULL: a row of its own. */
    const char *stands_for;
    enum option_kind kind;
    size_t offset;               /* in struct options */
    const char *default_text;    /* parsed by the same code as a user's value */
    const char *const *choices;  /* OPT_CHOICE: NULL-terminated, by value; OPT_RATE */
    int64_t min, max;         /* OPT_INT, OPT_STEP */
    const struct option_word *words; /* OPT_INT, OPT_RATE, OPT_STEP: values by name; NULL: none */
    unsigned stages;             /* enum option_stage bits */
    unsigned views;              /* where it acts: bits 1 << enum view_id; 0: in all */
    bool ours;                   /* not one of the original's */
    const char *value_name;      /* "N", "REGEXES": of help and completion */
    const char *help;            /* one line */
};

extern const struct option option_table[];
extern const size_t option_table_n;

/* The fixed words of OPT_BOOL in any case (semantics.md section 3); false when
 * WORD is none of them. */
bool option_bool_word(const char *word, bool *value);

void options_init(struct options *o); /* all defaults */
void options_done(struct options *o);
void options_copy(struct options *to, const struct options *from); /* TO is initialised by it */
/* Forgets which files are read; how they are read stays. */
void options_drop_files(struct options *o);

/* The row of NAME (no dash), or NULL. */
const struct option *option_find(const char *name);
/* The I-th word that OPT takes (choices, orders, fields, true and false), in
 * table order; NULL behind the last one and for options of free text. */
const char *option_value_name(const struct option *opt, int i);

/* Sets one option from text; on error O is unchanged and ERR (usage) names
 * option and value.  Regexes are compiled to check them. */
bool option_set(struct options *o, const struct option *opt, const char *value, struct err *err);
/* Appends the value as it would be typed (not quoted for a shell). */
void option_print(struct strbuf *sb, const struct options *o, const struct option *opt);
bool option_is_default(const struct options *o, const struct option *opt);
bool option_equal(const struct options *a, const struct options *b, const struct option *opt);
/* The same for all options. */
bool options_equal(const struct options *a, const struct options *b);
/* The metric that rows are ordered by; METRIC_COUNT: by name or depth. */
enum metric_id options_order_metric(const struct options *o);
/* The metric whose differences a comparison orders by and has thresholds for: the main one of
 * those selected, else the time. */
enum metric_id options_compared_metric(const struct options *o);
/* True when O asks for a comparison of steps. */
static inline bool options_compare_steps(const struct options *o)
{
    return o->diff_step != DIFF_STEP_SAME;
}
/* True when it matters to VIEW and differs from its default: worth saying. */
bool option_is_changed(const struct options *o, const struct option *opt, enum view_id view);
/* Union of the stages of all options in which A and B differ. */
unsigned options_changed_stages(const struct options *a, const struct options *b);

/* Sets the options of a preset (cli.md section 5); false with ERR (usage) when
 * there is none of that name. */
bool options_preset(struct options *o, const char *name, struct err *err);

/* One setting of a preset; the rows of a preset stand together. */
struct preset_row {
    const char *preset;
    const char *option;
    const char *value;
};
extern const struct preset_row preset_rows[]; /* ended by a NULL preset */

#endif
