/* session.h: a profile, its queries and the commands that work on them: what
 * the one-shot command line, the shell and the screen share. */
#pragma once

#include <stdint.h>

#include "load/load.h"
#include "opt/options.h"
#include "session/command_line.h"
#include "view/query.h"

struct session {
    _Atomic uint32_t refs;
    struct profile *profile; /* of the query: now, or what the comparison merged */
    struct query *query;     /* owned */
    struct profile *now;     /* owned: what was loaded */
    struct profile *base;    /* owned: what -diff_base names; NULL: nothing */
    struct comparison *comparison; /* of the two, owned; NULL without a base */
    /* inputs as given, for the command line that reproduces a screen */
    struct words files; /* positional */
};

/* Loads what OPTIONS and FILES name, and what is compared with it (session_open copies what it keeps);
 * NULL with ERR.  Close with session_close(). */
struct session *session_open(const struct options *options, const char *const *files,
                             size_t n_files, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err);
/* The same for the graph alone, see load_graph_first(): NULL with ERR empty
 * when that does not pay. */
struct session *session_open_graph(const struct options *options, const char *const *files,
                                   size_t n_files, struct load_progress *progress,
                                   struct cancel_mark cancel, struct load_begun **begun,
                                   struct err *err);
/* As session_open() for what session_open_graph() was asked for, see load_rest(); takes BEGUN over. */
struct session *session_open_rest(struct load_begun *begun, const struct options *options,
                                  const char *const *files, size_t n_files,
                                  struct load_progress *progress, struct cancel_mark cancel,
                                  struct err *err);
struct session *session_ref(struct session *s); /* one more reference; NULL gives NULL */
void session_close(struct session *s); /* gives one up; the last frees it; NULL is fine */

/* Appends the shell-quoted command line that gives this view with these
 * options: "tfprof scope --profile_path=x -max_depth 4"; only what is not
 * default.  command_line_parse() of it gives the same options. */
/* The same for a command that prints TABLE, with the options of VIEW. */
struct table;
void session_print_table_command(struct strbuf *sb, const struct session *s,
                                 const struct table *table, enum view_id view,
                                 const struct options *o);
void session_print_command(struct strbuf *sb, const struct session *s, enum view_id view,
                           const struct options *o);

/* Appends the same as a line of the original's prompt: "scope -max_depth 4".
 * That prompt knows no quotes, no blank and no comma inside a value: both are
 * written \xNN within regexes.  What cannot be said there is left out and said
 * in NOTES. */
void session_print_prompt_line(struct strbuf *sb, enum view_id view, const struct options *o,
                               struct notes *notes);
