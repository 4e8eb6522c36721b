/* run_batch.h: decodes RunMetadata entries independently of the profile that they are added to
 * (semantics.md section 1.2). */
#pragma once

#include "load/loader.h"
#include "load/graph/shape.h"

/* Step and device of entries. */
struct step_device {
    int64_t step;
    strid device, host_device;
    bool canonical, stream, on_cpu;
};

/* Bits: the parts of an entry that are decoded. */
enum run_part { RUN_HEAD = 1, RUN_RECORD = 2, RUN_OUTPUTS = 4 };

/* A NodeExecStats to decode. */
struct run_message {
    struct span message;
    const struct step_device *step_device;
};

struct run_entry {
    struct span message;
    const struct step_device *step_device;
    unsigned done; /* bits of enum run_part; a malformed entry lacks some */
    struct span name; /* up to the colon */
    uint32_t name_hash;
    int64_t start_us, end_rel_us;
    bool saturated;
    size_t record, record_bytes;    /* range in records */
    size_t first_output, n_outputs; /* range in outputs */
    size_t first_history, n_histories; /* range in histories */
};

/* The records of one allocator in an entry. */
struct run_history {
    struct span allocator;
    size_t first, n; /* range in history_events */
};

/* The shape of an output, if described. */
struct run_shape {
    int32_t slot;
    bool described;
    struct decoded_shape shape;
};

/* Entries in file order.  Their data is in lists shared by the batch. */
struct run_batch {
    VEC(struct run_message) messages;
    VEC(struct run_entry) entries; /* of all messages */
    struct exec_pack records;
    VEC(struct run_shape) outputs;
    dim_list dims;
    VEC(struct run_history) histories;
    VEC(struct allocation) history_events;
    /* of the current entry */
    VEC(struct wire_field) fields; /* memory and output fields */
    VEC(struct output_buffer) buffers;
    VEC(struct allocation) allocations;
    struct arena pieces; /* joined pieces of messages */
};

/* Frees the contents of BATCH, a struct run_batch; empty when zeroed. */
void run_batch_done(void *batch);
/* Empties it and keeps its memory. */
void run_batch_clear(void *batch);
/* Adds the NodeExecStats MESSAGE without decoding it. */
void run_batch_add(struct run_batch *batch, struct span message, const struct step_device *step_device);
/* Decodes the well-formed parts of all added messages.  Uses only those parts of L that messages
 * need, so several threads may decode for one loader. */
void run_batch_decode(struct run_batch *batch, const struct loader *l);
/* Adds the decoded entries to the profile; false with ERR when a part that is needed is
 * malformed. */
bool run_batch_join(struct run_batch *batch, struct loader *l, struct err *err);

/* ---- run_memory.c */

enum { ENTRY_MEMORY = 6, ENTRY_OUTPUT = 7, ENTRY_MEMORY_STATS = 12 };

/* Fills MEMORY, batch->buffers and batch->allocations from batch->fields of ENTRY; appends to
 * batch->histories. */
bool run_memory_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                       struct exec_memory *memory, struct err *err);
/* Appends output shapes to batch->outputs. */
bool run_outputs_decode(struct run_batch *batch, const struct loader *l, struct run_entry *entry,
                        struct err *err);
