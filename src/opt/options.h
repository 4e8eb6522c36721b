/* options.h: the options of a query and of the program in one struct; option_table.c addresses its
 * fields. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "opt/fields.h"
#include "opt/time_range.h"
#include "opt/view_list.h"

#define VIEW_ID(name, id, ...) VIEW_##id,
/* The tree views, then the advice. */
enum view_id { VIEW_LIST(VIEW_ID, NO_VIEW, NO_VIEW, NO_VIEW) VIEW_ADVISE, VIEW_COUNT };
#undef VIEW_ID

extern const char *const view_names[VIEW_COUNT];

/* Values of -order_by: ORDER_NAME, ORDER_DEPTH, ORDER_METRIC + a metric_id, or the orders of
 * comparisons, which use options_compared_metric(). */
enum {
    ORDER_NAME,
    ORDER_DEPTH,
    ORDER_METRIC,
    ORDER_BASE = ORDER_METRIC + METRIC_COUNT,
    ORDER_DELTA,
    ORDER_DELTA_ABS,
    ORDER_DELTA_PERCENT,
    ORDER_TOTAL, /* this and the following: for tables, by the column of that name */
    ORDER_CALLS,
    ORDER_AVG,
    ORDER_MIN,
    ORDER_MEDIAN,
    ORDER_MAX,
    ORDER_COUNT
};

/* -diff_step: the baseline uses the step of -step; without a baseline nothing is compared. */
#define DIFF_STEP_SAME (STEP_OUTSIDE + 1)
/* -min_delta: every difference passes. */
#define MIN_DELTA_ANY (-1)

enum min_on { MIN_ON_DEFAULT, MIN_ON_SELF, MIN_ON_TOTAL, MIN_ON_COUNT };
enum flops_mode { FLOPS_DEFAULT, FLOPS_LOG, FLOPS_COMPAT, FLOPS_FULL, FLOPS_MODE_COUNT };
/* Position of function bodies: below every node that calls them, once in a list by name, or left
 * out. */
enum functions_mode { FUNCTIONS_INLINE, FUNCTIONS_LIST, FUNCTIONS_OFF, FUNCTIONS_MODE_COUNT };
/* Position of the backward pass: below the forward pass, or as recorded. */
enum backward_choice {
    BACKWARD_DEFAULT, /* FORWARD for traces of PyTorch that are not compared, else OWN */
    BACKWARD_FORWARD,
    BACKWARD_OWN,
    BACKWARD_CHOICE_COUNT
};
enum iterations_choice { ITERATIONS_AUTO, ITERATIONS_ON, ITERATIONS_OFF, ITERATIONS_CHOICE_COUNT };
enum kernels_choice { KERNELS_IN_OPS, KERNELS_AS_ROWS, KERNELS_CHOICE_COUNT };
/* Host events of a capture that become nodes: ops, and optionally Python calls, runtime events, or
 * both. */
enum host_events {
    HOST_EVENTS_OPS,
    HOST_EVENTS_PYTHON,
    HOST_EVENTS_RUNTIME,
    HOST_EVENTS_ALL,
    HOST_EVENTS_COUNT,
};
/* Nodes of an operation that ran on several devices: one for all, or one for each device. */
enum devices_mode { DEVICES_JOIN, DEVICES_SPLIT, DEVICES_MODE_COUNT };
enum flops_unit { FLOPS_UNIT_FLOPS, FLOPS_UNIT_MACS, FLOPS_UNIT_COUNT };
/* Grouping of live memory. */
enum memory_grouping { GROUPING_DEFAULT, GROUPING_NODE, GROUPING_SCOPE, GROUPING_TYPE, GROUPING_CODE,
                       GROUPING_STACK, GROUPING_SIZE, GROUPING_CATEGORY, GROUPING_STREAM,
                       GROUPING_METADATA, GROUPING_BLOCK, GROUPING_COUNT };
extern const char *const memory_grouping_names[GROUPING_COUNT + 1];
/* -points: 2000; for RunMetadata all. */
#define POINTS_DEFAULT 0
/* Values of -flops_release, by enum flops_release in flops/flops.h. */
enum { FLOPS_RELEASE_COUNT = 8 };

/* Bytes of the name of a step, with its NUL. */
enum { STEP_NAME_BYTES = 128 };

