/* profile.h: a model and its runs; immutable once built.
 *
 * Columns over graph nodes (struct of arrays) and CSR lists, suited to the linear scans of view/.
 * Loaders fill a profile through builder.h; all other code reads it through this header.  Figures
 * are defined in semantics.md sections 1 and 2. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/err.h"
#include "base/intern.h"
#include "model/call_stacks.h"
#include "model/exec.h"
#include "model/graph_replays.h"
#include "model/node_columns.h"
#include "model/recorder.h"

/* Index of a graph node, in order of first insertion. */
typedef uint32_t node_id;
#define NODE_NONE UINT32_MAX

/* A distinct shape; SHAPE_UNKNOWN is the empty list (none, or unknown rank). -1: unknown size. */
typedef uint32_t shape_id;
#define SHAPE_UNKNOWN ((shape_id)0)
/* Known rank 0.  Its dims are [1], as the original prints it; the vector [1] has another id. */
#define SHAPE_SCALAR ((shape_id)1)

struct shape {
    const int64_t *dims;
    uint32_t n_dims;
};

/* A distinct set of types, sorted by name.  The account regexes are evaluated once for each type,
 * then for each set. */
typedef uint32_t typeset_id;

/* An upper bound for the memory of a stack frame: in the builder, in the profile, and as a row of
 * the code view with all metrics. */
enum { FRAME_MAX_BYTES = 2 * sizeof(struct frame) + 160 };

/* The own_index of a control input. */
#define INPUT_CONTROL INT32_MIN

/* Position and source name: profile_input_position(), profile_input_name(). */
struct node_input {
    int32_t output_index; /* index of the source's last edge, see semantics.md section 1.1 */
    int32_t own_index;    /* as recorded at this position, or INPUT_CONTROL */
    node_id source;       /* NODE_NONE: not in the graph */
};

/* An input whose position differs from its index in the node's list, or whose source is missing or
 * has another name. */
struct odd_input {
    uint32_t input; /* index in profile.inputs */
    int32_t position;
    strid source_name;
};

struct node_output {
    int32_t index;
    shape_id shape;
};

/* The recorded shape of an output: from the node's first entry with the most outputs in any
 * RunMetadata. */
struct run_output {
    int32_t slot;
    shape_id shape; /* SHAPE_UNKNOWN: the entry has no description */
};

/* An input file, mapped as long as the profile lives, because attributes are byte ranges in it. */
struct source_file {
    char *path;           /* as given by the user */
    const char *format;   /* "GraphDef, binary": static text */
    const uint8_t *bytes; /* decompressed if the file is gzipped */
    size_t size_bytes;
    size_t file_size_bytes; /* on disk */
    void (*release)(struct source_file *); /* frees bytes */
    char *fault; /* heap: why compressed data end early; NULL: complete */
};

/* Type and unit of one value of a sample. */
struct value_type {
    strid type, unit; /* "inuse_space", "bytes" */
    int64_t total;
};

/* A file of samples with several values each. */
struct sample_file {
    uint32_t file;
    uint32_t n_types;
    struct value_type *types;
    uint64_t n_samples;
    int32_t live;     /* index of the type for live memory; -1: none */
    int32_t standard, selected; /* default type, and displayed type (-sample_index) */
};

/* Location and encoding of a node's definition. */
enum node_form {
    NODE_FORM_NONE,
    NODE_FORM_NODEDEF,
    NODE_FORM_NODEDEF_TEXT,
    NODE_FORM_PROFILENODE, /* an entry of the node map of a ProfileProto */
    NODE_FORM_ARG_ATTRS,   /* the map entry of a FunctionDef's argument */
    NODE_FORM_OWN_NODE,    /* decoded by profile.attrs_of_def */
    NODE_FORM_OWN_TENSOR,  /* as NODE_FORM_OWN_NODE; a constant or parameter */
    NODE_FORM_OWN_CALL,    /* likewise; calls a function, whose body is in its control inputs */
    NODE_FORM_COUNT
};

struct node_def {
    uint64_t offset; /* of the message, in files[file].bytes */
    uint32_t len_bytes;
    uint16_t file;
    uint8_t form; /* enum node_form */
    bool of_run;  /* in a stored profile: the node comes from a run, not from a graph */
};

