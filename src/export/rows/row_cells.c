/* row_cells.c: converts a displayed row to typed cells. */
#include "export/rows/row_cells_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/build/hidden_frames.h"
#include "view/delta.h"

static const char self_part[] = "self", total_part[] = "total";
static const char self_ps_part[] = "self_ps", total_ps_part[] = "total_ps";
/* Parts of cells in lists, whose rows have no children: the sum of this and all later rows. */
static const char running_part[] = "running", running_ps_part[] = "running_ps";
/* Keys of cells that accompany metrics. */
static const char shape_key[] = "shape", defined_key[] = "defined", state_key[] = "float_ops_state";
/* Key for counts of multiply-adds instead of FLOPs. */
static const char macs_key[] = "macs";
/* Keys of the source location of a row of the code view: whole, and its parts. */
static const char frame_key[] = "frame", file_key[] = "file", line_key[] = "line",
                  function_key[] = "function";

void cells_add(struct row_cells *c, int field, const char *key, const char *part)
{
    c->cells[c->n++] = (struct row_cell){.key = key, .part = part, .field = field};
}

static void add_field_cells(struct row_cells *c, int field)
{
    const bool is_list = c->result->view->is_list;
    const char *name = field_get(field)->name;

    if (field == METRIC_PARAMS && !c->result->view->is_multi)
        cells_add(c, field, shape_key, NULL);
    if (field >= METRIC_COUNT) {
        cells_add(c, field, name, NULL);
        return;
    }
    if (field == METRIC_FLOAT_OPS && c->result->options.flops_unit == FLOPS_UNIT_MACS)
        name = macs_key;
    if (result_compares(c->result)) {
        cells_add_delta(c, field, name);
        cells_add_repeats(c, field, name);
        return;
    }
    cells_add(c, field, name, self_part);
    cells_add(c, field, name, is_list ? running_part : total_part);
    cells_add_repeats(c, field, name);
    if (c->with_ps && metrics[field].unit == UNIT_TIME_PS) {
        cells_add(c, field, name, self_ps_part);
        cells_add(c, field, name, is_list ? running_ps_part : total_ps_part);
    }
    if (field == METRIC_OCCURRENCE) {
        cells_add(c, field, defined_key, self_part);
        cells_add(c, field, defined_key, is_list ? running_part : total_part);
    }
    if (field == METRIC_FLOAT_OPS)
        cells_add(c, field, state_key, NULL);
}

/* By row of a list: number of nodes of this and all later rows; heap. */
static int64_t *count_running(struct result *r)
{
    int64_t *running = xcalloc(r->tree->n_rows, sizeof *running), sum = 0;
    VEC(row_id) rows = {0};
    struct result_walk walk;

    result_walk_init(&walk, r, 0);
    while (result_walk_next(&walk))
        vec_push(&rows, walk.row);
    result_walk_done(&walk);
    for (size_t i = rows.n; i-- > 0;)
        running[rows.data[i]] = sum += r->own[rows.data[i]];
    vec_done(&rows);
    return running;
}

void row_cells_init(struct row_cells *c, struct result *r, bool with_ps)
{
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);
    struct err err = {0};

    memset(c, 0, sizeof *c);
    c->result = r;
    c->with_ps = with_ps && r->profile->clock.tick_ps < PS_PER_US;
    result_need(r, row_column_metrics(r));
    /* An invalid -bind was reported with the figures. */
    if (field_in(r->options.select, METRIC_FLOAT_OPS) && !result_compares(r))
        c->flops = result_flops(r, &err);
    err_done(&err);
    cells_add(c, -1, "name", NULL);
    cells_add(c, -1, "path", NULL);
    cells_add(c, -1, "depth", NULL);
    cells_add(c, -1, "accounted", NULL);
    if (result_compares(r)) {
        cells_add(c, -1, "mark", NULL);
        cells_add(c, -1, "base_name", NULL);
        cells_add(c, -1, "match", NULL);
        cells_add(c, -1, "confidence", NULL);
        cells_add_noise(c);
    }
    if (r->view_id == VIEW_CODE) {
        cells_add(c, -1, frame_key, NULL);
        cells_add(c, -1, file_key, NULL);
        cells_add(c, -1, line_key, NULL);
        cells_add(c, -1, function_key, NULL);
    }
    if (r->view->is_list && field_in(r->options.select, METRIC_OCCURRENCE) && !result_compares(r))
        c->running_defined = c->own_running = count_running(r);
    c->n_own = c->n;
    for (size_t i = 0; i < n; i++)
        add_field_cells(c, columns[i]);
    cells_add_repeats(c, -1, NULL);
}

