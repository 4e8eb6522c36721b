/* theme.c: colours and attributes of roles.
 *
 * Colour is never the only distinction: the cells also have a distinct glyph or word. No two roles
 * of a theme have the same style, so that tests can recover the roles from the screen. */
#include "term/theme.h"

#include <stdlib.h>
#include <string.h>

/* Palettes of 256 colours, of which those above 7 are indices, then of 8, for dark and light
 * backgrounds. */
enum { DARK, LIGHT, CONTRAST, COLORBLIND, DARK_8, LIGHT_8, PALETTES };

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, NO = -1 };
enum { B = STYLE_BOLD, R = STYLE_REVERSE, U = STYLE_UNDERLINE, D = STYLE_DIM };

/* The styles of a role.  Without colours several roles share one and differ by their glyphs. */
static const struct {
    struct style of[PALETTES];
    uint8_t mono;
} roles[ROLE_COUNT] = {
    [ROLE_TEXT] = {{{NO, NO, 0}, {NO, NO, 0}, {NO, NO, 0}, {NO, NO, 0}, {NO, NO, 0}, {NO, NO, 0}}, 0},
    [ROLE_DIM] = {{{245, NO, 0}, {243, NO, 0}, {252, NO, 0}, {245, NO, 0},
         {NO, NO, D}, {NO, NO, D}}, 0},
    [ROLE_TITLE] = {{{255, NO, B}, {16, NO, B}, {231, NO, B}, {255, NO, B},
         {NO, NO, B}, {NO, NO, B}}, B},
    [ROLE_TAB] = {{{16, 110, B}, {231, 25, B}, {16, 231, B}, {16, 117, B},
         {BLACK, CYAN, 0}, {WHITE, BLUE, B}}, R|B},
    [ROLE_HEADER] = {{{110, NO, B}, {25, NO, B}, {231, NO, B|U}, {117, NO, B},
         {CYAN, NO, B}, {BLUE, NO, B}}, B},
    [ROLE_SORT] = {{{221, NO, B}, {130, NO, B}, {226, NO, B|U}, {214, NO, B|U},
         {YELLOW, NO, B|U}, {RED, NO, B|U}}, B|U},
    [ROLE_CURSOR] = {{{255, 24, B}, {16, 153, B}, {16, 226, B}, {255, 24, B},
         {WHITE, BLUE, B}, {BLACK, CYAN, 0}}, R},
    [ROLE_CURSOR_BLURRED] = {{{252, 238, 0}, {16, 254, 0}, {16, 250, 0}, {252, 238, 0},
         {WHITE, BLUE, 0}, {BLACK, WHITE, 0}}, U},
    [ROLE_MARK] = {{{221, 53, B}, {90, 225, B}, {231, 90, B}, {16, 214, B},
         {MAGENTA, NO, B}, {MAGENTA, NO, B}}, B},
    [ROLE_BAR] = {{{74, NO, 0}, {24, NO, 0}, {51, NO, 0}, {75, NO, 0},
         {CYAN, NO, 0}, {BLUE, NO, 0}}, 0},
    [ROLE_NUMBER] = {{{151, NO, 0}, {22, NO, 0}, {231, NO, 0}, {230, NO, 0},
         {GREEN, NO, 0}, {NO, NO, D|B}}, 0},
    [ROLE_HOT] = {{{193, NO, B}, {22, NO, B}, {229, NO, B}, {229, NO, B},
         {WHITE, NO, B}, {NO, NO, B|U}}, B},
    [ROLE_MATCH] = {{{16, 221, 0}, {16, 222, 0}, {16, 51, B}, {16, 227, 0},
         {BLACK, YELLOW, 0}, {BLACK, YELLOW, 0}}, R|U},
    [ROLE_CHANGED] = {{{215, NO, B}, {94, NO, B}, {226, NO, B}, {214, NO, B},
         {YELLOW, NO, B}, {RED, NO, B}}, B},
    [ROLE_ERROR] = {{{231, 124, B}, {231, 160, B}, {231, 124, B}, {16, 208, B},
         {WHITE, RED, B}, {WHITE, RED, B}}, R|B},
    [ROLE_NOTE] = {{{215, NO, 0}, {130, NO, 0}, {226, NO, 0}, {214, NO, 0},
         {YELLOW, NO, 0}, {RED, NO, 0}}, B},
    [ROLE_KEY] = {{{117, NO, B}, {26, NO, B}, {123, NO, B}, {153, NO, B},
         {GREEN, NO, B}, {MAGENTA, NO, 0}}, B},
    [ROLE_FRAME] = {{{240, NO, 0}, {250, NO, 0}, {250, NO, 0}, {240, NO, 0},
         {BLUE, NO, B}, {CYAN, NO, 0}}, 0},
    [ROLE_INPUT] = {{{231, 236, U}, {16, 255, U}, {231, 17, U}, {231, 236, U},
         {NO, NO, U}, {NO, NO, U}}, U},
    [ROLE_CELL] = {{{230, 58, 0}, {16, 194, 0}, {231, 58, 0}, {230, 58, 0},
         {BLACK, GREEN, 0}, {BLACK, GREEN, 0}}, 0},
    [ROLE_CELL_OTHER] = {{{230, 94, 0}, {16, 151, 0}, {231, 18, 0}, {230, 94, 0},
         {BLACK, WHITE, 0}, {WHITE, GREEN, 0}}, 0},
    [ROLE_GREW] = {{{231, 88, 0}, {16, 217, 0}, {231, 88, 0}, {16, 172, 0},
         {WHITE, RED, 0}, {WHITE, RED, 0}}, 0},
    [ROLE_GREW_MUCH] = {{{231, 124, 0}, {16, 210, B}, {231, 124, 0}, {16, 208, 0},
         {WHITE, RED, U}, {WHITE, RED, U}}, B},
    [ROLE_SHRANK] = {{{231, 24, 0}, {16, 153, 0}, {16, 117, 0}, {231, 24, 0},
         {WHITE, BLUE, U}, {WHITE, BLUE, 0}}, 0},
    [ROLE_SHRANK_MUCH] = {{{231, 26, B}, {16, 111, B}, {16, 87, 0}, {231, 26, B},
         {WHITE, BLUE, B|U}, {WHITE, BLUE, U}}, B},
    [ROLE_GROUP_1] = {{{75, NO, 0}, {26, NO, 0}, {39, NO, 0}, {33, NO, 0},
         {BLUE, NO, 0}, {BLUE, WHITE, 0}}, 0},
    [ROLE_GROUP_2] = {{{220, NO, 0}, {94, NO, 0}, {220, NO, 0}, {220, NO, 0},
         {YELLOW, BLACK, 0}, {YELLOW, WHITE, 0}}, 0},
    [ROLE_GROUP_3] = {{{114, NO, 0}, {28, NO, 0}, {46, NO, 0}, {80, NO, 0},
         {GREEN, BLACK, 0}, {GREEN, WHITE, 0}}, 0},
    [ROLE_GROUP_4] = {{{176, NO, 0}, {91, NO, 0}, {213, NO, 0}, {175, NO, 0},
         {MAGENTA, NO, 0}, {MAGENTA, WHITE, 0}}, 0},
    [ROLE_GROUP_5] = {{{209, NO, 0}, {160, NO, 0}, {203, NO, 0}, {202, NO, 0},
         {RED, NO, 0}, {RED, WHITE, 0}}, 0},
    [ROLE_GROUP_6] = {{{80, NO, 0}, {23, NO, 0}, {87, NO, 0}, {231, NO, 0},
         {CYAN, BLACK, 0}, {CYAN, WHITE, 0}}, 0},
};

const struct theme theme_table[] = {
    {"dark", "for light text on a dark background", DARK, DARK_8},
    {"light", "for dark text on a light background", LIGHT, LIGHT_8},
    {"contrast", "for a dark background, with the highest contrast", CONTRAST, DARK_8},
    {"colorblind", "for a dark background, without red and green", COLORBLIND, DARK_8},
    {.name = NULL},
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
        return roles[role].of[theme->palette256];
    if (colors >= 8)
        return roles[role].of[theme->palette8];
    return (struct style){NO, NO, roles[role].mono};
}
