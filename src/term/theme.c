/* theme.c: colours and attributes of roles.
 *
 * Nothing is shown by colour alone: the cells also have a distinct glyph or word. No two roles of a
 * theme have the same style, so that tests can recover the roles from the screen. */
#include "term/theme.h"

#include <stdlib.h>
#include <string.h>

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, NONE = -1 };

/* Shared by all themes for dark backgrounds. */
#define DARK_STYLES8 \
    { \
        [ROLE_TEXT] = {NONE, NONE, 0}, \
        [ROLE_DIM] = {NONE, NONE, STYLE_DIM}, \
        [ROLE_TITLE] = {NONE, NONE, STYLE_BOLD}, \
        [ROLE_TAB] = {BLACK, CYAN, 0}, \
        [ROLE_HEADER] = {CYAN, NONE, STYLE_BOLD}, \
        [ROLE_SORT] = {YELLOW, NONE, STYLE_BOLD | STYLE_UNDERLINE}, \
        [ROLE_CURSOR] = {WHITE, BLUE, STYLE_BOLD}, \
        [ROLE_CURSOR_BLURRED] = {WHITE, BLUE, 0}, \
        [ROLE_MARK] = {MAGENTA, NONE, STYLE_BOLD}, \
        [ROLE_BAR] = {CYAN, NONE, 0}, \
        [ROLE_NUMBER] = {GREEN, NONE, 0}, \
        [ROLE_HOT] = {WHITE, NONE, STYLE_BOLD}, \
        [ROLE_MATCH] = {BLACK, YELLOW, 0}, \
        [ROLE_CHANGED] = {YELLOW, NONE, STYLE_BOLD}, \
        [ROLE_ERROR] = {WHITE, RED, STYLE_BOLD}, \
        [ROLE_NOTE] = {YELLOW, NONE, 0}, \
        [ROLE_KEY] = {GREEN, NONE, STYLE_BOLD}, \
        [ROLE_FRAME] = {BLUE, NONE, STYLE_BOLD}, \
        [ROLE_INPUT] = {NONE, NONE, STYLE_UNDERLINE}, \
        [ROLE_CELL] = {BLACK, GREEN, 0}, \
        [ROLE_CELL_OTHER] = {BLACK, WHITE, 0}, \
        [ROLE_GREW] = {WHITE, RED, 0}, \
        [ROLE_GREW_MUCH] = {WHITE, RED, STYLE_UNDERLINE}, \
        [ROLE_SHRANK] = {WHITE, BLUE, STYLE_UNDERLINE}, \
        [ROLE_SHRANK_MUCH] = {WHITE, BLUE, STYLE_BOLD | STYLE_UNDERLINE}, \
        [ROLE_GROUP_1] = {BLUE, NONE, 0}, \
        [ROLE_GROUP_2] = {YELLOW, BLACK, 0}, \
        [ROLE_GROUP_3] = {GREEN, BLACK, 0}, \
        [ROLE_GROUP_4] = {MAGENTA, NONE, 0}, \
        [ROLE_GROUP_5] = {RED, NONE, 0}, \
        [ROLE_GROUP_6] = {CYAN, BLACK, 0}, \
    }

