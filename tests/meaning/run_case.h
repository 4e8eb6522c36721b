/* run_case.h: a generated case given to the program. */
#ifndef TFPROF_TESTS_MEANING_RUN_CASE_H
#define TFPROF_TESTS_MEANING_RUN_CASE_H

#include "meaning/case_tree.h"

/* Writes the files of T to FOLDER; returns how many bytes they unpack to. */
size_t case_write(const struct case_tree *t, const char *folder);
/* Appends the words that T is given as, FOLDER in them, each quoted for a shell, a blank before
 * each. */
void case_words(const struct case_tree *t, const char *folder, struct strbuf *line);

/* Looks at everything once, and presses N_KEYS keys drawn by SEED on the screen.  The process ends
 * when something does not hold.  True when the files were taken, not refused by one line. */
bool run_case_views(const struct case_tree *t);
bool run_case_keys(const struct case_tree *t, uint64_t seed, unsigned n_keys);

#endif
