/* command.c: the command table and the switches of the program. */
#include <string.h>

#include "session/command_line.h"

#define EVERYWHERE (AT_PROGRAM | AT_PROMPT)

const struct command command_table[] = {
    {"scope", "show nodes as a tree of name scopes", COMMAND_VIEW, VIEW_SCOPE, EVERYWHERE},
    {"graph", "show nodes as a tree by their inputs", COMMAND_VIEW, VIEW_GRAPH, EVERYWHERE},
    {"op", "list operation types", COMMAND_VIEW, VIEW_OP, EVERYWHERE},
    {"code", "show nodes as a tree by the Python code that created them", COMMAND_VIEW, VIEW_CODE,
     EVERYWHERE},
    {"advise", "report what stands out, and what to do about it", COMMAND_VIEW, VIEW_ADVISE,
     EVERYWHERE},
    {"summary", "show on one page what is loaded and what is missing", COMMAND_SUMMARY, VIEW_COUNT,
     EVERYWHERE},
    {"anatomy", "show where accelerator time goes, and why accelerators wait", COMMAND_ANATOMY,
     VIEW_COUNT, EVERYWHERE},
    {"ranks", "show which ranks of a job made the others wait", COMMAND_RANKS, VIEW_COUNT,
     EVERYWHERE},
    {"memory", "show memory in use over time, and what is live at the peak", COMMAND_MEMORY,
     VIEW_COUNT, EVERYWHERE},
    {"check", "tell whether the rules in the first file hold for the profile in the others",
     COMMAND_CHECK, VIEW_COUNT, AT_PROGRAM},
    {"report", "print the notes on rows, with the screens they were written on",
     COMMAND_REPORT, VIEW_COUNT, AT_PROGRAM},
    {"hosts", "show which hosts took longer than the others, and where", COMMAND_HOSTS, VIEW_COUNT,
     EVERYWHERE},
    {"runs", "list the runs of a log folder, to name one of them", COMMAND_RUNS, VIEW_COUNT,
     AT_PROGRAM},
    {"digest", "write a summary that can be merged with others", COMMAND_DIGEST, VIEW_COUNT,
     AT_PROGRAM},
    {"merge", "write the summary of several digests", COMMAND_MERGE, VIEW_COUNT, AT_PROGRAM},
    {"sql", "answer a query in SQL over the profile; .schema lists the tables", COMMAND_SQL,
     VIEW_COUNT, EVERYWHERE},
    {"shell", "start the line prompt: commands from a terminal or a pipe", COMMAND_SHELL,
     VIEW_COUNT,
     AT_PROGRAM},
    {"set", "keep options for the commands that follow", COMMAND_SET, VIEW_COUNT, AT_PROMPT},
    {"help", "explain a command, option, field or output, or find a word", COMMAND_HELP, VIEW_COUNT,
     EVERYWHERE},
    {"version", "print the release and what protects this run", COMMAND_VERSION, VIEW_COUNT,
     EVERYWHERE},
    {"quit", "leave", COMMAND_QUIT, VIEW_COUNT, AT_PROMPT},
    {"exit", "leave", COMMAND_QUIT, VIEW_COUNT, AT_PROMPT},
    {NULL, NULL, COMMAND_KIND_COUNT, VIEW_COUNT, 0},
};

#define SWITCH_AT(field) .offset = offsetof(struct command_line, field)

const struct cli_switch switch_table[] = {
    {"q", SWITCH_AT(quiet), .help = "print errors only, no notes"},
    {"quiet", SWITCH_AT(quiet), .help = "the same as -q"},
    {"no-config", SWITCH_AT(no_config), .help = "ignore the config file"},
    {"no-state", SWITCH_AT(no_state), .help = "neither read nor write history and saved state"},
    {"keep-going", SWITCH_AT(keep_going), .help = "continue after an error in a script (shell)"},
    {"ascii", SWITCH_AT(ascii), .help = "draw with ASCII characters only (screen)"},
    {"plain", SWITCH_AT(plain), .help = "use the line prompt instead of the screen"},
    {"init", SWITCH_AT(init), .help = "check: print rules that the profile keeps to"},
    {"h", .command = "help", .help = "the same as the command help"},
    {"help", .command = "help", .help = "the same as the command help"},
    {"version", .command = "version", .help = "the same as the command version"},
    {.name = NULL},
};

const struct command *command_find(const char *name, enum command_place place)
{
    for (const struct command *c = command_table; c->name; c++)
        if ((c->places & place) && strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
