/* charcols.h: display width of a character. */
#ifndef TFPROF_TUI_CHARCOLS_H
#define TFPROF_TUI_CHARCOLS_H

#include <stdint.h>

/* Returns 1 or 2 columns; 0 for a combining mark; -1 for characters that must not be sent to a
 * terminal: control characters, characters unknown to the locale, and invisible formatting
 * characters (bidirectional controls, joiners, variation selectors), which terminals handle
 * differently.
 *
 * In a UTF-8 locale the C library decides, as it does for ncurses. In other locales ncurses cannot
 * print such characters, and a short table suffices. */
int char_cols(uint32_t code);

#endif
