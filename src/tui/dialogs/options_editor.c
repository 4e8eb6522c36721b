/* options_editor.c: the editor of options, with a preview of matches. */
#include "tui/dialogs/options_editor.h"

#include <string.h>

#include "tui/action.h"
#include "tui/dialogs/option_rows.h"
#include "tui/dialogs/prompt.h"
#include "tui/tasks/preview.h"

enum { EDITOR_ROWS = 15, NAME_COL = 3, VALUE_COL = 29, HELP_COL = 56, HELP_FROM_COLS = 90 };

/* The line of one option, an overlay above the list. */
struct option_line {
    struct overlay overlay;
    const struct option *option;
    struct lineedit line;
    struct err err;    /* why the line is no valid value; empty if it is valid */
};

static const struct overlay_ops editor_ops, line_ops;

static struct option_line *open_line(const struct app *a)
{
    return a->ui.top && a->ui.top->ops == &line_ops ? (struct option_line *)a->ui.top : NULL;
}

static struct overlay *find_editor(const struct app *a)
{
    struct overlay *o = a->ui.top;

    while (o && o->ops != &editor_ops)
        o = o->below;
    return o;
}

int options_editor_rows(const struct app *a)
{
    return find_editor(a) ? EDITOR_ROWS : 0;
}

/* ---- the preview */

/* Adds a share as percent, and its base. */
static void add_effect(struct app *a, const struct preview *p, struct lines *l)
{
    const enum metric_id m = p->result ? figure_primary(&p->result->options) : METRIC_COUNT;
    struct strbuf now = {0}, then = {0};

    if (!p->result)
        return;
    figure_grouped(&now, a->doc.result->n_shown);
    figure_grouped(&then, p->result->n_shown);
    lines_field(l, "would be", ROLE_TEXT, "rows %s -> %s", sb_text(&now), sb_text(&then));
    if (m < METRIC_COUNT && a->doc.result->total[m] && a->doc.result->total[m][0] > 0) {
        EACH(sb_clear, &now, &then);
        figure_total(&now, a->doc.result, 0, m);
        figure_total(&then, p->result, 0, m);
        lines_putf(l, ROLE_TEXT, ", accounted %s %s -> %s (%.0f %%)", metrics[m].name,
                   sb_text(&now), sb_text(&then),
                   100.0 * (double)p->result->total[m][0] / (double)a->doc.result->total[m][0]);
    }
    if (p->result->n_shown == 0)
        lines_puts(l, ROLE_NOTE, "  all rows are hidden");
    EACH(sb_done, &now, &then);
}

struct preview_lines {
    const struct preview *preview;
    struct lines *lines;
    size_t i;
};

static void add_regex_line(const char *item, size_t len, size_t offset UNUSED, void *arg)
{
    struct preview_lines *c = arg;
    const struct regex_matches *found;

    if (c->i >= c->preview->n_items)
        return;
    found = &c->preview->items[c->i++];
    lines_next(c->lines);
    lines_putf(c->lines, found->n_matches ? ROLE_TEXT : ROLE_NOTE, "#%zu ", c->i);
    lines_put(c->lines, ROLE_MATCH, item, len);
    if (c->preview->gave_up) {
        lines_puts(c->lines, ROLE_NOTE, "  the regexes exceed the work limit: the list matches nothing");
    } else if (found->n_matches) {
        struct strbuf n = {0};

        figure_grouped(&n, found->n_matches);
        lines_putf(c->lines, ROLE_TEXT, "  matches %s of %zu names, first: %s", sb_text(&n),
                   c->preview->n_names, found->first);
        sb_done(&n);
    } else {
        lines_puts(c->lines, ROLE_NOTE, "  matches no WHOLE name: try .*");
        lines_put(c->lines, ROLE_NOTE, item, len);
        lines_puts(c->lines, ROLE_NOTE, ".* (Tab)");
    }
}

/* Adds the preview of the current text. */
static void preview_lines(struct app *a, const struct option_line *ol, struct lines *l)
{
    const struct preview *p = a->doc.trial.preview;
    struct preview_lines c = {p, l, 0};

    if (ol->err.kind) {
        lines_next(l);
        lines_puts(l, ROLE_ERROR, err_text(&ol->err));
        lines_field(l, "", ROLE_DIM, "results are not updated until this is fixed");
        return;
    }
    if (!p || p->option != ol->option || strcmp(p->value, sb_text(&ol->line.text)) != 0)
        return;
    add_effect(a, p, l);
    if (p->option->kind == OPT_REGEXES)
        regexes_split(p->value, add_regex_line, &c);
}

/* ---- drawing */

