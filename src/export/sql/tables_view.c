/* tables_view.c: the rows of the four views as tables with the columns of -output csv. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/rows/row_cells.h"
#include "export/tables/table_list.h"
#include "view/query.h"

enum { ROW_ROW, ROW_PARENT, ROW_NODE, ROW_CELLS };

#define METRIC_COLUMNS(id, name, legend, text, ...) \
    {#name "_self", .help = text, .unit = VALUE_REAL},                                          \
        {#name "_total", .help = "total of the row and all rows below it", .unit = VALUE_REAL},
#define METRIC_COLUMNS_OF_LIST(id, name, legend, text, ...) \
    {#name "_self", .help = text, .unit = VALUE_REAL},                                          \
        {#name "_running", .help = "sum of this and all later rows", .unit = VALUE_REAL},

/* Columns from ROW_CELLS on have the names in row_cells.h: key, or key_part. */
#define FIRST_COLUMNS                                                                           \
    [ROW_ROW] = {"row", .help = "position in display order"},                           \
    [ROW_PARENT] = {"parent", .help = "parent row"},                                \
    [ROW_NODE] = {"node", .help = "node of the row, if it has one: in nodes"},                      \
    [ROW_CELLS] = {"name", .help = "name of the row", .unit = VALUE_TEXT},                      \
    {"path", .help = "path of the row; in the code view names from the root joined by ;", .unit = VALUE_TEXT},    \
    {"depth", .help = "number of displayed ancestors"},                                               \
    {"accounted", .help = "1: it matches -account_type_regexes"}
#define LAST_COLUMNS                                                                            \
    {"float_ops_state", .help = "origin of float_ops_self", .unit = VALUE_TEXT},             \
    {"shape", .help = "attribute shape", .unit = VALUE_TEXT},                                   \
    {"device", .help = "devices, separated by |", .unit = VALUE_TEXT},                               \
    {"op_types", .help = "types, separated by |", .unit = VALUE_TEXT},                               \
    {"num_hidden_ops", .help = "accounted nodes below it that are not displayed"}

static const struct table_column columns_of_trees[] = {
    FIRST_COLUMNS,
    {"frame", .help = "code view: file, line and function", .unit = VALUE_TEXT},
    {"file", .help = "code view: path of the file, as recorded", .unit = VALUE_TEXT},
    {"line", .help = "code view: line of the file"},
    {"function", .help = "code view: name of the function", .unit = VALUE_TEXT},
    ALL_METRICS(METRIC_COLUMNS)
    {"defined_self", .help = "number of nodes of the row"},
    {"defined_total", .help = "number of nodes of the row and all rows below it"},
    LAST_COLUMNS,
};

static const struct table_column columns_of_op[] = {
    FIRST_COLUMNS,
    ALL_METRICS(METRIC_COLUMNS_OF_LIST)
    {"defined_self", .help = "number of nodes of the row"},
    {"defined_running", .help = "number of nodes of this and all later rows"},
    LAST_COLUMNS,
};

/* The rows of one view in display order. */
struct view_rows {
    struct result *result;
    row_id *rows;               /* heap, like the others */
    uint32_t *depths, *parents; /* by row: depth, and index of the parent; ROW_NONE: none */
    uint32_t n_rows;
};

/* The cells of a cursor's row. */
struct view_state {
    struct row_cells cells;
    size_t *cell_of_column; /* heap; NULL until a cell is read */
};

static void list_rows(struct view_rows *view, struct result *r)
{
    const size_t room = (size_t)r->n_shown + 1;
    row_id *index_of_row = xreallocarray(NULL, r->tree->n_rows, sizeof *index_of_row);
    struct result_walk w;

    view->rows = xcalloc(room, sizeof *view->rows);
    view->depths = xcalloc(room, sizeof *view->depths);
    view->parents = xcalloc(room, sizeof *view->parents);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        const uint32_t n = view->n_rows;

        index_of_row[w.row] = n;
        if (w.row == 0 && r->view->is_list)
            continue; /* lists have no root */
        view->rows[n] = w.row;
        view->depths[n] = w.depth;
        view->parents[n] =
            w.row && !r->view->is_list ? index_of_row[result_parent(r, w.row)] : ROW_NONE;
        view->n_rows++;
    }
    result_walk_done(&w);
    free(index_of_row);
    view->result = r;
}

