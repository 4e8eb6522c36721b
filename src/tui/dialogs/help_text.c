/* help_text.c: help generated from action table and keymap. */
#include "tui/dialogs/options_editor.h"

#include "tui/action.h"
#include "tui/keymap.h"

enum { KEYS_COLS = 22, HELP_COLS = 52, NAMES_FROM_COLS = 100 };

static void action_line(struct app *a, struct lines *l, unsigned context,
                        const struct action *action)
{
    struct strbuf keys = {0};

    keymap_labels(a->ui.keymap, context, action, &keys);
    lines_next(l);
    lines_puts(l, ROLE_KEY, sb_text(&keys));
    lines_tab(l, KEYS_COLS);
    lines_puts(l, ROLE_TEXT, action_help(action));
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
        if (before->contexts & context && strcmp(action_group(before), action_group(action)) == 0)
            return false;
    return true;
}

enum { GROUP_COLS = 9, KEY_COLS = 6 };

/* Adds ACTION to the page in cells of CELL_COLS columns; COL is the next free column. Returns the
 * new one. */
static int page_cell(struct app *a, struct lines *l, unsigned context, const struct action *action,
                     int col, int cell_cols)
{
    struct strbuf key = {0};

    if (keymap_label(a->ui.keymap, context, action, &key)) {
        if (col + cell_cols > a->ui.canvas.cols - 6) {
            lines_next(l);
            col = GROUP_COLS;
        }
        lines_tab(l, col);
        lines_puts(l, ROLE_KEY, sb_text(&key));
        lines_tab(l, col + KEY_COLS);
        lines_puts(l, ROLE_TEXT, action->brief);
        col += cell_cols;
    }
    sb_done(&key);
    return col;
}

/* Explains the signs of rows. */
static void add_signs(struct lines *l)
{
    static const char *const signs[][2] = {
        {"\u25b8 \u25be", "folded, unfolded; \u25b9 its rows are loaded when it is opened"},
        {"!", "advice (5); ? a source says that the figure is doubtful; ; a note"},
        {"--", "not accounted; 0us measured; blank: nothing ran; + more of unknown shape"},
    };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        lines_next(l);
        if (!i)
            lines_puts(l, ROLE_TITLE, "Signs");
        lines_tab(l, GROUP_COLS);
        lines_puts(l, ROLE_KEY, signs[i][0]);
        lines_tab(l, GROUP_COLS + KEY_COLS);
        lines_puts(l, ROLE_TEXT, signs[i][1]);
    }
}

void help_page(struct app *a, struct lines *l, unsigned context)
{
    enum { CELL_COLS = 21, WIDE_CELL_COLS = 25 };
    const int cell_cols = a->ui.canvas.cols >= NAMES_FROM_COLS ? WIDE_CELL_COLS : CELL_COLS;

    for (const struct action *first = action_table; first->name; first++) {
        int col = GROUP_COLS;

        if (!(first->contexts & context) || !begins_group(first, context))
            continue;
        lines_next(l);
        lines_put(l, ROLE_TITLE, action_group(first), strcspn(action_group(first), " "));
        for (const struct action *action = first; action->name; action++)
            if (action->contexts & context && action->brief &&
                strcmp(action_group(action), action_group(first)) == 0)
                col = page_cell(a, l, context, action, col, cell_cols);
    }
    add_signs(l);
    lines_next(l);
    lines_puts(l, ROLE_DIM, "? again lists all keys of this pane, : and Tab all commands");
}

void help_lines(struct app *a, struct lines *l, unsigned context)
{
    for (const struct action *first = action_table; first->name; first++) {
        if (!(first->contexts & context) || !begins_group(first, context))
            continue;
        if (l->v.n)
            lines_next(l);
        lines_next(l);
        lines_puts(l, ROLE_TITLE, action_group(first));
        for (const struct action *action = first; action->name; action++)
            if (action->contexts & context &&
                strcmp(action_group(action), action_group(first)) == 0)
                action_line(a, l, context, action);
    }
    lines_next(l);
    lines_next(l);
    if (a->ui.canvas.cols >= NAMES_FROM_COLS) {
        lines_puts(l, ROLE_DIM, "last column: name of the action after : and in `bind` lines of tfprofrc");
        lines_next(l);
    }
    add_signs(l);
}
