/* frame.c: draws the whole screen: header, panes, status, command line, footer. */
#include <string.h>

#include "base/utf8.h"
#include "tui/action.h"
#include "tui/app.h"
#include "tui/commands/views.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/overlay.h"
#include "tui/keymap.h"
#include "tui/panes/cells.h"
#include "tui/panes/compare.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"
#include "view/delta.h"
#include "view/pictures/timeline_text.h"
#include "view/step_times.h"

const struct pane panes[PANE_COUNT] = {
    [PANE_TREE] = {.name = "tree", .context = CTX_TREE, .draw = pane_tree_draw,
                   .move = pane_tree_move, .open = pane_tree_open, .click = pane_tree_click},
    [PANE_DETAILS] = {.name = "details", .context = CTX_DETAILS, .draw = pane_details_draw,
                      .move = pane_details_move, .open = pane_details_open,
                      .click = pane_details_click},
    [PANE_OPTIONS] = {.name = "options", .context = CTX_OPTIONS, .draw = pane_options_draw,
                      .move = pane_options_move, .open = pane_options_open,
                      .click = pane_options_click},
};

const struct pane *pane_of(const struct app *a, enum pane_id id)
{
    const struct picture_ops *picture = id == PANE_TREE ? picture_displayed(a) : NULL;

    return picture ? &picture->pane : &panes[id];
}

unsigned app_context(const struct app *a)
{
    return a->ui.top ? a->ui.top->ops->context : pane_of(a, a->ui.focus)->context;
}

void app_hit(struct app *a, struct area where, int row, int left, int cols,
             const struct action *action, int arg)
{
    struct hit hit = {where.top + row, where.left + left, cols, action, arg, NULL};

    vec_push(&a->ui.hits, hit);
}

void app_hit_call(struct app *a, struct area where, int row, int left, int cols,
                  void (*call)(struct app *a, int arg), int arg)
{
    struct hit hit = {where.top + row, where.left + left, cols, NULL, arg, call};

    vec_push(&a->ui.hits, hit);
}

/* ---- the header */

/* Draws the tab of VIEW at COL, dim if the view has no data. Returns its right end. */
static int draw_tab(struct app *a, struct area where, int col, const char *name,
                    const struct action *action)
{
    const bool on = view_is_on(a, action);
    const bool dim = action_refusal(a, action) != NULL;
    struct strbuf label = {0};
    int cols;

    keymap_label(a->ui.keymap, CTX_TREE, action, &label);
    sb_addf(&label, "%s%s", label.len ? " " : "", name);
    cols = text_cols(sb_text(&label), label.len);
    area_printf(where, 0, col, on ? ROLE_TAB : dim ? ROLE_DIM : ROLE_TEXT, on ? "[%s]" : " %s ",
                sb_text(&label));
    app_hit(a, where, 0, col, cols + 2, action, 0);
    sb_done(&label);
    return col + cols + 2;
}

/* Draws the tabs of the views. A displayed view without a tab gets one. */
static void draw_tabs(struct app *a)
{
    enum { WIDE_TABS_COLS = 100, MENU_COLS = 8 };
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tabs);
    const bool wide = where.cols >= WIDE_TABS_COLS;
    int col = 0;

    if (!where.rows)
        return;
    for (int i = 0; view_list[i].action; i++) {
        const struct action *action = action_find(view_list[i].action);
        const char *name = wide || !view_list[i].narrow ? action->name : view_list[i].narrow;

        if (i < VIEW_TABS || view_is_on(a, action))
            col = draw_tab(a, where, col, name, action);
    }
    if (col + MENU_COLS <= where.cols)
        draw_tab(a, where, col, "more", action_find("views"));
}

/* ---- the second row: path of the cursor, step, rows */

enum { COMPARED_COLS = 20, WIDE_COLS = 100 };

static void add_numbered_step(const struct result *r, struct strbuf *sb)
{
    const char *choice = step_choice_name(r->asked_step);
    struct strbuf name = {0};
    uint32_t at = 0;

    sb_addf(sb, "%s%sstep %lld", choice ? choice : "", choice ? " " : "",
            (long long)r->options.step);
    while (at < r->profile->n_steps && r->profile->steps[at] != r->options.step)
        at++;
    if (r->profile->n_steps > 1 && at < r->profile->n_steps)
        sb_addf(sb, " (%u/%u)", at + 1, r->profile->n_steps);
    step_add_name(&name, r->profile, r->options.step);
    text_cut_middle(sb, sb_text(&name), name.len, COMPARED_COLS);
    sb_done(&name);
}

