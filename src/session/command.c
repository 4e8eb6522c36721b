/* command.c: the command table and the switches of the program. */
#include <string.h>

#include "session/command_line.h"

#define EVERYWHERE (AT_PROGRAM | AT_PROMPT)

const struct command command_table[] = {
    {"scope", "nodes as a tree by the parts of their names", COMMAND_VIEW, VIEW_SCOPE, EVERYWHERE},
    {"graph", "nodes as a tree by what they read", COMMAND_VIEW, VIEW_GRAPH, EVERYWHERE},
    {"op", "a list of operation types", COMMAND_VIEW, VIEW_OP, EVERYWHERE},
    {"code", "nodes as a tree by the Python code that made them", COMMAND_VIEW, VIEW_CODE,
     EVERYWHERE},
    {"advise", "what stands out, and what to do about it", COMMAND_VIEW, VIEW_ADVISE, EVERYWHERE},
    {"summary", "what is loaded and what is missing, on one page", COMMAND_SUMMARY, VIEW_COUNT,
     EVERYWHERE},
    {"anatomy", "where the time of accelerators goes, and why they wait", COMMAND_ANATOMY,
     VIEW_COUNT, EVERYWHERE},
    {"ranks", "who made the other ranks of a job wait", COMMAND_RANKS, VIEW_COUNT, EVERYWHERE},
    {"shell", "the line prompt: commands on a terminal or from a pipe", COMMAND_SHELL, VIEW_COUNT,
     AT_PROGRAM},
    {"set", "keep options for the commands that follow", COMMAND_SET, VIEW_COUNT, AT_PROMPT},
    {"help", "about a command, an option, a field or an output", COMMAND_HELP, VIEW_COUNT,
     EVERYWHERE},
    {"version", "which release this is", COMMAND_VERSION, VIEW_COUNT, EVERYWHERE},
    {"quit", "leave", COMMAND_QUIT, VIEW_COUNT, AT_PROMPT},
    {"exit", "leave", COMMAND_QUIT, VIEW_COUNT, AT_PROMPT},
    {NULL, NULL, COMMAND_KIND_COUNT, VIEW_COUNT, 0},
};

#define SWITCH_AT(field) .offset = offsetof(struct command_line, field)

const struct cli_switch switch_table[] = {
    {"q", SWITCH_AT(quiet), .help = "no notes on standard error, only errors"},
    {"quiet", SWITCH_AT(quiet), .help = "the same as -q"},
    {"no-config", SWITCH_AT(no_config), .help = "leave the config file alone"},
    {"no-state", SWITCH_AT(no_state), .help = "leave history and saved state alone"},
    {"keep-going", SWITCH_AT(keep_going), .help = "shell: go on after an error in a script"},
    {"ascii", SWITCH_AT(ascii), .help = "screen: draw with plain characters only"},
    {"plain", SWITCH_AT(plain), .help = "screen: the line prompt instead"},
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
