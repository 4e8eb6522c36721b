/* device_rule.h: rules about what devices do:
 *
 *     device idle <= 50 %
 *     step wall <= 120ms
 *     verdict != cpu
 */
#pragma once

#include "activity/verdict.h"
#include "base/err.h"
#include "export/check_report.h"
#include "session/check/limit.h"

enum device_subject { SUBJECT_OF_NONE, SUBJECT_OF_DEVICE, SUBJECT_OF_STEP, SUBJECT_OF_VERDICT };

struct device_field {
    const char *name;
    size_t offset; /* of an int64_t in struct breakdown_row, picoseconds */
};

/* A rule about devices; zeroed: none. */
struct device_rule {
    enum device_subject subject;
    enum limit_relation relation; /* for verdicts LIMIT_EQUAL or LIMIT_UNEQUAL */
    enum verdict_class verdict;
    const struct device_field *field;
    bool is_percent;         /* of the span, or of a step's wall time */
    uint64_t digits, one;    /* the limit is digits / one */
    uint64_t unit_ps;        /* picoseconds per unit; unused for percentages */
};

/* Figures of the profile that the rules are checked against. */
struct device_figures {
    breakdown_rows rows; /* all rows of the breakdown */
    struct verdict verdict;
};

/* Computes F. False with ERR: a regex is invalid, or cancelled. Free with device_figures_done(). */
bool device_figures_make(struct device_figures *f, const struct profile *p,
                         const struct options *options, struct cancel_mark cancel,
                         struct err *err);
void device_figures_done(struct device_figures *f);

/* Returns the subject of a rule that begins with WORD. */
enum device_subject device_subject_of(const char *word);
/* Parses the N words after the subject: FIELD RELATION VALUE, or RELATION CLASS for verdicts. False
 * with ERR (usage). */
bool device_rule_read(struct device_rule *rule, const char *const *words, size_t n, struct err *err);
/* Checks RULE for every device of F; appends the value of the worst device to SAID. */
enum check_state device_rule_check(const struct device_rule *rule, const struct profile *p,
                                   const struct device_figures *f, struct strbuf *message);
/* Appends rules that F satisfies with a margin of ROOM_PERCENT; none if no device did any work. */
void device_rules_write(struct strbuf *sb, const struct device_figures *f, int room_percent);
