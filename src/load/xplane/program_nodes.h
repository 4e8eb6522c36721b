/* program_nodes.h: makes nodes of the instructions of compiled programs (formats-xplane.md section
 * 8). */
#pragma once

#include "base/budget.h"
#include "hlo/cost.h"
#include "hlo/memory.h"
#include "hlo/module.h"
#include "load/loader.h"
#include "load/xplane/run.h"
#include "model/programs.h"
#include "model/events.h"

/* A program with a module. */
struct program_module {
    uint32_t program; /* index in run.programs; the first one of several hosts */
    struct hlo_module *module;
    struct hlo_costs *costs;
    struct hlo_memory *memory; /* NULL: not recorded */
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

/* Frames kept of a Python call, innermost first: recursion may be arbitrarily deep. */
enum { STACK_FRAMES_MAX = 256 };

/* Everything that makes nodes of a run; owned by the profile, which uses it for explanations. */
struct nodes {
    VEC(struct program_module) modules;
    VEC(struct module_nodes) lists;
    struct lookup list_by_module;
    VEC(struct program_cost) costs; /* by node */
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
void nodes_keep(struct nodes *n, node_id node, const struct program_cost *cost,
                struct node_origin origin);

/* The origin of NODE. */
struct node_origin nodes_origin(const struct nodes *n, node_id node);
/* Bytes allocated for the output arrays of one execution of instruction I. */
int64_t program_output_bytes(const struct hlo_module *m, uint32_t i);

/* Appends the prefix of names with -devices split: "NAME:GPU:0/". */
void nodes_prefix(const struct nodes *n, const struct run *r, const struct loader *l,
                  uint32_t device, struct strbuf *name);

/* Fills c->held_steps.  All events of R have steps and nodes. */
void held_add_steps(const struct run *r, const struct nodes *n, struct programs *c);
/* Fills c->held; c->device_begin is set already. */
void held_add(const struct nodes *n, struct programs *c);

/* Cost formulas and attributes of nodes that are instructions (model/programs.h); CONTEXT: a struct
 * nodes. */
void instruction_formula(void *context, node_id node, bool transcendentals, struct strbuf *sb);
struct text instruction_target(void *context, node_id node);
const struct attr *instruction_attrs(void *context, node_id node, struct arena *arena, size_t *n);

/* The class of the events of OP, which has a node. */
enum event_class op_class(const struct run *r, const struct nodes *n, const struct run_op *op,
                          const struct intern *strings);

/* Assigns the op of the launch to device events without an op. */
void ops_take_launches(struct run *r);
/* Marks the programs that ran. */
void ops_find_programs(struct run *r);
/* Sets the node of every op in R. */
void ops_make_nodes(struct nodes *n, struct run *r, struct loader *l);

/* Start times of the main program of a host on one device. */
struct device_runs {
    VEC(int64_t) starts_ps; /* ascending */
};

/* The program with the most time on each host of R: an index in run.programs, UINT32_MAX if none.
 * Host tracks must have self times.  The caller frees the array. */
uint32_t *executions_main_programs(struct run *r);

/* Marks the events that begin executions of their ops, and fills RUNS [r->devices.n]. */
void executions_find(const struct nodes *n, struct run *r, const uint32_t *main_programs,
                     struct device_runs *runs);

/* Renumbers ops by device, also in the events. */
void ops_sort_by_device(struct run *r);

/* Fills r->places, and adds a record for each node, step and device with events.  All events have self_ps and step
 * indexes, ops are sorted by device.  ORIGIN_PS is subtracted from times.  Changes nothing else, so
 * that another thread may derive figures from the events. */
void records_add(struct run *r, const struct nodes *n, struct loader *l, int64_t origin_ps);

/* Adds a track to the profile for each line and device with events, and a hidden track for the
 * launches of each host.  Times are those of executions: ORIGIN_PS becomes 0.  The three functions
 * are called in this order. */
struct packing *run_events_begin(struct run *r, const struct nodes *n, struct loader *l,
                                 int64_t origin_ps);
/* Packs the launches.  Changes only P and the event store. */
void run_events_add_launches(struct packing *p);
/* Packs the events, which are freed meanwhile to limit peak memory.  Frees P. */
void run_events_end(struct packing *p);

/* Adds a note for each kind of missing data. */
void run_notes_add(const struct run *r, const struct nodes *n, struct loader *l,
                   const struct programs *c);

/* Fills c->step_devices.  All events of R have self_ps, their steps and nodes. */
void step_times_add(const struct run *r, const struct nodes *n, struct programs *c, int64_t origin_ps);
/* Fills c->inputs. */
void input_times_add(const struct run *r, struct programs *c);

/* Fills r->steps with step numbers, ascending, and sets the step of all events to indexes in it;
 * EVENT_BEGINS is kept.  Adds a note about the rule used.  RUNS comes from executions_find(). */
enum program_steps steps_find(struct run *r, struct loader *l, const struct nodes *n,
                              const uint32_t *main_programs, const struct device_runs *runs);

/* The part of the facts about a capture that follows from its events.  Times in it are relative to
 * ORIGIN_PS. */
struct programs *facts_of_events(const struct run *r, const struct nodes *n, int64_t origin_ps);
/* Adds the other facts to C, which becomes the capture of the profile in L; takes ownership of N and C. */
void facts_add(struct run *r, struct nodes *n, struct loader *l, struct programs *c,
               int64_t origin_ps);

/* Adds the current file to L->run, which the first file creates.  With -host_regexes only its name
 * is added, because the names of all files determine what each host is called. */
bool load_capture(struct loader *l, struct err *err);
/* Reads the current file of L, which is entry FILE of the run's names. */
bool read_capture(struct loader *l, uint32_t file, struct err *err);