/* Colours above 7 are indices of the 256-colour palette. */
const struct theme theme_table[] = {
    {
        .name = "dark",
        .help = "for light text on a dark background",
        .styles256 = {
            [ROLE_TEXT] = {NONE, NONE, 0},
            [ROLE_DIM] = {245, NONE, 0},
            [ROLE_TITLE] = {255, NONE, STYLE_BOLD},
            [ROLE_TAB] = {16, 110, STYLE_BOLD},
            [ROLE_HEADER] = {110, NONE, STYLE_BOLD},
            [ROLE_SORT] = {221, NONE, STYLE_BOLD},
            [ROLE_CURSOR] = {255, 24, STYLE_BOLD},
            [ROLE_CURSOR_BLURRED] = {252, 238, 0},
            [ROLE_MARK] = {221, 53, STYLE_BOLD},
            [ROLE_BAR] = {74, NONE, 0},
            [ROLE_NUMBER] = {151, NONE, 0},
            [ROLE_HOT] = {193, NONE, STYLE_BOLD},
            [ROLE_MATCH] = {16, 221, 0},
            [ROLE_CHANGED] = {215, NONE, STYLE_BOLD},
            [ROLE_ERROR] = {231, 124, STYLE_BOLD},
            [ROLE_NOTE] = {215, NONE, 0},
            [ROLE_KEY] = {117, NONE, STYLE_BOLD},
            [ROLE_FRAME] = {240, NONE, 0},
            [ROLE_INPUT] = {231, 236, STYLE_UNDERLINE},
            [ROLE_CELL] = {230, 58, 0},
            [ROLE_CELL_OTHER] = {230, 94, 0},
            [ROLE_GREW] = {231, 88, 0},
            [ROLE_GREW_MUCH] = {231, 124, 0},
            [ROLE_SHRANK] = {231, 24, 0},
            [ROLE_SHRANK_MUCH] = {231, 26, STYLE_BOLD},
            [ROLE_GROUP_1] = {75, NONE, 0},
            [ROLE_GROUP_2] = {220, NONE, 0},
            [ROLE_GROUP_3] = {114, NONE, 0},
            [ROLE_GROUP_4] = {176, NONE, 0},
            [ROLE_GROUP_5] = {209, NONE, 0},
            [ROLE_GROUP_6] = {80, NONE, 0},
        },
        .styles8 = DARK_STYLES8,
    },
    {
        .name = "light",
        .help = "for dark text on a light background",
        .styles256 = {
            [ROLE_TEXT] = {NONE, NONE, 0},
            [ROLE_DIM] = {243, NONE, 0},
            [ROLE_TITLE] = {16, NONE, STYLE_BOLD},
            [ROLE_TAB] = {231, 25, STYLE_BOLD},
            [ROLE_HEADER] = {25, NONE, STYLE_BOLD},
            [ROLE_SORT] = {130, NONE, STYLE_BOLD},
            [ROLE_CURSOR] = {16, 153, STYLE_BOLD},
            [ROLE_CURSOR_BLURRED] = {16, 254, 0},
            [ROLE_MARK] = {90, 225, STYLE_BOLD},
            [ROLE_BAR] = {24, NONE, 0},
            [ROLE_NUMBER] = {22, NONE, 0},
            [ROLE_HOT] = {22, NONE, STYLE_BOLD},
            [ROLE_MATCH] = {16, 222, 0},
            [ROLE_CHANGED] = {94, NONE, STYLE_BOLD},
            [ROLE_ERROR] = {231, 160, STYLE_BOLD},
            [ROLE_NOTE] = {130, NONE, 0},
            [ROLE_KEY] = {26, NONE, STYLE_BOLD},
            [ROLE_FRAME] = {250, NONE, 0},
            [ROLE_INPUT] = {16, 255, STYLE_UNDERLINE},
            [ROLE_CELL] = {16, 194, 0},
            [ROLE_CELL_OTHER] = {16, 151, 0},
            [ROLE_GREW] = {16, 217, 0},
            [ROLE_GREW_MUCH] = {16, 210, STYLE_BOLD},
            [ROLE_SHRANK] = {16, 153, 0},
            [ROLE_SHRANK_MUCH] = {16, 111, STYLE_BOLD},
            [ROLE_GROUP_1] = {26, NONE, 0},
            [ROLE_GROUP_2] = {94, NONE, 0},
            [ROLE_GROUP_3] = {28, NONE, 0},
            [ROLE_GROUP_4] = {91, NONE, 0},
            [ROLE_GROUP_5] = {160, NONE, 0},
            [ROLE_GROUP_6] = {23, NONE, 0},
        },
        .styles8 = {
            [ROLE_TEXT] = {NONE, NONE, 0},
            [ROLE_DIM] = {NONE, NONE, STYLE_DIM},
            [ROLE_TITLE] = {NONE, NONE, STYLE_BOLD},
            [ROLE_TAB] = {WHITE, BLUE, STYLE_BOLD},
            [ROLE_HEADER] = {BLUE, NONE, STYLE_BOLD},
            [ROLE_SORT] = {RED, NONE, STYLE_BOLD | STYLE_UNDERLINE},
            [ROLE_CURSOR] = {BLACK, CYAN, 0},
            [ROLE_CURSOR_BLURRED] = {BLACK, WHITE, 0},
            [ROLE_MARK] = {MAGENTA, NONE, STYLE_BOLD},
            [ROLE_BAR] = {BLUE, NONE, 0},
            [ROLE_NUMBER] = {NONE, NONE, STYLE_DIM | STYLE_BOLD},
            [ROLE_HOT] = {NONE, NONE, STYLE_BOLD | STYLE_UNDERLINE},
            [ROLE_MATCH] = {BLACK, YELLOW, 0},
            [ROLE_CHANGED] = {RED, NONE, STYLE_BOLD},
            [ROLE_ERROR] = {WHITE, RED, STYLE_BOLD},
            [ROLE_NOTE] = {RED, NONE, 0},
            [ROLE_KEY] = {MAGENTA, NONE, 0},
            [ROLE_FRAME] = {CYAN, NONE, 0},
            [ROLE_INPUT] = {NONE, NONE, STYLE_UNDERLINE},
            [ROLE_CELL] = {BLACK, GREEN, 0},
            [ROLE_CELL_OTHER] = {WHITE, GREEN, 0},
            [ROLE_GREW] = {WHITE, RED, 0},
            [ROLE_GREW_MUCH] = {WHITE, RED, STYLE_UNDERLINE},
            [ROLE_SHRANK] = {WHITE, BLUE, 0},
            [ROLE_SHRANK_MUCH] = {WHITE, BLUE, STYLE_UNDERLINE},
            [ROLE_GROUP_1] = {BLUE, WHITE, 0},
            [ROLE_GROUP_2] = {YELLOW, WHITE, 0},
            [ROLE_GROUP_3] = {GREEN, WHITE, 0},
            [ROLE_GROUP_4] = {MAGENTA, WHITE, 0},
            [ROLE_GROUP_5] = {RED, WHITE, 0},
            [ROLE_GROUP_6] = {CYAN, WHITE, 0},
        },
    },
    {
        .name = "contrast",
        .help = "for a dark background, with the highest contrast",
        .styles256 = {
            [ROLE_TEXT] = {NONE, NONE, 0},
            [ROLE_DIM] = {252, NONE, 0},
            [ROLE_TITLE] = {231, NONE, STYLE_BOLD},
            [ROLE_TAB] = {16, 231, STYLE_BOLD},
            [ROLE_HEADER] = {231, NONE, STYLE_BOLD | STYLE_UNDERLINE},
            [ROLE_SORT] = {226, NONE, STYLE_BOLD | STYLE_UNDERLINE},
            [ROLE_CURSOR] = {16, 226, STYLE_BOLD},
            [ROLE_CURSOR_BLURRED] = {16, 250, 0},
            [ROLE_MARK] = {231, 90, STYLE_BOLD},
            [ROLE_BAR] = {51, NONE, 0},
            [ROLE_NUMBER] = {231, NONE, 0},
            [ROLE_HOT] = {229, NONE, STYLE_BOLD},
            [ROLE_MATCH] = {16, 51, STYLE_BOLD},
            [ROLE_CHANGED] = {226, NONE, STYLE_BOLD},
            [ROLE_ERROR] = {231, 124, STYLE_BOLD},
            [ROLE_NOTE] = {226, NONE, 0},
            [ROLE_KEY] = {123, NONE, STYLE_BOLD},
            [ROLE_FRAME] = {250, NONE, 0},
            [ROLE_INPUT] = {231, 17, STYLE_UNDERLINE},
            [ROLE_CELL] = {231, 58, 0},
            [ROLE_CELL_OTHER] = {231, 18, 0},
            [ROLE_GREW] = {231, 88, 0},
            [ROLE_GREW_MUCH] = {231, 124, 0},
            [ROLE_SHRANK] = {16, 117, 0},
            [ROLE_SHRANK_MUCH] = {16, 87, 0},
            [ROLE_GROUP_1] = {39, NONE, 0},
            [ROLE_GROUP_2] = {220, NONE, 0},
            [ROLE_GROUP_3] = {46, NONE, 0},
            [ROLE_GROUP_4] = {213, NONE, 0},
            [ROLE_GROUP_5] = {203, NONE, 0},
            [ROLE_GROUP_6] = {87, NONE, 0},
        },
        .styles8 = DARK_STYLES8,
    },
    {
        .name = "colorblind",
        .help = "for a dark background, without red and green",
        .styles256 = {
            [ROLE_TEXT] = {NONE, NONE, 0},
            [ROLE_DIM] = {245, NONE, 0},
            [ROLE_TITLE] = {255, NONE, STYLE_BOLD},
            [ROLE_TAB] = {16, 117, STYLE_BOLD},
            [ROLE_HEADER] = {117, NONE, STYLE_BOLD},
            [ROLE_SORT] = {214, NONE, STYLE_BOLD | STYLE_UNDERLINE},
            [ROLE_CURSOR] = {255, 24, STYLE_BOLD},
            [ROLE_CURSOR_BLURRED] = {252, 238, 0},
            [ROLE_MARK] = {16, 214, STYLE_BOLD},
            [ROLE_BAR] = {75, NONE, 0},
            [ROLE_NUMBER] = {230, NONE, 0},
            [ROLE_HOT] = {229, NONE, STYLE_BOLD},
            [ROLE_MATCH] = {16, 227, 0},
            [ROLE_CHANGED] = {214, NONE, STYLE_BOLD},
            [ROLE_ERROR] = {16, 208, STYLE_BOLD},
            [ROLE_NOTE] = {214, NONE, 0},
            [ROLE_KEY] = {153, NONE, STYLE_BOLD},
            [ROLE_FRAME] = {240, NONE, 0},
            [ROLE_INPUT] = {231, 236, STYLE_UNDERLINE},
            [ROLE_CELL] = {230, 58, 0},
            [ROLE_CELL_OTHER] = {230, 94, 0},
            [ROLE_GREW] = {16, 172, 0},
            [ROLE_GREW_MUCH] = {16, 208, 0},
            [ROLE_SHRANK] = {231, 24, 0},
            [ROLE_SHRANK_MUCH] = {231, 26, STYLE_BOLD},
            [ROLE_GROUP_1] = {33, NONE, 0},
            [ROLE_GROUP_2] = {220, NONE, 0},
            [ROLE_GROUP_3] = {80, NONE, 0},
            [ROLE_GROUP_4] = {175, NONE, 0},
            [ROLE_GROUP_5] = {202, NONE, 0},
            [ROLE_GROUP_6] = {231, NONE, 0},
        },
        .styles8 = DARK_STYLES8,
    },
    {.name = NULL},
};

