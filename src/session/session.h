/* session.h: a profile, its queries and the commands that work on them: what
 * the one-shot command line, the shell and the screen share. */
#ifndef TFPROF_SESSION_SESSION_H
#define TFPROF_SESSION_SESSION_H

#include "load/load.h"
#include "opt/options.h"
#include "view/query.h"

struct session {
    struct profile *profile; /* owned */
    struct query *query;     /* owned */
    /* inputs as given, for the command line that reproduces a screen */
    char **files; /* positional, owned */
    size_t n_files;
};

/* Loads what OPTIONS and FILES name (session_open copies what it keeps);
 * NULL with ERR.  Close with session_close(). */
struct session *session_open(const struct options *options, const char *const *files,
                             size_t n_files, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err);
void session_close(struct session *s);

/* The shell-quoted command line that gives this view with these options:
 * "tfprof scope --profile_path=x -max_depth 4"; only what is not default. */
void session_print_command(struct strbuf *sb, const struct session *s, enum view_id view,
                           const struct options *o);

/* A parsed command line: view words, options, files (cli.md). */
struct command_line {
    const struct command *command; /* NULL: none given */
    struct options options;
    char **files;
    size_t n_files;
    /* of the program, not of a query */
    bool quiet, no_config, no_state, keep_going, ascii, plain;
    char *help_topic;
};

struct command {
    const char *name;
    const char *help;
    enum view_id view; /* VIEW_COUNT when it is no view */
};

extern const struct command command_table[]; /* ended by a NULL name */

/* Parses ARGC words (without the program's name) on top of DEFAULTS (NULL:
 * the table's).  Usage errors in ERR. */
bool command_line_parse(struct command_line *cl, int argc, const char *const *argv,
                        const struct options *defaults, struct err *err);
void command_line_done(struct command_line *cl);

#endif