static void draw_option(struct app *a, struct area where, int row, const struct option *opt,
                        bool at)
{
    const bool changed = !option_is_default(&a->doc.requested.options, opt);
    const enum role role = changed ? ROLE_CHANGED : ROLE_TEXT;
    const int help_col = where.cols > HELP_FROM_COLS ? HELP_COL : where.cols;
    struct strbuf value = {0}, fit = {0};

    option_row_value(&value, &a->doc.requested.options, opt);
    text_cut_middle(&fit, sb_text(&value), value.len, help_col - VALUE_COL - 1);
    area_puts(where, row, 1, changed ? "*" : " ", role);
    area_puts(where, row, NAME_COL, opt->name, role);
    area_put(where, row, VALUE_COL, sb_text(&fit), fit.len, role);
    if (help_col < where.cols)
        area_puts(where, row, help_col, opt->help, ROLE_DIM);
    if (at)
        area_paint(where, row, 0, where.cols, ROLE_CURSOR);
    if (at)
        area_cursor(where, row, NAME_COL, false);
    EACH(sb_done, &value, &fit);
}

static struct area editor_area(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.options);
    struct strbuf place = {0};

    for (int row = 0; row < where.rows; row++)
        area_fill(where, row, 0, where.cols, ' ', ROLE_TEXT);
    area_fill(where, 0, 0, where.cols, 0x2500, ROLE_FRAME);
    area_puts(where, 0, 1, " OPTIONS ", ROLE_TITLE);
    /* too narrow for a help column: the help of the selected option */
    if (where.cols <= HELP_FROM_COLS)
        area_printf(where, 0, 11, ROLE_DIM, " %s ", option_row(a->ui.option_at)->help);
    sb_addf(&place, " %zu/%zu ", a->ui.option_at + 1, option_rows_n());
    area_put(where, 0, where.cols - 1 - (int)place.len, sb_text(&place), place.len, ROLE_DIM);
    sb_done(&place);
    return area_sub(where, 1, 0, where.rows - 1, where.cols);
}

static void editor_draw(struct overlay *o, struct app *a, struct area screen UNUSED)
{
    const struct option_line *ol = open_line(a);
    struct area where = editor_area(a);
    const size_t n = option_rows_n();
    struct lines l = {0};
    int list_rows = where.rows;

    if (ol) {
        preview_lines(a, ol, &l);
        list_rows = where.rows - 2 - (int)l.v.n > 1 ? where.rows - 2 - (int)l.v.n : 1;
    }
    o->top = scroll_to(o->top, a->ui.option_at, n, list_rows);
    for (int row = 0; row < list_rows && o->top + (size_t)row < n; row++)
        draw_option(a, where, row, option_row(o->top + (size_t)row),
                    o->top + (size_t)row == a->ui.option_at);
    if (ol) {
        area_puts(where, list_rows, NAME_COL, ol->option->help, ROLE_DIM);
        for (size_t i = 0; i < l.v.n && list_rows + 1 + (int)i < where.rows; i++)
            lines_draw_one(&l, i, area_sub(where, list_rows + 1 + (int)i, NAME_COL, 1,
                                           where.cols - NAME_COL), 0);
    }
    lines_done(&l);
}

/* Draws the line over the value that it edits. */
static void line_draw(struct overlay *o, struct app *a, struct area screen UNUSED)
{
    struct option_line *ol = (struct option_line *)o;
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.options);
    const int row = 1 + (int)(a->ui.option_at - o->below->top);

    area_fill(where, row, 0, where.cols, ' ', ROLE_TEXT);
    area_puts(where, row, 0, " >", ROLE_KEY);
    area_puts(where, row, NAME_COL, ol->option->name, ROLE_TEXT);
    lineedit_draw(&ol->line, where, row, VALUE_COL, where.cols - VALUE_COL - 1);
    if (ol->err.kind && ol->err.byte <= ol->line.text.len && row + 1 < where.rows) {
        const int col = text_cols(sb_text(&ol->line.text), ol->err.byte);

        area_fill(where, row + 1, 0, where.cols, ' ', ROLE_TEXT);
        area_puts(where, row + 1, VALUE_COL + col, "^", ROLE_ERROR);
    }
}

/* ---- the list */

/* Selects option I, also in the pane. */
static void editor_go(struct overlay *o, struct app *a, size_t i)
{
    o->at = a->ui.option_at = i;
}

static void editor_move(struct overlay *o, struct app *a, enum move move)
{
    editor_go(o, a, move_index(move, a->ui.option_at, option_rows_n(), EDITOR_ROWS - 1));
}

static void check_line(struct app *a, struct option_line *ol)
{
    const char *text = sb_text(&ol->line.text);
    struct options probe;

    err_done(&ol->err);
    options_copy(&probe, &a->doc.requested.options);
    if (command_line_set(&probe, ol->option, text, &ol->err))
        preview_request(a, ol->option, text);
    a->ui.tree.dim = ol->err.kind != ERR_NONE;
    options_done(&probe);
}

static void open_option(struct app *a)
{
    struct option_line *ol = overlay_open(a, &line_ops, sizeof *ol);
    struct strbuf value = {0};

    ol->option = option_row(a->ui.option_at);
    option_print(&value, &a->doc.requested.options, ol->option);
    lineedit_set(&ol->line, sb_text(&value));
    sb_done(&value);
    check_line(a, ol);
}

