/* cells.h: figures of the displayed result as cells, including pending and missing figures. */
#pragma once

#include "tui/app.h"

/* Self or total. */
enum cell_of { CELL_SELF, CELL_TOTAL };

enum cell_state {
    CELL_THERE,  /* a figure; 0 was measured */
    CELL_COMING, /* pending: being read or computed */
    CELL_NONE,   /* missing: nothing ran */
};

enum cell_state cell_state(const struct app *a, row_id row, enum metric_id m, enum cell_of of);
/* Appends the figure as figure_self() or figure_known() do; an ellipsis if it is pending,
 * nothing if it is missing. */
void cell_add(const struct app *a, row_id row, enum metric_id m, enum cell_of of,
              struct strbuf *sb);