/* Value of -step and -diff_step. */
struct step_option {
    int64_t number; /* a step, or STEP_ALL and its like in model/recorder.h */
    char name[STEP_NAME_BYTES]; /* of STEP_NAMED: "train 3"; else zeros, or ignored */
};

/* Strings are heap memory that the struct owns; regex lists and paths are kept as typed.  Copy with
 * options_copy(), free with options_done(). An assigned struct shares the strings: its numbers may
 * differ, and it is not freed. */
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
    struct time_range time_range; /* only events within it count */
    int order_by;
    union {
        struct step_option diff_step_value;
        int64_t diff_step; /* of the baseline, as step; DIFF_STEP_SAME */
    };
    int64_t min_delta;   /* in the unit of the metric's option; MIN_DELTA_ANY */
    int64_t min_percent;
    bool significant;
    char *account_type_regexes;
    char *start_name_regexes;
    char *trim_name_regexes;
    char *show_name_regexes;
    char *hide_name_regexes;
    char *device_regexes;
    char *source_map;  /* FROM=TO[,...]: replaces prefixes of source paths; NULL: none */
    char *hide_frames; /* code view: regexes of files, and a word for libraries */
    bool account_displayed_op_only;
    bool hide_unaccounted;
    bool fold_twins;
    bool trace_text;
    int min_on; /* enum min_on */
    field_set select;
    char *output; /* TYPE or TYPE:key=value,... as typed */
    int view;       /* enum view_id, of `diff` */
    int64_t time_limit; /* seconds of a command; 0: none */
    int64_t budget; /* bytes of the answer; 0: unlimited */
    int flops;    /* enum flops_mode */
    int flops_unit; /* enum flops_unit */
    bool flops_loops;
    int flops_release; /* index into the names in option_table.c, newest first */
    int64_t flops_transcendental, flops_division; /* weights in FLOPs */
    int64_t peak_flops, peak_bandwidth; /* per second; 0: see view/roofs.h */
    int64_t batch;  /* size of unknown batch dimensions; 0: none */
    char *bind;     /* NODE=2x3x?[,...], NULL: none */
    bool viz;     /* accepted and explained, has no effect */

    /* the inputs */
    char *graph_path;
    char *run_meta_path; /* F[,F...] */
    char *op_log_path;
    char *checkpoint_path;
    char *profile_path;
    char *tag;         /* tag of a SavedModel's meta graph; NULL: the one for serving */
    char *signature;   /* only what this signature of a model needs; NULL: all nodes */
    int functions;     /* enum functions_mode */
    int kernels;       /* enum kernels_choice */
    char *capture;     /* F[,F...]: graph captures, or "none"; NULL: those next to a trace */
    int iterations;    /* enum iterations_choice */
    int backward;      /* enum backward_choice */
    int64_t top;       /* number of rows, of tables the first ones; 0: default of the view */
    bool streams;      /* breakdown: include rows of streams */
    int64_t idle_gap;  /* breakdown: longest wait for a launch, microseconds */
    char *at, *since;  /* memory: instants; NULL: at the peak, since the start */
    int group;         /* memory: enum memory_grouping */
    int64_t points;    /* memory: points of each curve, or POINTS_DEFAULT */
    bool segments;     /* memory: include rows of segments */
    bool align_clocks; /* ranks: correct clocks by the ends of collectives */
    /* Maximum number of nodes that function bodies below repeated calls add to the graph. */
    int64_t function_rows;
    char *open_calls;  /* NODE[,...]: calls whose bodies are always added; NULL: none */
    char *sample_index; /* pprof: the displayed sample type; NULL: the default of the profile */
    int host_events;   /* enum host_events: host events of a capture that become nodes */
    int devices;       /* enum devices_mode */
    char *nvtx_steps;   /* names of NVTX ranges that are steps */
    char *host_regexes; /* of captures, traces and digests: the hosts to read */
    char *host, *program; /* digest: labels of the digested profile; NULL: none */
    char *files_from;  /* digest, merge: a file of names, each terminated by NUL */
    char *define_type; /* NAME=REGEX[,...]: op types defined by node name; NULL: none */
    char *rename;      /* REGEX=TEMPLATE[,...], applied to names of the baseline; NULL: none */
    char *unmatch;     /* regexes of names whose pairs are separated */
    char *diff_base;   /* F[,F...]: the baseline; NULL: none */
};

