/* action.c: finding and running actions. */
#include "tui/action.h"

#include <string.h>

#include "opt/aliases.h"

const char *action_help(const struct action *action)
{
    return action->table ? action->table->help : action->help;
}

const char *action_group(const struct action *action)
{
    while (!action->group)
        action--;
    return action->group;
}

const struct action *action_find(const char *name)
{
    name = alias_resolve(ALIAS_ACTION, name);
    for (const struct action *action = action_table; action->name; action++)
        if (strcmp(action->name, name) == 0)
            return action;
    return NULL;
}

void action_run(struct app *a, const struct action *action)
{
    const char *reason = action_refusal(a, action);

    if (reason)
        app_print(a, ROLE_NOTE, "%s", reason);
    else
        action->run(a, action->arg);
}