void row_cells_copy(struct row_cells *c, const struct row_cells *from)
{
    memset(c, 0, sizeof *c);
    c->result = from->result;
    c->flops = from->flops;
    c->running_defined = from->running_defined;
    c->n_own = from->n_own;
    for (size_t i = 0; i < from->n; i++)
        cells_add(c, from->cells[i].field, from->cells[i].key, from->cells[i].part);
}

void row_cells_done(struct row_cells *c)
{
    for (size_t i = 0; i < c->n; i++) {
        sb_done(&c->cells[i].text);
        vec_done(&c->cells[i].texts);
    }
    sb_done(&c->stack);
    vec_done(&c->stack_ends);
    free(c->own_running);
}

/* ---- values */

void cell_set_int(struct row_cell *cell, int64_t number)
{
    cell->kind = CELL_INT;
    cell->number = number;
}

void cell_set_figure(struct row_cell *cell, int64_t figure)
{
    const bool in_ps = cell->part == self_ps_part || cell->part == total_ps_part ||
                       cell->part == running_ps_part;

    cell_set_int(cell, figure);
    if (metric_named_unit((enum metric_id)cell->field) != 1 && !in_ps)
        cell->kind = CELL_MILLIONTHS;
}

void cell_set_text(struct row_cell *cell, const char *text, size_t len)
{
    cell->kind = CELL_TEXT;
    sb_clear(&cell->text);
    sb_add(&cell->text, text, len);
}

/* Puts NAME at level DEPTH of the stack and drops deeper levels. */
static void push_name(struct row_cells *c, struct text name, uint32_t depth)
{
    vec_resize_zero(&c->stack_ends, (size_t)depth + 1);
    sb_truncate(&c->stack, depth ? c->stack_ends.data[depth - 1] : 0);
    if (depth) {
        if (depth > 1)
            sb_addc(&c->stack, ';');
        sb_add(&c->stack, name.bytes, name.len);
    }
    c->stack_ends.data[depth] = c->stack.len;
}

/* Puts the ancestors of ROW, the first row, on the stack. */
static void push_ancestors(struct row_cells *c, row_id row, uint32_t depth)
{
    const struct result *r = c->result;
    row_id *ancestors = xreallocarray(NULL, depth, sizeof *ancestors);

    for (uint32_t at = depth; at-- > 0;)
        ancestors[at] = row = r->shown_parent[row];
    for (uint32_t at = 0; at < depth; at++)
        push_name(c, tree_text(r->tree, ancestors[at]), at);
    free(ancestors);
}

/* The path of a row is its name, which is unique; empty for the root. In the code view, where names
 * are not unique, it is the displayed stack joined by ';'. */
static void fill_path(struct row_cells *c, row_id row, uint32_t depth)
{
    if (c->result->view_id != VIEW_CODE) {
        const struct text name = tree_text(c->result->tree, row);

        cell_set_text(&c->cells[CELL_PATH], name.bytes, depth ? name.len : 0);
        return;
    }
    if (c->stack_ends.n < depth)
        push_ancestors(c, row, depth);
    push_name(c, tree_text(c->result->tree, row), depth);
    cell_set_text(&c->cells[CELL_PATH], sb_text(&c->stack), c->stack.len);
}

static void set_string(const struct result *r, struct row_cell *cell, strid id)
{
    cell_set_text(cell, profile_text(r->profile, id), intern_len(&r->profile->strings, id));
}

/* Fills a cell of the frame: whole, or one of its parts. */
static void fill_frame(const struct result *r, struct row_cell *cell, row_id row)
{
    const struct frame *frame = r->tree->n_folded && r->tree->n_folded[row] ? NULL : r->tree->frame[row];
    const bool has_place = frame && row && frame->lineno != LINE_NONE;

    cell->kind = CELL_NONE;
    sb_clear(&cell->text);
    if (frame && row && cell->key == frame_key)
        frame_name_with_path(&cell->text, r->profile, frame);
    if (cell->text.len)
        cell->kind = CELL_TEXT;
    if (has_place && cell->key == line_key)
        cell_set_int(cell, frame->lineno);
    else if (has_place && cell->key == file_key)
        set_string(r, cell, frame->file);
    else if (frame && row && cell->key == function_key)
        set_string(r, cell, frame->function);
}

static bool is_of_frame(const struct row_cell *cell)
{
    return cell->key == frame_key || cell->key == file_key || cell->key == line_key ||
           cell->key == function_key;
}

