/* table_pane.c: displays a table instead of the tree and moves in it. */
#include "tui/tables/table_pane.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "export/check_report.h"
#include "export/tables/table_writer.h"
#include "model/format.h"
#include "session/check/check.h"
#include "tui/action.h"
#include "tui/drill.h"
#include "tui/panes/picture.h"
#include "tui/tables/sheet.h"

extern const struct picture_ops table_picture;

#define TABLE_VIEW_ADDRESS(name, ...) &table_##name,
static const struct table *const table_views[] = {
    VIEW_LIST(NO_VIEW, NO_VIEW, NO_VIEW, TABLE_VIEW_ADDRESS) &table_check};
#undef TABLE_VIEW_ADDRESS

const struct table *table_view_get(int view)
{
    return table_views[view];
}

bool table_pane_is_on(const struct app *a)
{
    return picture_displayed(a) == &table_picture;
}

bool table_pane_is_check(const struct app *a)
{
    return table_pane_is_on(a) && a->ui.table.view == TABLE_VIEW_check;
}

/* True when the rows are those of the displayed table. */
static bool is_made(const struct table_pane *p)
{
    return p->sheet && p->sheet->table == table_views[p->view];
}

bool table_pane_is_awaited(const struct app *a)
{
    return !is_made(&a->ui.table) && picture_stale(a) == &table_picture;
}

static bool has_rows(const struct ui *ui)
{
    return is_made(&ui->table) && ui->table.sheet->order.n;
}

void cmd_table(struct app *a, int view)
{
    const bool same = a->ui.table.view == view;

    a->ui.focus = PANE_TREE;
    if (!same) {
        EACH(free, a->ui.table.filter, a->ui.table.filter_before);
        vec_done(&a->ui.table.hidden);
        a->ui.table = (struct table_pane){
            .sheet = a->ui.table.sheet, .made_for = 0, .view = view, .rules = a->ui.table.rules};
    }
    a->ui.picture = same && a->ui.picture == &table_picture ? NULL : &table_picture;
    picture_renew(a);
}

void table_pane_check(struct app *a, const char *file)
{
    char *rules = xstrdup(file);

    free(a->ui.table.rules);
    a->ui.table.rules = rules;
    a->ui.table.made_for = 0;
    a->ui.picture = NULL;
    cmd_table(a, TABLE_VIEW_check);
}

static bool fits(const struct doc *doc)
{
    return doc->result;
}

/* What Enter does on a row, by the kind of its subject. */
static const char *const enter_does[] = {
    [SUBJECT_NODE] = "goes to the operation in the tree",
    [SUBJECT_DEVICE] = "shows the tree of this device alone",
    [SUBJECT_HOST] = "shows the tree of this host alone",
    [SUBJECT_RANK] = "shows the tree of this rank alone",
    [SUBJECT_STEP] = "shows the tree of this step alone",
};

/* Nodes of traces are on the CPU that launched the work of the device. */
static bool has_timeline(const struct app *a, enum subject_kind kind)
{
    return kind == SUBJECT_DEVICE && a->doc.session->profile->n_recorders;
}

static void status(struct app *a, struct strbuf *sb)
{
    const struct table_pane *p = &a->ui.table;
    enum subject_kind kind;
    const char *does;

    if (!has_rows(&a->ui))
        return;
    sb_addf(sb, "row %zu of %zu", p->at + 1, p->sheet->order.n);
    if (p->sheet->order.n < p->sheet->n_rows)
        sb_addf(sb, ", %zu without the filter", p->sheet->n_rows);
    if (p->sheet->n_all > p->sheet->n_rows)
        sb_addf(sb, ", the first of %llu", (unsigned long long)p->sheet->n_all);
    kind = p->sheet->subjects.data[p->sheet->order.data[p->at]].kind;
    does = has_timeline(a, kind) ? "shows the timeline of this device" : enter_does[kind];
    if (does)
        sb_addf(sb, "   Enter %s", does);
}

/* ---- moving */

static void move(struct app *a, enum move move)
{
    struct table_pane *p = &a->ui.table;

    if (has_rows(&a->ui))
        p->at = move_index(move, p->at, p->sheet->order.n, p->page);
}