static void editor_accept(struct overlay *o UNUSED, struct app *a)
{
    const struct option *opt = option_row(a->ui.option_at);

    if (opt->kind == OPT_FIELDS)
        action_run(a, action_find("select"));
    else
        open_option(a);
}

/* Space switches to the next value of flags and choices. */
static void editor_toggle(struct overlay *o, struct app *a)
{
    const struct option *opt = option_row(a->ui.option_at);
    struct strbuf now = {0};
    int i = 0;

    if (!option_value_name(opt, 0) || opt->kind == OPT_FIELDS) {
        editor_accept(o, a);
        return;
    }
    option_print(&now, &a->doc.requested.options, opt);
    while (option_value_name(opt, i) && strcmp(option_value_name(opt, i), sb_text(&now)) != 0)
        i++;
    if (!option_value_name(opt, i) || !option_value_name(opt, i + 1))
        i = -1;
    app_set(a, opt->name, option_value_name(opt, i + 1));
    sb_done(&now);
}

void option_reset_selected(struct app *a, int arg UNUSED)
{
    const struct option *opt = option_row(a->ui.option_at);

    if (option_is_default(&a->doc.requested.options, opt))
        app_print(a, ROLE_DIM, "-%s has its default value", opt->name);
    else
        app_set(a, opt->name, opt->default_text);
}

static void editor_click(struct overlay *o, struct app *a, int row, int col UNUSED)
{
    const size_t at = o->top + (size_t)(row - a->ui.layout.options.top - 1);

    if (row <= a->ui.layout.options.top || at >= option_rows_n())
        return;
    if (a->ui.option_at == at)
        editor_accept(o, a);
    editor_go(o, a, at);
}

static size_t editor_n_entries(const struct overlay *o UNUSED)
{
    return option_rows_n();
}

static bool editor_has(const struct overlay *o UNUSED, size_t i, const char *needle)
{
    const struct option *opt = option_row(i);

    return strcasestr(opt->name, needle) || strcasestr(opt->help, needle);
}

/* ---- the line */

static struct lineedit *line_edit(struct overlay *o)
{
    return &((struct option_line *)o)->line;
}

static void line_edited(struct overlay *o, struct app *a)
{
    check_line(a, (struct option_line *)o);
}

static void line_accept(struct overlay *o, struct app *a)
{
    struct option_line *ol = (struct option_line *)o;

    if (ol->err.kind) {
        app_print(a, ROLE_ERROR, "E: %s", err_text(&ol->err));
        return;
    }
    if (app_set(a, ol->option->name, sb_text(&ol->line.text)))
        overlay_remove(a, o);
}

static void line_cancel(struct overlay *o UNUSED, struct app *a)
{
    a->ui.tree.dim = false;
}

/* Tab: completes the next possible value; for a regex without matches, the suggested one. */
static void line_complete(struct overlay *o, struct app *a)
{
    struct option_line *ol = (struct option_line *)o;
    const char *text = sb_text(&ol->line.text);
    const struct preview *p = a->doc.trial.preview;
    struct strbuf better = {0};

    if (ol->option->kind == OPT_REGEXES && p && p->n_items == 1 && !p->items[0].n_matches) {
        sb_addf(&better, ".*%s.*", text);
    } else {
        for (int i = 0; option_value_name(ol->option, i); i++)
            if (strncmp(option_value_name(ol->option, i), text, strlen(text)) == 0 &&
                strcmp(option_value_name(ol->option, i), text) != 0) {
                sb_adds(&better, option_value_name(ol->option, i));
                break;
            }
    }
    if (better.len) {
        lineedit_set(&ol->line, sb_text(&better));
        check_line(a, ol);
    }
    sb_done(&better);
}

static void line_done(struct overlay *o)
{
    struct option_line *ol = (struct option_line *)o;

    lineedit_done(&ol->line);
    err_done(&ol->err);
}

static const struct overlay_ops editor_ops = {
    .mode = "OPTIONS",
    .context = CTX_EDITOR,
    .draw = editor_draw,
    .move = editor_move,
    .accept = editor_accept,
    .toggle = editor_toggle,
    .n_entries = editor_n_entries,
    .entry_has = editor_has,
    .entry_go = editor_go,
    .key = list_search_key,
    .click = editor_click,
};

static const struct overlay_ops line_ops = {
    .mode = "EDIT",
    .context = CTX_VALUE,
    .draw = line_draw,
    .accept = line_accept,
    .cancel = line_cancel,
    .edit = line_edit,
    .edited = line_edited,
    .complete = line_complete,
    .done = line_done,
};

void options_editor_open(struct app *a, int edit)
{
    struct overlay *o = overlay_open(a, &editor_ops, sizeof *o);

    o->at = a->ui.option_at;
    if (edit)
        editor_accept(o, a);
}
