/* glyph.c: display width of characters, and ASCII replacements for the glyphs that panes draw. */
#include "term/canvas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

struct range {
    uint32_t first, last;
};

/* Invisible formatting characters. */
static const struct range formatting[] = {
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
    {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
};

/* Combining marks (the common blocks). */
static const struct range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},
    {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1160, 0x11ff}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x302a, 0x302d}, {0x3099, 0x309a},
    {0xfe20, 0xfe2f},
};

/* East Asian wide and full-width characters, and pictographs. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},
    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1b000, 0x1b2ff},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static bool in_ranges(uint32_t code, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

#define IN(code, table) in_ranges((code), (table), sizeof(table) / sizeof *(table))

int char_cols(uint32_t code)
{
    if (code >= 0x20 && code < 0x7f)
        return 1;
    if (code < 0xa0 || code > 0x10ffff || IN(code, formatting))
        return -1;
    if (MB_CUR_MAX > 1)
        return wcwidth((wchar_t)code);
    if (IN(code, combining))
        return 0;
    return IN(code, wide) ? 2 : 1;
}
