/* drill.c: shows the subject of one row alone. */
#include "tui/drill.h"

#include <inttypes.h>

#include "base/regex/regexes.h"
#include "tui/places.h"
#include "view/build/hidden_frames.h"
#include "view/explain/explain.h"

/* Shows VIEW with OPTION matching exactly NAME, most expensive rows first. */
static void drill(struct app *a, enum view_id view, const char *option, struct text name)
{
    struct strbuf regex = {0};
    struct options changed;
    struct err err = {0};

    regexes_quote(&regex, name.bytes, name.len);
    options_copy(&changed, &a->doc.requested.options);
    if (changed.order_by < ORDER_METRIC && figure_primary(&changed) < METRIC_COUNT)
        changed.order_by = ORDER_METRIC + (int)figure_primary(&changed);
    if (option_set(&changed, option_find(option), sb_text(&regex), &err)) {
        places_drill(a);
        app_change(a, view, &changed);
        app_print(a, ROLE_TEXT, "-%s %s (Backspace goes back)", option, sb_text(&regex));
    } else {
        app_print_err(a, &err);
    }
    options_done(&changed);
    sb_done(&regex);
}

void drill_type(struct app *a, row_id row)
{
    drill(a, VIEW_SCOPE, "account_type_regexes", tree_text(a->doc.result->tree, row));
    a->nav.goes_to_hottest = true;
}

void drill_device(struct app *a, struct text device)
{
    a->ui.focus = PANE_TREE;
    drill(a, a->doc.requested.view, "device_regexes", device);
}

void drill_host(struct app *a, struct text host)
{
    a->ui.focus = PANE_TREE;
    drill(a, a->doc.requested.view, "host_regexes", host);
}

void drill_rank(struct app *a, int64_t rank)
{
    struct strbuf number = {0};

    sb_addf(&number, "%" PRId64, rank);
    a->ui.focus = PANE_TREE;
    drill(a, a->doc.requested.view, "rank", (struct text){sb_text(&number), (uint32_t)number.len});
    sb_done(&number);
}

/* ---- code */

static bool is_line(const struct frame *f, const struct frame *frame)
{
    return f && f->file == frame->file && f->lineno == frame->lineno &&
           f->function == frame->function;
}

/* The row of FRAME at or above INNERMOST; 0: none. */
static row_id row_of_frame(const struct tree *t, row_id innermost, const struct frame *frame)
{
    row_id row = innermost;

    while (row && !is_line(t->frame[row], frame))
        row = t->parent[row];
    return row;
}

/* The first row outside of libraries; 0: none. */
static row_id own_row(const struct tree *t, row_id innermost)
{
    struct hidden_frames libraries;
    row_id row = innermost;

    hidden_frames_init(&libraries, t->profile, LIBRARY_FRAMES);
    while (row && (t->n_folded[row] || frame_is_hidden(&libraries, t->frame[row])))
        row = t->parent[row];
    hidden_frames_done(&libraries);
    return row;
}

row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame)
{
    const row_id innermost = t->row_of_node[node];
    row_id row = 0;

    if (innermost == ROW_NONE || !t->frame)
        return innermost;
    if (frame)
        row = row_of_frame(t, innermost, frame);
    if (!row)
        row = own_row(t, innermost);
    return row ? row : innermost;
}

void drill_frame(struct app *a, node_id node, const struct frame *frame)
{
    a->ui.focus = PANE_TREE;
    places_jump(a);
    a->nav.anchor = node;
    if (a->doc.requested.view == VIEW_CODE) {
        app_go(a, user_code_row(a->doc.result->tree, node, frame));
        return;
    }
    app_change(a, VIEW_CODE, &a->doc.requested.options);
    a->nav.goes_to_frame = frame;
}

/* ---- hidden rows */

void cure(struct app *a, row_id row, unsigned why)
{
    struct strbuf value = {0};
    const char *option;

    if (!a->doc.result || row >= a->doc.result->tree->n_rows)
        return; /* the profile has been replaced */
    option = explain_remedy(a->doc.result, row, why, &value);
    places_drill(a);
    app_set(a, option, sb_text(&value));
    sb_done(&value);
}

void unmatch(struct app *a, row_id row)
{
    struct strbuf value = {0};

    if (a->doc.result && row < a->doc.result->tree->n_rows &&
        explain_unmatch(&value, a->doc.result, row) &&
        app_set(a, "unmatch", sb_text(&value)))
        app_print(a, ROLE_TEXT, "separated (u undoes it)");
    sb_done(&value);
}
