/* runs_text.h: runs of a log folder as text. */
#ifndef TFPROF_SESSION_RUNS_TEXT_H
#define TFPROF_SESSION_RUNS_TEXT_H

#include "base/strbuf.h"
#include "load/runs.h"

/* Appends the name of RUN, which was found in FOLDER, for people: the way from one to the other
 * without the folders of plugins; "." for FOLDER itself. */
void run_name(struct strbuf *sb, const struct log_run *run, const char *folder);
/* Appends how many steps RUN has ("3 steps", "graph alone"), its size and when it changed, as
 * columns. */
void run_facts(struct strbuf *sb, const struct log_run *run);
/* Appends the RUNS as a table, each by its path, as it can be typed. */
void runs_print(struct strbuf *sb, const struct log_runs *runs);

#endif
