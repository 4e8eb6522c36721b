/* budget.h: a file of rules that figures must keep to, one a line:
 *
 *     scope unit_1_.* micros <= 120ms
 *     op Conv2D float_ops == 17.63b
 *     total params <= 500k
 *     delta micros <= +5% when significant
 *     delta scope unit_1_.* micros <= +3ms
 *     advise none
 *     advise blocking-sync none
 *     device idle <= 50 %
 *     step wall <= 120ms
 *     verdict != cpu
 */
#pragma once

#include "base/regex/regexes.h"
#include "base/vec.h"
#include "session/check/device_rule.h"
#include "view/advise/advise.h"
#include "view/findings/findings.h"

struct rule {
    unsigned line;
    char *text;              /* as written, without blanks around it; heap */
    enum view_id view;       /* VIEW_ADVISE: no advice */
    struct regexes *pattern; /* of rows that each keep to the limit; NULL: the root */
    bool is_delta;
    bool when_significant;
    struct limit limit;
    struct device_rule device; /* of devices, unless its subject is none; nothing else counts then */
    const struct checker *checker; /* of advice; NULL: of all */
    const struct finding_rule *finding; /* of findings; NULL: of advice */
};

/* A zeroed one is empty. */
struct rule_file {
    char *file; /* heap */
    VEC(struct rule) rules;
};

/* Reads FILE.  False with ERR: input when it cannot be read, usage with its line when a rule is
 * wrong or there is none; BUDGET is then empty. */
bool budget_read(struct rule_file *budget, const char *file, struct err *err);
void budget_done(struct rule_file *budget);
