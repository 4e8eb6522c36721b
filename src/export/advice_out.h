/* advice_out.h: advice as a list, as text and as JSON. */
#pragma once

#include "base/strbuf.h"
#include "export/sinks/outbuf.h"
#include "view/advise/advise.h"

/* Appends the verdict, and a line for each finding: gain, claim, command with the evidence; its other
 * lines below. */
bool advice_write_list(const struct advice *a, struct sink *s, struct err *err);
bool advice_write_json(const struct advice *a, struct sink *s, struct err *err);
