/* background.h: parses the background colour that a terminal reports. */
#ifndef TFPROF_TERM_BACKGROUND_H
#define TFPROF_TERM_BACKGROUND_H

#include <stdbool.h>
#include <stddef.h>

/* Parses TEXT of LEN bytes, "rgb:1e1e/1e1e/1e1e" with one to four digits each. Sets *IS_LIGHT if
 * black has more contrast on it than white. False if TEXT is not a colour. */
bool background_parse(const char *text, size_t len, bool *is_light);

#endif
