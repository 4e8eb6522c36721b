/* profile_batch.h: decodes ProfileNodes independently of the profile that they are added to
 * (semantics.md section 1.5). */
#pragma once

#include "load/graph/shape.h"
#include "load/loader.h"

/* A string that is interned when its node is joined. */
struct decoded_text {
    struct span text;
    uint32_t hash; /* intern_hash() of text */
};

static inline struct decoded_text decode_text(struct span text)
{
    return (struct decoded_text){text, intern_hash(text.bytes, text.len)};
}

static inline strid join_text(struct builder *b, const struct decoded_text *text)
{
    return builder_str_hashed(b, text->text.bytes, text->text.len, text->hash);
}

/* A range of a list shared by the nodes of a batch. */
struct list_part {
    size_t first, n;
};

static inline struct list_part list_part(size_t first, size_t end)
{
    return (struct list_part){first, end - first};
}

/* An input whose producer is in the profile; arguments of builder_add_input(). */
struct decoded_source {
    int32_t position;
    strid name;
    int32_t output_index, own_index;
};

/* A shape with its output index or slot. */
struct indexed_shape {
    int32_t index;
    struct decoded_shape shape;
};

/* An ExecTime: the times of an execution record on one device.  It is kept small, because two bytes
 * of a file may encode one.  Lengths and offsets are within a node, which has less than 4 GiB. */
struct device_times {
    const uint8_t *name, *message;
    uint32_t name_len, message_len;
    uint32_t name_hash; /* intern_hash() of the name */
    strid device;       /* id of the name, set when it is joined */
    uint32_t first_time;
    uint32_t n_times;   /* range in times, without their device; or TIMES_BAD */
};

/* Malformed; ignored when a later entry of the same device replaces it. */
#define TIMES_BAD UINT32_MAX

/* An ExecProfile.  The buffers of all memories are consecutive in buffers. */
struct decoded_exec {
    int64_t step, run_count, start_ticks, latest_end_ticks;
    struct list_part accelerator_times, cpu_times; /* in device_times */
    struct list_part memories, allocations;
    struct list_part devices; /* in texts */
    size_t first_buffer;
};

/* Bits: the parts of a node that are decoded. */
enum profile_part {
    PROFILE_HEAD = 1,
    PROFILE_GRAPH = 2, /* graph lists */
    PROFILE_RUN = 4,   /* executions, and output shapes of runs */
};

struct profile_node {
    struct span entry; /* entry of the map of nodes */
    uint32_t ordinal;  /* index of the entry */
    unsigned done;     /* bits of enum profile_part */
    bool is_replaced;  /* a later entry has the same id */
    bool has_graph; /* has inputs or attributes, so it is known from a graph, not only from a run */
    uint8_t state;     /* state of float_ops + 1; 0: unknown */
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

/* A map entry with a number as its key. */
struct numbered_index {
    int64_t key; /* a producer's id, or a position */
    int32_t index;
};

struct numbered_record {
    int64_t step;
    struct span record;
};

/* Nodes in join order.  Their data is in lists shared by the batch. */
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
    struct arena pieces; /* joined pieces of messages */

    /* of the current node */
    VEC(struct wire_field) fields;
    dim_list numbers;
    VEC(struct numbered_index) source_indexes;
    VEC(struct numbered_index) input_indexes; /* by position instead of producer */
    VEC(int64_t) scalars; /* indexes of outputs whose shape [1] is a scalar */
    VEC(struct numbered_record) step_records;
    VEC(struct wire_field) exec_fields; /* of the current execution record */

    /* of the node being joined */
    VEC(strid) types;
    VEC(strid) devices;
};

/* Frees the contents of BATCH, a struct profile_batch; empty when zeroed. */
void profile_batch_done(void *batch);
/* Empties it and keeps its memory. */
void profile_batch_clear(void *batch);
/* Adds ENTRY of the map of nodes, with index ORDINAL, without decoding it. */
void profile_batch_add(struct profile_batch *batch, struct span entry, uint32_t ordinal);
/* Decodes nodes, which refer to each other through NAMES, up to a malformed one.  Uses only those
 * parts of L that messages need, so several threads may decode for one loader. */
void profile_batch_decode(struct profile_batch *batch, const struct loader *l,
                          const struct profile_names *names);
/* Adds the nodes to the profile, and their states to NAMES; false with ERR when a node is
 * malformed.  Of nodes that exist already only the head has to be valid. */
bool profile_batch_join(struct profile_batch *batch, struct loader *l,
                        struct profile_names *names, struct err *err);

/* ---- interface between the files of a batch; decoders append to its lists */

/* profile_node.c: decodes inputs, shapes, types and call stacks in batch->fields. */
bool profile_graph_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err);
/* execprofile.c: decodes the ExecProfiles in batch->fields, and joins them to node ID. */
bool profile_execs_decode(struct profile_batch *batch, const struct loader *l,
                          struct profile_node *node, struct err *err);
bool profile_execs_join(struct profile_batch *batch, struct loader *l,
                        const struct profile_node *node, node_id id, struct err *err);
/* Decodes shapes recorded by runs in batch->fields. */
bool profile_run_outputs_decode(struct profile_batch *batch, const struct loader *l,
                                struct profile_node *node, struct err *err);

/* Results of the first pass, needed because nodes refer to each other by id. */
struct profile_names {
    struct idmap ordinals; /* id -> index of its entry; of equal ids the last */
    VEC(strid) names;      /* by index of the entry */
    VEC(struct span) sites; /* call sites of function bodies */
    VEC(uint8_t) states;    /* of counts, by new node */
};

/* profile_references.c: fills NAMES, except the states, and loads everything that does not belong
 * to a single node. */
bool profile_references(struct loader *l, struct profile_names *names, struct err *err);
/* After all nodes are added in the order of their ids: adds the call sites of function bodies.
 * Invalid ones are skipped with a note. */
void profile_own_sites(struct loader *l, const struct profile_names *names);
/* Moves the states of NAMES to the profile. */
void profile_own_states(struct loader *l, const struct profile_names *names);
