/* row_cells_priv.h: the implementation of row_cells.h. */
#pragma once

#include "export/rows/row_cells.h"

/* ---- row_cells.c */

void cells_add(struct row_cells *c, int field, const char *key, const char *part);
void cell_set_int(struct row_cell *cell, int64_t number);
/* Sets FIGURE in the unit of the cell's metric. */
void cell_set_figure(struct row_cell *cell, int64_t figure);
void cell_set_text(struct row_cell *cell, const char *text, size_t len);

/* ---- row_cells_parts.c */

/* Adds the comparison cells of FIELD, a metric. */
void cells_add_delta(struct row_cells *c, int field, const char *key);
void cells_fill_delta(struct row_cells *c, struct row_cell *cell, row_id row);
/* With -significant: adds the cells of noise. */
void cells_add_noise(struct row_cells *c);
/* Fills mark, base_name and match of ROW, and the cells of noise. */
void cells_fill_match(struct row_cells *c, row_id row);

/* With -fold_twins: adds the cells for repeated layers of FIELD, a metric; KEY NULL: of the row. */
void cells_add_repeats(struct row_cells *c, int field, const char *key);
/* Fills CELL; false if it is not a cell of repeated layers. */
bool cells_fill_repeats(struct row_cells *c, struct row_cell *cell, row_id row);
