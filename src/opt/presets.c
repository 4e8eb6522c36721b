/* presets.c: the presets of the Python API (cli.md section 5). */
#include <string.h>

#include "opt/options.h"
#include "opt/suggest.h"

const struct preset_row preset_rows[] = {
    {"trainable_variables_parameter", "max_depth", "10000"},
    {"trainable_variables_parameter", "account_type_regexes", "_trainable_variables"},
    {"trainable_variables_parameter", "account_displayed_op_only", "true"},
    {"trainable_variables_parameter", "select", "params"},
    {"trainable_variables_parameter", "order_by", "name"},
    {"float_operation", "max_depth", "10000"},
    {"float_operation", "min_float_ops", "1"},
    {"float_operation", "account_displayed_op_only", "true"},
    {"float_operation", "select", "float_ops"},
    {"float_operation", "order_by", "float_ops"},
    {"time_and_memory", "max_depth", "10000"},
    {"time_and_memory", "min_micros", "1"},
    {"time_and_memory", "min_bytes", "1"},
    {"time_and_memory", "account_displayed_op_only", "true"},
    {"time_and_memory", "select", "micros,bytes"},
    {"time_and_memory", "order_by", "micros"},
    {"layers", "backward", "forward"},
    {NULL, NULL, NULL},
};

bool options_preset(struct options *o, const char *name, struct err *err)
{
    struct suggest near;
    struct strbuf hint = {0};
    bool found = false;

    suggest_init(&near, name);
    for (const struct preset_row *row = preset_rows; row->preset; row++) {
        suggest_try(&near, row->preset);
        if (strcmp(row->preset, name) != 0)
            continue;
        found = true;
        if (!option_set(o, option_find(row->option), row->value, err))
            return false;
    }
    if (found)
        return true;
    suggest_add(&near, "", &hint);
    err_set(err, ERR_USAGE, "-preset: unknown preset '%s'%s", name, sb_text(&hint));
    sb_done(&hint);
    return false;
}
