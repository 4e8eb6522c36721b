/* help_text.c: help generated from action table and keymap. */
#include "tui/dialogs/options_editor.h"

#include "tui/commands/action.h"
#include "tui/commands/keymap.h"

enum { KEYS_COLS = 22, HELP_COLS = 52, NAMES_FROM_COLS = 100 };

static void action_line(struct app *a, struct lines *l, unsigned context,
                        const struct action *action)
{
    struct strbuf keys = {0};

    keymap_labels(a->ui.keymap, context, action, &keys);
    lines_next(l);
    lines_puts(l, ROLE_KEY, sb_text(&keys));
    lines_tab(l, KEYS_COLS);
    lines_puts(l, ROLE_TEXT, action->help);
    if (a->ui.canvas.cols >= NAMES_FROM_COLS) {
        lines_tab(l, KEYS_COLS + HELP_COLS);
        lines_puts(l, ROLE_DIM, action->name);
    }
    if (action->contexts & CTX_PANES) /* Enter runs the action */
        lines_link(l, (struct link){.kind = LINK_ACTION, .action = action->name});
    sb_done(&keys);
}

/* True for the first action of its group that works in CONTEXT. */
static bool begins_group(const struct action *action, unsigned context)
{
    for (const struct action *before = action_table; before != action; before++)
        if (before->contexts & context && strcmp(before->group, action->group) == 0)
            return false;
    return true;
}

void help_lines(struct app *a, struct lines *l, unsigned context)
{
    for (const struct action *first = action_table; first->name; first++) {
        if (!(first->contexts & context) || !begins_group(first, context))
            continue;
        if (l->v.n)
            lines_next(l);
        lines_next(l);
        lines_puts(l, ROLE_TITLE, first->group);
        for (const struct action *action = first; action->name; action++)
            if (action->contexts & context && strcmp(action->group, first->group) == 0)
                action_line(a, l, context, action);
    }
    lines_next(l);
    lines_next(l);
    if (a->ui.canvas.cols >= NAMES_FROM_COLS) {
        lines_puts(l, ROLE_DIM, "the last column is what : and `bind` lines of tfprofrc call it");
        lines_next(l);
    }
    lines_puts(l, ROLE_DIM, "-- is not accounted, 0us a measured zero");
}
