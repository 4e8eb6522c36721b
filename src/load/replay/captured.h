/* captured.h: structure of captured graphs: the launches of each, the slices around these, and their
 * call stacks (formats-trace.md section 11). */
#pragma once

#include "load/replay/kernel_token.h"
#include "load/trace/trace_build.h"
#include "model/graph_replays.h"

#define GRAPH_NONE UINT32_MAX

/* A slice around a captured launch, or the launch itself.  Strings, arguments, categories and stacks
 * are those of struct captures. */
struct captured_slice {
    strid name;
    uint32_t args;
    uint32_t parent; /* before it in the list; SLICE_NONE: none */
    uint32_t graph;  /* in which it begins: struct captured_graph.id; GRAPH_NONE: outside */
    uint32_t stack;
    uint16_t category;
    uint8_t kind;    /* enum category_kind */
    bool is_module;
};

struct captured_launch {
    uint32_t slice, owner; /* owner: the row of its work */
};

struct captured_graph {
    int64_t start_ns, end_ns;
    uint32_t id, track; /* track: of the log that was read */
    uint32_t first_launch, n_launches;
    bool has_nodes; /* all launches have a node of the graph */
};

/* A file with captured graphs. */
struct captured_file {
    char *path;           /* heap */
    int64_t rank;         /* -1: not known */
    int64_t listed_size, named_size; /* by execution_details.json, by the file's name; SIZE_UNKNOWN */
    int64_t noted_size;   /* by an annotation */
    char *listed_mode;    /* heap; NULL: not listed */
    bool is_own;          /* of a trace that has replays: not a file of its own */
    bool is_given;        /* by -capture as a file */
    bool is_opened, is_bad; /* is_bad: cannot be used */
    bool is_used, has_modules;
    VEC(struct captured_slice) slices;   /* by start, on each track */
    VEC(struct captured_graph) graphs;   /* by start */
    VEC(struct captured_launch) launches; /* by graph, then order; as these: */
    VEC(struct kernel_token) tokens;
    VEC(uint32_t) rows;                  /* equal numbers are equal rows */
    VEC(int64_t) nodes;                  /* of the graph; NUMBER_NONE */
};

/* A call stack, below its caller; 0 is the empty one. */
struct captured_stack {
    uint32_t caller;
    strid name;
};

/* All captures of a load, and what they share. */
struct captures {
    struct loader *l;
    struct loader *strings;  /* its builder has the strings; heap */
    struct trace_log log;    /* categories and arguments */
    struct intern names;     /* of kernels */
    struct intern paths;     /* (path above, name) of the rows below a launch */
    struct intern rows;      /* struct row_key */
    struct intern stack_ids; /* struct captured_stack */
    VEC(struct captured_file) list;
};

void captures_init(struct captures *all, struct loader *l);
void captures_done(struct captures *all);
void capture_done(struct captured_file *c);

/* The string, arguments and category of FROM in TO. */
strid log_copy_string(struct trace_log *to, const struct trace_log *from, strid id);
uint32_t log_copy_args(struct trace_log *to, const struct trace_log *from, uint32_t args);
uint16_t log_copy_category(struct trace_log *to, const struct trace_log *from, uint16_t category);

/* Adds the captured graphs of LOG, whose slices are as read, to C, which has none.  False: there are
 * none. */
bool captured_read(struct captures *all, struct captured_file *c, const struct trace_log *log);
/* True when LOG has slices that captured_read() has to look at. */
bool captured_may_be_in(const struct trace_log *log);

/* The node of a graph that SLICE of LOG, as read, belongs to; NUMBER_NONE. */
int64_t log_graph_node(const struct trace_log *log, uint32_t slice);
/* The kinds of the categories of LOG; the caller frees them. */
uint8_t *category_kinds(const struct trace_log *log);
