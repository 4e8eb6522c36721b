/* runs_text.h: the runs in a log folder, as text. */
#pragma once

#include "activity/table.h"
#include "base/strbuf.h"
#include "load/runs.h"

/* Appends the path of RUN relative to FOLDER, without folders of plugins; "." for FOLDER itself. */
void run_name(struct strbuf *sb, const struct log_run *run, const char *folder);
/* Appends columns: number of steps ("3 steps", "graph alone"), size and modification time. */
void run_facts(struct strbuf *sb, const struct log_run *run);
/* Appends the heading of a table of RUNS; returns the width of its first column in bytes. */
size_t runs_heading(struct strbuf *sb, const struct log_runs *runs);
/* Appends a table row for RUN that starts with its path, quoted for a shell. */
void runs_row(struct strbuf *sb, const struct log_run *run, size_t width);

/* The table of runs; its input is a struct log_runs whose steps are counted. */
extern const struct table table_runs;
