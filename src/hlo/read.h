/* read.h: the state while a module is read; private to src/hlo. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "hlo/module.h"

/* The ids of a stack frame's names in StackFrameIndexProto, starting at 1; 0: none. */
struct hlo_location {
    uint32_t file, function;
    int32_t line, column;
};

struct hlo_reader {
    struct hlo_module *m;
    struct err *err;
    VEC(struct hlo_range) modules; /* pieces of HloModuleProto */
    VEC(struct hlo_range) buffers; /* BufferAssignmentProto */
    VEC(struct hlo_instruction) instructions;
    VEC(struct hlo_computation) computations;
    VEC(struct hlo_leaf) leaves;
    VEC(int64_t) dims;
    VEC(uint32_t) operands;
    VEC(uint32_t) called;
    VEC(struct wire_in) shapes; /* tuples that enclose the current shape */
    VEC(struct text) files;
    VEC(struct text) functions;
    VEC(struct hlo_location) locations;
    VEC(struct hlo_frame) frames;
    struct arena pieces; /* memory for shapes joined from several pieces */
    struct hlo_range entry_name;
    int64_t entry_id;
    bool has_entry_id;
};

static inline struct hlo_range hlo_range_of(const struct hlo_module *m, const struct wire_field *f)
{
    return (struct hlo_range){(uint32_t)(f->bytes - m->bytes), (uint32_t)f->len};
}

static inline struct wire_in hlo_walk(const struct hlo_module *m, struct hlo_range range)
{
    return wire_in_of(m->bytes + range.at, range.len);
}

/* False with ERR when the message of IN is malformed. */
bool hlo_ended(const struct hlo_module *m, const struct wire_in *in, struct err *err);

/* Decodes SHAPE, the ShapeProto of INSTRUCTION. */
bool hlo_read_shape(struct hlo_reader *r, const struct wire_pieces *shape,
                    struct hlo_instruction *instruction);
/* Decodes a piece of the StackFrameIndexProto. */
bool hlo_read_frames(struct hlo_reader *r, const struct wire_field *index);
/* Resolves ids after all pieces are read. */
void hlo_link_frames(struct hlo_reader *r);
/* Resolves ids of instructions and computations after all are read. */
bool hlo_link(struct hlo_reader *r);
