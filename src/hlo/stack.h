/* stack.h: call stacks of instructions: source locations (formats-hlo.md section 8). */
#ifndef TFPROF_HLO_STACK_H
#define TFPROF_HLO_STACK_H

#include "hlo/attributes.h"
#include "hlo/module.h"

/* A source location; FUNCTION is empty when unknown. */
struct hlo_place {
    struct text file, function;
    int32_t line, column; /* 0: unknown */
};

/* The number of locations in the call stack of an instruction with this METADATA: the depth of its
 * frame, 1 when only source_file and source_line are known, 0 when it has none. */
uint32_t hlo_stack_depth(const struct hlo_module *m, const struct hlo_metadata *metadata);
/* Writes these locations, outermost first.  PLACES has room for hlo_stack_depth() of the same
 * METADATA, which is decoded once because the mapped file may change. */
void hlo_stack(const struct hlo_module *m, const struct hlo_metadata *metadata,
               struct hlo_place *places);

#endif