/* Without colours several roles share a style and differ by their glyphs. */
static const uint8_t mono[ROLE_COUNT] = {
    [ROLE_TITLE] = STYLE_BOLD,
    [ROLE_TAB] = STYLE_REVERSE | STYLE_BOLD,
    [ROLE_HEADER] = STYLE_BOLD,
    [ROLE_SORT] = STYLE_BOLD | STYLE_UNDERLINE,
    [ROLE_CURSOR] = STYLE_REVERSE,
    [ROLE_CURSOR_BLURRED] = STYLE_UNDERLINE,
    [ROLE_MARK] = STYLE_BOLD,
    [ROLE_HOT] = STYLE_BOLD,
    [ROLE_MATCH] = STYLE_REVERSE | STYLE_UNDERLINE,
    [ROLE_CHANGED] = STYLE_BOLD,
    [ROLE_ERROR] = STYLE_REVERSE | STYLE_BOLD,
    [ROLE_NOTE] = STYLE_BOLD,
    [ROLE_KEY] = STYLE_BOLD,
    [ROLE_INPUT] = STYLE_UNDERLINE,
    [ROLE_GREW_MUCH] = STYLE_BOLD,
    [ROLE_SHRANK_MUCH] = STYLE_BOLD,
};

const struct theme *theme_find(const char *name)
{
    for (const struct theme *t = theme_table; t->name; t++)
        if (!strcmp(t->name, name))
            return t;
    return NULL;
}

const struct theme *theme_next(const struct theme *theme)
{
    return theme[1].name ? theme + 1 : theme_table;
}

const struct theme *theme_guess(const char *colorfgbg)
{
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    int background = last && last[1] >= '0' && last[1] <= '9' ? atoi(last + 1) : 0;

    /* Of the sixteen colours 7 and 9 to 15 are light. */
    return theme_find(background == 7 || background > 8 ? "light" : "dark");
}

struct style theme_style(const struct theme *theme, enum role role, int colors)
{
    if (colors >= 256)
        return theme->styles256[role];
    if (colors >= 8)
        return theme->styles8[role];
    return (struct style){NONE, NONE, mono[role]};
}
