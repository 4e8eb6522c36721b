/* check.h: which rules of a budget hold. */
#pragma once

#include "export/check_report.h"
#include "session/check/budget.h"
#include "session/session.h"

/* Checks BUDGET with the figures of S as OPTIONS count them (-step, -account_type_regexes, -flops
 * and the like; what is displayed does not matter).  A rule holds when each row that its pattern
 * matches keeps to the limit; one that matches no row, or whose figure is not known, is an error,
 * as is one that would hold while a regex was too much work for some names.
 * False with ERR; free with check_report_done(). */
bool check_run(struct check_report *report, const struct rule_file *budget, struct session *s,
               const struct options *options, struct err *err);

/* Appends a budget that S keeps to: its totals and costliest rows, with some room. */
bool check_write_budget(struct strbuf *sb, struct session *s, const struct options *options,
                        struct err *err);
