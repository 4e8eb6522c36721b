/* rename_rules.h: rules of -rename that are kept for a project: the folder that its files are in. */
#pragma once

#include "session/command_line.h"

/* Appends the rules kept for the folder that FILE is in, or else for the nearest one above it that
 * has some; false when none has.  Lines of the file that mean nothing are noted. */
bool rename_rules_find(struct strbuf *rules, const char *file, struct notes *notes);
/* Keeps RULES for the folder that FILE is in; "" forgets those there are.  False with a note. */
bool rename_rules_keep(const char *file, const char *rules, struct notes *notes);

/* Gives O the rules kept for FILES, by the first one, where it compares with a base and has none;
 * says so in NOTES. */
void rename_rules_suit(struct options *o, const struct words *files, struct notes *notes);
/* The file that says where the project of O and FILES is: what is compared with the base; NULL:
 * none. */
const char *rename_rules_file(const struct options *o, const struct words *files);
