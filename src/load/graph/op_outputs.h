/* op_outputs.h: names of the outputs of common ops, for function bodies in files without op
 * definitions. */
#ifndef TFPROF_LOAD_OP_OUTPUTS_H
#define TFPROF_LOAD_OP_OUTPUTS_H

#include <stddef.h>
#include <stdint.h>

/* The index of output NAME of op OP (shapes.md section 6.3); 0 for other ops, which have one output
 * or one list of outputs. */
int32_t op_output_index(const char *op, size_t op_len, const char *name, size_t name_len);

#endif
