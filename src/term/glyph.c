/* glyph.c: ASCII replacements for the glyphs that panes draw. */
#include "term/canvas.h"

#include <string.h>

static const struct {
    uint32_t first, last;
    char ascii;
} stand_ins[] = {
    {0x00b5, 0x00b5, 'u'}, /* micro sign */
    {0x00b7, 0x00b7, '.'}, /* middle dot: the empty part of a bar */
    {0x00d7, 0x00d7, 'x'}, /* multiplication sign */
    {0x2010, 0x2015, '-'}, /* hyphens and dashes */
    {0x2018, 0x2019, '\''},
    {0x201c, 0x201d, '"'},
    {0x2022, 0x2022, '*'}, /* bullet */
    {0x2026, 0x2026, '~'}, /* ellipsis: a truncated name */
    {0x203a, 0x203a, '>'}, /* path separator */
    {0x2039, 0x2039, '<'},
    {0x2190, 0x2190, '<'},
    {0x2191, 0x2191, '^'},
    {0x2192, 0x2192, '>'},
    {0x2193, 0x2193, 'v'},
    {0x2500, 0x2501, '-'}, /* box drawing: across */
    {0x2502, 0x2503, '|'}, /* down */
    {0x2504, 0x2505, '-'},
    {0x2506, 0x2507, '|'},
    {0x250c, 0x254b, '+'}, /* corners and crossings */
    {0x2550, 0x2550, '='},
    {0x2551, 0x2551, '|'},
    {0x2552, 0x256c, '+'},
    {0x256d, 0x2570, '+'},
    {0x2581, 0x2582, '_'}, /* blocks, low to high: a sparkline */
    {0x2583, 0x2584, '-'},
    {0x2585, 0x2586, '='},
    {0x2587, 0x258e, '#'}, /* full blocks: a bar */
    {0x258f, 0x258f, '|'}, /* left edge of a cell */
    {0x2590, 0x2590, '#'},
    {0x2591, 0x2593, ':'}, /* shades: cells too narrow for a label */
    {0x25a0, 0x25a0, '#'},
    {0x25b2, 0x25b2, '^'},
    {0x25b4, 0x25b4, '^'},
    {0x25b6, 0x25b6, '+'},
    {0x25b8, 0x25b8, '+'}, /* a folded row */
    {0x25b9, 0x25b9, '+'}, /* a row whose children are not loaded */
    {0x25bc, 0x25bc, 'v'},
    {0x25be, 0x25be, '-'}, /* an unfolded row */
    {0x25cf, 0x25cf, '*'},
    {0x2713, 0x2714, 'x'}, /* check marks */
    {0x2717, 0x2718, 'x'},
    {0x2800, 0x2800, ' '}, /* braille: points of a plot */
    {0x2801, 0x28ff, '#'},
};

/* ASCII replacement of CODE, '?' if there is none. */
static char ascii_replacement(uint32_t code)
{
    if (code < 0x80)
        return (char)code;
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (code >= stand_ins[i].first && code <= stand_ins[i].last)
            return stand_ins[i].ascii;
    return '?';
}

void glyph_ascii_canvas(struct canvas *c)
{
    size_t n = (size_t)c->rows * (size_t)c->cols;

    for (size_t i = 0; i < n; i++) {
        struct cell *cell = &c->cells[i];

        cell->base = cell->base ? (uint32_t)(unsigned char)ascii_replacement(cell->base) : ' ';
        cell->width = 1;
        memset(cell->combining, 0, sizeof cell->combining);
    }
}
