/* screen.h: a case on the screen in memory. */
#ifndef TFPROF_TESTS_MEANING_SCREEN_H
#define TFPROF_TESTS_MEANING_SCREEN_H

#include <stdint.h>

#include "session/command_line.h"

/* The details of every row of every view. */
void screen_show_details(const struct command_line *cl);
/* N_KEYS keys, pastes, clicks and sizes drawn by SEED; true when there was something to see. */
bool screen_press_keys(const struct command_line *cl, uint64_t seed, unsigned n_keys);

#endif
