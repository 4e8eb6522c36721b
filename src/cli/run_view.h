/* run_view.h: one command with its output and notes. */
#ifndef TFPROF_CLI_RUN_VIEW_H
#define TFPROF_CLI_RUN_VIEW_H

#include "session/session.h"

/* Loads with a progress line; NULL with ERR.  The notes of loading are said
 * unless cl->quiet. */
struct session *open_session(struct command_line *cl, struct err *err);

/* Runs the view of COMMAND with OPTIONS and writes the result to its output, until CANCEL.  Notes
 * are printed unless QUIET.  False with ERR, which is not printed yet. */
bool run_view(struct session *s, const struct command *command, const struct options *options,
              bool quiet, struct cancel_mark cancel, struct err *err);

/* Prints the brief of S (session/brief/brief.h). */
bool run_brief(struct session *s, const struct options *options, struct cancel_mark cancel,
               struct err *err);

/* Prints the report of COMMAND (session/report.h). */
bool run_report(struct session *s, const struct command *command, const struct options *options,
                struct err *err);

/* Runs an SQL query over S (export/sql/sql_query.h) and prints its result, or writes it to the
 * output of OPTIONS.  S may be NULL for .schema. */
bool run_sql(struct session *s, const char *statement, const struct options *options,
             struct cancel_mark cancel, struct err *err);

#endif
