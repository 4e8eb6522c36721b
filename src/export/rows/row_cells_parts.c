/* row_cells_parts.c: cells of comparisons, and of rows of repeated layers. */
#include <string.h>

#include "export/rows/row_cells_priv.h"
#include "view/delta.h"
#include "view/repeat_figures.h"

/* Parts in comparisons; base, now and delta are totals, except in lists. */
static const char base_part[] = "base", now_part[] = "now", delta_part[] = "delta",
                  percent_part[] = "percent", self_base_part[] = "self_base",
                  self_now_part[] = "self_now", self_delta_part[] = "self_delta";
/* Parts for repeated layers; in a comparison, statistics of their differences. */
static const char mean_part[] = "mean", min_part[] = "min", max_part[] = "max";
static const char repeats_key[] = "twins", outliers_key[] = "outliers";

/* ---- comparisons */

static const char *const delta_parts[] = {base_part,      now_part,      delta_part,
                                          percent_part,   self_base_part, self_now_part,
                                          self_delta_part};

bool cell_is_delta(const struct row_cell *cell)
{
    return cell->part == delta_part || cell->part == self_delta_part;
}

void cells_add_delta(struct row_cells *c, int field, const char *key)
{
    for (size_t i = 0; i < sizeof delta_parts / sizeof *delta_parts; i++)
        cells_add(c, field, key, delta_parts[i]);
}

static void fill_percent(struct row_cell *cell, struct delta d)
{
    cell->kind = d.base ? CELL_RATIO : CELL_NONE;
    cell->ratio = delta_percent(d);
}

void cells_fill_delta(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const struct result *r = c->result;
    const enum metric_id m = (enum metric_id)cell->field;
    const bool has_self = result_has_self(r, row);
    const struct delta total = delta_of(r, m, row);
    const struct delta self = delta_between(r->base_self[m][row], r->self[m][row]);

    if (cell->part == percent_part)
        fill_percent(cell, total);
    else if (cell->part == base_part || cell->part == now_part || cell->part == delta_part)
        cell_set_figure(cell, cell->part == base_part  ? total.base
                         : cell->part == now_part ? total.now
                                                  : total.delta);
    else if (has_self)
        cell_set_figure(cell, cell->part == self_base_part  ? self.base
                         : cell->part == self_now_part ? self.now
                                                       : self.delta);
    else
        cell->kind = CELL_NONE;
}