/* Scrolls the columns after the first one. */
static void side(struct app *a, int direction)
{
    struct table_pane *p = &a->ui.table;

    if (direction > 0 && p->columns_follow)
        p->shift++;
    else if (direction < 0 && p->shift)
        p->shift--;
}

static void open_row(struct app *a)
{
    const struct table_pane *p = &a->ui.table;
    struct subject subject;

    if (!has_rows(&a->ui))
        return;
    subject = p->sheet->subjects.data[p->sheet->order.data[p->at]];
    if (subject.kind != SUBJECT_NONE)
        a->ui.picture = has_timeline(a, subject.kind) ? picture_get(PICTURE_TIMELINE) : NULL;
    if (subject.kind == SUBJECT_NONE)
        app_print(a, ROLE_DIM, "this row has no row in the tree");
    else if (subject.kind == SUBJECT_NODE)
        app_go_node(a, (node_id)subject.id);
    else
        drill_subject(a, &subject);
}

static void click(struct app *a, int row, int col UNUSED)
{
    struct table_pane *p = &a->ui.table;
    const size_t at = p->top + (size_t)row;

    if (row < 0 || !has_rows(&a->ui) || at >= p->sheet->order.n)
        return;
    if (at == p->at)
        open_row(a);
    p->at = at;
}

/* ---- order */

void table_pane_sort(struct app *a, int direction)
{
    struct table_pane *p = &a->ui.table;
    const int n = is_made(p) ? (int)p->sheet->columns.n : 0;

    if (!n)
        return;
    p->order = (p->order + direction + n + 1) % (n + 1);
    p->order_name = p->order ? p->sheet->columns.data[p->order - 1].column.name : NULL;
    p->ascending = p->order && p->sheet->columns.data[p->order - 1].is_text;
    sheet_sort(p->sheet, p->order - 1, p->ascending);
    if (p->order)
        app_print(a, ROLE_TEXT, "ordered by %s",
                table_column_head(&p->sheet->columns.data[p->order - 1].column));
    else
        app_print(a, ROLE_TEXT, "default order");
}

void table_pane_reverse(struct app *a)
{
    struct table_pane *p = &a->ui.table;

    if (!is_made(p) || !p->order) {
        app_print(a, ROLE_NOTE, "select a column to order by with >");
        return;
    }
    p->ascending = !p->ascending;
    sheet_sort(p->sheet, p->order - 1, p->ascending);
}

void table_pane_add_row(const struct app *a, struct strbuf *sb)
{
    const struct table_pane *p = &a->ui.table;

    for (size_t i = 0; has_rows(&a->ui) && i < p->sheet->columns.n; i++)
        sb_addf(sb, "%s%s", i ? "\t" : "", sheet_cell(p->sheet, p->at, i)->text.bytes);
}

static void details(struct app *a, struct lines *l)
{
    enum { HEAD_COLS = 16 };
    const struct table_pane *p = &a->ui.table;

    for (size_t i = 0; has_rows(&a->ui) && i < p->sheet->columns.n; i++) {
        const struct sheet_cell *cell = sheet_cell(p->sheet, p->at, i);
        const char *head = table_column_head(&p->sheet->columns.data[i].column);

        lines_next(l);
        lines_puts(l, ROLE_DIM, head);
        lines_wrapped(l, ROLE_TEXT, HEAD_COLS, l->cols, cell->text.bytes);
    }
}

static void brief(const struct app *a, int cols, struct strbuf *sb)
{
    if (has_rows(&a->ui))
        table_brief(a, cols, sb);
}

/* ---- computing it */

static bool is_stale(const struct app *a)
{
    return a->ui.table.made_for != a->doc.generation.result;
}

/* What a job makes. */
struct table_parameters {
    int view;
    char *rules; /* heap; NULL: none */
};

static void *new_parameters(const struct app *a)
{
    struct table_parameters *parameters = xcalloc(1, sizeof *parameters);

    parameters->view = a->ui.table.view;
    parameters->rules = parameters->view == TABLE_VIEW_check ? xstrdup(a->ui.table.rules) : NULL;
    return parameters;
}

