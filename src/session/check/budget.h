/* budget.h: a file of rules for figures, one per line:
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
 *     memory peak <= 30GB
 */
#pragma once

#include "base/regex/regexes.h"
#include "base/vec.h"
#include "session/check/device_rule.h"
#include "session/check/memory_rule.h"
#include "view/advise/advise.h"
#include "view/findings/findings.h"

struct rule {
    unsigned line;
    char *text;              /* as written, trimmed; heap */
    enum view_id view;       /* VIEW_ADVISE: the advice must be empty */
    struct regexes *pattern; /* rows that must satisfy the limit; NULL: the root */
    bool is_delta;
    bool when_significant;
    struct limit limit;
    struct device_rule device; /* unless SUBJECT_OF_NONE, the other members are unused */
    struct memory_rule memory; /* unless .figure is MEMORY_NO_FIGURE, the other members are unused */
    const struct checker *checker; /* checker of an advice rule; NULL: all */
    const struct finding_rule *finding; /* rule of findings; NULL: none */
};

/* Zeroed: empty. */
struct rule_file {
    char *file; /* heap */
    VEC(struct rule) rules;
};

/* Reads FILE. False with ERR: the file cannot be read (input), or a rule is invalid or missing
 * (usage, with its line). BUDGET is then empty. */
bool budget_read(struct rule_file *budget, const char *file, struct err *err);
void budget_done(struct rule_file *budget);
