/* runs_text.h: runs of a log folder as text. */
#pragma once

#include "activity/table.h"
#include "base/strbuf.h"
#include "load/runs.h"

/* Appends the name of RUN, which was found in FOLDER, for people: the way from one to the other
 * without the folders of plugins; "." for FOLDER itself. */
void run_name(struct strbuf *sb, const struct log_run *run, const char *folder);
/* Appends how many steps RUN has ("3 steps", "graph alone"), its size and when it changed, as
 * columns. */
void run_facts(struct strbuf *sb, const struct log_run *run);
/* Appends the heading of a table of RUNS; the width of its first column in bytes. */
size_t runs_heading(struct strbuf *sb, const struct log_runs *runs);
/* Appends RUN as a row of it, by its path as it can be typed. */
void runs_row(struct strbuf *sb, const struct log_run *run, size_t width);

/* The runs, whose steps are counted; given: a struct log_runs. */
extern const struct table table_runs;
