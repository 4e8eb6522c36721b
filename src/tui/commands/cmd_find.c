/* cmd_find.c: searching, filtering and explaining. */

#include "tui/commands/cmd.h"
#include "tui/dialogs/prompt.h"
#include "tui/dialogs/textview.h"
#include "tui/drill.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"
#include "tui/places.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/tasks.h"
#include "tui/undo.h"
#include "view/explain/explain.h"

/* ---- search */

/* Reports the matches, followed by THEN (may be ""). */
static void show_match_count(struct app *a, const char *then)
{
    const bool is_news = !search_count(&a->nav.search) || *then;
    struct strbuf message = {0};

    pane_tree_add_matches(a, &message);
    app_print(a, is_news ? ROLE_NOTE : ROLE_TEXT, "%s%s", sb_text(&message), then);
    sb_done(&message);
}

/* Restores cursor and folds from the start of the search, unless another tree is displayed. */
static void search_back(struct app *a)
{
    struct view_state *state = app_view(a);

    if (a->nav.search.tree != state->tree)
        return;
    folds_unref(state->folds);
    state->folds = folds_ref(a->nav.search.folds);
    app_peek(a, a->nav.search.from);
}

bool search_in_picture(const struct app *a)
{
    return picture_displayed(a) && picture_displayed(a)->find;
}

/* Does THEN now if the matches are known, else when they arrive. */
static void search_then(struct app *a, enum search_then then)
{
    a->nav.search.then |= then;
    if (search_is_known(&a->nav.search, a->doc.result) &&
        (a->nav.search.strings || !search_in_picture(a)))
        search_arrived(a);
    else
        task_request(a, TASK_SEARCH);
}

static void search_changed(struct app *a, const char *text)
{
    struct err err = {0};

    if (!search_set(&a->nav.search, text, &err)) {
        app_print_err(a, &err);
        return;
    }
    search_back(a);
    if (*text)
        search_then(a, SEARCH_LOOK);
}

static bool search_done_typing(struct app *a, const char *text)
{
    struct err err = {0};

    if (*text && a->nav.search.regexes) {
        sb_clear(&a->nav.search.last);
        sb_adds(&a->nav.search.last, text);
        search_then(a, SEARCH_SAY);
    } else if (!*text && a->nav.search.last.len &&
               /* as in vim: repeats the last search */
               search_set(&a->nav.search, sb_text(&a->nav.search.last), &err)) {
        search_then(a, SEARCH_NEXT);
    }
    err_done(&err);
    return true;
}

static void search_go(struct app *a, int direction)
{
    bool wrapped;
    const row_id row = search_next(&a->nav.search, app_row(a), direction, a->nav.reverse, &wrapped);

    if (row != ROW_NONE)
        app_peek(a, row); /* moving between matches is no step of undo */
    if (row == ROW_NONE || !wrapped)
        show_match_count(a, "");
    else
        show_match_count(a, direction > 0 ? ": continued from the start"
                                          : ": continued from the end");
}

void search_arrived(struct app *a)
{
    const unsigned then = a->nav.search.then;
    bool wrapped;

    a->nav.search.then = 0;
    if (then && search_in_picture(a)) {
        picture_displayed(a)->find(a, then & SEARCH_NEXT ? 1 : then & SEARCH_PREVIOUS ? -1 : 0);
        return;
    }
    if (then & SEARCH_LOOK) {
        const row_id row = search_next(&a->nav.search, app_row(a), 1, a->nav.reverse, &wrapped);

        if (row != ROW_NONE)
            app_peek(a, row);
        show_match_count(a, "");
    }
    if (then & SEARCH_SAY)
        show_match_count(a, "");
    if (then & (SEARCH_NEXT | SEARCH_PREVIOUS))
        search_go(a, then & SEARCH_NEXT ? 1 : -1);
}

static void search_cancelled(struct app *a)
{
    struct err err = {0};

    search_set(&a->nav.search, "", &err);
    search_back(a);
    err_done(&err);
}

