/* theme.h: what a role looks like: colours where there are some, bold,
 * reverse and underline everywhere else. */
#ifndef TFPROF_TUI_THEME_H
#define TFPROF_TUI_THEME_H

#include "term/canvas.h"

enum { STYLE_BOLD = 1, STYLE_REVERSE = 2, STYLE_UNDERLINE = 4, STYLE_DIM = 8 };

struct style {
    int16_t fg, bg; /* palette index; -1: the terminal's own colour */
    uint8_t attrs;  /* STYLE_ bits */
};

struct theme {
    const char *name;
    const char *help;
    struct style styles256[ROLE_COUNT];
    struct style styles8[ROLE_COUNT];
};

extern const struct theme theme_table[]; /* ended by a NULL name */

/* NULL when there is none of that name. */
const struct theme *theme_find(const char *name);
/* The one after THEME, a row of the table; the first after the last. */
const struct theme *theme_next(const struct theme *theme);
/* The theme for a terminal that says its colours in COLORFGBG ("0;15" is
 * dark on light; NULL when it does not): light or dark. */
const struct theme *theme_guess(const char *colorfgbg);
/* The style of ROLE on a terminal of COLORS (256, 8, or 0: mono, with no
 * colour in it). */
struct style theme_style(const struct theme *theme, enum role role, int colors);

#endif
