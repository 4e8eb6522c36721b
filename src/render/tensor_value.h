/* tensor_value.h: the values of a checkpoint's tensor as text. */
#ifndef TFPROF_RENDER_TENSOR_VALUE_H
#define TFPROF_RENDER_TENSOR_VALUE_H

#include "base/strbuf.h"
#include "view/query.h"

struct checkpoint_tensor; /* load/checkpoint/checkpoint.h */

/* The tensor of ROW's name, NULL when there is none (the root has none). */
const struct checkpoint_tensor *tensor_of_row(const struct result *r, row_id row);
/* True for the element types whose values the original shows. */
bool tensor_is_shown(int dtype);
/* VALUE rounded to six digits as a decimal text would be. */
double tensor_six_digits(double value);

/* What -select tensor_value adds behind ROW (semantics.md section 5.1): the
 * value of the tensor with the row's name, if there is one.  What cannot be
 * shown becomes a note of R. */
void render_tensor_value(struct strbuf *sb, struct result *r, row_id row);

#endif
