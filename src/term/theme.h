/* theme.h: colours and attributes of roles: colours where the terminal has them, bold, reverse and
 * underline elsewhere. */
#pragma once

#include "term/canvas.h"

enum { STYLE_BOLD = 1, STYLE_REVERSE = 2, STYLE_UNDERLINE = 4, STYLE_DIM = 8 };

struct style {
    int16_t fg, bg; /* palette index; -1: the terminal's default */
    uint8_t attrs;  /* STYLE_ bits */
};

struct theme {
    const char *name;
    const char *help;
    uint8_t palette256, palette8; /* private */
};

extern const struct theme theme_table[]; /* terminated by a NULL name */

/* NULL if there is no theme NAME. */
const struct theme *theme_find(const char *name);
/* Returns the theme after THEME in the table, or the first after the last. */
const struct theme *theme_next(const struct theme *theme);
/* Chooses a light or dark theme by COLORFGBG ("0;15" is a light background; may be NULL). */
const struct theme *theme_guess(const char *colorfgbg);
/* Returns the style of ROLE for COLORS (256, 8, or 0: monochrome). */
struct style theme_style(const struct theme *theme, enum role role, int colors);
