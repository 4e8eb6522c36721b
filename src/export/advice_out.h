/* advice_out.h: advice as a list, as text and as JSON. */
#ifndef TFPROF_EXPORT_ADVICE_OUT_H
#define TFPROF_EXPORT_ADVICE_OUT_H

#include "base/strbuf.h"
#include "export/sinks/outbuf.h"
#include "view/advise/advise.h"

/* Appends the verdict, and a line for each finding: gain, claim, command with the evidence; its other
 * lines below. */
void advice_add_list(struct strbuf *sb, const struct advice *a);
bool advice_write_json(const struct advice *a, struct sink *s, struct err *err);

#endif
