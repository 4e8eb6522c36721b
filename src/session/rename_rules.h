/* rename_rules.h: -rename rules saved per project, which is the folder of the input files. */
#pragma once

#include "session/command_line.h"

/* Appends the rules saved for the folder of FILE, or for its nearest ancestor with rules. False if
 * there are none. Invalid lines add notes. */
bool rename_rules_find(struct strbuf *rules, const char *file, struct notes *notes);
/* Saves RULES for the folder of FILE; "" removes them. False with a note. */
bool rename_rules_save(const char *file, const char *rules, struct notes *notes);

/* Sets -rename in O to the rules saved for the first of FILES, with a note, if O names a baseline
 * and no rules. */
void rename_rules_apply(struct options *o, const struct words *files, struct notes *notes);
/* Returns the input that identifies the project of O and FILES; NULL: none. */
const char *rename_rules_file(const struct options *o, const struct words *files);
