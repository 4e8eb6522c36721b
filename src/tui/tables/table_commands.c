/* table_commands.c: searches, filters, orders and writes the displayed table. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "export/tables/table_writer.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/prompt.h"
#include "tui/tables/sheet.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/tasks.h"

static bool has_sheet(const struct app *a)
{
    return a->ui.table.sheet && !table_pane_is_awaited(a);
}

/* ---- filter */

void table_show_rows(struct table_pane *p)
{
    struct err err = {0};
    struct regexes *regexes = p->filter ? regexes_new(p->filter, &err) : NULL;

    sheet_filter(p->sheet, regexes);
    sheet_sort(p->sheet, p->order - 1, p->ascending);
    if (p->at >= p->sheet->order.n)
        p->at = p->sheet->order.n ? p->sheet->order.n - 1 : 0;
    regexes_free(regexes);
    err_done(&err);
}

static void set_filter(struct app *a, char *list)
{
    struct table_pane *p = &a->ui.table;

    free(p->filter);
    p->filter = list;
    if (has_sheet(a))
        table_show_rows(p);
}

static void filter_changed(struct app *a, const char *text)
{
    struct strbuf list = {0};
    struct err err = {0};
    struct regexes *regexes;

    search_typed_regexes(&list, text);
    regexes = regexes_new(sb_text(&list), &err);
    if (regexes)
        set_filter(a, *text ? xstrdup(sb_text(&list)) : NULL);
    else
        app_print_err(a, &err);
    regexes_free(regexes);
    sb_done(&list);
}

static bool filter_done(struct app *a, const char *text)
{
    filter_changed(a, text);
    free(a->ui.table.filter_before);
    a->ui.table.filter_before = NULL;
    return true;
}

static void filter_cancelled(struct app *a)
{
    set_filter(a, a->ui.table.filter_before);
    a->ui.table.filter_before = NULL;
}

static const struct prompt_ops filter_prompt = {
    .label = "rows: ",
    .changed = filter_changed,
    .done = filter_done,
    .cancelled = filter_cancelled,
};

void table_pane_filter(struct app *a)
{
    struct table_pane *p = &a->ui.table;

    free(p->filter_before);
    p->filter_before = p->filter ? xstrdup(p->filter) : NULL;
    prompt_open(a, &filter_prompt, p->filter ? p->filter : "");
}

/* ---- search */

void table_find_begins(struct app *a)
{
    a->ui.table.search_at = a->ui.table.at;
}

/* Goes to the first match from row FROM on, WAY 1 or -1; false: there is none. */
static bool go_to_match(struct table_pane *p, const struct regexes *regexes, size_t from, int way)
{
    const size_t n = p->sheet->order.n;

    for (size_t i = 0, at = from; i < n; i++, at = way > 0 ? (at + 1) % n : (at + n - 1) % n)
        if (sheet_row_matches(p->sheet, p->sheet->order.data[at], regexes)) {
            p->at = at;
            return true;
        }
    return false;
}

void table_find(struct app *a, int direction)
{
    struct table_pane *p = &a->ui.table;
    const char *text = sb_text(&a->nav.search.text);
    const size_t n = has_sheet(a) ? p->sheet->order.n : 0;
    const size_t before = p->at;
    struct strbuf list = {0};
    struct err err = {0};
    struct regexes *regexes;
    size_t from = p->search_at;

    if (!n || !a->nav.search.regexes)
        return;
    search_list(&a->nav.search, &list);
    regexes = regexes_new(sb_text(&list), &err);
    if (direction)
        from = direction > 0 ? (before + 1) % n : (before + n - 1) % n;
    if (!regexes)
        app_print_err(a, &err);
    else if (!go_to_match(p, regexes, from < n ? from : 0, direction < 0 ? -1 : 1))
        app_print(a, ROLE_NOTE, "no match for /%s in this table", text);
    else
        app_print(a, ROLE_TEXT, "row %zu of %zu for /%s%s", p->at + 1, n, text,
                  direction > 0 && p->at <= before   ? ": continued from the start"
                  : direction < 0 && p->at >= before ? ": continued from the end"
                                                     : "");
    regexes_free(regexes);
    sb_done(&list);
}

