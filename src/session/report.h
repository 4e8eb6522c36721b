/* report.h: what commands print that are about the profile as a whole, as text or JSON. */
#ifndef TFPROF_SESSION_REPORT_H
#define TFPROF_SESSION_REPORT_H

#include "base/strbuf.h"
#include "opt/options.h"
#include "session/command_line.h"
#include "session/session.h"

/* Appends what COMMAND, one of the kinds from COMMAND_SUMMARY to COMMAND_HOSTS, says of S.  False
 * with ERR: an -output that is neither text nor json, a bad -bind, nothing to say. */
bool report_make(struct strbuf *sb, struct session *s, enum command_kind command,
                 const struct options *o, struct err *err);

/* ---- private to report*.c */

void report_summary_json(struct strbuf *sb, const struct profile *p);
/* False with ERR when no file has work of accelerators or steps. */
bool report_anatomy(struct strbuf *sb, const struct profile *p, const struct options *o,
                    bool is_json, struct err *err);
/* False with ERR when there are not several hosts. */
bool report_hosts(struct strbuf *sb, const struct profile *p, bool is_json, struct err *err);
/* False with ERR when there are not several ranks. */
bool report_ranks(struct strbuf *sb, const struct profile *p, const struct options *o, bool is_json,
                  struct err *err);
/* False with ERR when no step that is asked for has allocation records. */
bool report_memory(struct strbuf *sb, const struct profile *p, const struct options *o,
                   bool is_json, struct err *err);

/* "key":value with the comma that it needs; text in quotes, times in microseconds. */
void report_key(struct strbuf *sb, const char *key);
void report_integer(struct strbuf *sb, const char *key, int64_t value);
void report_time(struct strbuf *sb, const char *key, int64_t ns);
void report_string(struct strbuf *sb, const char *key, const struct profile *p, strid id);

/* A table of texts: columns are as wide as their widest text. */
struct report_table {
    VEC(char *) cells; /* heap */
    size_t n_columns;
    size_t n_left; /* columns that are texts, not numbers */
};
void report_cell(struct report_table *t, const char *text);
void report_time_cell(struct report_table *t, int64_t ns);
void report_table_end(struct report_table *t, struct strbuf *sb);

#endif
