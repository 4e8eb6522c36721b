/* cmd_query.c: views, order, fields, steps, presets, cover. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "tui/commands/cmd.h"
#include "tui/commands/views.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/prompt.h"
#include "tui/panes/columns.h"
#include "tui/panes/compare.h"
#include "tui/places.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/loading.h"
#include "tui/undo.h"
#include "view/build/hidden_frames.h"
#include "view/cover.h"
#include "view/delta.h"
#include "view/step_times.h"

void cmd_view(struct app *a, int view)
{
    const bool is_away = views_leave_picture(a);

    if ((enum view_id)view == a->doc.requested.view) {
        if (!is_away)
            app_print(a, ROLE_DIM, "this is the %s view", view_names[view]);
        return;
    }
    places_jump(a);
    app_change(a, (enum view_id)view, &a->doc.requested.options);
}

static const char no_data[] = "no data in this profile";

/* ---- order */

static void set_order(struct app *a, intptr_t order)
{
    struct options changed = a->doc.requested.options;

    changed.order_by = (int)order;
    app_change(a, a->doc.requested.view, &changed);
}

void sort_click(struct app *a, int order)
{
    if (order == a->doc.requested.options.order_by)
        cmd_reverse(a, 0);
    else
        set_order(a, order);
}

/* True when the profile has data for FIELD. */
static bool has_data(const struct app *a, int field)
{
    return field >= METRIC_COUNT || field_in(a->doc.loader.facts.figures, field);
}

void cmd_sort_menu(struct app *a, int arg UNUSED)
{
    struct menu *m;

    if (table_pane_is_on(a)) {
        table_pane_sort_menu(a);
        return;
    }
    m = menu_open(a, "Order by", set_order);
    menu_add(m, ORDER_NAME, "name", "alphabetical");
    for (int i = 0; i < METRIC_COUNT; i++)
        if (profile_has_metric(a->doc.result->profile, (enum metric_id)i)) {
            const bool data = has_data(a, i);
            struct menu_item *item = menu_add(m, ORDER_METRIC + i, metrics[i].name,
                                              data ? metrics[i].help : no_data);

            item->disabled = data ? NULL : xstrdup(no_data);
        }
    if (result_compares(a->doc.result)) {
        menu_add(m, ORDER_DELTA, "delta", "largest increase first");
        menu_add(m, ORDER_DELTA_ABS, "delta_abs", "largest difference first");
        menu_add(m, ORDER_DELTA_PERCENT, "delta_percent", "largest difference in percent of the baseline");
    }
    for (size_t i = 0; i < m->items.n; i++)
        m->items.data[i].checked = m->items.data[i].value == a->doc.requested.options.order_by;
    menu_point(m, a->doc.requested.options.order_by);
}

void cmd_sort_step(struct app *a, int direction)
{
    int orders[METRIC_COUNT + 1] = {ORDER_NAME};
    int n = 1, at = 0;

    if (table_pane_is_on(a)) {
        table_pane_sort(a, direction);
        return;
    }
    for (int i = 0; i < METRIC_COUNT; i++)
        if (field_in(a->doc.requested.options.select, i))
            orders[n++] = ORDER_METRIC + i;
    for (int i = 0; i < n; i++)
        if (orders[i] == a->doc.requested.options.order_by)
            at = i;
    if (n == 1)
        app_print(a, ROLE_NOTE, "no figure is selected to order by: S selects some");
    else
        set_order(a, orders[(at + direction + n) % n]);
}

void cmd_reverse(struct app *a, int arg UNUSED)
{
    const row_id row = app_row(a);

    if (table_pane_is_on(a)) {
        table_pane_reverse(a);
        return;
    }
    undo_remember(a);
    a->nav.reverse = !a->nav.reverse;
    app_go(a, row);
    app_print(a, ROLE_TEXT, a->nav.reverse ? "order reversed, on the screen only"
                                       : "order of the options");
}

void cmd_columns(struct app *a, int direction)
{
    const struct fitted_columns seen = columns_fit(a, a->ui.layout.tree.cols);

    if (direction > 0 && !seen.n_after)
        app_print(a, ROLE_DIM, seen.n_before ? "this is the last column" : "all columns are shown");
    else if (direction < 0 && !seen.n_before)
        app_print(a, ROLE_DIM, "this is the first column");
    else
        a->ui.tree.column_shift = seen.n_before + direction;
}

/* ---- fields */

