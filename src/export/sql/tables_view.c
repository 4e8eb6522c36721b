/* tables_view.c: the rows of the four views as tables, with the columns of -output csv. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/sql/sql_table.h"

enum { ROW_ROW, ROW_PARENT, ROW_NODE, ROW_CELLS };

#define METRIC_COLUMNS(id, name, legend, help, ...) \
    {#name "_self", "NUMERIC", help}, {#name "_total", "NUMERIC", "the same with all below"},

/* The names from ROW_CELLS on are those of row_cells.h: key, or key_part. */
static const struct sql_column row_columns_of_views[] = {
    [ROW_ROW] = {"row", "INTEGER", "place among the rows as displayed"},
    [ROW_PARENT] = {"parent", "INTEGER", "row that it lies below"},
    [ROW_NODE] = {"node", "INTEGER", "its node, where it has one: in nodes"},
    [ROW_CELLS] = {"name", "TEXT", "name of the row"},
    {"path", "TEXT", "in the code view names from the top joined by ;"},
    {"depth", "INTEGER", "displayed rows above it"},
    {"accounted", "INTEGER", "1: -account_type_regexes match it"},
    ALL_METRICS(METRIC_COLUMNS)
    {"defined_self", "INTEGER", "nodes that are the row"},
    {"defined_total", "INTEGER", "the same with all below"},
    {"float_ops_state", "TEXT", "how float_ops_self is known"},
    {"shape", "TEXT", "attribute shape"},
    {"device", "TEXT", "devices, between |"},
    {"op_types", "TEXT", "types, between |"},
    {"num_hidden_ops", "INTEGER", "accounted nodes below it that are not displayed"},
};

static void take_rows(struct sql_view *view, struct result *r)
{
    const size_t room = (size_t)r->n_shown + 1;
    row_id *place = xreallocarray(NULL, r->tree->n_rows, sizeof *place);
    struct result_walk w;

    view->rows = xcalloc(room, sizeof *view->rows);
    view->depths = xcalloc(room, sizeof *view->depths);
    view->parents = xcalloc(room, sizeof *view->parents);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        const uint32_t n = view->n_rows;

        place[w.row] = n;
        if (w.row == 0 && r->view->is_list)
            continue; /* no row of a list */
        view->rows[n] = w.row;
        view->depths[n] = w.depth;
        view->parents[n] =
            w.row && !r->view->is_list ? place[result_parent(r, w.row)] : ROW_NONE;
        view->n_rows++;
    }
    result_walk_done(&w);
    free(place);
    view->result = r;
}

static bool run_view(struct sql_source *s, const struct sql_table *t)
{
    struct sql_view *view = &s->views[t->view];
    struct options options;
    struct result *r;

    if (view->result)
        return true;
    options_copy(&options, s->options);
    options.select = FIELD_BIT(METRIC_COUNT) - 1;
    options.select |= FIELD_BIT(FIELD_DEVICE) | FIELD_BIT(FIELD_OP_TYPES);
    options.select |= FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    options.flops_unit = FLOPS_UNIT_FLOPS;
    r = query_run(s->query, t->view, &options, s->cancel, &s->err);
    options_done(&options);
    if (r)
        take_rows(view, r);
    return r != NULL;
}

static uint64_t count_rows(const struct sql_source *s, const struct sql_table *t)
{
    return s->views[t->view].n_rows;
}

/* The cell of a column, or c->cells->n: the view has none. */
static size_t cell_of(const struct row_cells *cells, const char *name)
{
    size_t i;

    for (i = 0; i < cells->n; i++) {
        const struct row_cell *cell = &cells->cells[i];
        const size_t n = strlen(cell->key);

        if (strncmp(cell->key, name, n) == 0 &&
            (cell->part ? name[n] == '_' && strcmp(name + n + 1, cell->part) == 0 : !name[n]))
            break;
    }
    return i;
}

static void start_cells(struct sql_cursor *c)
{
    c->cells = xcalloc(1, sizeof *c->cells);
    row_cells_init(c->cells, c->source->views[c->table->view].result, false);
    c->cell_of_column = xcalloc(c->table->n_columns, sizeof *c->cell_of_column);
    for (size_t i = ROW_CELLS; i < c->table->n_columns; i++)
        c->cell_of_column[i] = cell_of(c->cells, c->table->columns[i].name);
}

static void set_cell(struct sql_cursor *c, size_t i, row_id row, uint32_t depth,
                     struct sql_value *v)
{
    const struct row_cell *cell = &c->cells->cells[i];

    row_cells_fill_one(c->cells, i, row, depth);
    switch (cell->kind) {
    case CELL_NONE:
        break;
    case CELL_INT:
    case CELL_BOOL:
        sql_set_integer(v, cell->number);
        break;
    case CELL_MILLIONTHS:
        sql_set_micros(v, cell->number);
        break;
    case CELL_RATIO:
        v->kind = SQL_REAL;
        v->real = cell->ratio;
        break;
    case CELL_TEXT:
        v->kind = SQL_TEXT;
        v->text = (struct text){sb_text(&cell->text), (uint32_t)cell->text.len};
        v->is_scratch = true;
        break;
    case CELL_TEXTS:
    case CELL_SHAPE:
    case CELL_NUMBERS:
        sb_clear(&c->text);
        cell_text(&c->text, cell);
        sql_set_scratch(v, c);
        break;
    }
}

static void row_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct sql_view *view = &c->source->views[c->table->view];
    const struct tree *tree = view->result->tree;
    const row_id row = view->rows[c->key];

    if (column == ROW_PARENT) {
        if (view->parents[c->key] != ROW_NONE)
            sql_set_integer(v, view->parents[c->key]);
        return;
    }
    if (column == ROW_NODE) {
        if (!view->result->view->is_multi && tree_node(tree, row) != NODE_NONE)
            sql_set_integer(v, tree_node(tree, row));
        return;
    }
    if (!c->cells)
        start_cells(c);
    if (c->cell_of_column[column] < c->cells->n)
        set_cell(c, c->cell_of_column[column], row, view->depths[c->key], v);
}

#define VIEW_TABLE(ID, id, text)                                                              \
    const struct sql_table sql_table_##id = {                                                 \
        .name = #id, .help = text, .columns = row_columns_of_views,                           \
        .n_columns = SQL_COUNT(row_columns_of_views), .view = VIEW_##ID, .prepare = run_view, \
        .n_keys = count_rows, .value = row_value,                                             \
    };
VIEW_TABLE(SCOPE, scope, "rows of the scope view, by the options given")
VIEW_TABLE(GRAPH, graph, "rows of the graph view")
VIEW_TABLE(OP, op, "rows of the op view")
VIEW_TABLE(CODE, code, "rows of the code view")
