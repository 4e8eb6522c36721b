/* run_batch.h: entries of a RunMetadata decoded apart from the profile they
 * will join (semantics.md section 1.2). */
#ifndef TFPROF_LOAD_RUN_BATCH_H
#define TFPROF_LOAD_RUN_BATCH_H

#include "load/loader.h"
#include "load/graph/shape.h"

/* Where entries come from. */
struct run_place {
    int64_t step;
    strid device, host_device;
    bool canonical, stream, on_cpu;
};

/* What of an entry is decoded. */
enum run_part { RUN_HEAD = 1, RUN_RECORD = 2, RUN_OUTPUTS = 4 };

/* A NodeExecStats that waits to be decoded. */
struct run_message {
    struct span message;
    const struct run_place *place;
};

struct run_entry {
    struct span message;
    const struct run_place *place;
    unsigned done; /* bits of enum run_part: a malformed entry may miss some */
    struct span name; /* up to the colon */
    uint32_t name_hash;
    int64_t start_us, end_rel_us;
    bool saturated;
    size_t record, record_bytes;    /* in records */
    size_t first_output, n_outputs; /* in outputs */
    size_t first_history, n_histories; /* in histories */
};

/* What an entry has of one allocator. */
struct run_history {
    struct span allocator;
    size_t first, n; /* in history_events */
};

/* The shape of an output, which may have none. */
struct run_shape {
    int32_t slot;
    bool described;
    struct decoded_shape shape;
};

/* Entries in the order of the file.  What they have stands in lists that all
 * share. */
struct run_batch {
    VEC(struct run_message) messages;
    VEC(struct run_entry) entries; /* of all messages */
    struct exec_pack records;
    VEC(struct run_shape) outputs;
    dim_list dims;
    VEC(struct run_history) histories;
    VEC(struct allocation) history_events;
    /* of the entry in work */
    VEC(struct wire_field) fields; /* those that hold memory and outputs */
    VEC(struct output_buffer) buffers;
    VEC(struct allocation) allocations;
    struct arena pieces; /* messages that are in pieces, put together */
};

/* Frees what BATCH, a struct run_batch, owns; one of zeros is empty. */
void run_batch_done(void *batch);
/* Empties it but keeps its memory. */
void run_batch_clear(void *batch);
/* Adds the NodeExecStats MESSAGE, not yet decoded. */
void run_batch_add(struct run_batch *batch, struct span message, const struct run_place *place);
/* Decodes all that was added, as far as it is well formed.  Of L only what messages
 * need is read, so several threads may decode for one loader. */
void run_batch_decode(struct run_batch *batch, const struct loader *l);
/* Adds the decoded entries to the profile; false with ERR when one that counts is
 * malformed.  What nobody needs may be anything. */
bool run_batch_join(struct run_batch *batch, struct loader *l, struct err *err);

/* ---- run_memory.c: between the files of a batch */

enum { ENTRY_MEMORY = 6, ENTRY_OUTPUT = 7, ENTRY_MEMORY_STATS = 12 };

/* Fills MEMORY, and batch->buffers and batch->allocations, with what
 * batch->fields say of ENTRY; appends to batch->histories. */
bool run_memory_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                       struct exec_memory *memory, struct err *err);
/* Appends the shapes of its outputs to batch->outputs. */
bool run_outputs_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                        struct err *err);

#endif