static bool open_view(struct table_rows *t, struct err *err)
{
    const struct table_request *q = t->request;
    struct options options = *q->options;
    struct view_rows *view;
    struct result *r;

    options.select = FIELD_BIT(METRIC_COUNT) - 1;
    options.select |= FIELD_BIT(FIELD_DEVICE) | FIELD_BIT(FIELD_OP_TYPES);
    options.select |= FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    options.flops_unit = FLOPS_UNIT_FLOPS;
    r = query_run(q->query, t->table->tree, &options, q->cancel, err);
    if (!r)
        return false;
    view = xcalloc(1, sizeof *view);
    list_rows(view, r);
    t->data = view;
    t->n_keys = view->n_rows;
    return true;
}

static void close_view(struct table_rows *t)
{
    struct view_rows *view = t->data;

    result_free(view->result);
    EACH(free, view->rows, view->depths, view->parents, view);
}

/* Returns the index of the cell for a column; cells->n if the view has none. */
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

static struct view_state *state_of(struct table_cursor *c)
{
    const struct table *table = c->rows->table;
    const struct view_rows *view = c->rows->data;
    struct view_state *state = table_state(c, sizeof *state);

    if (state->cell_of_column)
        return state;
    row_cells_init(&state->cells, view->result, false);
    state->cell_of_column = xcalloc(table->n_columns, sizeof *state->cell_of_column);
    for (size_t i = ROW_CELLS; i < table->n_columns; i++)
        state->cell_of_column[i] = cell_of(&state->cells, table->columns[i].name);
    return state;
}

static void free_cells(struct table_cursor *c)
{
    struct view_state *state = c->state;

    row_cells_done(&state->cells);
    free(state->cell_of_column);
}

static void set_cell(struct table_cursor *c, struct row_cells *cells, size_t i, row_id row,
                     uint32_t depth, struct table_value *v)
{
    const struct row_cell *cell = &cells->cells[i];

    row_cells_fill_one(cells, i, row, depth);
    switch (cell->kind) {
    case CELL_NONE:
        break;
    case CELL_INT:
    case CELL_BOOL:
    case CELL_FLAG:
        value_integer(v, cell->number);
        break;
    case CELL_MILLIONTHS:
        value_micros(v, cell->number);
        break;
    case CELL_RATIO:
        value_real(v, cell->ratio);
        break;
    case CELL_TEXT:
        value_text(v, (struct text){sb_text(&cell->text), (uint32_t)cell->text.len});
        v->is_scratch = true;
        break;
    case CELL_TEXTS:
    case CELL_SHAPE:
    case CELL_NUMBERS:
        sb_clear(&c->text);
        cell_text(&c->text, cell);
        value_scratch(v, c);
        break;
    }
}

static void row_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct view_rows *view = c->rows->data;
    const struct tree *tree = view->result->tree;
    const row_id row = view->rows[c->key];
    struct view_state *state;

    if (column == ROW_PARENT) {
        if (view->parents[c->key] != ROW_NONE)
            value_integer(v, view->parents[c->key]);
        return;
    }
    if (column == ROW_NODE) {
        if (!view->result->view->is_multi && tree_node(tree, row) != NODE_NONE)
            value_integer(v, tree_node(tree, row));
        return;
    }
    state = state_of(c);
    if (state->cell_of_column[column] < state->cells.n)
        set_cell(c, &state->cells, state->cell_of_column[column], row, view->depths[c->key], v);
}

/* All tree views have the same columns. */
#define columns_of_scope columns_of_trees
#define columns_of_graph columns_of_trees
#define columns_of_code columns_of_trees
#define TREE_TABLE(name_, id, ...)                                                            \
    const struct table table_##name_ = {                                                      \
        .name = #name_, .help = "rows of the " #name_ " view, by the current options",          \
        TABLE_COLUMNS(columns_of_##name_), .has_key_column = true, .is_tree = true,         \
        .tree = VIEW_##id, .open = open_view, .close = close_view, .value = row_value,        \
        .leave = free_cells,                                                                  \
    };
VIEW_LIST(TREE_TABLE, NO_VIEW, NO_VIEW, NO_VIEW)
