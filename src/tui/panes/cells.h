/* cells.h: figures of what is seen as cells: also those that are still being read, and those
 * that there are none of. */
#ifndef TFPROF_TUI_CELLS_H
#define TFPROF_TUI_CELLS_H

#include "tui/app.h"

/* Own figure or total. */
enum cell_of { CELL_SELF, CELL_TOTAL };

enum cell_state {
    CELL_THERE,  /* a figure; 0 was measured */
    CELL_COMING, /* it is being read or made */
    CELL_NONE,   /* nothing ran here: there is none */
};

enum cell_state cell_state(const struct app *a, row_id row, enum metric_id m, enum cell_of of);
/* Appends the figure as figure_self() and figure_known() have it, an ellipsis while it is
 * coming, nothing where there is none. */
void cell_add(const struct app *a, row_id row, enum metric_id m, enum cell_of of,
              struct strbuf *sb);

#endif