static void add_step(const struct app *a, struct strbuf *sb)
{
    const struct profile *p = a->doc.result->profile;
    const int64_t step = a->doc.result->options.step;

    if (result_compares(a->doc.result)) {
        struct strbuf name = {0};
        const char *text, *slash;

        compare_name(&name, &a->doc.result->options);
        slash = strrchr(sb_text(&name), '/');
        text = slash ? slash + 1 : sb_text(&name);
        sb_adds(sb, "delta to ");
        text_cut_middle(sb, text, strlen(text), COMPARED_COLS);
        sb_adds(sb, "   ");
        sb_done(&name);
    }
    if (!p->n_steps)
        return;
    if (step < 0)
        sb_addf(sb, "step avg(%u)", p->n_steps);
    else
        add_numbered_step(a->doc.result, sb);
}

static void add_crumb(const struct app *a, row_id row, struct strbuf *sb)
{
    struct strbuf name = {0}, leaf = {0};
    const struct text text = tree_text(a->doc.result->tree, row);
    const char *from = text.bytes;
    size_t len = text.len;

    for (size_t i = len; a->doc.result->view_id == VIEW_SCOPE && i-- > 0;)
        if (from[i] == '/') {
            from += i + 1;
            len -= i + 1;
            break;
        }
    utf8_escape(&name, from, len);
    text_cut_middle(&leaf, sb_text(&name), name.len, 32);
    sb_add(sb, sb_text(&leaf), leaf.len);
    EACH(sb_done, &name, &leaf);
}

/* Appends the path of the cursor's row. A long path keeps its nearest components. */
static void crumbs_text(const struct app *a, struct strbuf *sb)
{
    enum { CRUMBS_MAX = 8 };
    row_id path[CRUMBS_MAX];
    size_t n = rows_path(a->nav.rows, a->nav.cursor, path, CRUMBS_MAX);

    sb_adds(sb, path[n - 1] ? "\u2026\u203a " : "");
    while (n-- > 0) {
        add_crumb(a, path[n], sb);
        sb_adds(sb, n ? " \u203a " : "");
    }
}

/* Appends a hint that repeated layers can be folded, with the key. */
static bool add_repeats(const struct app *a, struct strbuf *sb)
{
    enum { LAYERS_MIN = 4 };
    const struct result *r = a->doc.result;

    if (!r || r->tree->n_alike < LAYERS_MIN || r->options.fold_twins)
        return false;
    sb_addf(sb, "%" PRIu32 " repeated layers: ", r->tree->n_alike);
    if (!keymap_label(a->ui.keymap, CTX_TREE, action_find("fold-layers"), sb))
        sb_adds(sb, ":fold-layers");
    sb_adds(sb, " folds");
    return true;
}

static void draw_crumbs(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.crumbs);
    const struct result *r = a->doc.result;
    const enum metric_id m = r ? figure_primary(&r->options) : METRIC_COUNT;
    struct strbuf path = {0}, facts = {0};
    const int strip_cols = r ? step_strip_cols(&a->doc, where.cols) : 0;
    int cols, room, strip_at;

    if (!r)
        return;
    if (where.cols >= WIDE_COLS)
        add_repeats(a, &facts);
    sb_adds(&facts, facts.len ? "   " : "");
    add_step(a, &facts);
    strip_at = text_cols(sb_text(&facts), facts.len) + 1;
    if (strip_cols)
        sb_addf(&facts, " %*s", strip_cols, "");
    if (strip_cols)
        step_strip_legend(&a->doc, strip_cols, where.cols < WIDE_COLS, &facts);
    sb_adds(&facts, r->profile->n_steps ? "   " : "");
    figure_grouped(&facts, r->n_shown);
    sb_adds(&facts, " of ");
    figure_grouped(&facts, r->tree->n_rows - 1);
    sb_adds(&facts, " rows");
    if (m < METRIC_COUNT) {
        sb_adds(&facts, "   ");
        cell_add(a, 0, m, CELL_TOTAL, &facts);
    }
    cols = text_cols(sb_text(&facts), facts.len);
    area_put(where, 0, where.cols - cols - 1, sb_text(&facts), facts.len, ROLE_DIM);
    step_strip_draw(a, where, 0, where.cols - cols - 1 + strip_at, strip_cols);
    crumbs_text(a, &path);
    room = where.cols - cols - 4;
    if (room <= 2) {
        ; /* there is no room for a path */
    } else if (text_cols(sb_text(&path), path.len) > room) {
        const size_t tail = text_fit_end(sb_text(&path), path.len, room - 1);

        area_puts(where, 0, 1, "\u2026", ROLE_TITLE);
        area_put(where, 0, 2, sb_text(&path) + path.len - tail, tail, ROLE_TITLE);
    } else {
        area_put(where, 0, 1, sb_text(&path), path.len, ROLE_TITLE);
    }
    EACH(sb_done, &path, &facts);
}

