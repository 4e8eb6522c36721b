/* prefix.h: what may follow the first of two keys, as a small menu. */
#ifndef TFPROF_TUI_PREFIX_H
#define TFPROF_TUI_PREFIX_H

#include "tui/app.h"

/* Shows what KEY may be followed by; the next key chooses. */
void prefix_open(struct app *a, uint32_t key);
/* Waits for a letter a-z and gives it to FN; any other key ends it. */
void letter_open(struct app *a, const char *title, void (*fn)(struct app *a, int letter));

#endif