struct programs;    /* model/programs.h */
struct event_store; /* model/events.h */
struct memory_log;  /* model/memory_log.h */
struct memory_records; /* model/memory_records.h */
struct attr;       /* model/attr.h */
struct checkpoint; /* load/checkpoint/checkpoint.h */

/* Finds the bodies of library functions (model/function.h).  find() returns NULL for a name that is
 * not a function; it is NULL without a library.  Bodies are built on first use, by any thread, and
 * live as long as the profile. */
struct function_body;
struct function_source {
    const struct function_body *(*find)(void *context, const char *name, size_t len,
                                        struct budget *budget);
    void *context;
    void (*release)(void *context);
};

/* Which function bodies become nodes of the graph. */
enum function_rows {
    FUNCTION_ROWS_NONE,
    FUNCTION_ROWS_LISTED,      /* once each, by name */
    FUNCTION_ROWS_BELOW_CALLS, /* below each call, within a limit */
};

/* A function body in the graph: its node I, after the arguments, is node first + (I - n_args),
 * named CALL/NODE, CALL/ROLE/NODE (several functions in one call) or FUNCTION/NODE. */
struct call_site {
    node_id call; /* NODE_NONE: a function listed by name */
    strid role;   /* attribute that names the function: "f", "branches_0"; "": the op does */
    strid function;
    node_id first;
    uint32_t n_nodes;
};

/* A tensor of a model's signature. */
struct signature_end {
    strid signature;   /* "serving_default" */
    strid key;         /* "images" */
    strid tensor;      /* "x:0", as recorded; STRID_EMPTY: not a dense tensor */
    const char *dtype; /* "DT_FLOAT": static text */
    shape_id shape;
    bool is_output;
};

/* A tensor that nodes read but no node produces: an input of the graph or of a function body.
 * Inputs refer to it by name. */
struct free_tensor {
    strid name;
    shape_id shape;
    uint8_t element_bits; /* 0: unknown */
    uint64_t batch_dims; /* bit I: dimension I, which is unknown, is the batch size */
};

/* Facts that a file states about itself, for `summary`. Facts with equal keys are adjacent. */
enum file_fact_kind {
    FACT_NUMBER,      /* number[0] */
    FACT_FLAG,        /* number[0], 0 or 1 */
    FACT_EMPTY,       /* an object without members */
    FACT_TEXT,        /* text */
    FACT_ITEM,        /* text of a list element */
    FACT_MEMBER,      /* name and text of an object member */
    FACT_MEMBER_COUNT, /* name and number[0] */
    FACT_TENSORS,     /* name; tensors, parameters and bytes in number[] */
};

struct file_fact {
    const char *key; /* static text */
    strid name, text;
    int64_t number[3];
    uint16_t file;
    uint8_t kind; /* enum file_fact_kind */
};

/* Data shared by a profile and its extension (builder_fork()): graph memory, input files, and
 * function bodies. Reference counted. */
struct profile_base {
    atomic_uint refs;
    struct arena arena;
    struct source_file *files; /* heap; only released here; without names */
    size_t n_files;
    struct function_source functions;
};

/* A list of records: indexes in exec_positions. */
struct exec_range {
    uint32_t begin, end;
};

struct profile {
    struct profile_base *base; /* NULL: nothing is shared */
    struct arena arena; /* memory of everything below except files and strings */
    struct intern strings;

    struct clock clock; /* unit of instants and records of executions */