static const struct prompt_ops search_prompt = {
    .label = "/",
    .changed = search_changed,
    .done = search_done_typing,
    .cancelled = search_cancelled,
};

void cmd_search(struct app *a, int arg UNUSED)
{
    places_jump(a);
    a->nav.search.from = app_row(a);
    folds_unref(a->nav.search.folds);
    tree_unref(a->nav.search.tree);
    a->nav.search.folds = folds_ref(app_view(a)->folds);
    a->nav.search.tree = tree_ref(app_view(a)->tree);
    a->ui.focus = PANE_TREE;
    if (search_in_picture(a))
        picture_displayed(a)->find_begins(a);
    prompt_open(a, &search_prompt, "");
}

void cmd_search_next(struct app *a, int direction)
{
    search_then(a, direction > 0 ? SEARCH_NEXT : SEARCH_PREVIOUS);
}

/* ---- filter */

/* Sets the filter in CHANGED, a new copy of the options, to TEXT; VALUE is its list of regexes. False
 * with a message. */
static bool set_filter(struct app *a, const char *text, struct options *changed, struct strbuf *value)
{
    struct err err = {0};

    search_typed_regexes(value, text);
    options_copy(changed, &a->doc.requested.options);
    if (option_set(changed, option_find("show_name_regexes"), sb_text(value), &err))
        return true;
    app_print_err(a, &err);
    return false;
}

static void filter_changed(struct app *a, const char *text)
{
    struct strbuf value = {0};
    struct options changed;

    if (set_filter(a, text, &changed, &value)) {
        app_print(a, ROLE_DIM, "shows whole names that match %s", sb_text(&value));
        app_try(a, a->doc.requested.view, &changed);
    } else {
        a->ui.tree.dim = true; /* the last valid result stays displayed */
    }
    options_done(&changed);
    sb_done(&value);
}

static bool filter_done(struct app *a, const char *text)
{
    struct strbuf value = {0};
    struct options check;
    const bool ok = set_filter(a, text, &check, &value);

    a->ui.tree.dim &= !ok;
    options_done(&check);
    sb_done(&value);
    return ok;
}

static void filter_cancelled(struct app *a)
{
    undo_drop(a);
    a->ui.tree.dim = false;
}

static const struct prompt_ops filter_prompt = {
    .label = "filter: ",
    .changed = filter_changed,
    .done = filter_done,
    .cancelled = filter_cancelled,
};

void cmd_filter(struct app *a, int arg UNUSED)
{
    const char *now = a->doc.requested.options.show_name_regexes;

    if (table_pane_is_on(a)) {
        table_pane_filter(a);
        return;
    }
    undo_remember(a); /* one step of undo for the whole filter */
    prompt_open(a, &filter_prompt, strcmp(now, ".*") == 0 ? "" : now);
}

/* ---- similar names */

/* Appends a regex for ROW's name with any numbers, and for all rows below such rows. */
static void like_regex(struct strbuf *sb, const struct tree *t, row_id row)
{
    struct strbuf quoted = {0};
    const char *text;

    regexes_quote(&quoted, tree_name(t, row), tree_name_len(t, row));
    text = sb_text(&quoted);
    while (*text) {
        if (*text == '\\' && text[1]) {
            sb_add(sb, text, 2);
            text += 2;
        } else if (*text >= '0' && *text <= '9') {
            sb_adds(sb, "[0-9]+");
            text += strspn(text, "0123456789");
        } else {
            sb_addc(sb, *text++);
        }
    }
    sb_adds(sb, "(/.*)?");
    sb_done(&quoted);
}

/* True when REGEX is an item of the comma-separated LIST. */
static bool list_has(const char *list, const struct strbuf *regex)
{
    const char *at = regex->len ? strstr(list, sb_text(regex)) : NULL;

    while (at && !((at == list || at[-1] == ',') && (!at[regex->len] || at[regex->len] == ',')))
        at = strstr(at + 1, sb_text(regex));
    return at;
}

