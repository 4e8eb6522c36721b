/* config.h: the config file tfprofrc: one command per line, as at the prompt. */
#pragma once

#include "opt/options.h"
#include "session/words.h"

/* Handles a line that does not begin with `set` (bind, theme, ...). WORDS are borrowed. False with
 * ERR if the line is invalid. */
typedef bool config_line(const struct words *words, void *arg, struct err *err);

/* Reads the user's tfprofrc, if any. `set` lines change O and add the option's name to SAID (may be
 * NULL); other lines go to OTHER (NULL: skipped). An invalid line is skipped with a note. */
void config_read(struct options *o, struct words *given, config_line *other, void *arg,
                 struct notes *notes);
