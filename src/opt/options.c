/* options.c: sets, prints, copies and compares all options by their rows in the table. */
#include "opt/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "opt/option_kinds.h"
#include "opt/suggest.h"

#define VIEW_NAME(name, id, ...) [VIEW_##id] = #name,
const char *const view_names[VIEW_COUNT] = {VIEW_LIST(VIEW_NAME, NO_VIEW, NO_VIEW, NO_VIEW)
                                            [VIEW_ADVISE] = "advise"};
#undef VIEW_NAME

static const size_t storage_bytes[] = {
    [STORE_INT64] = sizeof(int64_t),   [STORE_INT] = sizeof(int),
    [STORE_BOOL] = sizeof(bool),       [STORE_SET] = sizeof(field_set),
    [STORE_TEXT] = sizeof(const char *), [STORE_RANGE] = sizeof(struct time_range),
    [STORE_STEP] = sizeof(struct step_option),
};
_Static_assert(sizeof storage_bytes / sizeof *storage_bytes == STORE_COUNT,
               "a size for each storage");

static void *value_at(struct options *o, const struct option *opt)
{
    return (char *)o + opt->offset;
}

static const void *value_of(const struct options *o, const struct option *opt)
{
    return (const char *)o + opt->offset;
}

bool option_set(struct options *o, const struct option *opt, const char *value, struct err *err)
{
    const struct option_kind_ops *kind = &option_kinds[opt->kind];
    union {
        int64_t i64;
        int i;
        bool b;
        field_set set;
        char *text;
        struct time_range range;
        struct step_option step;
    } read;

    if (!kind->read(opt, value, &read, err))
        return false;
    if (kind->storage == STORE_TEXT)
        free(*(char **)value_at(o, opt));
    memcpy(value_at(o, opt), &read, storage_bytes[kind->storage]);
    return true;
}

void option_print(struct strbuf *sb, const struct options *o, const struct option *opt)
{
    option_kinds[opt->kind].print(sb, opt, value_of(o, opt));
}

bool option_equal(const struct options *a, const struct options *b, const struct option *opt)
{
    const enum storage storage = option_kinds[opt->kind].storage;

    if (storage == STORE_TEXT) {
        const char *x = *(char *const *)value_of(a, opt), *y = *(char *const *)value_of(b, opt);

        return x && y ? strcmp(x, y) == 0 : x == y;
    }
    return memcmp(value_of(a, opt), value_of(b, opt), storage_bytes[storage]) == 0;
}

bool options_equal(const struct options *a, const struct options *b)
{
    bool same = true;

    for (size_t i = 0; i < option_table_n && same; i++)
        same = option_equal(a, b, &option_table[i]);
    return same;
}

bool option_is_default(const struct options *o, const struct option *opt)
{
    struct strbuf text = {0};
    bool same;

    option_print(&text, o, opt);
    same = strcmp(sb_text(&text), opt->default_text) == 0;
    sb_done(&text);
    return same;
}

void options_init(struct options *o)
{
    struct err err = {0};

    memset(o, 0, sizeof *o);
    for (size_t i = 0; i < option_table_n; i++)
        if (!option_table[i].stands_for)
            option_set(o, &option_table[i], option_table[i].default_text, &err);
    err_done(&err);
}

void options_done(struct options *o)
{
    array_each(const struct option, opt, option_table, option_table_n) {
        if (option_kinds[opt->kind].storage == STORE_TEXT && !opt->stands_for) {
            free(*(char **)value_at(o, opt));
            *(char **)value_at(o, opt) = NULL;
        }
    }
}

void options_drop_files(struct options *o)
{
    char **const files[] = {&o->graph_path, &o->run_meta_path, &o->op_log_path,
                            &o->checkpoint_path, &o->profile_path,
                            &o->diff_base};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        free(*files[i]);
        *files[i] = NULL;
    }
}

enum metric_id options_compared_metric(const struct options *o)
{
    const enum metric_id m = main_metric(o->select);

    return m < METRIC_COUNT ? m : METRIC_MICROS;
}

enum metric_id options_order_metric(const struct options *o)
{
    if (o->order_by < ORDER_METRIC)
        return METRIC_COUNT;
    return o->order_by < ORDER_BASE ? (enum metric_id)(o->order_by - ORDER_METRIC)
                                    : options_compared_metric(o);
}

void options_copy(struct options *to, const struct options *from)
{
    *to = *from;
    array_each(const struct option, opt, option_table, option_table_n) {
        char **text = value_at(to, opt);

        if (option_kinds[opt->kind].storage == STORE_TEXT && !opt->stands_for && *text)
            *text = xstrdup(*text);
    }
}

bool option_is_changed(const struct options *o, const struct option *opt, enum view_id view)
{
    return (!opt->views || opt->views >> view & 1u) && !option_is_default(o, opt);
}

unsigned options_changed_stages(const struct options *a, const struct options *b)
{
    unsigned stages = 0;

    for (size_t i = 0; i < option_table_n; i++)
        if (!option_equal(a, b, &option_table[i]))
            stages |= option_table[i].stages;
    return stages;
}

const struct option *option_find(const char *name)
{
    for (size_t i = 0; i < option_table_n; i++)
        if (strcmp(option_table[i].name, name) == 0)
            return &option_table[i];
    return NULL;
}

/* ---- the presets of the Python API */

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
