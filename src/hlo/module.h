/* module.h: a compiled program: computations of instructions, as arrays over the bytes of its
 * message. What all readers need of each instruction (name, opcode, shape, operands) is decoded
 * once; the rest is decoded from the message on demand (attributes.h).  Instructions and
 * computations are identified by their index; ids are only used to resolve references.  A module is
 * immutable after it is read, so threads may share it.  Messages and rules: formats-hlo.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/slots.h"
#include "base/text.h"

/* No instruction, or no computation. */
#define HLO_NONE UINT32_MAX

/* A range of the module's bytes. */
struct hlo_range {
    uint32_t at, len;
};

/* One array of a shape; tokens, opaque values and buffers have 0 elements. */
struct hlo_leaf {
    int64_t elements; /* saturated; -1: unknown */
    int64_t bytes;    /* without padding and tiles; 0 when elements are unknown */
    uint32_t first_dim, n_dims;
    uint8_t type; /* opcode.h; 0: unknown */
};

struct hlo_instruction {
    int64_t id;
    int64_t shape_bytes; /* sum over the arrays of its shape, saturated */
    struct hlo_range message, name;
    uint32_t first_leaf, n_leaves; /* the shape: arrays of nested tuples in order */
    /* Operands, followed by the control predecessors; HLO_NONE where the computation has no such
     * instruction. */
    uint32_t first_operand, n_operands, n_controls;
    uint32_t first_called, n_called; /* called computations, HLO_NONE where missing */
    uint32_t computation;
    uint32_t n_elements; /* of a tuple, including tuples among its elements */
    uint8_t opcode;      /* hlo/opcode.h */
    bool is_tuple;
};

struct hlo_computation {
    int64_t id, root_id;
    struct hlo_range name;
    uint32_t first_instruction, n_instructions;
    uint32_t root; /* HLO_NONE: the id is not one of its instructions */
    /* Its parameters by number, in module->parameters; HLO_NONE where a number is missing. */
    uint32_t first_parameter, n_parameters;
    /* Lower than the ranks of its callers, except in a recursion. */
    uint32_t rank;
    /* Its instructions are executed one by one: it is the entry, or such a computation calls it in
     * a while, conditional, call or async-start instruction. */
    bool is_executed;
    /* It runs repeatedly: it is body or condition of a loop, or called from one. */
    bool is_in_loop;
};

/* A source location on a call stack. */
struct hlo_frame {
    struct text file, function;
    int32_t line, column; /* 0: unknown */
    uint32_t parent;      /* the caller's frame, 0: none; cycles are removed */
    uint32_t depth;       /* frames up to the outermost, 1 without a parent */
};

/* Fields may be read directly; they are never modified. */
struct hlo_module {
    const uint8_t *bytes;
    size_t n_bytes;
    int64_t id;
    struct hlo_range name;
    struct hlo_instruction *instructions; /* grouped by computation */
    struct hlo_computation *computations;
    uint32_t n_instructions, n_computations;
    uint32_t entry; /* index of a computation */
    struct hlo_leaf *leaves;
    int64_t *dims;
    uint32_t *operands, *called, *parameters;
    struct hlo_frame *frames; /* ids start at 1: frames[0] is unused */
    uint32_t n_frames;
    uint32_t *by_rank; /* all computations, callees first */
    struct hlo_range *buffers; /* pieces of the BufferAssignmentProto */
    size_t n_buffers;
    struct slots instruction_ids, instruction_names, computation_ids;
};

/* Reads LEN BYTES: an HloProto, an HloModuleProto with or without its config, or an HloSnapshot;
 * the kind is detected.  The bytes belong to the caller and have to outlive the module.  NULL with
 * ERR ("offset N: cause") when a message is malformed or longer than 4 GiB, an instruction has no
 * opcode, or the module has no entry computation.  Time and memory are linear in LEN for all
 * inputs. */
struct hlo_module *hlo_module_new(const void *bytes, size_t len, struct err *err);
void hlo_module_free(struct hlo_module *m);

static inline struct text hlo_text(const struct hlo_module *m, struct hlo_range range)
{
    return (struct text){(const char *)m->bytes + range.at, range.len};
}

static inline struct text hlo_module_name(const struct hlo_module *m)
{
    return hlo_text(m, m->name);
}

/* The name of instruction I. */
static inline struct text hlo_name(const struct hlo_module *m, uint32_t i)
{
    return hlo_text(m, m->instructions[i].name);
}

/* Operand K of instruction I; HLO_NONE: none. */
static inline uint32_t hlo_operand(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    const struct hlo_instruction *in = &m->instructions[i];

    return k < in->n_operands ? m->operands[in->first_operand + k] : HLO_NONE;
}

/* Computation K that instruction I calls; HLO_NONE: none. */
static inline uint32_t hlo_called(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    const struct hlo_instruction *in = &m->instructions[i];

    return k < in->n_called ? m->called[in->first_called + k] : HLO_NONE;
}

/* Leaf K of the shape of instruction I; NULL when I is HLO_NONE or has no such leaf. */
static inline const struct hlo_leaf *hlo_leaf(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    return i != HLO_NONE && k < m->instructions[i].n_leaves
               ? &m->leaves[m->instructions[i].first_leaf + k]
               : NULL;
}

/* Size of dimension AT of a leaf; -1: no such dimension. */
static inline int64_t hlo_dim(const struct hlo_module *m, const struct hlo_leaf *leaf, uint64_t at)
{
    return leaf && at < leaf->n_dims ? m->dims[leaf->first_dim + at] : -1;
}

/* Bytes of the whole shape of instruction I; 0 for HLO_NONE. */
static inline int64_t hlo_shape_bytes(const struct hlo_module *m, uint32_t i)
{
    return i != HLO_NONE ? m->instructions[i].shape_bytes : 0;
}

/* Parameter NUMBER of computation C; HLO_NONE: none. */
static inline uint32_t hlo_parameter(const struct hlo_module *m, uint32_t c, uint64_t number)
{
    const struct hlo_computation *of = &m->computations[c];

    return number < of->n_parameters ? m->parameters[of->first_parameter + number] : HLO_NONE;
}

/* The first instruction with an id or a name; HLO_NONE: none. */
uint32_t hlo_find_id(const struct hlo_module *m, int64_t id);
uint32_t hlo_find_name(const struct hlo_module *m, const char *name, size_t len);
/* The first computation with an id; HLO_NONE: none. */
uint32_t hlo_find_computation(const struct hlo_module *m, int64_t id);
