/* stack.h: where instructions come from: call stacks of source lines (formats-hlo.md section 8). */
#ifndef TFPROF_HLO_STACK_H
#define TFPROF_HLO_STACK_H

#include "hlo/attributes.h"
#include "hlo/module.h"

/* A line of source; FUNCTION is empty where the file does not say it. */
struct hlo_place {
    struct text file, function;
    int32_t line, column; /* 0: not known */
};

/* Lines from the outermost caller to the innermost in the call stack of an instruction with this
 * METADATA, 0 when it has none: the depth of its frame, or 1 when only source_file and source_line
 * are known. */
uint32_t hlo_stack_depth(const struct hlo_module *m, const struct hlo_metadata *metadata);
/* Writes these lines, the outermost first: PLACES has room for hlo_stack_depth() of the same
 * METADATA, which is read once since the bytes of the module may change. */
void hlo_stack(const struct hlo_module *m, const struct hlo_metadata *metadata,
               struct hlo_place *places);

#endif
