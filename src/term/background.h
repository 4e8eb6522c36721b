/* background.h: what a terminal answers when it is asked for the colour of its background. */
#ifndef TFPROF_TERM_BACKGROUND_H
#define TFPROF_TERM_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>

/* TEXT of LEN bytes, "rgb:1e1e/1e1e/1e1e" with one to four digits each: sets whether black is read
 * better than white on it.  False when it is no colour. */
bool background_parse(const char *text, size_t len, bool *is_light);

#endif