/* ---- order */

static void choose_order(struct app *a, intptr_t order)
{
    table_pane_sort(a, (int)order - a->ui.table.order);
}

void table_pane_sort_menu(struct app *a)
{
    const struct table_pane *p = &a->ui.table;
    struct menu *m;

    if (!has_sheet(a))
        return;
    m = menu_open(a, "Order by", choose_order);
    menu_add(m, 0, "default order", p->sheet->help);
    for (size_t i = 0; i < p->sheet->columns.n; i++) {
        const struct table_column *column = &p->sheet->columns.data[i].column;

        menu_add(m, (intptr_t)i + 1, table_column_head(column), column->help);
    }
    m->items.data[p->order].checked = true;
    menu_point(m, p->order);
}

/* ---- columns */

void table_hide_columns(struct table_pane *p)
{
    for (size_t i = 1; i < p->sheet->columns.n; i++) {
        struct sheet_column *column = &p->sheet->columns.data[i];

        column->is_hidden = false;
        for (size_t k = 0; k < p->hidden.n; k++)
            column->is_hidden |= strcmp(p->hidden.data[k], column->column.name) == 0;
    }
}

static void take_columns(struct app *a, struct menu *m)
{
    struct table_pane *p = &a->ui.table;

    if (!has_sheet(a))
        return;
    p->hidden.n = p->shift = 0;
    for (size_t i = 0; i < m->items.n; i++)
        if (!m->items.data[i].checked && (size_t)m->items.data[i].value < p->sheet->columns.n)
            vec_push(&p->hidden, p->sheet->columns.data[m->items.data[i].value].column.name);
    table_hide_columns(p);
}

void table_pane_columns_menu(struct app *a)
{
    const struct table_pane *p = &a->ui.table;
    struct menu *m;

    if (!has_sheet(a))
        return;
    m = menu_open(a, "Columns to show: Space ticks, Enter is OK", NULL);
    m->checklist = true;
    m->choose_all = take_columns;
    for (size_t i = 1; i < p->sheet->columns.n; i++) {
        const struct sheet_column *column = &p->sheet->columns.data[i];

        menu_add(m, (intptr_t)i, table_column_head(&column->column), column->column.help)->checked =
            !column->is_hidden;
    }
}

/* ---- export */

/* Outputs of tables by the end of a file's name. */
static const char *output_of(const char *file)
{
    static const char *const endings[][2] = {
        {".csv", "csv"}, {".tsv", "tsv"}, {".json", "json"}, {".html", "html"}, {".txt", "file"}};
    const char *end = strrchr(file, '.');

    for (size_t i = 0; end && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(end, endings[i][0]) == 0)
            return endings[i][1];
    return NULL;
}

static bool write_table(struct app *a, const char *file)
{
    const char *output = output_of(file);
    struct strbuf value = {0};
    struct options options;
    struct err err = {0};
    struct stat st;

    if (!output || stat(file, &st) == 0) {
        app_print(a, ROLE_NOTE, output ? "the file exists: choose another name"
                                       : "choose a name that ends with .csv, .tsv, .json, .html or .txt");
        return false;
    }
    options_copy(&options, &a->doc.result->options);
    sb_addf(&value, "%s:outfile=%s", output, file);
    if (option_set(&options, option_find("output"), sb_text(&value), &err))
        export_begin(a, &options, table_view_get(a->ui.table.view), file);
    else
        app_print_err(a, &err);
    options_done(&options);
    sb_done(&value);
    return true;
}

static const struct prompt_ops export_prompt = {.label = "write the table to: ", .done = write_table};

void table_pane_export(struct app *a)
{
    struct strbuf name = {0};

    if (table_pane_is_check(a)) { /* exports do not have the rules */
        app_print(a, ROLE_NOTE, "not available here; run tfprof check RULES FILE -output csv");
        return;
    }
    sb_addf(&name, "%s.csv", table_view_get(a->ui.table.view)->name);
    prompt_open(a, &export_prompt, sb_text(&name));
    sb_done(&name);
}
