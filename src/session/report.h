/* report.h: what commands print that are about the profile as a whole, as text or JSON. */
#pragma once

#include "base/strbuf.h"
#include "export/output.h"
#include "opt/options.h"
#include "session/command_line.h"
#include "session/session.h"

/* Writes what COMMAND, COMMAND_TABLE or COMMAND_SUMMARY, says of S, to OUT unless
 * -output names a file.  False with ERR: an -output that the command has not, a bad -bind, nothing
 * to say. */
bool report_make(struct sink *out, struct session *s, const struct command *command,
                 const struct options *o, struct err *err);

/* ---- private to report*.c */

/* A record for each file, of at most BUDGET bytes (0: unlimited).  False with ERR. */
bool report_summary_json(struct strbuf *sb, const struct profile *p, int64_t budget, struct err *err);
/* Device work of the trace R of P, work and waits of its threads: members of its object. */
void report_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r);
/* Graph replays of traces of PyTorch: a member of the summary. */
void report_graphs(struct strbuf *sb, const struct profile *p);
/* "key":value with the comma that it needs; text in quotes, times in microseconds. */
void report_key(struct strbuf *sb, const char *key);
void report_integer(struct strbuf *sb, const char *key, int64_t value);
void report_time(struct strbuf *sb, const char *key, int64_t ns);
void report_string(struct strbuf *sb, const char *key, const struct profile *p, strid id);
