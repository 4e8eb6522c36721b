/* app_change.c: the changes that actions are made of. */
#include <string.h>

#include "tui/app.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"

void app_try(struct app *a, enum view_id view, const struct options *options)
{
    const bool pairs_change = a->doc.session && a->doc.session->comparison &&
                              strcmp(a->doc.requested.options.unmatch, options->unmatch) != 0;

    if (pairs_change && load_is_open(a)) { /* the running load still uses the previous pairs */
        app_say(a, ROLE_NOTE, "the files are still being read");
        undo_abandon(a);
        return;
    }
    if (a->doc.result && view != a->doc.requested.view && a->nav.anchor == NODE_NONE)
        a->nav.anchor = app_node_of(a, app_row(a));
    if (options != &a->doc.requested.options) {
        struct options copy;

        options_copy(&copy, options);
        options_done(&a->doc.requested.options);
        a->doc.requested.options = copy;
    }
    a->doc.requested.view = view;
    if (pairs_change)
        load_again(a, &a->doc.requested.options);
    else
        task_want(a, TASK_RESULT);
}

void app_change(struct app *a, enum view_id view, const struct options *options)
{
    undo_remember(a);
    app_try(a, view, options);
}

bool app_set(struct app *a, const char *option, const char *value)
{
    struct options changed;
    struct err err = {0};
    const bool ok = (options_copy(&changed, &a->doc.requested.options),
                     command_line_set(&changed, option_find(option), value, &err));

    if (ok)
        app_change(a, a->doc.requested.view, &changed);
    else
        app_say_err(a, &err);
    options_done(&changed);
    return ok;
}
