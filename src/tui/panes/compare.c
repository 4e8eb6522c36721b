/* compare.c: comparisons and the differences that they display. */
#include "tui/panes/compare.h"

#include <inttypes.h>

#include "base/satmath.h"
#include "model/format.h"
#include "session/rename_rules.h"
#include "session/words.h"
#include "tui/app.h"
#include "tui/tasks/loading.h"
#include "view/delta.h"
#include "view/step_times.h"

static void set_text(struct options *o, const char *name, const char *value)
{
    struct err err = {0};

    option_set(o, option_find(name), value, &err);
    err_done(&err);
}

/* Orders by difference if rows are ordered by the compared metric. */
static void order_with_base(struct options *o)
{
    if (o->order_by == ORDER_METRIC + (int)options_compared_metric(o))
        o->order_by = ORDER_DELTA_ABS;
}

void compare_step(struct app *a, int64_t step)
{
    struct options changed = a->doc.requested.options;

    changed.diff_step = step;
    order_with_base(&changed);
    app_change(a, a->doc.requested.view, &changed);
}

/* Replaces orders by difference if there is no comparison. */
static void order_without_base(struct options *o)
{
    if (o->order_by >= ORDER_BASE)
        o->order_by = ORDER_METRIC + (int)options_order_metric(o);
}

void compare_stop(struct app *a)
{
    struct options changed;

    options_copy(&changed, &a->doc.requested.options);
    order_without_base(&changed);
    changed.diff_step = DIFF_STEP_SAME;
    if (changed.diff_base) {
        set_text(&changed, "diff_base", "");
        load_again(a, &changed);
    } else {
        app_change(a, a->doc.requested.view, &changed);
    }
    options_done(&changed);
}

/* Adds the rename rules saved for the project. The displayed command line contains them. */
static void take_kept_rules(struct doc *doc, struct options *o)
{
    struct notes notes = {0};

    if (!doc->no_config)
        rename_rules_apply(o, &doc->session->files, &notes);
    notes_done(&notes);
}

void compare_files(struct app *a, const char *files)
{
    struct strbuf list = {0};
    struct words words = {0};
    struct options changed;
    struct err err = {0};

    if (!words_split(files, &words, &err)) {
        app_print_err(a, &err);
        return;
    }
    for (size_t i = 0; i < words.n; i++) {
        sb_adds(&list, i ? "," : "");
        for (const char *c = words.items[i]; *c; c++)
            sb_addf(&list, "%s%c", *c == ',' ? "\\" : "", *c);
    }
    words_done(&words);
    options_copy(&changed, &a->doc.requested.options);
    changed.diff_step = DIFF_STEP_SAME;
    set_text(&changed, "diff_base", sb_text(&list));
    order_with_base(&changed);
    if (changed.diff_base) {
        take_kept_rules(&a->doc, &changed);
        load_again(a, &changed);
    }
    options_done(&changed);
    sb_done(&list);
}

void compare_rename(struct app *a, const char *rules)
{
    const char *file = rename_rules_file(&a->doc.requested.options, &a->doc.session->files);
    const char *before = a->doc.requested.options.rename ? a->doc.requested.options.rename : "";
    struct notes notes = {0};
    struct options changed;

    if (file && !a->doc.no_config)
        rename_rules_save(file, rules, &notes);
    app_print_notes(a, &notes);
    if (strcmp(before, rules) != 0) {
        options_copy(&changed, &a->doc.requested.options);
        set_text(&changed, "rename", rules);
        load_again(a, &changed);
        options_done(&changed);
    }
}

void compare_name(struct strbuf *sb, const struct options *o)
{
    if (o->diff_base)
        sb_adds(sb, o->diff_base);
    if (!options_compare_steps(o))
        return;
    sb_adds(sb, o->diff_base ? ", " : "");
    if (o->diff_step >= 0)
        sb_addf(sb, "step %" PRId64, o->diff_step);
    else if (step_choice_name(o->diff_step))
        sb_addf(sb, "the %s step", step_choice_name(o->diff_step));
    else if (o->diff_step == STEP_NAMED)
        sb_addf(sb, "step %s", o->diff_step_value.name);
    else
        sb_adds(sb, o->diff_step == STEP_ALL       ? "all of the run"
                    : o->diff_step == STEP_OUTSIDE ? "work outside of steps"
                                                   : "the average");
}

void compare_cell(const struct result *r, row_id row, enum metric_id m, struct strbuf *sb)
{
    const int64_t delta = delta_of(r, m, row).delta;
    const char mark = delta_mark(r->sides[row]);

    if (!delta && (mark == '+' || mark == '-')) {
        sb_adds(sb, mark == '+' ? "new" : "gone");
        return;
    }
    if (delta)
        sb_addc(sb, delta > 0 ? '+' : '-');
    format_spaced(sb, metrics[m].unit, delta < 0 ? clamp_neg(delta) : delta);
}
