/* config.h: the config file tfprofrc: one command a line, as at the prompt. */
#pragma once

#include "opt/options.h"
#include "session/words.h"

/* The folder of the config file: $XDG_CONFIG_HOME/tfprof, else ~/.config/tfprof; heap, the
 * caller's.  NULL when neither variable holds an absolute path. */
char *config_dir(void);

/* What a line means that does not begin with `set`: of the screen (bind,
 * theme, ...).  WORDS are borrowed; false with ERR when they mean nothing. */
typedef bool config_line(const struct words *words, void *arg, struct err *err);

/* Reads the user's tfprofrc, if there is one: `set` lines change O, and SAID (NULL: not
 * wanted) gets the names of their options; the others go to OTHER (NULL: skipped) with ARG.
 * A line that is not understood is a note with file and line, and has no effect. */
void config_read(struct options *o, struct words *said, config_line *other, void *arg,
                 struct notes *notes);
