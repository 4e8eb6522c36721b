/* screen.h: a case on the in-memory screen. */
#pragma once

#include <stdint.h>

#include "session/command_line.h"

/* Fills the details of the rows of every view. */
void screen_show_details(const struct command_line *cl);
/* Sends N_KEYS random keys, pastes, clicks and resizes of SEED; true when a result was
 * displayed. */
bool screen_press_keys(const struct command_line *cl, uint64_t seed, unsigned n_keys);
