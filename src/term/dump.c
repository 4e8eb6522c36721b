/* dump.c: rows of a canvas as text. */
#include "term/canvas.h"

#include "base/utf8.h"

void canvas_dump_row(struct strbuf *sb, const struct canvas *c, int row)
{
    int cols = c->cols;

    while (cols && canvas_at(c, row, cols - 1)->base == ' ')
        cols--;
    for (int col = 0; col < cols; col++) {
        const struct cell *cell = canvas_at(c, row, col);

        if (!cell->base)
            continue;
        utf8_encode(sb, cell->base);
        for (int i = 0; i < CELL_COMBINING && cell->combining[i]; i++)
            utf8_encode(sb, cell->combining[i]);
    }
}
