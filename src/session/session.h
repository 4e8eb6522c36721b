/* session.h: a loaded profile with its query; shared by the one-shot command line, the shell and
 * the screen. */
#pragma once

#include <stdint.h>

#include "load/load.h"
#include "opt/options.h"
#include "session/command_line.h"
#include "view/query.h"

struct session {
    _Atomic uint32_t refs;
    struct profile *profile; /* profile of the query: `now`, or merged by the comparison */
    struct query *query;     /* owned */
    struct profile *now;     /* the loaded profile; owned */
    struct profile *base;    /* the baseline; owned; NULL: none */
    struct comparison *comparison; /* of `now` and `base`; owned; NULL without a baseline */
    /* Input paths, for command lines that reproduce a screen. */
    struct words files; /* positional */
};

/* Loads the profile that OPTIONS and FILES name, and the baseline. OPTIONS and FILES are copied.
 * NULL with ERR. Close with session_close(). */
struct session *session_open(const struct options *options, const char *const *files,
                             size_t n_files, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err);
/* Loads only the graph, see load_graph_first(). NULL with an empty ERR: that saves no time. */
struct session *session_open_graph(const struct options *options, const char *const *files,
                                   size_t n_files, struct load_progress *progress,
                                   struct cancel_mark cancel, struct load_begun **begun,
                                   struct err *err);
/* Loads the rest after session_open_graph(), see load_rest(). Takes ownership of BEGUN. */
struct session *session_open_rest(struct load_begun *begun, const struct options *options,
                                  const char *const *files, size_t n_files,
                                  struct load_progress *progress, struct cancel_mark cancel,
                                  struct err *err);
struct session *session_ref(struct session *s); /* adds a reference; NULL returns NULL */
void session_close(struct session *s); /* drops a reference; the last frees S; NULL is allowed */

/* Appends the shell command that reproduces this view: "tfprof scope --profile_path=x -max_depth
 * 4". Default values are omitted; command_line_parse() restores the options. */
void session_print_command(struct strbuf *sb, const struct session *s, enum view_id view,
                           const struct options *o);
struct table;
/* Appends the shell command that prints TABLE with the options of VIEW; RULES: the file of rules
 * for the table of checks, else NULL. */
void session_print_table_command(struct strbuf *sb, const struct session *s,
                                 const struct table *table, const char *rules, enum view_id view,
                                 const struct options *o);

/* Appends the view as a command for the prompt of the original tfprof: "scope -max_depth 4". That
 * prompt has no quotes, so blanks and commas in regexes are written \xNN. Options that it cannot
 * express are omitted and noted in NOTES. */
void session_print_prompt_line(struct strbuf *sb, enum view_id view, const struct options *o,
                               struct notes *notes);
