/* prefix.h: a menu of keys that may follow the first key of a pair. */
#ifndef TFPROF_TUI_PREFIX_H
#define TFPROF_TUI_PREFIX_H

#include "tui/app.h"

/* Shows the keys that may follow KEY. The next key chooses one. */
void prefix_open(struct app *a, uint32_t key);
/* Waits for a letter a-z and calls FN with it. Any other key cancels. */
void letter_open(struct app *a, const char *title, void (*fn)(struct app *a, int letter));

#endif
