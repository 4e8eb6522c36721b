/* charcols.h: how many columns a character takes on a terminal. */
#ifndef TFPROF_TUI_CHARCOLS_H
#define TFPROF_TUI_CHARCOLS_H

#include <stdint.h>

/* 1 or 2 columns, 0 for a mark that joins the character before it, -1 for
 * what must not reach a terminal as it is: control characters, characters the
 * locale does not know, and invisible ones that reorder or glue text (bidi
 * controls, joiners, variation selectors), about which terminals disagree.
 *
 * In a UTF-8 locale the C library decides, as it does for ncurses; in any
 * other, where ncurses cannot print the character anyway, a short table. */
int char_cols(uint32_t code);

#endif
