/* builder.h: the interface by which loaders fill a profile.
 *
 * Protocol: builder_init(); any number of loads, in the order of semantics.md section 1; then
 * builder_finish(), or builder_abandon() after an error.  Callers intern strings in
 * builder->profile->strings (builder_str()).  Functions fail only when memory is exhausted; loaders
 * validate their input before they call them. */
#pragma once

#include "model/profile.h"

struct builder; /* private: builder.c */

struct builder *builder_new(void);
/* A second builder with the contents of B, which continues independently; NULL when B has more than
 * a graph.  At most once for each B. */
struct builder *builder_fork(struct builder *b);
/* Frees everything and closes the inputs. */
void builder_abandon(struct builder *b);
/* Sorts and packs everything.  Frees the builder; the caller owns the profile. */
struct profile *builder_finish(struct builder *b);

/* The profile under construction, for its strings, notes and files. */
struct profile *builder_profile(struct builder *b);

/* Takes ownership of FILE (path, bytes and release); returns its index for struct node_def. */
uint16_t builder_file(struct builder *b, struct source_file file);

/* Removes the file that was added last, and frees it. */
void builder_drop_file(struct builder *b);

strid builder_str(struct builder *b, const void *bytes, size_t len);
/* builder_str() in two steps (intern.h), without a copy; builder_prefetch() hides the latency of
 * the second. */
strid builder_str_hashed(struct builder *b, const void *bytes, size_t len, uint32_t hash);
strid builder_str_kept(struct builder *b, const char *bytes, size_t len, uint32_t hash);
void builder_prefetch(const struct builder *b, const uint32_t *hashes, size_t n, size_t stride);
/* As builder_str(), with A-Z converted to lower case. */
strid builder_str_lower(struct builder *b, const void *bytes, size_t len);
/* The id of DIMS (-1: unknown).  An empty list is the unknown shape; loaders use SHAPE_SCALAR for a
 * known rank of 0. */
shape_id builder_shape(struct builder *b, const int64_t *dims, size_t n_dims);
/* The stack of N_FRAMES frames, the outermost first. */
stack_id builder_stack(struct builder *b, const struct frame *frames, size_t n_frames);
/* The stacks of the profile under construction, for loaders that add frame by frame. */
struct stack_builder *builder_stacks(struct builder *b);

/* The node named NAME, or NODE_NONE. */
node_id builder_find(const struct builder *b, strid name);
/* Adds a node with types {op}.  If the name exists, returns that node and sets *ADDED to false. */
node_id builder_node(struct builder *b, strid name, strid op, bool *added);
uint32_t builder_n_nodes(const struct builder *b);

/* Getter and setter of each column: builder_get_device(b, node), builder_set_device(b, node,
 * device). Only builder_node() sets name and operation. */
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
void builder_set_devices(struct builder *b, node_id node, strid device, strid host_device);
void builder_add_type(struct builder *b, node_id node, strid type);
/* Replaces the set of types; op_types of a ProfileProto are stored unchanged. */
void builder_set_types(struct builder *b, node_id node, const strid *types, size_t n_types);

/* Adds an input or output of a node, in any order. OWN_INDEX is the recorded output index, or
 * INPUT_CONTROL. builder_finish() replaces OUTPUT_INDEX by that of the last input with the same
 * source. */
void builder_add_input(struct builder *b, node_id node, int32_t position, strid source_name,
                       int32_t output_index, int32_t own_index);
void builder_add_output(struct builder *b, node_id node, int32_t index, shape_id shape);
/* Sets the output shapes of NODE in one run; replaces earlier ones if there are more outputs. */
void builder_set_run_outputs(struct builder *b, node_id node, const struct run_output *outputs,
                             size_t n_outputs);
/* Returns the number of outputs set so far, so that loaders can skip shorter lists. */
size_t builder_n_run_outputs(const struct builder *b, node_id node);

void builder_add_signature_end(struct builder *b, struct signature_end end);
void builder_add_free_tensor(struct builder *b, struct free_tensor tensor);
void builder_add_file_fact(struct builder *b, struct file_fact fact);

/* Properties shared by all executions of a part of a node; see struct profile. */
struct part_def {
    node_id node;
    strid op;
    stack_id stack;
    strid call_dims, call_values; /* JSON */
};

/* Returns the part with this definition, numbered from 0. Either all executions of a node belong to
 * parts, or none. */
uint32_t builder_part(struct builder *b, const struct part_def *part);
node_id builder_part_node(const struct builder *b, uint32_t part);
/* As builder_add_record(), for a part and its node.  One thread may add records and runs of parts while
 * another one adds nodes and parts. */
void builder_add_part_record(struct builder *b, uint32_t part, node_id node,
                             const struct exec_record *record);
/* Adds N_RUNS at STEP to the part only; another part of the node counts them for the node. */
void builder_add_part_runs(struct builder *b, uint32_t part, int64_t step, int64_t n_runs);

/* A new, empty struct recorder of the trace FILE; valid until the next call. */
struct recorder *builder_recorder(struct builder *b, uint16_t file);
/* The event store of the profile under construction, created on first use.  Kinds may refer to
 * parts with EVENT_PART. */
struct event_store *builder_events(struct builder *b);
/* The memory log of the profile under construction, created on first use. */
struct memory_log *builder_memory(struct builder *b);

void builder_add_step(struct builder *b, int64_t step);
/* The first step >= STEP that is not in use. */
int64_t builder_free_step(struct builder *b, int64_t step);

/* Adds a record of NODE.  Steps may come in any order; records of one step keep their order. */
void builder_add_record(struct builder *b, node_id node, const struct exec_record *record);
/* Adds a record that another thread packed: LEN bytes of PACK at FROM. */
void builder_add_packed(struct builder *b, node_id node, int64_t step, const struct exec_pack *pack, size_t from,
                        size_t len);
/* Reports that a sum of NODE reached a 64-bit limit in the loader; builder_finish() adds one note,
 * about the first such node. */
void builder_saturated(struct builder *b, node_id node);
