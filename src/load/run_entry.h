/* run_entry.h: one entry of a RunMetadata, between its readers. */
#ifndef TFPROF_LOAD_RUN_ENTRY_H
#define TFPROF_LOAD_RUN_ENTRY_H

#include "load/loader.h"

/* Where the entries in work come from. */
struct run_place {
    int64_t step;
    strid device, host_device;
    bool canonical, stream, on_cpu;
};

/* What is read of a NodeExecStats; its memory fields are in loader.fields. */
struct run_entry {
    struct span name;
    int64_t start_us, end_rel_us;
};

enum { ENTRY_MEMORY = 6, ENTRY_OUTPUT = 7, ENTRY_MEMORY_STATS = 12 };

/* Adds the memory record of ENTRY, an entry on the node's canonical device. */
bool run_memory_add(struct loader *l, const struct run_place *at, const struct run_entry *entry,
                    node_id node, struct err *err);
/* Keeps the shapes of its outputs when they are the most seen for NODE. */
bool run_outputs_add(struct loader *l, node_id node, struct err *err);

#endif
