/* dump.c: a screen as lines of text, for tests that compare it. */
#include "term/dump.h"

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

static void dump_roles(struct strbuf *sb, const struct canvas *c, int row)
{
    int cols = c->cols;

    while (cols && canvas_at(c, row, cols - 1)->role == ROLE_TEXT)
        cols--;
    for (int col = 0; col < cols; col++)
        sb_addc(sb, role_letter(canvas_at(c, row, col)->role));
}

void canvas_dump(struct strbuf *sb, const struct canvas *c, const char *modes)
{
    sb_addf(sb, "screen %dx%d\n", c->cols, c->rows);
    for (int row = 0; row < c->rows; row++) {
        canvas_dump_row(sb, c, row);
        sb_addc(sb, '\n');
    }
    sb_adds(sb, "roles\n");
    for (int row = 0; row < c->rows; row++) {
        dump_roles(sb, c, row);
        sb_addc(sb, '\n');
    }
    sb_addf(sb, "cursor row %d col %d %s\n", c->cursor_row, c->cursor_col,
            c->cursor_visible ? "visible" : "hidden");
    if (modes)
        sb_addf(sb, "modes %s\n", modes);
}