/* The number of nodes: of the row, and including all rows below it. */
static void fill_defined(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const struct result *r = c->result;

    if (r->view->is_multi && cell->part == total_part)
        cell->kind = CELL_NONE;
    else if (cell->part == running_part)
        cell_set_int(cell, c->running_defined[row]);
    else if (r->view->is_multi)
        cell_set_int(cell, r->own[row]);
    else if (cell->part == total_part)
        cell_set_int(cell, r->total_defs[row]);
    else
        cell_set_int(cell, row && r->accounted[row]);
}

static void fill_shape(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const node_id node = tree_node(c->result->tree, row);
    const struct profile *p = c->result->profile;
    const shape_id shape = node == NODE_NONE ? SHAPE_UNKNOWN : p->shape[node];

    cell->kind = shape == SHAPE_UNKNOWN ? CELL_NONE : CELL_SHAPE;
    cell->shape = p->shapes[shape];
}

/* The state of float_ops, which explains zeros: "no_compute", "unknown_shape", "left_out". For
 * several nodes their common state, or "partly_counted". */
static void fill_state(struct row_cells *c, struct row_cell *cell, row_id row)
{
    static const char *const names[] = {
        [FLOPS_NO_COMPUTE] = "no_compute",
        [FLOPS_COUNTED] = "counted",
        [FLOPS_PER_TRIP] = "per_iteration",
        [FLOPS_LEFT_OUT] = "left_out",
        [FLOPS_UNKNOWN_SHAPE] = "unknown_shape",
        [FLOPS_NO_RULE] = "no_rule",
    };
    _Static_assert(sizeof names / sizeof *names == FLOPS_STATE_COUNT, "a name for each state");
    const struct result *r = c->result;
    const struct tree *t = r->tree;
    const char *name = NULL;

    cell->kind = CELL_NONE;
    if (!c->flops || (!r->view->is_multi && tree_node(t, row) == NODE_NONE))
        return;
    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        const char *other = names[c->flops->state[t->members[i]]];

        if (!r->node_accounted[t->members[i]] && r->view->is_multi)
            continue;
        name = name && name != other ? "partly_counted" : other;
    }
    if (name)
        cell_set_text(cell, name, strlen(name));
}

/* True when the cell includes values of other rows. */
static bool is_sum(const struct row_cell *cell)
{
    return cell->part == total_part || cell->part == total_ps_part || cell->part == running_part ||
           cell->part == running_ps_part;
}

static void fill_metric(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const struct result *r = c->result;

    if (cells_fill_repeats(c, cell, row)) {
        return;
    } else if (cell->key == shape_key) {
        fill_shape(c, cell, row);
    } else if (cell->key == state_key) {
        fill_state(c, cell, row);
    } else if (result_is_unknown(r, cell->field) || result_lacks(r, row, cell->field)) {
        cell->kind = CELL_NONE;
    } else if (cell->field == METRIC_OCCURRENCE && r->view->needs_stacks &&
               !profile_has_samples(r->profile)) {
        cell->kind = CELL_NONE; /* the code view has no value, as in its text output */
    } else if (cell->key == defined_key) {
        fill_defined(c, cell, row);
    } else if (result_compares(r)) {
        cells_fill_delta(c, cell, row);
    } else if (is_sum(cell)) {
        cell_set_figure(cell, r->total[cell->field][row]);
    } else if (result_has_self(r, row)) {
        cell_set_figure(cell, r->self[cell->field][row]);
    } else {
        cell->kind = CELL_NONE;
    }
}

/* Values in the unit of the metric's name, as in other cells. */
static void fill_by_step(const struct result *r, struct row_cell *cell, row_id row)
{
    const struct by_step *b = &r->by_step;

    cell->kind = CELL_NONE;
    if (!b->values || result_is_unknown(r, (int)b->metric))
        return;
    cell->kind = CELL_NUMBERS;
    sb_clear(&cell->text);
    for (uint32_t i = 0; i < b->n_points; i++) {
        sb_adds(&cell->text, i ? "," : "");
        if (metrics[b->metric].unit == UNIT_TIME_PS)
            format_micros(&cell->text, by_step_value(b, i, row));
        else
            sb_add_int(&cell->text, by_step_value(b, i, row));
    }
}

static void fill_field(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const struct result *r = c->result;

    if (cell->field < METRIC_COUNT) {
        fill_metric(c, cell, row);
    } else if (cell->field == FIELD_DEVICE) {
        cell->kind = CELL_TEXTS;
        row_devices(r, row, &cell->texts);
    } else if (cell->field == FIELD_OP_TYPES) {
        cell->kind = CELL_TEXTS;
        row_types(r, row, &cell->texts);
    } else if (cell->field == FIELD_BY_STEP) {
        fill_by_step(r, cell, row);
    } else if (cell->field != FIELD_NUM_HIDDEN_OPS) {
        sb_clear(&cell->text);
        cell->kind = row_field(&cell->text, c->result, row, cell->field) ? CELL_TEXT : CELL_NONE;
    } else if (r->hidden_ops && !r->view->is_list) {
        cell_set_int(cell, r->hidden_ops[row]);
    } else {
        cell->kind = CELL_NONE;
    }
}

