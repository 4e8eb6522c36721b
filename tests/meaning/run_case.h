/* run_case.h: runs the program on a generated case. */
#pragma once

#include "meaning/case_tree.h"

/* Writes the files of T to FOLDER; returns their total length before compression. */
size_t case_write(const struct case_tree *t, const char *folder);
/* Appends the arguments for T, with paths in FOLDER, each quoted for a shell and preceded by a
 * blank. */
void case_words(const struct case_tree *t, const char *folder, struct strbuf *line);

/* run_case_views() computes everything once; run_case_keys() presses N_KEYS random keys of SEED on
 * the screen.  A violated condition ends the process.  True when the files were loaded, not refused
 * with a message. */
bool run_case_views(const struct case_tree *t);
bool run_case_keys(const struct case_tree *t, uint64_t seed, unsigned n_keys);
