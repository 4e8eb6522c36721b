/* tensor_value.h: formats values of checkpoint tensors. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

struct checkpoint_tensor; /* load/checkpoint/checkpoint.h */

/* The tensor with ROW's name; NULL when there is none, and for the root. */
const struct checkpoint_tensor *tensor_of_row(const struct result *r, row_id row);
/* True for the element types that the original prints. */
bool tensor_is_shown(int dtype);
/* VALUE rounded to six significant digits. */
double tensor_six_digits(double value);

/* Appends the text of -select tensor_value after ROW (semantics.md section 5.1): the value of the
 * tensor with the row's name, if any.  Values that cannot be read become a note of R. */
void render_tensor_value(struct strbuf *sb, struct result *r, row_id row);
