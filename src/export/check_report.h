/* check_report.h: which rules of a budget hold, for outputs to write. */
#ifndef TFPROF_EXPORT_CHECK_REPORT_H
#define TFPROF_EXPORT_CHECK_REPORT_H

#include <stddef.h>

#include "activity/table.h"
#include "base/vec.h"

enum check_state {
    CHECK_HELD,
    CHECK_BROKEN,
    CHECK_ERROR, /* it says nothing: no row matches, the figure is not known */
    CHECK_STATES
};

/* "held", "broken", "error". */
extern const char *const check_state_names[CHECK_STATES];

/* Texts are heap memory. */
struct check_item {
    unsigned line;
    char *rule; /* as written */
    char *said; /* "unit_1_0: 129.06ms, 9.06ms over", may hold any bytes of names */
    enum check_state state;
};

struct check_report {
    char *file; /* of the rules; heap */
    VEC(struct check_item) items;
    size_t n[CHECK_STATES];
};

void check_report_done(struct check_report *report);

/* The rules; given: the report. */
extern const struct table table_check;

#endif
