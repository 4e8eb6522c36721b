/* op_outputs.h: names of the outputs of common ops, for bodies of functions in
 * files that do not describe their ops. */
#ifndef TFPROF_LOAD_OP_OUTPUTS_H
#define TFPROF_LOAD_OP_OUTPUTS_H

#include <stddef.h>
#include <stdint.h>

/* Which output of op OP is called NAME (shapes.md section 6.3); 0 for ops not
 * listed, which have one output or one list of them. */
int32_t op_output_index(const char *op, size_t op_len, const char *name, size_t name_len);

#endif
