/* profile_batch.h: ProfileNodes decoded apart from the profile they will join
 * (semantics.md section 1.5). */
#ifndef TFPROF_LOAD_PROFILE_BATCH_H
#define TFPROF_LOAD_PROFILE_BATCH_H

#include "load/graph/shape.h"
#include "load/loader.h"
#include "load/run/profile_own.h"

/* A string that is interned when its node joins. */
struct decoded_text {
    struct span text;
    uint32_t hash; /* intern_hash() of it */
};

static inline struct decoded_text decode_text(struct span text)
{
    return (struct decoded_text){text, intern_hash(text.bytes, text.len)};
}

static inline strid join_text(struct builder *b, const struct decoded_text *text)
{
    return builder_str_hashed(b, text->text.bytes, text->text.len, text->hash);
}

/* Elements of a list that all nodes of a batch share. */
struct list_part {
    size_t first, n;
};

static inline struct list_part list_part(size_t first, size_t end)
{
    return (struct list_part){first, end - first};
}

/* An input whose producer is in the profile, as builder_add_input() takes it. */
struct decoded_source {
    int32_t position;
    strid name;
    int32_t output_index, own_index;
};

/* The shape of an output; of a slot of a run. */
struct indexed_shape {
    int32_t index;
    struct decoded_shape shape;
};

/* The times of an execution record on one device, an ExecTime; small, as two bytes may hold one.
 * Lengths and places are those within a node, which has less than 4 GiB. */
struct device_times {
    const uint8_t *name, *message;
    uint32_t name_len, message_len;
    uint32_t name_hash; /* intern_hash() of it */
    strid device;       /* of the name, once it joins */
    uint32_t first_time;
    uint32_t n_times;   /* in times, without their device; or TIMES_BAD */
};

/* Malformed: of no interest where a later one of the same device replaces it. */
#define TIMES_BAD UINT32_MAX

/* An ExecProfile.  Its buffers stand in buffers, for all memories one behind the other. */
struct decoded_exec {
    int64_t step, run_count, start_ticks, latest_end_ticks;
    struct list_part accelerator_times, cpu_times; /* in device_times */
    struct list_part memories, allocations;
    struct list_part devices; /* in texts */
    size_t first_buffer;
};

/* What of a node is decoded. */
enum profile_part {
    PROFILE_HEAD = 1,
    PROFILE_GRAPH = 2, /* its lists */
    PROFILE_RUN = 4,   /* what it did, and the shapes of its outputs then */
};

struct profile_node {
    struct span entry; /* of the map of nodes */
    uint32_t ordinal;  /* number of the entry */
    unsigned done;     /* bits of enum profile_part */
    bool is_replaced;  /* by a later entry of the same id */
    bool has_graph;    /* inputs or attributes, which a run does not tell of */
    uint8_t state;     /* of float_ops, + 1; 0: not said */
    struct span message;
    struct decoded_text op;
    int64_t float_ops;
#define NODE_NUMBER(member, type) type member;
#define NODE_STRING(member, type) struct decoded_text member;
#define NODE_MEMBER(member, type, kind, vector, part, stored, field) \
    STORED_##stored(NODE_##kind(member, type))
    NODE_COLUMNS(NODE_MEMBER)
#undef NODE_NUMBER
#undef NODE_STRING
#undef NODE_MEMBER
    struct decoded_shape shape;
    struct list_part sources, types, stack, outputs, execs, run_outputs;
};

/* A map entry from a number, as the lists in work have it. */
struct numbered_index {
    int64_t key; /* a producer's id, or a position */
    int32_t index;
};

struct numbered_record {
    int64_t step;
    struct span record;
};

/* Nodes in the order in which they join.  What they have stands in lists that all share. */
struct profile_batch {
    const struct profile_names *names;
    VEC(struct profile_node) nodes;
    size_t n_decoded;
    struct err err; /* why nodes[n_decoded] could not be decoded */

    VEC(struct decoded_source) sources;
    VEC(struct decoded_text) texts; /* types, and devices of execution records */
    VEC(struct stack_part) stacks;
    VEC(struct indexed_shape) outputs, run_outputs;
    dim_list dims;
    VEC(struct decoded_exec) execs;
    VEC(struct device_times) device_times;
    VEC(struct exec_time) times;
    VEC(struct exec_memory) memories;
    VEC(struct output_buffer) buffers;
    VEC(struct allocation) allocations;
    struct arena pieces; /* messages that are in pieces, put together */

    /* of the node in work */
    VEC(struct wire_field) fields;
    dim_list numbers;
    VEC(struct numbered_index) source_indexes;
    VEC(struct numbered_index) input_indexes; /* by position in place of producer */
    VEC(int64_t) scalars; /* outputs whose shape [1] is a scalar's */
    VEC(struct numbered_record) step_records;
    VEC(struct wire_field) exec_fields; /* of the execution record in work */

    /* of the node that joins */
    VEC(strid) types;
    VEC(strid) devices;
};

/* Frees what BATCH, a struct profile_batch, owns; one of zeros is empty. */
void profile_batch_done(void *batch);
/* Empties it but keeps its memory. */
void profile_batch_clear(void *batch);
/* Adds what ENTRY of the map of nodes holds, number ORDINAL of them, not yet decoded. */
void profile_batch_add(struct profile_batch *batch, struct span entry, uint32_t ordinal);
/* Decodes nodes, which refer to each other by NAMES, up to one that is malformed.  Of L only what
 * messages need is read, so several threads may decode for one loader. */
void profile_batch_decode(struct profile_batch *batch, const struct loader *l,
                          const struct profile_names *names);
/* Adds the nodes to the profile, and their states to NAMES; false with ERR when one that counts is
 * malformed: of those that a profile has already nothing but the head does. */
bool profile_batch_join(struct profile_batch *batch, struct loader *l,
                        struct profile_names *names, struct err *err);

/* ---- between the files of a batch; those that decode append to its lists */

/* profile_node.c: inputs, shapes, types and call stacks by batch->fields. */
bool profile_graph_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err);
/* execprofile.c: the ExecProfiles among batch->fields, and their joining as those of node ID. */
bool profile_execs_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err);
bool profile_execs_join(struct profile_batch *batch, struct loader *l,
                        const struct profile_node *node, node_id id, struct err *err);
/* profile_own.c: the shapes that a run gave, among batch->fields. */
bool profile_run_outputs_decode(struct profile_batch *batch, const struct loader *l,
                                struct profile_node *node, struct err *err);

#endif