/* ---- the last rows */

/* True when all displayed figures need a run and no run is loaded, so that all are 0. */
static bool lacks_runs(const struct result *r)
{
    bool any = false;

    if (!r || !r->profile->n_nodes || r->profile->n_steps)
        return false;
    for (int m = 0; m < METRIC_COUNT; m++)
        if (field_in(r->options.select, m)) {
            any = true;
            if (metrics[m].is_static || m == METRIC_OCCURRENCE)
                return false;
        }
    return any;
}

static void draw_status(struct app *a)
{
    enum { SLOW_US = 100000 }; /* a shorter task is not reported */
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.status);
    const char *mode = a->ui.top ? a->ui.top->ops->mode : "NORMAL";
    struct strbuf left = {0}, right = {0}, fit = {0};
    enum role role = a->ui.message.role;
    int cols;

    if (a->ui.message.text.len) {
        sb_adds(&left, sb_text(&a->ui.message.text));
    } else if (a->doc.session && load_is_open(a)) {
        load_text(a, &left);
        role = ROLE_NOTE;
    } else if (tasks_are_working(a)) {
        sb_adds(&left, task_is_open(a, TASK_LOAD) ? "reading ..." : "working ...");
        role = ROLE_DIM;
    } else if (a->doc.failure.kind) {
        load_text(a, &left);
        role = ROLE_ERROR;
    } else if (picture_displayed(a) && a->ui.focus == PANE_TREE) {
        a->ui.picture->status(a, &left);
        role = ROLE_TEXT;
    } else if (!a->ui.layout.wide && a->doc.hidden.len) {
        sb_adds(&left, sb_text(&a->doc.hidden));
        role = ROLE_NOTE;
    } else if (lacks_runs(a->doc.result)) {
        sb_adds(&left, "no run is loaded: times and memory are unknown (S: fields)");
        role = ROLE_NOTE;
    } else if (where.cols < WIDE_COLS && add_repeats(a, &left)) {
        role = ROLE_NOTE;
    } else if (a->doc.result && a->doc.result_us >= SLOW_US) {
        sb_adds(&left, "re-aggregated ");
        figure_grouped(&left, a->doc.result->profile->n_nodes);
        sb_addf(&left, " nodes in %lld ms", (long long)(a->doc.result_us / 1000));
        role = ROLE_DIM;
    }
    if (a->ui.term->stderr_lines)
        sb_addf(&right, "%zu lines on stderr   ", a->ui.term->stderr_lines);
    if (where.cols >= 60)
        sb_addf(&right, "undo %zu  redo %zu   ", a->nav.undo.past.n, a->nav.undo.future.n);
    sb_adds(&right, mode ? mode : "");
    if (text_cols(sb_text(&left), left.len) + text_cols(sb_text(&right), right.len) + 4 > where.cols)
        sb_clear(&right); /* a long message uses the whole line */
    cols = text_cols(sb_text(&right), right.len);
    area_put(where, 0, where.cols - cols - 1, sb_text(&right), right.len, ROLE_DIM);
    text_cut_words(&fit, sb_text(&left), left.len, where.cols - cols - 3);
    area_put(where, 0, 1, sb_text(&fit), fit.len, role);
    EACH(sb_done, &left, &right, &fit);
}

static void draw_command(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.command);
    const int note_cols = where.cols >= 60 ? 8 : 0;
    struct strbuf text = {0}, fit = {0};

    sb_adds(&text, "$ ");
    app_command(a, &text);
    text_cut_end(&fit, sb_text(&text), text.len, where.cols - 2 - note_cols);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_TEXT);
    if (note_cols) {
        area_puts(where, 0, where.cols - 7, "y copy", ROLE_KEY);
        app_hit(a, where, 0, where.cols - 7, 6, action_find("copy-command"), 0);
    }
    EACH(sb_done, &text, &fit);
}

static void draw_key(struct app *a, struct area where, int col, const char *key, const char *word,
                     const struct action *action)
{
    const int key_cols = text_cols(key, strlen(key));

    area_puts(where, 0, col, key, ROLE_KEY);
    area_puts(where, 0, col + key_cols + 1, word, ROLE_TEXT);
    app_hit(a, where, 0, col, key_cols + 1 + text_cols(word, strlen(word)), action, 0);
}

