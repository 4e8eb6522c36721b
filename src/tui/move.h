/* move.h: moving the cursor in a list. */
#pragma once

#include <stddef.h>

enum move {
    MOVE_UP,
    MOVE_DOWN,
    MOVE_PAGE_UP,
    MOVE_PAGE_DOWN,
    MOVE_HALF_UP,
    MOVE_HALF_DOWN,
    MOVE_FIRST,
    MOVE_LAST,
};

/* The index after MOVE from AT in a list of N entries, PAGE of which are visible. */
size_t move_index(enum move move, size_t at, size_t n, int page);
/* The first entry to draw, so that AT is among PAGE visible entries of N. Changes TOP as little
 * as possible. */
size_t scroll_to(size_t top, size_t at, size_t n, int page);
