/* command_line.h: the commands, and the parser for program arguments, shell lines, the screen's `:`
 * line and the config file. */
#pragma once

#include "opt/options.h"
#include "session/words.h"

struct table; /* activity/table.h */

enum command_kind {
    COMMAND_VIEW, /* prints a view or the advice */
    COMMAND_TABLE, /* reports, see report.h */
    COMMAND_SUMMARY,
    COMMAND_BRIEF,
    COMMAND_DIFF,
    COMMAND_RUNS,
    COMMAND_CHECK,
    COMMAND_REPORT,
    COMMAND_SQL,
    COMMAND_DIGEST,
    COMMAND_MERGE,
    COMMAND_SHELL,
    COMMAND_SET,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_QUIT,
    COMMAND_KIND_COUNT
};

/* Where a command line comes from (bits). The prompt (shell, `:` line, config file) accepts no
 * files, inputs or program switches. */
enum command_origin { AT_PROGRAM = 1, AT_PROMPT = 2 };

struct command {
    const char *name;
    const char *help; /* NULL: help of its table */
    enum command_kind kind;
    enum view_id view; /* for COMMAND_VIEW */
    unsigned origins;   /* enum command_origin bits */
    const struct table *table; /* for COMMAND_TABLE */
};

extern const struct command command_table[]; /* ended by a NULL name */

/* Returns the command called NAME that ORIGIN allows, or NULL. */
const struct command *command_find(const char *name, enum command_origin origin);
const char *command_help(const struct command *c);

/* A parsed command line (cli.md sections 1 and 2). */
struct command_line {
    const struct command *command; /* NULL: none given */
    struct options options;
    struct words given; /* names of the options given, even with their default value */
    struct words files;
    char *help_topic; /* argument of `help`; NULL: none */
    char *statement;  /* argument of `sql`; NULL: none */
    /* switches of the program, not part of a query */
    bool quiet, no_config, no_state, keep_going, ascii, plain;
    bool init; /* `check -init`: write rules */
    struct cancel_mark cancel; /* deadline of -time_limit */
    bool secure; /* the environment forbids to start other programs */
};

/* A switch of the program: an option without a value. */
struct cli_switch {
    const char *name;
    size_t offset;       /* of a bool in struct command_line */
    const char *command; /* command that it is an alias of; else NULL */
    const char *help;
};

extern const struct cli_switch switch_table[]; /* ended by a NULL name */

/* Parses ARGC words (without the program's name); options start from BASE (NULL: the defaults).
 * False with ERR (usage); CL is then empty. Free with command_line_done(). */
bool command_line_parse(struct command_line *cl, int argc, const char *const *argv,
                        enum command_origin origin, const struct options *base, struct err *err);
/* Parses a typed line. At the prompt, a leading "tfprof> " or "tfprof" (pasted) is skipped. */
bool command_line_parse_text(struct command_line *cl, const char *line, enum command_origin origin,
                             const struct options *base, struct err *err);
void command_line_done(struct command_line *cl);
/* True when NAME is among the options SAID. */
bool option_was_given(const struct words *given, const char *name);

/* option_set() for a value from the user; checks also that -output names an output. */
bool command_line_set(struct options *o, const struct option *opt, const char *value,
                      struct err *err);
