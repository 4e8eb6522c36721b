/* explain_empty.h: which option emptied a result. */
#ifndef TFPROF_SESSION_EXPLAIN_EMPTY_H
#define TFPROF_SESSION_EXPLAIN_EMPTY_H

#include "view/query.h"

/* When R shows no row but its root: appends one sentence that names the
 * options that hid the rest, most rows first ("no row is shown: 12 hidden by
 * -min_micros, 3 by -show_name_regexes") and returns true. */
bool explain_empty(const struct result *r, struct strbuf *sb);

/* The option behind WHY ("show_name_regexes"), or NULL for WHY_SHOWN. */
const char *why_option(unsigned why);

#endif
