/* check.h: checks the rules of a budget. */
#pragma once

#include "export/check_report.h"
#include "session/check/budget.h"
#include "session/session.h"

/* Checks BUDGET against the figures of S, computed with OPTIONS (display options have no effect). A
 * rule holds if every row that its pattern matches satisfies the limit. A rule that matches no row,
 * has an unknown figure, or holds only because a regex gave up on some names, is an error. False
 * with ERR; free with check_report_done(). */
bool check_run(struct check_report *report, const struct rule_file *budget, struct session *s,
               const struct options *options, struct cancel_mark cancel, struct err *err);

/* Appends a budget that S satisfies: totals and costliest rows, with a margin. */
bool check_write_budget(struct strbuf *sb, struct session *s, const struct options *options,
                        struct err *err);
