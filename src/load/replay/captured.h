/* captured.h: captured graphs: their launches, the slices around these, and call stacks
 * (formats-trace.md section 11). */
#pragma once

#include "load/replay/kernel_token.h"
#include "load/trace/trace_build.h"
#include "model/graph_replays.h"

#define GRAPH_NONE UINT32_MAX

/* A captured launch, or a slice around one.  Ids of strings, arguments, categories and stacks are
 * those of struct captures. */
struct captured_slice {
    strid name;
    uint32_t args;
    uint32_t parent; /* index of an earlier slice, or SLICE_NONE */
    uint32_t graph;  /* captured_graph.id of the graph in which it begins, or GRAPH_NONE */
    uint32_t stack;
    uint16_t category;
    uint8_t kind;    /* enum category_kind */
    bool is_module;
};

struct captured_launch {
    uint32_t slice, owner; /* owner: slice whose row gets its work */
};

struct captured_graph {
    int64_t start_ns, end_ns;
    uint32_t id, track; /* track: in the log that was read */
    uint32_t first_launch, n_launches;
    bool has_nodes; /* all launches have a graph node id */
};

/* A file with captured graphs. */
struct captured_file {
    char *path;           /* heap */
    int64_t rank;         /* -1: unknown */
    int64_t listed_size, named_size; /* from execution_details.json, file name; or SIZE_UNKNOWN */
    int64_t noted_size;   /* from an annotation, or SIZE_UNKNOWN */
    char *listed_mode;    /* heap; NULL if not listed */
    bool is_own;          /* found in a trace that also has replays */
    bool is_given;        /* -capture names the file */
    bool is_opened, is_bad; /* is_bad: unusable */
    bool is_used, has_modules;
    VEC(struct captured_slice) slices;   /* by start within each track */
    VEC(struct captured_graph) graphs;   /* by start */
    VEC(struct captured_launch) launches; /* by graph, then launch order, as the lists below */
    VEC(struct kernel_token) tokens;
    VEC(uint32_t) rows;                  /* launches with equal numbers have the same row */
    VEC(int64_t) nodes;                  /* graph node ids, or NUMBER_NONE */
};

/* A frame of a call stack and its caller; id 0 is the empty stack. */
struct captured_stack {
    uint32_t caller;
    strid name;
};

/* All captures of a load, and the tables that they share. */
struct captures {
    struct loader *l;
    struct loader *strings;  /* heap; its builder owns the strings */
    struct trace_log log;    /* only categories and arguments */
    struct intern names;     /* kernel names */
    struct intern paths;     /* keys (parent path, name) of rows below a launch */
    struct intern rows;      /* struct row_key */
    struct intern stack_ids; /* struct captured_stack */
    VEC(struct captured_file) list;
};

void captures_init(struct captures *all, struct loader *l);
void captures_done(struct captures *all);
void capture_done(struct captured_file *c);

/* Copy a string, an argument set or a category from FROM to TO; return its id in TO. */
strid log_copy_string(struct trace_log *to, const struct trace_log *from, strid id);
uint32_t log_copy_args(struct trace_log *to, const struct trace_log *from, uint32_t args);
uint16_t log_copy_category(struct trace_log *to, const struct trace_log *from, uint16_t category);

/* Adds the captured graphs of LOG to C, which is empty.  LOG must have its slices in file order.
 * False if there are none. */
bool captured_read(struct captures *all, struct captured_file *c, const struct trace_log *log);
/* True if LOG may have captured graphs. */
bool log_may_have_captures(const struct trace_log *log);

/* The graph node id of SLICE, an index in file order, or NUMBER_NONE. */
int64_t log_graph_node(const struct trace_log *log, uint32_t slice);
/* The kind of each category of LOG; heap, owned by the caller. */
uint8_t *category_kinds(const struct trace_log *log);
