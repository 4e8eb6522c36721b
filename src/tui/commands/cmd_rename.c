/* cmd_rename.c: rules that rename nodes of the baseline, tried while they are typed. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "match/renames.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/prompt.h"
#include "tui/panes/compare.h"
#include "tui/tasks/tasks.h"

static void forget(struct app *a)
{
    task_stop(a, TASK_RENAMES);
    free(a->doc.renames_typed);
    a->doc.renames_typed = NULL;
}

/* False with a message if TEXT is no list of rules. */
static bool rules_are_valid(struct app *a, const char *text)
{
    struct err err = {0};
    struct renames *renames = *text ? renames_new(text, &err) : NULL;

    renames_free(renames);
    if (err.kind)
        app_print_err(a, &err);
    return renames || !*text;
}

/* Tries TEXT in the background. */
static void typed(struct app *a, const char *text)
{
    forget(a);
    if (!rules_are_valid(a, text))
        return;
    app_print(a, ROLE_DIM, "\u2026 matched");
    a->doc.renames_typed = xstrdup(text);
    task_request(a, TASK_RENAMES);
}

static bool taken(struct app *a, const char *text)
{
    if (!rules_are_valid(a, text))
        return false;
    forget(a);
    compare_rename(a, text);
    return true;
}

static const struct prompt_ops rename_prompt = {
    .label = "rename in the baseline: ",
    .changed = typed,
    .done = taken,
    .cancelled = forget,
    .keeps_history = true,
};

void cmd_rename(struct app *a, int arg UNUSED)
{
    const char *rules = a->doc.requested.options.rename ? a->doc.requested.options.rename : "";

    prompt_open(a, &rename_prompt, rules);
    typed(a, rules);
}
