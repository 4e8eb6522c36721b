/* names.h: names of instructions in a profile: category and scope (formats-hlo.md section 4). */
#pragma once

#include "base/strbuf.h"
#include "hlo/attributes.h"
#include "hlo/module.h"

/* The category of instruction I: "loop fusion", "data formatting", "non-fusion elementwise", else
 * its opcode. */
struct text hlo_category(const struct hlo_module *m, uint32_t i);

/* Appends the scopes in OP_NAME, from an instruction's metadata, to PATH, joined by `/`; a `/`
 * within brackets becomes `|`.  Returns the offset in PATH of the last component, the primitive;
 * path->len when there is none. */
size_t hlo_scope(struct strbuf *path, struct text op_name);

/* Appends the shape of instruction I in HLO syntax: "f32[8,128]", "(s32[], pred[3])"; with LAYOUTS
 * "f32[8,128]{1,0}", where recorded. */
void hlo_shape_text(const struct hlo_module *m, uint32_t i, bool layouts, struct strbuf *text);

/* A source location; FUNCTION is empty when unknown. */
struct hlo_source_location {
    struct text file, function;
    int32_t line, column; /* 0: unknown */
};

/* The number of locations in the call stack of an instruction with this METADATA: the depth of its
 * frame, 1 when only source_file and source_line are known, 0 when it has none. */
uint32_t hlo_stack_depth(const struct hlo_module *m, const struct hlo_metadata *metadata);
/* Writes these locations, outermost first.  PLACES has room for hlo_stack_depth() of the same
 * METADATA, which is decoded once because the mapped file may change. */
void hlo_stack(const struct hlo_module *m, const struct hlo_metadata *metadata,
               struct hlo_source_location *places);
