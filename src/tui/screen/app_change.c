/* app_change.c: changes of view and options. */
#include <string.h>

#include "model/profile_kind.h"
#include "tui/app.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"
#include "tui/undo.h"

/* True when OPTIONS differ in how files are read: pairs of a comparison, backward paths of a
 * PyTorch trace. */
static bool needs_files(const struct app *a, const struct options *options)
{
    const struct options *before = &a->doc.requested.options;
    const struct session *s = a->doc.session;
    const bool torch = s && s->profile && profile_recorders(s->profile).is_torch;

    return (s && s->comparison && strcmp(before->unmatch, options->unmatch) != 0) ||
           (torch && before->backward != options->backward);
}

void app_try(struct app *a, enum view_id view, const struct options *options)
{
    const bool reads_again = needs_files(a, options);

    if (reads_again && load_is_open(a)) { /* the running load still uses the previous options */
        app_print(a, ROLE_NOTE, "the files are still being read");
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
    if (reads_again)
        load_again(a, &a->doc.requested.options);
    else
        task_request(a, TASK_RESULT);
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
        app_print_err(a, &err);
    options_done(&changed);
    return ok;
}