void cmd_like(struct app *a, int keeps)
{
    const struct options *o = &a->doc.requested.options;
    const char *option = keeps ? "show_name_regexes" : "hide_name_regexes";
    const char *old = keeps ? o->show_name_regexes : o->hide_name_regexes;
    struct strbuf list = {0}, regex = {0};

    if (!app_row(a)) {
        app_print(a, ROLE_NOTE, "select a row first");
        return;
    }
    like_regex(&regex, a->doc.result->tree, app_row(a));
    if (*old && strcmp(old, ".*") != 0)
        sb_addf(&list, "%s,", old);
    sb_adds(&list, sb_text(&regex));
    if (list_has(old, &regex))
        app_print(a, ROLE_NOTE, "-%s has %s already", option, sb_text(&regex));
    else if (app_set(a, option, sb_text(&list)))
        app_print(a, ROLE_TEXT, "-%s %s (u undoes it)", option, sb_text(&list));
    EACH(sb_done, &list, &regex);
}

/* ---- explaining */

static const char why_title[] = "Why";

/* Adds links that show ROW, or the rows below it. */
static void add_remedies(const struct result *r, row_id row, struct lines *l)
{
    uint8_t reasons[WHY_COUNT];
    const unsigned n = explain_reasons(r, row, reasons);

    for (unsigned i = 0; i < n; i++) {
        struct strbuf value = {0};
        const char *option = explain_remedy(r, row, reasons[i], &value);

        lines_next(l);
        lines_puts(l, ROLE_KEY, "Enter sets ");
        lines_putf(l, ROLE_TEXT, "-%s %s", option, value.len ? sb_text(&value) : "''");
        lines_link(l, (struct link){.kind = LINK_CURE, .row = row, .why = reasons[i]});
        sb_done(&value);
    }
}

/* Adds a link that separates ROW from its partner in the baseline. */
static void add_unmatch(const struct result *r, row_id row, struct lines *l)
{
    struct strbuf value = {0};

    if (explain_unmatch(&value, r, row)) {
        lines_next(l);
        lines_puts(l, ROLE_KEY, "Enter separates them ");
        lines_puts(l, ROLE_TEXT, "-unmatch ");
        lines_name(l, ROLE_TEXT, sb_text(&value), value.len);
        lines_link(l, (struct link){.kind = LINK_UNMATCH, .row = row});
    }
    sb_done(&value);
}

/* Shows TEXT about ROW (ROW_NONE: none). */
static void show_reasons(struct app *a, struct strbuf *text, row_id row)
{
    struct lines l = {0};
    char *rest = text->data, *line;
    size_t n_reasons, n_all;

    while ((line = strsep(&rest, "\n")))
        lines_paragraph(&l, ROLE_TEXT, a->ui.canvas.cols - 8, line);
    n_reasons = l.v.n;
    if (row != ROW_NONE) {
        add_remedies(a->doc.result, row, &l);
        add_unmatch(a->doc.result, row, &l);
    }
    n_all = l.v.n;
    textview_open(a, why_title, &l, n_all > n_reasons);
    textview_point(a, why_title, n_reasons);
    sb_done(text);
}

void cmd_explain(struct app *a, int arg UNUSED)
{
    const row_id teleported =
        a->nav.anchor == NODE_NONE ? ROW_NONE : a->doc.result->tree->row_of_node[a->nav.anchor];
    /* Explains the anchor if it came from another view and is hidden here. */
    const row_id row = teleported != ROW_NONE && a->doc.result->why[teleported] != WHY_SHOWN
                           ? teleported
                           : app_row(a);
    struct strbuf text = {0};

    explain_row(&text, a->doc.result, row);
    explain_match(&text, a->doc.result, row);
    show_reasons(a, &text, row);
}

static bool explain_typed(struct app *a, const char *name)
{
    struct strbuf text = {0};

    if (*name) {
        const row_id row = explain_name(&text, a->doc.result, name, strlen(name));

        show_reasons(a, &text, row);
    }
    return true;
}

const struct prompt_ops explain_prompt = {
    .label = "why is not shown: ",
    .done = explain_typed,
};
