/* drill.c: shows the subject of one row alone. */
#include "tui/drill.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/regex/regexes.h"
#include "tui/places.h"
#include "view/build/hidden_frames.h"
#include "view/explain/explain.h"

/* Sets OPTION of *CHANGED; appends "-OPTION VALUE" to SAID. */
static bool set_option(struct options *changed, const char *option, const char *value,
                       struct strbuf *message, struct err *err)
{
    sb_addf(message, "%s-%s %s", message->len ? " " : "", option, value);
    return option_set(changed, option_find(option), value, err);
}

static bool set_number(struct options *changed, const char *option, int64_t value,
                       struct strbuf *message, struct err *err)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    return set_option(changed, option, text, message, err);
}

static bool set_name(struct options *changed, const char *option, struct text name,
                     struct strbuf *message, struct err *err)
{
    struct strbuf regex = {0};
    bool ok;

    regexes_quote(&regex, name.bytes, name.len);
    ok = set_option(changed, option, sb_text(&regex), message, err);
    sb_done(&regex);
    return ok;
}

/* Selects the devices of HOST: -host_regexes would read the files again, which undo does not. */
static bool set_host(struct options *changed, struct text host, struct strbuf *message, struct err *err)
{
    struct strbuf regex = {0};
    bool ok;

    sb_adds(&regex, "(.*[:/])?");
    regexes_quote(&regex, host.bytes, host.len);
    sb_adds(&regex, "(/.*)?");
    ok = set_option(changed, "device_regexes", sb_text(&regex), message, err);
    sb_done(&regex);
    return ok;
}

/* Begins to change the options to those of a single thing. */
static void begin(const struct app *a, struct options *changed)
{
    options_copy(changed, &a->doc.requested.options);
    if (changed->order_by < ORDER_METRIC && figure_primary(changed) < METRIC_COUNT)
        changed->order_by = ORDER_METRIC + (int)figure_primary(changed);
}

/* Shows VIEW with the options CHANGED if OK, else reports ERR. Frees both, and SAID. */
static void end(struct app *a, enum view_id view, struct options *changed, bool ok,
                struct strbuf *message, struct err *err)
{
    if (ok) {
        places_drill(a);
        app_change(a, view, changed);
        if (message->len)
            app_print(a, ROLE_TEXT, "%s (Backspace goes back)", sb_text(message));
    } else {
        app_print_err(a, err);
    }
    options_done(changed);
    sb_done(message);
}

void drill_type(struct app *a, row_id row)
{
    struct strbuf message = {0};
    struct options changed;
    struct err err = {0};
    bool ok;

    begin(a, &changed);
    ok = set_name(&changed, "account_type_regexes", tree_text(a->doc.result->tree, row), &message, &err);
    end(a, VIEW_SCOPE, &changed, ok, &message, &err);
    a->nav.goes_to_hottest = true;
}

void drill_subject(struct app *a, const struct subject *s)
{
    const struct profile *p = a->doc.session->profile;
    struct strbuf message = {0};
    struct options changed;
    struct err err = {0};
    bool ok = true;

    begin(a, &changed);
    a->ui.focus = PANE_TREE;
    if (s->has_rank && p->n_recorders > 1)
        ok = set_number(&changed, "rank", s->rank, &message, &err);
    if (ok && (s->kind == SUBJECT_STEP || (s->kind == SUBJECT_DEVICE && s->id >= 0)))
        ok = set_number(&changed, "step", s->id, &message, &err);
    /* nodes of traces are on the CPU that launched their work */
    if (ok && s->kind == SUBJECT_DEVICE && !p->n_recorders)
        ok = set_name(&changed, "device_regexes", s->name, &message, &err);
    else if (ok && s->kind == SUBJECT_HOST)
        ok = set_host(&changed, s->name, &message, &err);
    end(a, a->doc.requested.view, &changed, ok, &message, &err);
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
