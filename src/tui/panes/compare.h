/* compare.h: the view beside that of another step or another profile: options of the query. */
#ifndef TFPROF_TUI_COMPARE_H
#define TFPROF_TUI_COMPARE_H

#include "view/query.h"

struct app;

/* Compares with STEP of the base, which is the same profile where none is named. */
void compare_step(struct app *a, int64_t step);
/* Compares with the profile in FILES, words as on the command line: all files are read again. */
void compare_files(struct app *a, const char *files);
/* Matches by the rules RULES of -rename ("": none), which are kept for this folder: all files are
 * read again. */
void compare_rename(struct app *a, const char *rules);
void compare_stop(struct app *a);

/* Appends what O compares with: "step 2", "old.pb". */
void compare_name(struct strbuf *sb, const struct options *o);
/* Appends the difference of ROW's total (in a list: own figure) to the base, "+1.20ms"; "new" or
 * "gone" where that is all that differs.  R compares. */
void compare_cell(const struct result *r, row_id row, enum metric_id m, struct strbuf *sb);

#endif