/* A word that is accepted instead of a number. */
struct option_word {
    const char *word; /* NULL ends a list */
    int64_t value;
};

enum option_kind {
    OPT_INT,
    OPT_RATE,    /* int64_t: per second; 312T, 1.5TB/s; option->choices: names of the unit */
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

/* Bits: the stages of view/query.h that an option affects. */
enum option_stage {
    STAGE_NONE = 0,
    STAGE_TREE = 1 << 0, /* of the code view, and -backward for the scope view */
    STAGE_ACCOUNT = 1 << 1,
    STAGE_SELF = 1 << 2,
    STAGE_START = 1 << 3,
    STAGE_SHOW = 1 << 4,
    STAGE_ORDER = 1 << 5,
    STAGE_RENDER = 1 << 6,
    STAGE_LOAD = 1 << 7,
    STAGE_REPEATS = 1 << 8,
    STAGE_BY_STEP = 1 << 9, /* the stages that STAGE_SELF options affect, except -step and
                             * -diff_step */
};

struct option {
    const char *name; /* without a dash */
    /* Prefix of a value as typed: the row is another way to set the option at the same offset
     * (-dump_to_file F is -output file:outfile=F).  Such a row is never printed and has no default.
     * NULL: an option of its own. */
    const char *stands_for;
    enum option_kind kind;
    size_t offset;               /* in struct options */
    const char *default_text;    /* parsed like a value from the user */
    const char *const *choices;  /* OPT_CHOICE: NULL-terminated, by value; OPT_RATE */
    int64_t min, max;         /* OPT_INT, OPT_STEP */
    const struct option_word *words; /* OPT_INT, OPT_RATE, OPT_STEP: values by name; NULL: none */
    unsigned stages;             /* enum option_stage bits */
    unsigned views;              /* bits 1 << enum view_id where it has an effect; 0: all views */
    bool ours;                   /* the original does not have it */
    const char *value_name;      /* "N", "REGEXES": for help and completion */
    const char *help;            /* one line */
};

extern const struct option option_table[];
extern const size_t option_table_n;

/* Parses the words of OPT_BOOL, in any case (semantics.md section 3); false when WORD is none. */
bool option_bool_word(const char *word, bool *value);

void options_init(struct options *o); /* sets the defaults */
void options_done(struct options *o);
void options_copy(struct options *to, const struct options *from); /* initialises TO */
/* Clears the options that name files; options on how files are read stay. */
void options_drop_files(struct options *o);

/* The row of NAME (without dash), or NULL. */
const struct option *option_find(const char *name);
/* The I-th word that OPT accepts (choices, orders, fields, true and false), in table order; NULL
 * after the last one and for options of free text. */
const char *option_value_name(const struct option *opt, int i);

/* Sets one option from text; on error O is unchanged and ERR (usage) names option and value.
 * Compiles regexes to check them. */
bool option_set(struct options *o, const struct option *opt, const char *value, struct err *err);
/* Appends the value as a user types it (not quoted for a shell). */
void option_print(struct strbuf *sb, const struct options *o, const struct option *opt);
bool option_is_default(const struct options *o, const struct option *opt);
bool option_equal(const struct options *a, const struct options *b, const struct option *opt);
/* True when all options are equal. */
bool options_equal(const struct options *a, const struct options *b);
/* The metric that rows are ordered by; METRIC_COUNT: by name or depth. */
enum metric_id options_order_metric(const struct options *o);
/* The metric whose differences a comparison orders and filters by: the main one of the selected
 * metrics, else the time. */
enum metric_id options_compared_metric(const struct options *o);
/* True when O compares two steps. */
static inline bool options_compare_steps(const struct options *o)
{
    return o->diff_step != DIFF_STEP_SAME;
}
/* True when it has an effect on VIEW and differs from its default. */
bool option_is_changed(const struct options *o, const struct option *opt, enum view_id view);
/* The union of the stages of all options in which A and B differ. */
unsigned options_changed_stages(const struct options *a, const struct options *b);

/* Sets the options of a preset (cli.md section 5); false with ERR (usage) when no preset is called
 * NAME. */
bool options_preset(struct options *o, const char *name, struct err *err);

/* One setting of a preset; rows of the same preset are adjacent. */
struct preset_row {
    const char *preset;
    const char *option;
    const char *value;
};
extern const struct preset_row preset_rows[]; /* ended by a NULL preset */
