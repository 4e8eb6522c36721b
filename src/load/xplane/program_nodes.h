/* program_nodes.h: makes nodes of the instructions of compiled programs (formats-xplane.md section
 * 8). */
#ifndef TFPROF_LOAD_XPLANE_PROGRAM_NODES_H
#define TFPROF_LOAD_XPLANE_PROGRAM_NODES_H

#include "base/budget.h"
#include "hlo/cost.h"
#include "hlo/memory.h"
#include "hlo/module.h"
#include "load/xplane/run.h"
#include "model/capture.h"

/* A program with a module. */
struct program_module {
    uint32_t program; /* index in run.programs; the first one of several hosts */
    struct hlo_module *module;
    struct hlo_costs *costs;
    struct hlo_memory *memory; /* NULL: the file does not say */
};

/* The nodes of a module: for all devices, or with -devices split for one device. */
struct module_nodes {
    uint32_t module; /* in nodes.modules */
    uint32_t device; /* in run.devices; DEVICE_NONE: all */
    node_id *of_instruction; /* NODE_NONE: no node */
};

/* Module, instruction and device of a node. */
struct node_origin {
    uint32_t module;      /* in nodes.modules; UINT32_MAX: none */
    uint32_t instruction; /* of that */
    uint32_t list;        /* in nodes.lists, of module and device */
    bool has_stack;
};

/* Everything that makes nodes of a run; kept by the profile, for explanations. */
/* Frames kept of a Python call, innermost first: recursion may be arbitrarily deep. */
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
    uint64_t n_cut_stacks;     /* stacks cut by STACK_FRAMES_MAX or the budget */
    bool split;                /* -devices split */
    bool has_no_run;           /* files of programs: costs are those of one run of all */
};

void nodes_free(struct nodes *n);

/* Labels the programs of R and reads the modules of those that ran, or of all if none ran. Returns
 * false with ERR set if one is malformed. */
bool nodes_read_programs(struct nodes *n, struct run *r, struct loader *l, struct err *err);

/* The nodes of PROGRAM (index in run.programs) for DEVICE, created on first use; NULL if it has no
 * module. */
const struct module_nodes *nodes_of_program(struct nodes *n, struct run *r, struct loader *l,
                                            uint32_t program, uint32_t device);

/* Stores cost and origin of NODE, unless they are stored already. */
void nodes_keep(struct nodes *n, node_id node, const struct capture_cost *cost,
                struct node_origin origin);

/* The origin of NODE. */
struct node_origin nodes_origin(const struct nodes *n, node_id node);
/* Bytes allocated for the output arrays of one execution of instruction I. */
int64_t program_output_bytes(const struct hlo_module *m, uint32_t i);

/* Appends the prefix of names with -devices split: "NAME:GPU:0/". */
void nodes_prefix(const struct nodes *n, const struct run *r, const struct loader *l,
                  uint32_t device, struct strbuf *name);

#endif
