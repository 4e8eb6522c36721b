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

/* A zeroed one is no rule. */
struct device_rule {
    enum device_subject subject;
    enum limit_relation relation; /* of verdicts LIMIT_EQUAL or LIMIT_UNEQUAL */
    enum verdict_class verdict;
    const struct device_field *field;
    bool is_percent;         /* of the span; of steps: of the wall time */
    uint64_t digits, one;    /* the limit is digits / one */
    uint64_t unit_ps;        /* picoseconds, unless it is a percentage */
};

/* What a run of devices is judged by. */
struct device_figures {
    breakdown_rows rows; /* all rows of the breakdown */
    struct verdict verdict;
};

/* False with ERR: a bad regex, cancelled; else F needs device_figures_done(). */
bool device_figures_make(struct device_figures *f, const struct profile *p,
                         const struct options *options, struct cancel_mark cancel,
                         struct err *err);
void device_figures_done(struct device_figures *f);

/* The subject that WORD begins a rule about. */
enum device_subject device_subject_of(const char *word);
/* Reads FIELD RELATION VALUE, or RELATION CLASS of verdicts: N words behind the subject, which RULE
 * has.  False with ERR (usage). */
bool device_rule_read(struct device_rule *rule, const char *const *words, size_t n, struct err *err);
/* Whether RULE holds for every device of F; appends what the worst one has to SAID. */
enum check_state device_rule_check(const struct device_rule *rule, const struct profile *p,
                                   const struct device_figures *f, struct strbuf *said);
/* Appends rules that F keeps to, with ROOM_PERCENT of room; nothing where no device works. */
void device_rules_write(struct strbuf *sb, const struct device_figures *f, int room_percent);