    uint32_t n_nodes;
    /* Nodes of traces have parts if call stacks or input shapes of their executions differ. Ids
     * of parts follow those of nodes, from n_nodes on; executions of a part also belong to its
     * node. */
    uint32_t n_parts;
    uint32_t *part_begin;  /* CSR by node, of ids minus n_nodes; NULL: no node has parts */
    node_id *node_of_part; /* by part */
    uint32_t *n_steps_of_node; /* by node, without STEP_OUTSIDE; NULL: no node has parts */
    /* By part: shapes and values of an operator's inputs, as JSON of the trace; STRID_EMPTY:
     * unknown */
    strid *call_dims, *call_values;
    /* Columns, each [n_nodes + n_parts] except node_of_string and CSR lists */
#define NODE_COLUMN_MEMBER(member, type, ...) type *member;
    NODE_COLUMNS(NODE_COLUMN_MEMBER)
#undef NODE_COLUMN_MEMBER
    typeset_id *typeset;
    /* CSR: the list of node I is [x_begin[I], x_begin[I + 1]) */
    uint32_t *input_begin; /* sorted by position */
    struct node_input *inputs;
    struct odd_input *odd_inputs; /* ascending */
    uint32_t n_odd_inputs;
    uint32_t *output_begin; /* sorted by index */
    struct node_output *outputs;
    uint32_t *run_output_begin; /* in recorded order */
    struct run_output *run_outputs;
    uint32_t *exec_begin;  /* of nodes; sorted by step, then in recorded order */
    struct exec_range *part_execs; /* by part; an only part may share the list of its node */
    uint32_t *exec_positions; /* offsets in exec_records, in units of EXEC_ALIGN */

    uint8_t *exec_records; /* packed; read them by profile_execs() and related functions */
    size_t exec_records_bytes;
    struct exec_layout *exec_layouts; /* of all records */
    uint32_t n_exec_layouts;
    /* Clipped records of a profile cut to a time range (view/cut.h); their places follow those of
     * exec_records. NULL: none. */
    const uint8_t *cut_records;
    unsigned exec_figures;  /* a bit for each exec_figure that is not 0 for all executions */
    bool has_negative_runs; /* figures of executions may be negative */
    bool exec_sums_fit;     /* no time is negative, and no sum (picoseconds) overflows */

    struct shape *shapes; /* by shape_id */
    uint32_t n_shapes;
    uint32_t *typeset_begin; /* CSR by typeset_id */
    strid *typeset_types;
    uint32_t n_typesets;
    struct call_stacks call_stacks;
    uint32_t first_base_frame; /* comparison: first frame of the baseline alone; 0: none */

    node_id *node_of_string; /* [strings.n when built] the node of that name, or NODE_NONE */
    uint32_t n_node_of_string;
    node_id *by_name;        /* [n_nodes] nodes sorted by name */

    uint8_t kind; /* enum profile_kind (profile_kind.h), of all inputs together */
    int32_t producer; /* version of the program that wrote the graph; 0: unknown */
    int64_t *steps; /* ascending, distinct */
    uint32_t n_steps;
    bool has_stacks;                 /* a code_def was read */
    bool has_runs_of_stacks;         /* run counts are samples of call stacks */
    bool misses_accelerator_stream; /* semantics.md section 1.2 */
    bool has_runtime;               /* there is step data from RunMetadata or ProfileProto */

    /* Values of variables (load/checkpoint/checkpoint.h), or NULL; and the function to free
     * them. */
    struct checkpoint *checkpoint;
    void (*checkpoint_close)(struct checkpoint *);

    struct programs *programs; /* compiled programs and their run; NULL: none */

    struct function_source functions;
    uint32_t n_functions; /* number of functions that the files define */
    enum function_rows function_rows;
    struct call_site *call_sites; /* sorted by first; their nodes do not overlap */
    uint32_t n_call_sites;
    node_id *cut_calls; /* ascending: calls whose bodies were left out */
    uint32_t n_cut_calls;
    uint64_t expanded_bytes; /* memory of rows of functions, counted by the load's budget */
    /* Rules of static_float_ops in a stored profile whose function bodies are rows, because it has
     * no functions: enum flops_rules + 1; 0: unknown. */
    unsigned stored_rules;
    uint8_t *stored_state; /* [n_stored_states] enum flops_state + 1, 0: unknown */
    uint32_t n_stored_states;
    struct signature_end *signature_ends; /* in file order */
    uint32_t n_signature_ends;
    /* Prefix of op types in the table of shape and FLOPs rules; "": TensorFlow.  Static text. */
    const char *op_set;
    /* Decodes a definition of NODE_FORM_OWN_NODE or a later form, see attrs_decode(). */
    const struct attr *(*attrs_of_def)(const struct profile *p, struct node_def def,
                                       struct arena *arena, size_t *n);
    struct free_tensor *free_tensors; /* by name */
    uint32_t n_free_tensors;
    struct file_fact *file_facts; /* in the order of the files */
    uint32_t n_file_facts;

