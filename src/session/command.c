/* command.c: the command table and the switches of the program. */
#include <string.h>

#include "export/tables/table_list.h"
#include "opt/aliases.h"
#include "session/command_line.h"

#define EVERYWHERE (AT_PROGRAM | AT_PROMPT)
#define TREE_COMMAND(name, id, keys, label, words, text) \
    {#name, text, .kind = COMMAND_VIEW, .view = VIEW_##id, .origins = EVERYWHERE},
#define PAGE_COMMAND(name, keys, label, words, text) {#name, text, COMMAND_##name},
#define TABLE_COMMAND(name, ...) \
    {#name, .kind = COMMAND_TABLE, .origins = EVERYWHERE, .table = &table_##name},

/* Members of command_table for the pages of VIEW_LIST. */
#define COMMAND_advise .kind = COMMAND_VIEW, .view = VIEW_ADVISE, .origins = EVERYWHERE
#define COMMAND_check .kind = COMMAND_CHECK, .origins = AT_PROGRAM
#define COMMAND_summary .kind = COMMAND_SUMMARY, .origins = EVERYWHERE
#define COMMAND_runs .kind = COMMAND_RUNS, .origins = AT_PROGRAM

const struct command command_table[] = {
    VIEW_LIST(TREE_COMMAND, NO_VIEW, NO_VIEW, NO_VIEW)
    {"brief", "answer on one page: verdict, findings, rows, next commands",
     .kind = COMMAND_BRIEF, .origins = AT_PROGRAM},
    {"diff", "compare two profiles: tfprof diff BASELINE NOW",
     .kind = COMMAND_DIFF, .origins = AT_PROGRAM},
    VIEW_LIST(NO_VIEW, PAGE_COMMAND, NO_VIEW, NO_VIEW)
    VIEW_LIST(NO_VIEW, NO_VIEW, NO_VIEW, TABLE_COMMAND)
    {"report", "print the notes on rows, with the screens they were written on",
     .kind = COMMAND_REPORT, .origins = AT_PROGRAM},
    {"digest", "write a summary that can be merged with others",
     .kind = COMMAND_DIGEST, .origins = AT_PROGRAM},
    {"merge", "write the summary of several digests", .kind = COMMAND_MERGE, .origins = AT_PROGRAM},
    {"sql", "run an SQL query on the profile; .schema lists the tables",
     .kind = COMMAND_SQL, .origins = EVERYWHERE},
    {"shell", "start the line prompt: commands from a terminal or a pipe",
     .kind = COMMAND_SHELL, .origins = AT_PROGRAM},
    {"set", "set options for the following commands", .kind = COMMAND_SET, .origins = AT_PROMPT},
    {"help", "explain a command, option, field or output, or find a word",
     .kind = COMMAND_HELP, .origins = EVERYWHERE},
    {"version", "print the version and the active protections",
     .kind = COMMAND_VERSION, .origins = EVERYWHERE},
    {"quit", "leave", .kind = COMMAND_QUIT, .origins = AT_PROMPT},
    {"exit", "leave", .kind = COMMAND_QUIT, .origins = AT_PROMPT},
    {.name = NULL},
};
#undef TREE_COMMAND
#undef PAGE_COMMAND
#undef TABLE_COMMAND

#define SWITCH_AT(field) .offset = offsetof(struct command_line, field)

const struct cli_switch switch_table[] = {
    {"q", SWITCH_AT(quiet), .help = "print errors only, no notes"},
    {"quiet", SWITCH_AT(quiet), .help = "the same as -q"},
    {"no-config", SWITCH_AT(no_config), .help = "ignore the config file"},
    {"no-state", SWITCH_AT(no_state), .help = "neither read nor write history and saved state"},
    {"keep-going", SWITCH_AT(keep_going), .help = "continue after an error in a script (shell)"},
    {"ascii", SWITCH_AT(ascii), .help = "draw with ASCII characters only (screen)"},
    {"plain", SWITCH_AT(plain), .help = "use the line prompt instead of the screen"},
    {"init", SWITCH_AT(init), .help = "check: print rules that the profile satisfies"},
    {"h", .command = "help", .help = "the same as the command help"},
    {"help", .command = "help", .help = "the same as the command help"},
    {"version", .command = "version", .help = "the same as the command version"},
    {.name = NULL},
};

const char *command_help(const struct command *c)
{
    return c->table ? c->table->help : c->help;
}

const struct command *command_find(const char *name, enum command_origin origin)
{
    name = alias_resolve(ALIAS_COMMAND, name);
    for (const struct command *c = command_table; c->name; c++)
        if ((c->origins & origin) && strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
