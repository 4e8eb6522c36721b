/* compare.h: comparison with another step or another profile: options of the query. */
#pragma once

#include "view/query.h"

struct app;

/* Compares with STEP of the baseline, which is the same profile unless files are named. */
void compare_step(struct app *a, int64_t step);
/* Compares with the profile in FILES, words as on the command line. Reads all files again. */
void compare_files(struct app *a, const char *files);
/* Matches nodes by RULES of -rename ("": none), saves them for this folder, and reloads all
 * files. */
void compare_rename(struct app *a, const char *rules);
void compare_stop(struct app *a);

/* Appends the name of the baseline in O: "step 2", "old.pb". */
void compare_name(struct strbuf *sb, const struct options *o);
/* Appends the difference of ROW's total (in a list: self) to the baseline, "+1.20ms"; "new" or
 * "gone" if ROW is on one side only. R is a comparison. */
void compare_cell(const struct result *r, row_id row, enum metric_id m, struct strbuf *sb);
