/* advice_out.h: advice as a list, as text and as JSON. */
#pragma once

#include "export/sinks/outbuf.h"
#include "view/advise/advise.h"

/* Writes the verdict and, for each finding, a line with gain, claim and command, followed by its
 * other lines. */
bool advice_write_list(const struct advice *a, struct sink *s, struct err *err);
bool advice_write_json(const struct advice *a, struct sink *s, struct err *err);
