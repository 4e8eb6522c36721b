/* command_line.h: the commands, and the one parser for what is typed: program
 * words, shell lines, the screen's `:` line and the config file. */
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

/* Where words come from: bits.  The prompt is the shell, the `:` line and the
 * config file: no files, no inputs, no switches of the program. */
enum command_place { AT_PROGRAM = 1, AT_PROMPT = 2 };

struct command {
    const char *name;
    const char *help; /* NULL: that of its table */
    enum command_kind kind;
    enum view_id view; /* of COMMAND_VIEW */
    unsigned places;   /* enum command_place bits */
    const struct table *table; /* of COMMAND_TABLE */
};

extern const struct command command_table[]; /* ended by a NULL name */

/* The command of that name at PLACE, or NULL. */
const struct command *command_find(const char *name, enum command_place place);
const char *command_help(const struct command *c);

/* A parsed command line (cli.md sections 1 and 2). */
struct command_line {
    const struct command *command; /* NULL: none given */
    struct options options;
    struct words said; /* names of the options that were set, even to their default */
    struct words files;
    char *help_topic; /* of help; NULL: none */
    char *statement;  /* of sql; NULL: none */
    /* of the program, not of a query */
    bool quiet, no_config, no_state, keep_going, ascii, plain;
    bool init; /* of check: write rules */
    struct cancel_mark cancel; /* of the command: -time_limit */
    bool secure; /* no other program is run: the environment says so */
};

/* A switch: an option of the program that takes no value of its own. */
struct cli_switch {
    const char *name;
    size_t offset;       /* of a bool in struct command_line */
    const char *command; /* or the command it stands for; else NULL */
    const char *help;
};

extern const struct cli_switch switch_table[]; /* ended by a NULL name */

/* Parses ARGC words (without the program's name) on top of BASE (NULL: the
 * table's defaults).  False with ERR (usage); CL is then empty.  Free with
 * command_line_done(). */
bool command_line_parse(struct command_line *cl, int argc, const char *const *argv,
                        enum command_place place, const struct options *base, struct err *err);
/* The same for a typed line.  At the prompt a pasted "tfprof> " or "tfprof" in
 * front is dropped. */
bool command_line_parse_text(struct command_line *cl, const char *line, enum command_place place,
                             const struct options *base, struct err *err);
void command_line_done(struct command_line *cl);
/* True when NAME is among the options SAID. */
bool option_is_said(const struct words *said, const char *name);

/* option_set() for one option from a person; -output must name an output. */
bool command_line_set(struct options *o, const struct option *opt, const char *value,
                      struct err *err);