void cells_add_noise(struct row_cells *c)
{
    static const char *const parts[] = {"base_steps", "now_steps", "base_median",
                                        "now_median", "shift",     "test"};
    static const char key[] = "noise";

    if (!c->result->options.significant)
        return;
    cells_add(c, -1, "significant", NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cells_add(c, (int)options_compared_metric(&c->result->options), key, parts[i]);
}

static void fill_noise(struct row_cells *c, row_id row)
{
    const struct row_noise noise = noise_of_row(&c->result->noise, row);
    struct row_cell *cells = &c->cells[CELL_NOISE];

    if (noise.verdict != SAMPLES_UNKNOWN) {
        cell_set_int(&c->cells[CELL_SIGNIFICANT], noise.verdict == SAMPLES_SIGNIFICANT);
        c->cells[CELL_SIGNIFICANT].kind = CELL_FLAG;
    }
    cell_set_int(&cells[0], noise.n_base);
    cell_set_int(&cells[1], noise.n_now);
    if (noise.n_base)
        cell_set_figure(&cells[2], noise.base_median);
    if (noise.n_now)
        cell_set_figure(&cells[3], noise.now_median);
    if (noise.n_base && noise.n_now)
        cell_set_figure(&cells[4], noise.shift);
    if (noise.test)
        cell_set_text(&cells[5], noise.test, strlen(noise.test));
}

static void fill_code_match(struct row_cells *c, row_id row)
{
    struct strbuf path = {0};
    const char *reason = delta_code_match(c->result, row, &path);

    if (reason) {
        cell_set_text(&c->cells[CELL_REASON], reason, strlen(reason));
        cell_set_text(&c->cells[CELL_CONFIDENCE], match_confidences[MATCH_HIGH],
                      strlen(match_confidences[MATCH_HIGH]));
        if (reason == match_reasons[MATCH_LINES])
            cell_set_text(&c->cells[CELL_OLD_NAME], sb_text(&path), path.len);
    }
    sb_done(&path);
}

void cells_fill_match(struct row_cells *c, row_id row)
{
    const char mark = delta_mark(c->result->sides[row]);
    struct text name;
    const char *moved = delta_moved_from(c->result, row, &name);
    const char *reason = delta_match(c->result, row);

    for (size_t i = CELL_MARK; i < c->n_own; i++)
        c->cells[i].kind = CELL_NONE;
    if (mark != ' ')
        cell_set_text(&c->cells[CELL_MARK], &mark, 1);
    if (c->result->options.significant)
        fill_noise(c, row);
    if (c->result->view_id == VIEW_CODE) {
        fill_code_match(c, row);
        return;
    }
    if (moved)
        cell_set_text(&c->cells[CELL_OLD_NAME], name.bytes, name.len);
    if (!reason)
        return;
    cell_set_text(&c->cells[CELL_REASON], reason, strlen(reason));
    reason = delta_confidence(c->result, row);
    cell_set_text(&c->cells[CELL_CONFIDENCE], reason, strlen(reason));
}

/* ---- repeated layers */

void cells_add_repeats(struct row_cells *c, int field, const char *key)
{
    const struct result *r = c->result;

    if (!r->options.fold_twins || r->view->is_list)
        return;
    if (key) {
        cells_add(c, field, key, mean_part);
        cells_add(c, field, key, min_part);
        cells_add(c, field, key, max_part);
    } else {
        cells_add(c, -1, repeats_key, NULL);
        cells_add(c, -1, outliers_key, NULL);
    }
}

static void fill_outliers(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const struct result *r = c->result;
    const enum metric_id m = options_compared_metric(&r->options);
    const struct tree *t = r->tree;
    struct repeat_figures f;

    cell->kind = CELL_TEXTS;
    cell->texts.n = 0;
    if (!r->total[m] || result_is_unknown(r, (int)m))
        return;
    f = repeat_figures_of(r, m, row);
    for (row_id repeat = row + 1; f.n_outliers && repeat < t->end[row]; repeat = t->end[repeat])
        if (r->kept[repeat] && repeat_is_outlier(&f, repeat_figure(r, m, repeat)))
            vec_push(&cell->texts, tree_text(t, repeat));
}

bool cells_fill_repeats(struct row_cells *c, struct row_cell *cell, row_id row)
{
    const uint32_t n = tree_n_repeats(c->result->tree, row);
    struct repeat_figures f;

    if (cell->key != repeats_key && cell->key != outliers_key && cell->part != mean_part &&
        cell->part != min_part && cell->part != max_part)
        return false;
    cell->kind = CELL_NONE;
    if (!n || (cell->field >= 0 && result_is_unknown(c->result, cell->field)))
        return true;
    if (cell->key == repeats_key) {
        cell_set_int(cell, n);
    } else if (cell->key == outliers_key) {
        fill_outliers(c, cell, row);
    } else {
        f = repeat_figures_of(c->result, (enum metric_id)cell->field, row);
        if (f.n)
            cell_set_figure(cell, cell->part == mean_part  ? f.mean
                                  : cell->part == min_part ? f.min
                                                           : f.max);
    }
    return true;
}

bool row_cells_check(const char *output, const struct result *r, struct err *err)
{
    if (field_in(r->options.select, FIELD_TENSOR_VALUE))
        return err_set(err, ERR_USAGE,
                       "-output %s: tensor_value is not a column; -output stdout and proto show it",
                       output);
    if (r->view->is_list && field_in(r->options.select, FIELD_INPUT_SHAPES))
        return err_set(err, ERR_USAGE,
                       "-output %s: input_shapes of the op view are not columns; -output stdout "
                       "shows them, and the scope view has them for each node",
                       output);
    return true;
}