    struct recorder *recorders; /* of traces, in load order; heap */
    uint32_t n_recorders;

    struct graph_replays *graphs; /* of traces; NULL: neither replays nor captures */

    /* Read by profile_memory(). */
    struct memory_log *memory; /* NULL: none */
    struct memory_records *records; /* of RunMetadata; NULL: none */

    struct event_store *events; /* threads and streams of captures and traces; NULL: none */

    VEC(struct sample_file) sample_files;
    /* Files that have only some figures: these figures (bit per metric_id), number of such files,
     * and why the other figures are unknown (static text). */
    uint32_t known_figures, n_files_of_known;
    const char *why_unknown;

    struct source_file *files; /* heap, owned; `base` may own the bytes of the first ones */
    size_t n_files;
    struct notes notes; /* notes of loading */
};

/* The number of ids: nodes and parts. */
static inline uint32_t profile_n_ids(const struct profile *p)
{
    return p->n_nodes + p->n_parts;
}

/* The node of ID, which is a node or a part. */
static inline node_id profile_node_of_part(const struct profile *p, node_id id)
{
    return id < p->n_nodes ? id : p->node_of_part[id - p->n_nodes];
}

static inline bool profile_has_parts(const struct profile *p, node_id node)
{
    return p->n_parts && node < p->n_nodes && p->part_begin[node] < p->part_begin[node + 1];
}

/* Frees a profile and closes its inputs; P may be NULL. */
void profile_free(struct profile *p);

/* Records that a file has only FIGURES, a bit per metric_id. WHY_UNKNOWN is static text. */
void profile_add_known_figures(struct profile *p, uint32_t figures, const char *why_unknown);

/* Returns the total size of all inputs after decompression. */
uint64_t profile_input_bytes(const struct profile *p);

/* True when the code view counts samples of call stacks: their weights are runs. */
static inline bool profile_has_samples(const struct profile *p)
{
    if (p->has_runs_of_stacks)
        return true;
    for (uint32_t i = 0; i < p->n_recorders; i++)
        if (p->recorders[i].has_samples)
            return true;
    return false;
}

/* True when NODE is known only from runs: its op type is its name (semantics.md section 1.2). */
static inline bool profile_is_of_run(const struct profile *p, node_id node)
{
    return p->op[node] == p->name[node] &&
           (p->def[node].form == NODE_FORM_NONE || p->def[node].of_run);
}

/* The call site that contains NODE; NULL: a node of the graph itself. */
const struct call_site *profile_call_site_of(const struct profile *p, node_id node);

/* True when NODE calls a function whose body was left out. */
bool profile_call_is_cut(const struct profile *p, node_id node);

/* The node with a name of LEN bytes, or NODE_NONE. */
node_id profile_find(const struct profile *p, const char *name, size_t len);
/* The node whose name is the string ID, or NODE_NONE. */
node_id profile_node_of(const struct profile *p, strid id);

/* The call stack of an id, STACK_NONE included. */
static inline const struct call_stack *profile_stack(const struct profile *p, stack_id id)
{
    return &p->call_stacks.stacks[id];
}

static inline const char *profile_text(const struct profile *p, strid id)
{
    return intern_text(&p->strings, id);
}

/* Iterates over the steps of NODE, ascending:
 *
 *     struct exec_walk walk = profile_execs(p, node);
 *     while (exec_next(&walk, &e)) ... e ...
 *
 * exec_next_checked() also sets *SATURATED when a sum reached a 64-bit limit. */
struct exec_walk {
    const struct profile *profile;
    uint32_t at, end; /* indexes in exec_positions */
};

static inline struct exec_range profile_exec_range(const struct profile *p, node_id id)
{
    return id < p->n_nodes ? (struct exec_range){p->exec_begin[id], p->exec_begin[id + 1]}
                           : p->part_execs[id - p->n_nodes];
}

static inline struct exec_walk profile_execs(const struct profile *p, node_id node)
{
    const struct exec_range range = profile_exec_range(p, node);

    return (struct exec_walk){p, range.begin, range.end};
}