static void take_fields(struct app *a, struct menu *m)
{
    struct options changed = a->doc.requested.options;

    changed.select = 0;
    for (size_t i = 0; i < m->items.n; i++)
        if (m->items.data[i].checked)
            changed.select |= FIELD_BIT(m->items.data[i].value);
    if (changed.select != a->doc.requested.options.select)
        app_change(a, a->doc.requested.view, &changed);
}

void cmd_select_menu(struct app *a, int arg UNUSED)
{
    struct menu *m;

    if (table_pane_is_on(a)) {
        table_pane_columns_menu(a);
        return;
    }
    m = menu_open(a, "Fields to show: Space ticks, Enter is OK", NULL);
    m->checklist = true;
    m->choose_all = take_fields;
    for (int field = 0; field < FIELD_COUNT; field++) {
        const bool data = has_data(a, field);
        struct menu_item *item = menu_add(m, field, field_get(field)->name,
                                          data ? field_get(field)->help : no_data);

        item->checked = field_in(a->doc.requested.options.select, field);
    }
}

void select_field(struct app *a, intptr_t field)
{
    struct options changed = a->doc.requested.options;

    if (!has_data(a, (int)field)) {
        app_print(a, ROLE_NOTE, "%s: %s", field_get((int)field)->name, no_data);
        return;
    }
    changed.select |= FIELD_BIT(field);
    if (field < METRIC_COUNT)
        changed.order_by = ORDER_METRIC + (int)field;
    app_change(a, a->doc.requested.view, &changed);
}

void cmd_percent_base(struct app *a, int arg UNUSED)
{
    a->ui.tree.percent_of_parent = !a->ui.tree.percent_of_parent;
    app_print(a, ROLE_TEXT, "percent of the %s", a->ui.tree.percent_of_parent ? "parent" : "root");
}

/* ---- steps */

static void set_step(struct app *a, int64_t step)
{
    struct strbuf value = {0};

    sb_addf(&value, "%" PRId64, step);
    app_set(a, "step", sb_text(&value));
    sb_done(&value);
}

void cmd_step(struct app *a, int direction)
{
    const struct profile *p = a->doc.result->profile;
    const int64_t asked = a->doc.requested.options.step;
    /* continues from the step that was selected by time */
    const int64_t now = step_is_chosen(asked) ? a->doc.result->options.step : asked;
    uint32_t at = 0;

    if (now < 0) {
        set_step(a, p->steps[direction > 0 ? 0 : p->n_steps - 1]);
        return;
    }
    while (at < p->n_steps && p->steps[at] != now)
        at++;
    if ((direction < 0 && at == 0) || (direction > 0 && at + 1 >= p->n_steps))
        app_print(a, ROLE_NOTE, "this is the %s step; A shows the average",
                  direction < 0 ? "first" : "last");
    else
        set_step(a, p->steps[direction < 0 ? at - 1 : at + 1]);
}

void cmd_step_average(struct app *a, int arg UNUSED)
{
    if (a->doc.requested.options.step < 0 && !step_is_chosen(a->doc.requested.options.step))
        app_print(a, ROLE_DIM, "this is the average of all steps");
    else
        set_step(a, -1);
}

/* ---- comparing */

enum { WITH_AVERAGE = -1, WITH_FILES = -2, WITH_NOTHING = -3, WITH_RULES = -4 };

static bool compare_typed(struct app *a, const char *text)
{
    if (*text)
        compare_files(a, text);
    return true;
}

static const struct prompt_ops compare_prompt = {
    .label = "compare with files: ",
    .done = compare_typed,
    .complete = complete_path,
    .keeps_history = true,
};

/* VALUE: the index of a step, or one of the constants above. */
static void compare_with(struct app *a, intptr_t value)
{
    if (value == WITH_FILES)
        prompt_open(a, &compare_prompt, "");
    else if (value == WITH_RULES)
        cmd_rename(a, 0);
    else if (value == WITH_NOTHING)
        compare_stop(a);
    else
        compare_step(a, value == WITH_AVERAGE ? -1 : a->doc.result->profile->steps[value]);
}

