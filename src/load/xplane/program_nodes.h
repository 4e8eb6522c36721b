/* program_nodes.h: the instructions of compiled programs as nodes (formats-xplane.md section 8). */
#ifndef TFPROF_LOAD_XPLANE_PROGRAM_NODES_H
#define TFPROF_LOAD_XPLANE_PROGRAM_NODES_H

#include "base/budget.h"
#include "hlo/cost.h"
#include "hlo/memory.h"
#include "hlo/module.h"
#include "load/xplane/run.h"
#include "model/capture.h"

/* A program whose instructions are known. */
struct program_module {
    uint32_t program; /* in run.programs; of several hosts the first */
    struct hlo_module *module;
    struct hlo_costs *costs;
    struct hlo_memory *memory; /* NULL: the file does not say */
};

/* The nodes of a module: of all devices, or with -devices split of one of them. */
struct module_nodes {
    uint32_t module; /* in nodes.modules */
    uint32_t device; /* in run.devices; DEVICE_NONE: all */
    node_id *of_instruction; /* NODE_NONE: is none */
};

/* What a node is of; by node. */
struct node_origin {
    uint32_t module;      /* in nodes.modules; UINT32_MAX: none */
    uint32_t instruction; /* of that */
    uint32_t list;        /* in nodes.lists, of module and device */
    bool has_stack;
};

/* Everything that makes nodes of a run; kept by the profile, for explanations. */
/* A Python call keeps the innermost of its callers: recursion may be as deep as a file is long. */
enum { STACK_FRAMES_MAX = 256 };

struct nodes {
    VEC(struct program_module) modules;
    VEC(struct module_nodes) lists;
    struct lookup list_by_module;
    VEC(struct capture_cost) costs; /* by node */
    VEC(struct node_origin) origins; /* by node */
    strid *labels;             /* by program */
    uint32_t *module_of;       /* by program, in modules; UINT32_MAX: there is none */
    VEC(uint32_t) n_paths;     /* by name of a Python call: how many nodes it has */
    struct budget frames;      /* memory of the stacks of Python calls */
    uint64_t n_cut_stacks;     /* deeper than STACK_FRAMES_MAX, or than the budget */
    bool split;                /* -devices split */
};

void nodes_free(struct nodes *n);

/* Labels the programs of R and reads the modules of those that ran, all of them when none ran.
 * False with ERR when one is malformed. */
bool nodes_read_programs(struct nodes *n, struct run *r, struct loader *l, struct err *err);

/* The nodes of PROGRAM (in run.programs) for DEVICE, made when they are asked for first; NULL when
 * it has no module. */
const struct module_nodes *nodes_of_program(struct nodes *n, struct run *r, struct loader *l,
                                            uint32_t program, uint32_t device);

/* Keeps what NODE costs and is of; what is kept of it already stays. */
void nodes_keep(struct nodes *n, node_id node, const struct capture_cost *cost,
                struct node_origin origin);

/* What NODE is of. */
struct node_origin nodes_origin(const struct nodes *n, node_id node);
/* Bytes of the arrays that one execution of instruction I makes anew. */
int64_t program_output_bytes(const struct hlo_module *m, uint32_t i);

/* Appends "NAME:GPU:0/", what comes before names with -devices split. */
void nodes_prefix(const struct nodes *n, const struct run *r, const struct loader *l,
                  uint32_t device, struct strbuf *name);

#endif
