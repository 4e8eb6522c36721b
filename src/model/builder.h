/* builder.h: how loaders fill a profile.
 *
 * Protocol: builder_init; any number of loads, each in the order that
 * semantics.md section 1 prescribes; builder_finish, or builder_abandon when
 * an input was bad.  Strings are interned in builder->profile->strings by the
 * caller (builder_str).  Nothing here fails but for memory; the loader checks
 * its input before it calls. */
#ifndef TFPROF_MODEL_BUILDER_H
#define TFPROF_MODEL_BUILDER_H

#include "base/vec.h"
#include "model/profile.h"

struct builder; /* private: builder.c */

struct builder *builder_new(void);
/* A second builder that has all that was put into B, and goes on apart from it; NULL when that is more
 * than a graph.  Once in the life of B. */
struct builder *builder_fork(struct builder *b);
/* Gives up: frees all, closes the inputs. */
void builder_abandon(struct builder *b);
/* Sorts and packs everything; the builder is gone, the profile is the caller's. */
struct profile *builder_finish(struct builder *b);

/* The profile under construction, for its strings, notes and files. */
struct profile *builder_profile(struct builder *b);

/* Takes over FILE (its path, bytes and release); returns its index for
 * struct node_def. */
uint16_t builder_file(struct builder *b, struct source_file file);

strid builder_str(struct builder *b, const void *bytes, size_t len);
/* The same in two steps (intern.h), without a copy, and the fetch ahead of the second. */
strid builder_str_hashed(struct builder *b, const void *bytes, size_t len, uint32_t hash);
strid builder_str_kept(struct builder *b, const char *bytes, size_t len, uint32_t hash);
void builder_prefetch(const struct builder *b, uint32_t hash);
/* The same with A-Z lower-cased. */
strid builder_str_lower(struct builder *b, const void *bytes, size_t len);
/* The id of DIMS (-1: unknown).  An empty list is an unknown shape: loaders of
 * graphs and runs pass a known rank 0 on as SHAPE_SCALAR. */
shape_id builder_shape(struct builder *b, const int64_t *dims, size_t n_dims);
/* The stack of N_FRAMES frames, the outermost first. */
stack_id builder_stack(struct builder *b, const struct frame *frames, size_t n_frames);
/* The stacks of the profile under construction, for loaders that add frame by frame. */
struct stack_builder *builder_stacks(struct builder *b);

/* The node of a name, or NODE_NONE. */
node_id builder_find(const struct builder *b, strid name);
/* Adds a node with types {op}; when the name is there already, returns that
 * node and *ADDED = false. */
node_id builder_node(struct builder *b, strid name, strid op, bool *added);
uint32_t builder_n_nodes(const struct builder *b);

/* What NODE has in a column, builder_get_device(b, node), and how that is set:
 * builder_set_device(b, node, device).  Name and operation are set by builder_node() alone. */
#define GETTER(member, type) type builder_get_##member(const struct builder *b, node_id node);
#define SETTER(member, type) void builder_set_##member(struct builder *b, node_id node, type value);
#define ACCESS_FIXED(member, type) GETTER(member, type)
#define ACCESS_DENSE(member, type) GETTER(member, type) SETTER(member, type)
#define ACCESS_LAST ACCESS_DENSE
#define ACCESS_FIRST ACCESS_DENSE
#define ACCESS(member, type, kind, vector, ...) ACCESS_##vector(member, type)
NODE_COLUMNS(ACCESS)
#undef GETTER
#undef SETTER
#undef ACCESS_FIXED
#undef ACCESS_DENSE
#undef ACCESS_LAST
#undef ACCESS_FIRST
#undef ACCESS
/* Both at once. */
void builder_set_devices(struct builder *b, node_id node, strid device, strid host_device);
void builder_add_type(struct builder *b, node_id node, strid type);
/* Replaces the whole set (a ProfileProto's op_types are taken as stored). */
void builder_set_types(struct builder *b, node_id node, const strid *types, size_t n_types);

/* Inputs and outputs of a node, any order.  OUTPUT_INDEX is that of the entry:
 * builder_finish makes it that of the last entry of the same source.
 * OWN_INDEX: the same, or INPUT_CONTROL; kept as it is. */
void builder_add_input(struct builder *b, node_id node, int32_t position, strid source_name,
                       int32_t output_index, int32_t own_index);
void builder_add_output(struct builder *b, node_id node, int32_t index, shape_id shape);
/* Output shapes of one run of NODE; a later list replaces the kept one only
 * when it is longer. */
void builder_set_run_outputs(struct builder *b, node_id node, const struct run_output *outputs,
                             size_t n_outputs);
/* How many the kept list has, so that a loader can leave shorter ones alone. */
size_t builder_n_run_outputs(const struct builder *b, node_id node);

void builder_add_signature_end(struct builder *b, struct signature_end end);
void builder_add_free_tensor(struct builder *b, struct free_tensor tensor);
void builder_add_file_fact(struct builder *b, struct file_fact fact);

/* What a part of a node has in common; see struct profile. */
struct part_def {
    node_id node;
    strid op;
    stack_id stack;
    strid call_dims, call_values; /* JSON */
};

/* The part of that definition, numbered from 0 on; a node's executions are all in parts or none
 * are. */
uint32_t builder_part(struct builder *b, const struct part_def *part);
/* As builder_add_record() for the part and its node. */
void builder_add_part_record(struct builder *b, uint32_t part, const struct exec_record *record);
/* Adds N_RUNS at STEP to the part, but not to its node: another part of that counts them. */
void builder_add_part_runs(struct builder *b, uint32_t part, int64_t step, int64_t n_runs);

/* A recording of FILE, empty; valid until the next call. */
struct recording *builder_recording(struct builder *b, uint16_t file);
/* The events of the profile under construction, made when they are asked for first.  Kinds may be of
 * parts, as EVENT_PART says. */
struct event_store *builder_events(struct builder *b);
/* The same of its memory. */
struct memory_log *builder_memory(struct builder *b);

void builder_add_step(struct builder *b, int64_t step);
/* The first step from STEP on that was not added. */
int64_t builder_free_step(struct builder *b, int64_t step);

/* Adds what an entry says about NODE.  In which order records of several steps
 * come is all the same; within a step they stay in order. */
void builder_add_record(struct builder *b, node_id node, const struct exec_record *record);
/* The same with a record that another thread has packed: LEN bytes of an
 * exec_pack, and that one's bits. */
void builder_add_packed(struct builder *b, node_id node, int64_t step, const uint8_t *record,
                        size_t len, struct figure_bits bits);
/* A sum for NODE met a 64-bit limit in the loader; builder_finish makes one
 * note, of the first such node. */
void builder_saturated(struct builder *b, node_id node);

#endif