void cmd_compare(struct app *a, int arg UNUSED)
{
    const struct profile *p = a->doc.result->profile;
    struct menu *m = menu_open(a, "Compare with", compare_with);
    struct strbuf name = {0};

    compare_name(&name, &a->doc.requested.options);
    if (name.len)
        menu_add(m, WITH_NOTHING, "stop comparing", sb_text(&name));
    sb_done(&name);
    if (a->doc.session->comparison)
        menu_add(m, WITH_RULES, "edit rename rules ...",
                 a->doc.requested.options.rename);
    menu_add(m, WITH_FILES, "another profile ...", "matched by name and structure");
    if (p->n_steps > 1 && a->doc.result->options.step >= 0)
        menu_add(m, WITH_AVERAGE, "the average of all steps", NULL);
    for (uint32_t i = 0; p->n_steps > 1 && i < p->n_steps; i++) {
        struct strbuf label = {0};

        if (p->steps[i] == a->doc.result->options.step)
            continue;
        sb_addf(&label, "step %" PRId64, p->steps[i]);
        step_add_name(&label, p, p->steps[i]);
        menu_add(m, (intptr_t)i, sb_text(&label), NULL);
        sb_done(&label);
        if (i && p->steps[i - 1] == a->doc.requested.options.step)
            menu_point(m, (intptr_t)i); /* the step after the displayed one */
    }
}

/* ---- presets */

void take_preset(struct app *a, intptr_t row)
{
    struct options changed;
    struct err err = {0};

    options_copy(&changed, &a->doc.requested.options);
    if (options_preset(&changed, preset_rows[row].preset, &err))
        app_change(a, a->doc.requested.view, &changed);
    else
        app_print_err(a, &err);
    options_done(&changed);
}

void cmd_presets(struct app *a, int arg UNUSED)
{
    struct menu *m = menu_open(a, "Presets", take_preset);

    for (intptr_t i = 0; preset_rows[i].preset; i++) {
        struct strbuf note = {0};

        if (i && strcmp(preset_rows[i - 1].preset, preset_rows[i].preset) == 0)
            continue;
        for (intptr_t j = i; preset_rows[j].preset &&
                             strcmp(preset_rows[j].preset, preset_rows[i].preset) == 0;
             j++)
            if (strcmp(preset_rows[j].option, "select") == 0)
                sb_addf(&note, "-select %s", preset_rows[j].value);
        menu_add(m, i, preset_rows[i].preset, sb_text(&note));
        sb_done(&note);
    }
}

void cmd_reset_options(struct app *a, int arg UNUSED)
{
    struct options changed;

    options_copy(&changed, &a->doc.requested.options);
    load_first_options(a, &changed);
    app_change(a, a->doc.requested.view, &changed);
    options_done(&changed);
}

/* ---- library frames */

void cmd_library_frames(struct app *a, int arg UNUSED)
{
    const char *hidden = a->doc.requested.options.hide_frames;
    const bool fold = !*hidden;

    if (fold) {
        app_set(a, "hide_frames", a->doc.was_hidden.len ? sb_text(&a->doc.was_hidden)
                : LIBRARY_FRAMES);
    } else {
        sb_clear(&a->doc.was_hidden);
        sb_adds(&a->doc.was_hidden, hidden);
        app_set(a, "hide_frames", "");
    }
    app_print(a, ROLE_TEXT, fold ? "library frames are folded" : "all frames are shown");
}

/* ---- repeated layers */

void cmd_repeats(struct app *a, int arg UNUSED)
{
    const bool fold = !a->doc.requested.options.fold_twins;

    if (app_set(a, "fold_twins", fold ? "true" : "false"))
        app_print(a, ROLE_TEXT, fold ? "repeated layers are folded into one row: Enter shows them"
                                     : "repeated layers are shown as separate rows");
}

/* ---- cover */

static bool cover_done(struct app *a, const char *text)
{
    const enum metric_id m = figure_primary(&a->doc.result->options);
    struct strbuf option = {0}, value = {0};
    struct cover cover;
    char *end;
    const double percent = strtod(text, &end);

    if (!*text)
        return true;
    if (*end == '%')
        end++;
    if (*end || !(percent > 0 && percent <= 100)) {
        app_print(a, ROLE_ERROR, "E: '%s' is not a percentage from 1 to 100", text);
        return false;
    }
    if (!cover_find(a->doc.result, m, percent, &cover)) {
        app_print(a, ROLE_ERROR, "E: no row has a self figure of %s", metrics[m].name);
        return true;
    }
    sb_addf(&option, "min_%s", metrics[m].name);
    sb_addf(&value, "%" PRId64, cover.min);
    if (app_set(a, sb_text(&option), sb_text(&value)))
        app_print(a, ROLE_TEXT, "-%s %s: %u rows hold %.1f %% of %s (u undoes it)",
                  sb_text(&option), sb_text(&value), cover.n_rows, cover.percent, metrics[m].name);
    EACH(sb_done, &option, &value);
    return true;
}

const struct prompt_ops cover_prompt = {
    .text = "90",
    .label = "top rows, percent: ",
    .done = cover_done,
};
