/* run_view.h: one view command: query, output, notes. */
#ifndef TFPROF_CLI_RUN_VIEW_H
#define TFPROF_CLI_RUN_VIEW_H

#include "session/session.h"

/* Loads with a progress line; NULL with ERR.  The notes of loading are said
 * unless cl->quiet. */
struct session *open_session(struct command_line *cl, struct err *err);

/* Runs the view of COMMAND with OPTIONS and writes the result where they say, until CANCEL asks for
 * the end.  Notes are said unless QUIET; false with ERR (not yet said). */
bool run_view(struct session *s, const struct command *command, const struct options *options,
              bool quiet, struct cancel_mark cancel, struct err *err);

/* Prints the report that COMMAND is (session/report.h). */
bool run_report(struct session *s, const struct command *command, const struct options *options,
                struct err *err);

/* Prints the answer of a query in SQL over S (export/sql/sql_query.h), or writes it where OPTIONS
 * say.  S may be NULL for .schema alone. */
bool run_sql(struct session *s, const char *statement, const struct options *options,
             struct cancel_mark cancel, struct err *err);

#endif
