/* move.c: moves the cursor in a list. */
#include "tui/move.h"

#include <stdbool.h>

size_t move_index(enum move move, size_t at, size_t n, int page)
{
    const size_t step[] = {
        [MOVE_UP] = 1,
        [MOVE_DOWN] = 1,
        [MOVE_PAGE_UP] = page > 1 ? (size_t)page - 1 : 1,
        [MOVE_PAGE_DOWN] = page > 1 ? (size_t)page - 1 : 1,
        [MOVE_HALF_UP] = page > 1 ? (size_t)page / 2 : 1,
        [MOVE_HALF_DOWN] = page > 1 ? (size_t)page / 2 : 1,
        [MOVE_FIRST] = n,
        [MOVE_LAST] = n,
    };
    const bool up = move == MOVE_UP || move == MOVE_PAGE_UP || move == MOVE_HALF_UP ||
                    move == MOVE_FIRST;

    if (!n)
        return 0;
    if (up)
        return at > step[move] ? at - step[move] : 0;
    return n - 1 - at > step[move] ? at + step[move] : n - 1;
}

size_t scroll_to(size_t top, size_t at, size_t n, int page)
{
    const size_t rows = page > 0 ? (size_t)page : 1;

    if (top + rows > n)
        top = n > rows ? n - rows : 0;
    if (at < top)
        top = at;
    if (at >= top + rows)
        top = at - rows + 1;
    return top;
}
