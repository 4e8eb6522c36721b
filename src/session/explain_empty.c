/* explain_empty.c: which option emptied a result. */
#include "session/explain_empty.h"

#include <inttypes.h>

#define MIN_NAME(id, name, legend, help) [WHY_MIN + METRIC_##id] = "min_" name,

const char *why_option(unsigned why)
{
    static const char *const names[WHY_COUNT] = {
        [WHY_NOT_KEPT] = "account_type_regexes",
        [WHY_NOT_STARTED] = "start_name_regexes",
        [WHY_TRIMMED] = "trim_name_regexes",
        [WHY_TOO_DEEP] = "max_depth",
        [WHY_SHOW] = "show_name_regexes",
        [WHY_HIDE] = "hide_name_regexes",
        [WHY_DEVICE] = "device_regexes",
        [WHY_UNACCOUNTED] = "hide_unaccounted",
        METRIC_LIST(MIN_NAME)
    };

    return why < WHY_COUNT ? names[why] : NULL;
}

bool explain_empty(const struct result *r, struct strbuf *sb)
{
    uint32_t count[WHY_COUNT] = {0};

    for (row_id row = 1; row < r->tree->n_rows; row++) {
        if (r->why[row] == WHY_SHOWN)
            return false;
        if (r->why[row] < WHY_COUNT)
            count[r->why[row]]++;
    }
    if (r->tree->n_rows < 2) {
        sb_adds(sb, "no row is shown: there is none in this view");
        return true;
    }
    sb_adds(sb, "no row is shown:");
    for (const char *comma = " "; ; comma = ", ") {
        unsigned most = 0;

        for (unsigned why = 1; why < WHY_COUNT; why++)
            if (count[why] > count[most])
                most = why;
        if (!count[most])
            return true;
        sb_addf(sb, "%s%" PRIu32 " of %" PRIu32 " hidden by -%s", comma, count[most],
                r->tree->n_rows - 1, why_option(most));
        count[most] = 0;
    }
}
