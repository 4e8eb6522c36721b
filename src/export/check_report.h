/* check_report.h: the results of checking rules. */
#pragma once

#include <stddef.h>

#include "activity/table.h"
#include "base/vec.h"
#include "export/output.h"

enum check_state {
    CHECK_HELD,
    CHECK_BROKEN,
    CHECK_ERROR, /* cannot be decided: no row matches, or the figure is unknown */
    CHECK_STATES
};

/* "held", "broken", "error". */
extern const char *const check_state_names[CHECK_STATES];

/* Texts are heap memory. */
struct check_item {
    unsigned line;
    char *rule; /* as written */
    char *message; /* "unit_1_0: 129.06ms, 9.06ms over"; names in it may have any bytes */
    enum check_state state;
    /* For a rule about a figure: the worst row (heap; NULL: none), its value and the limit, in
     * microseconds, bytes, plain numbers or percent. */
    char *row;
    double value, limit;
};

struct check_report {
    char *file; /* file of the rules; heap */
    VEC(struct check_item) items;
    size_t n[CHECK_STATES];
};

void check_report_done(struct check_report *report);

/* The table of rules with their results; its input is a struct check_report. */
extern const struct table table_check;

/* Writes check reports for outputs that also have other contents. */
bool check_write_text(const struct check_report *report, struct sink *s, struct err *err);