bool exec_next_checked(struct exec_walk *walk, struct exec *e, bool *saturated);
static inline bool exec_next(struct exec_walk *walk, struct exec *e)
{
    bool saturated = false;

    return exec_next_checked(walk, e, &saturated);
}

/* As exec_next(), limited to executions on devices with COUNTED[strid] = 1; each record must have
 * one device, as in captures. */
bool exec_next_on(struct exec_walk *walk, const uint8_t *counted, struct exec *e);
/* Executions and their time over all steps; COUNTED as in exec_next_on(), or NULL: on all devices. */
void profile_exec_total(const struct profile *p, node_id node, const uint8_t *counted, int64_t *run_count,
                        int64_t *time_ps);

/* True when NODE has an execution in any step. */
static inline bool profile_ran(const struct profile *p, node_id node)
{
    const struct exec_range range = profile_exec_range(p, node);

    return range.begin != range.end;
}

bool profile_ran_at(const struct profile *p, node_id node, int64_t step);
/* Sums of NODE at STEP; false when it did not run. */
bool profile_exec(const struct profile *p, node_id node, int64_t step, struct exec *e);
/* Replaces the contents of LISTS by the lists of E; devices are sorted by name. */
void profile_exec_lists(const struct profile *p, const struct exec *e, struct exec_lists *lists);
/* The packed record (model/exec.h) at POSITION, an element of exec_positions; its bytes, and its step. */
static inline const uint8_t *profile_record_bytes(const struct profile *p, uint32_t position)
{
    const size_t at = (size_t)position * EXEC_ALIGN;

    return at < p->exec_records_bytes || !p->cut_records
               ? p->exec_records + at
               : p->cut_records + (at - p->exec_records_bytes);
}
static inline struct packed_exec profile_record(const struct profile *p, uint32_t position)
{
    return packed_exec_at(p->exec_layouts, profile_record_bytes(p, position));
}
int64_t profile_record_step(const struct profile *p, uint32_t position);
bool profile_has_step(const struct profile *p, int64_t step);
/* The number of STEP of an execution, which includes the rank in profiles with ranks. */
static inline int64_t profile_step_number(const struct profile *p, int64_t step)
{
    return p->n_recorders ? step_of_ranked(step) : step;
}

/* The shape of output INDEX of NODE; SHAPE_UNKNOWN when unknown. */
shape_id profile_output_shape(const struct profile *p, node_id node, int32_t index);
/* The position of input I (index in p->inputs), which belongs to NODE, among all inputs of NODE,
 * control inputs included. */
int32_t profile_input_position(const struct profile *p, node_id node, uint32_t i);
/* The source name of input I. */
strid profile_input_name(const struct profile *p, uint32_t i);
/* The free tensor of a name, or NULL. */
const struct free_tensor *profile_free_tensor(const struct profile *p, strid name);
/* True when op types are not those of TensorFlow. */
static inline bool profile_has_op_set(const struct profile *p)
{
    return p->op_set && *p->op_set;
}
/* True when output sizes are computed from shapes: op types are not those of TensorFlow, and no run was
 * recorded. */
static inline bool profile_sizes_outputs(const struct profile *p)
{
    return profile_has_op_set(p) && !p->n_steps;
}
/* The shape of INPUT: that of its source at the output index; SHAPE_UNKNOWN when source or shape
 * are missing. */
shape_id profile_input_shape(const struct profile *p, const struct node_input *input);

/* The devices of NODE, *N of them, sorted by name: p->device, or STRID_EMPTY; nodes of captures may
 * have several. */
const strid *profile_devices(const struct profile *p, node_id node, uint32_t *n);

/* Device of asynchronous spans of traces. Their time is a part of micros, but no CPU time: it overlaps
 * that of threads. */
#define ASYNC_DEVICE "/async"
bool profile_is_async(const struct profile *p, node_id node);
/* The device of such nodes; STRID_NONE: P has none. */
strid profile_async_device(const struct profile *p);

/* True when NODE's canonical device is an accelerator (semantics.md section 1.2). */
bool profile_on_accelerator(const struct profile *p, node_id node);
