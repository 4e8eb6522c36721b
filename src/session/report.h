/* report.h: reports about the profile as a whole, as text or JSON. */
#pragma once

#include "base/strbuf.h"
#include "export/output.h"
#include "opt/options.h"
#include "session/command_line.h"
#include "session/session.h"

/* Writes the report of COMMAND (COMMAND_TABLE or COMMAND_SUMMARY) about S to OUT, or to the file
 * that -output names. False with ERR: the command lacks this output, -bind is invalid, or there is
 * nothing to report. */
bool report_make(struct sink *out, struct session *s, const struct command *command,
                 const struct options *o, struct err *err);

/* ---- private to report*.c */

/* Appends one record per file, together at most BUDGET bytes (0: unlimited). False with ERR. */
bool report_summary_json(struct strbuf *sb, const struct profile *p, int64_t budget, struct err *err);
/* Appends members of the JSON object of trace R: device work, and busy and wait times of
 * threads. */
void report_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r);
/* Appends the member for graph replays in PyTorch traces. */
void report_graphs(struct strbuf *sb, const struct profile *p);
/* A time in microseconds. */
void report_time(struct strbuf *sb, const char *key, int64_t ns);