/* Draws the keys that are available now, as many as fit. */
static void draw_footer(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.footer);
    const unsigned context = app_context(a);
    int col = 1;

    if (context & CTX_PANES) { /* help and quit are always visible */
        draw_key(a, where, where.cols - 15, "?", "help", action_find("help"));
        draw_key(a, where, where.cols - 7, "q", "quit", action_find("close"));
        where.cols -= 15;
    }
    for (const struct action *action = action_table; action->name; action++) {
        struct strbuf key = {0};
        int cols;

        if (!action->footer || (context & CTX_PANES && strcmp(action->footer, "help") == 0) ||
            !(action->contexts & context) ||
            action_refusal(a, action) ||
            (action->offer && !overlay_offers(a, (enum overlay_offer)action->offer)) ||
            !keymap_label(a->ui.keymap, context, action, &key)) {
            sb_done(&key);
            continue;
        }
        cols = text_cols(sb_text(&key), key.len) + 1 + text_cols(action->footer, strlen(action->footer));
        if (col + cols + 1 > where.cols) {
            sb_done(&key);
            break;
        }
        draw_key(a, where, col, sb_text(&key), action->footer, action);
        col += cols + 2;
        sb_done(&key);
    }
}

/* ---- all */

static void draw_tiny(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    struct strbuf name = {0}, fit = {0};

    if (a->doc.result) {
        const row_id row = app_row(a);
        const enum metric_id m = figure_primary(&a->doc.result->options);

        utf8_escape(&name, tree_name(a->doc.result->tree, row),
                    tree_name_len(a->doc.result->tree, row));
        text_cut_middle(&fit, sb_text(&name), name.len, where.cols);
        area_put(where, 0, 0, sb_text(&fit), fit.len, ROLE_CURSOR);
        sb_clear(&fit);
        if (m < METRIC_COUNT)
            cell_add(a, row, m, CELL_TOTAL, &fit);
        area_put(where, 1, 0, sb_text(&fit), fit.len, ROLE_NUMBER);
        area_cursor(where, 0, 0, false);
    }
    area_puts(where, where.rows - 1, 0, "enlarge or q", ROLE_DIM);
    EACH(sb_done, &name, &fit);
}

static void draw_panes(struct app *a)
{
    const int divider = a->ui.layout.divider.left;
    struct area rule = layout_area(&a->ui.canvas, a->ui.layout.rule);

    if (a->ui.layout.wide) {
        for (int i = 0; i < PANE_COUNT; i++)
            if (i != (int)a->ui.focus)
                pane_of(a, (enum pane_id)i)->draw(a);
        pane_of(a, a->ui.focus)->draw(a); /* drawn last: it sets the cursor */
        for (int row = 0; row < a->ui.layout.divider.rows; row++)
            area_fill(area_all(&a->ui.canvas), a->ui.layout.divider.top + row, divider, 1, 0x2502,
                      ROLE_FRAME);
    } else if (options_editor_rows(a)) {
        pane_tree_draw(a);
    } else {
        pane_of(a, a->doc.result ? a->ui.focus : PANE_TREE)->draw(a);
    }
    area_fill(rule, 0, 0, rule.cols, 0x2500, ROLE_FRAME);
    if (a->doc.result && a->ui.layout.brief.rows)
        details_brief(a, layout_area(&a->ui.canvas, a->ui.layout.brief));
}

/* Draws overlays from the lowest to the top one. */
static void draw_overlays(struct app *a)
{
    const struct layout *l = &a->ui.layout;
    struct area screen = area_all(&a->ui.canvas);
    size_t n = 0;

    if (!l->tiny)
        screen = area_sub(screen, 1, 0, l->status.top - 1, screen.cols);
    for (struct overlay *o = a->ui.top; o; o = o->below)
        n++;
    while (n-- > 0) {
        struct overlay *o = a->ui.top;

        for (size_t i = 0; i < n; i++)
            o = o->below;
        o->ops->draw(o, a, screen);
    }
}

void app_draw(struct app *a)
{
    canvas_resize(&a->ui.canvas, a->ui.term->rows, a->ui.term->cols);
    a->ui.layout_choice.verdict = a->doc.verdict   ? a->doc.verdict->text != NULL
                                  : a->doc.session && (a->doc.session->profile->memory ||
                                                        verdict_is_likely(a->doc.session->profile));
    a->ui.layout = layout_make(a->ui.canvas.rows, a->ui.canvas.cols, a->ui.layout_choice,
                            pane_options_rows(a), options_editor_rows(a));
    a->ui.hits.n = 0;
    if (a->ui.layout.tiny) {
        draw_tiny(a);
    } else {
        header_draw(a);
        verdict_row_draw(a);
        draw_tabs(a);
        draw_crumbs(a);
        draw_panes(a);
        draw_status(a);
        draw_command(a);
        draw_footer(a);
    }
    draw_overlays(a);
}
