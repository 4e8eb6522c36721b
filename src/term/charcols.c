/* charcols.c: display width of a character. */
#include "term/canvas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <wchar.h>

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