static void fill_cell(struct row_cells *c, size_t i, row_id row, uint32_t depth)
{
    const struct result *r = c->result;
    struct row_cell *cell = &c->cells[i];

    if (i == CELL_NAME) {
        const struct text name = tree_text(r->tree, row);

        cell_set_text(cell, name.bytes, name.len);
    } else if (i == CELL_PATH) {
        fill_path(c, row, depth);
    } else if (i == CELL_DEPTH) {
        cell_set_int(cell, depth);
    } else if (i == CELL_ACCOUNTED) {
        cell_set_int(cell, row && r->accounted[row]);
        cell->kind = CELL_BOOL;
    } else if (i >= c->n_own) {
        fill_field(c, cell, row);
    } else if (is_of_frame(cell)) {
        fill_frame(r, cell, row);
    } else if (i == CELL_MARK) {
        cells_fill_match(c, row); /* also fills base_name and match */
    }
}

void row_cells_fill(struct row_cells *c, row_id row, uint32_t depth)
{
    for (size_t i = 0; i < c->n; i++)
        fill_cell(c, i, row, depth);
}

void row_cells_restart(struct row_cells *c)
{
    c->stack_ends.n = 0;
}

void row_cells_fill_one(struct row_cells *c, size_t i, row_id row, uint32_t depth)
{
    row_cells_restart(c);
    fill_cell(c, i > CELL_MARK && i < c->n_own && !is_of_frame(&c->cells[i]) ? CELL_MARK : i, row,
              depth);
}

bool cell_adds_up(const struct row_cell *cell)
{
    return cell->field >= 0 && cell->field < METRIC_COUNT && !field_in(RATIOS, cell->field) && cell->part &&
           strncmp(cell->part, self_part, sizeof self_part - 1) == 0;
}

const char *cell_own_part(const struct row_cell *cell)
{
    const char *rest = cell->part + sizeof self_part - 1;

    return cell->part == self_ps_part || !*rest ? cell->part : rest + 1;
}

bool cell_is_micros(const struct row_cell *cell)
{
    return metrics[cell->field].unit == UNIT_TIME_PS && cell->part != self_ps_part;
}

const char *cell_unit(const struct row_cell *cell)
{
    static const char *const units[UNIT_COUNT] = {
        [UNIT_NUMBER] = "1", [UNIT_TIME_PS] = "us",    [UNIT_BYTES] = "B",
        [UNIT_RATE] = "1/s", [UNIT_MILLIONTHS] = "1", [UNIT_PERCENT] = "%",
    };

    if (cell->key == line_key)
        return "1";
    if (cell->field < 0 || cell->key == shape_key || cell->key == state_key)
        return NULL;
    if (cell->field >= METRIC_COUNT)
        return cell->field == FIELD_NUM_HIDDEN_OPS ? "1" : NULL;
    if (cell->key == defined_key)
        return "1";
    return cell->field == METRIC_BYTES_PER_SECOND ? "B/s" : units[metrics[cell->field].unit];
}

void cell_text(struct strbuf *sb, const struct row_cell *cell)
{
    switch (cell->kind) {
    case CELL_NONE:
        break;
    case CELL_INT:
        sb_add_int(sb, cell->number);
        break;
    case CELL_MILLIONTHS:
        format_micros(sb, cell->number);
        break;
    case CELL_RATIO:
        sb_addf(sb, "%.2f", cell->ratio);
        break;
    case CELL_BOOL:
        sb_adds(sb, cell->number ? "true" : "false");
        break;
    case CELL_FLAG:
        sb_addc(sb, cell->number ? '1' : '0');
        break;
    case CELL_TEXT:
        utf8_escape(sb, sb_text(&cell->text), cell->text.len);
        break;
    case CELL_TEXTS:
        for (size_t i = 0; i < cell->texts.n; i++) {
            sb_adds(sb, i ? "|" : "");
            utf8_escape(sb, cell->texts.data[i].bytes, cell->texts.data[i].len);
        }
        break;
    case CELL_SHAPE:
        format_shape(sb, cell->shape);
        break;
    case CELL_NUMBERS:
        for (const char *c = sb_text(&cell->text); *c; c++)
            sb_addc(sb, *c == ',' ? '|' : *c);
        break;
    }
}