static void free_parameters(void *of)
{
    struct table_parameters *parameters = of;

    EACH(free, parameters->rules, parameters);
}

/* Broken rules precede those without a result, which precede those that hold. */
static const int state_ranks[CHECK_STATES] = {[CHECK_BROKEN] = 0, [CHECK_ERROR] = 1, [CHECK_HELD] = 2};

COMPARE_CHAIN(by_rank, struct check_item, THEN(state_ranks[a->state] - state_ranks[b->state]) || UP(line))

/* Orders the rules, and writes their results in the units of the screen. */
static void prepare_report(struct check_report *report)
{
    vec_sort(&report->items, by_rank);
    vec_each(struct check_item, item, &report->items) {
        struct strbuf message = {0};

        format_spaced_text(&message, item->message);
        free(item->message);
        item->message = sb_take(&message);
    }
}

/* Checks the rules in FILE; NULL when cancelled. */
static struct sheet *make_check(const struct query_request *q, const char *file, struct cancel_mark cancel)
{
    struct session checked = {.profile = (struct profile *)(uintptr_t)q->profile,
                              .now = (struct profile *)(uintptr_t)q->now, .query = q->query};
    struct table_request request = query_request_of_table(q, cancel);
    struct check_report report = {.file = NULL};
    struct rule_file rules = {.file = NULL};
    struct sheet *s = NULL;
    struct err err = {0};

    if (budget_read(&rules, file, &err) &&
        check_run(&report, &rules, &checked, &q->spec.options, cancel, &err)) {
        prepare_report(&report);
        request.given = &report;
        s = sheet_new(&table_check, &request);
    } else if (!cancel_asked(cancel)) {
        s = sheet_new_empty(&table_check, err_text(&err));
    }
    check_report_done(&report);
    budget_done(&rules);
    err_done(&err);
    return s;
}

static void *make(const struct picture_job *job, struct cancel_mark cancel)
{
    const struct table_request request = query_request_of_table(&job->request, cancel);
    const struct table_parameters *parameters = job->parameters;

    return parameters->rules ? make_check(&job->request, parameters->rules, cancel)
                        : sheet_new(table_views[parameters->view], &request);
}

static void made_free(void *made)
{
    sheet_free(made);
}

static bool is_same(const struct app *a, const struct picture_job *job)
{
    const struct table_parameters *parameters = job->parameters;

    return job->made_for == a->doc.generation.result && parameters->view == a->ui.table.view &&
           (!parameters->rules || strcmp(parameters->rules, a->ui.table.rules) == 0);
}

/* Finds the column that the rows were ordered by; a comparison has others. */
static int find_order(const struct table_pane *p)
{
    for (size_t i = 0; p->order && i < p->sheet->columns.n; i++)
        if (strcmp(p->sheet->columns.data[i].column.name, p->order_name) == 0)
            return (int)i + 1;
    return 0;
}

static void take(struct app *a, const struct picture_job *job)
{
    struct table_pane *p = &a->ui.table;

    sheet_free(p->sheet);
    p->sheet = job->made;
    p->made_for = job->made_for;
    p->order = find_order(p);
    table_hide_columns(p);
    table_show_rows(p);
}

static void forget(struct ui *ui)
{
    EACH(free, ui->table.filter, ui->table.filter_before);
    ui->table.filter = ui->table.filter_before = NULL;
    vec_done(&ui->table.hidden);
    sheet_free(ui->table.sheet);
    ui->table.sheet = NULL;
    ui->table.made_for = 0;
}

const struct picture_ops table_picture = {
    .pane = {"table", CTX_TABLE, table_draw, move, open_row, click},
    .fits = fits,
    .status = status,
    .side = side,
    .details = details,
    .brief = brief,
    .find = table_find,
    .find_begins = table_find_begins,
    .forget = forget,
    .is_stale = is_stale,
    .new_parameters = new_parameters,
    .free_parameters = free_parameters,
    .make = make,
    .made_free = made_free,
    .is_same = is_same,
    .take = take,
};
