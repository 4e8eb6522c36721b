/* loading.h: loads files in the background. A graph, or part of a large trace, is displayed before
 * the rest is read. */
#pragma once

#include "tui/load_watch.h"

struct app;
struct command_line;
struct listed_runs; /* tui/doc.h */

/* Loads the files of CL and shows the progress. */
void load_begin(struct app *a, const struct command_line *cl);
/* Reads the files again with the body of CALL, a node whose body is not loaded. */
void load_call(struct app *a, node_id call);
/* Reads the files again for OPTIONS and requests these. */
void load_again(struct app *a, const struct options *options);
/* Reads the files again. Cursor, folds, filters and marks are kept. */
void load_reload(struct app *a, int arg);
/* Reads FILE instead of the displayed files. IS_RUN: it is a run chosen from a list. */
void load_other(struct app *a, const char *file, bool is_run);
/* Reads the run at PATH, chosen from a list, as first file or instead of the displayed ones. */
void load_run_of_folder(struct app *a, const char *path);
/* Checks in the background whether the displayed files have changed. Reports it once. */
void load_watch_files(struct app *a);
/* Stops reading and keeps complete files. If some of these are not displayed yet, the current
 * file is still finished; a second call stops at once. False if nothing was being read. */
bool load_stop(struct app *a);
/* Sets all options in O except those of loading to the values of the first screen. */
void load_first_options(const struct app *a, struct options *o);
/* Discards the loaded profile that is not displayed, because the query failed with its options. If
 * nothing is displayed, it becomes the session, so that the user can try other options. */
void load_discard(struct app *a);
void load_done(struct load_watch *l);
void listed_runs_done(struct listed_runs *listed);
/* True until everything is read and displayed. */
bool load_is_open(const struct app *a);
/* Returns what is displayed while the rest is read, "the graph alone"; NULL: everything. */
const char *load_part_name(const struct app *a);
/* Appends the progress, "loading all files: 42 % (RunMetadata, binary)", or the error. */
void load_text(const struct app *a, struct strbuf *sb);
