/* action_table.c: the action table.  The order is that of the help and, for
 * those that have a word for it, of the footer. */
#include "tui/act.h"
#include "tui/action.h"
#include "tui/export_dialog.h"
#include "tui/options_editor.h"

const char *const context_names[CONTEXT_COUNT] = {
    "tree", "details", "options", "menu", "text", "prompt", "editor", "value", "dialog",
};

static const char *no_result(const struct app *a)
{
    return a->result ? NULL : "the profile is not read yet";
}

static const char *no_steps(const struct app *a)
{
    if (no_result(a))
        return no_result(a);
    return a->result->profile->n_steps ? NULL : "there are no steps: no run was recorded";
}

static const char *one_step(const struct app *a)
{
    if (no_steps(a))
        return no_steps(a);
    return a->result->profile->n_steps > 1 ? NULL : "there is one step only";
}

static const char *no_traces(const struct app *a)
{
    if (no_result(a))
        return no_result(a);
    return a->result->profile->has_trace
               ? NULL
               : "the code view needs call stacks: give an op log with --op_log_path";
}

static const char *no_advice(const struct app *a)
{
    return a->advice ? NULL : "the checkers are at work; once more in a moment";
}

static const char *no_figure(const struct app *a)
{
    if (no_result(a))
        return no_result(a);
    return figure_primary(&a->result->options) < METRIC_COUNT
               ? NULL
               : "no figure is selected: S selects some";
}

static const char *no_search(const struct app *a)
{
    if (no_result(a))
        return no_result(a);
    return a->search.regexes ? NULL : "nothing is searched for: / searches";
}

static const char *no_past(const struct app *a)
{
    return a->undo.past.n ? NULL : "nothing to undo";
}

static const char *no_future(const struct app *a)
{
    return a->undo.future.n ? NULL : "nothing to redo";
}

static const char *no_marks(const struct app *a)
{
    return a->places.marked.n ? NULL : "no row is marked: Space marks one";
}

const struct action action_table[] = {
    /* Finding */
    {"search", "search by regex, any part of a name", "Find", "/", "search", CTX_PANES, no_result,
     act_search, 0},
    {"search-next", "next match", "Find", "n", NULL, CTX_PANES, no_search, act_search_next, 1},
    {"search-previous", "previous match", "Find", "N", NULL, CTX_PANES, no_search, act_search_next,
     -1},
    {"filter", "show only names that match, live", "Find", "f \\ & <f4>", "filter", CTX_PANES,
     no_result, act_filter, 0},
    {"hide-like", "hide names like this one", "Find", "H", NULL, CTX_TREE, no_result,
     act_hide_like, 0},
    {"keep-like", "keep only names like this one", "Find", "K", NULL, CTX_TREE, no_result,
     act_keep_like, 0},
    {"explain", "why is this row here, what is hidden below", "Find", "x", NULL,
     CTX_TREE | CTX_DETAILS, no_result, act_explain, 0},
    {"explain-name", "why is a name not shown", "Find", "X", NULL, CTX_PANES, no_result,
     act_explain_name, 0},

    /* Sorting and selecting */
    {"sort", "choose the order", "Order and fields", "s <f6>", "sort", CTX_PANES, no_result,
     act_sort_menu, 0},
    {"sort-next", "order by the next column", "Order and fields", "<gt>", NULL, CTX_PANES,
     no_result, act_sort_step, 1},
    {"sort-previous", "order by the column before", "Order and fields", "<lt>", NULL, CTX_PANES,
     no_result, act_sort_step, -1},
    {"reverse", "turn the order round, on the screen only", "Order and fields", "I", NULL,
     CTX_PANES, no_result, act_reverse, 0},
    {"select", "choose the fields to show", "Order and fields", "S", "select", CTX_PANES, no_result,
     act_select_menu, 0},
    {"percent-base", "percent of the root or of the parent", "Order and fields", "B", NULL,
     CTX_PANES, no_figure, act_percent_base, 0},

    /* Options */
    {"options", "edit the options", "Options", "o <f2>", "options", CTX_PANES, no_result,
     options_editor_open, 0},
    {"cover", "show the fewest rows that hold N percent", "Options", "%", NULL, CTX_PANES,
     no_figure, act_cover, 0},
    {"presets", "take a ready-made set of options", "Options", "p", NULL, CTX_PANES, no_result,
     act_presets, 0},
    {"reset-options", "all options back to their defaults", "Options", "", NULL, CTX_PANES,
     no_result, act_reset_options, 0},
    {"step-next", "next step", "Options", "]", NULL, CTX_PANES, one_step, act_step, 1},
    {"step-previous", "step before", "Options", "[", NULL, CTX_PANES, one_step, act_step, -1},
    {"step-average", "average of all steps", "Options", "0", NULL, CTX_PANES, no_steps,
     act_step_average, 0},

    /* Moving */
    {"open", "open: a group folds or unfolds, a leaf shows its details", "Move", "<ret>", "open",
     CTX_PANES, no_result, act_open, 0},
    {"down", "one row down", "Move", "<down> j", NULL, CTX_LISTS, NULL, act_move, MOVE_DOWN},
    {"up", "one row up", "Move", "<up> k", NULL, CTX_LISTS, NULL, act_move, MOVE_UP},
    {"page-down", "a page down", "Move", "<pgdn> <c-f>", NULL, CTX_LISTS, NULL, act_move,
     MOVE_PAGE_DOWN},
    {"page-up", "a page up", "Move", "<pgup> <c-b>", NULL, CTX_LISTS, NULL, act_move,
     MOVE_PAGE_UP},
    {"half-down", "half a page down", "Move", "<c-d>", NULL, CTX_LISTS, NULL, act_move,
     MOVE_HALF_DOWN},
    {"half-up", "half a page up", "Move", "<c-u>", NULL, CTX_LISTS, NULL, act_move, MOVE_HALF_UP},
    {"first", "the first row", "Move", "<home> g", NULL, CTX_LISTS, NULL, act_move, MOVE_FIRST},
    {"last", "the last row", "Move", "<end> G", NULL, CTX_LISTS, NULL, act_move, MOVE_LAST},
    {"right", "unfold, or go to the first child", "Move", "<right> l", NULL, CTX_TREE, no_result,
     act_right, 0},
    {"left", "fold, or go to the parent", "Move", "<left> h", NULL, CTX_TREE, no_result, act_left,
     0},
    {"next-pane", "next pane: tree, details, options", "Move", "<tab>", NULL, CTX_PANES, no_result,
     act_pane, 1},
    {"previous-pane", "pane before", "Move", "<s-tab>", NULL, CTX_PANES, no_result, act_pane, -1},
    {"pane-tree", "to the tree", "Move", "<c-w>h", NULL, CTX_PANES, no_result, act_pane_to,
     PANE_TREE},
    {"pane-details", "to the details", "Move", "<c-w>l <c-w>k", NULL, CTX_PANES, no_result,
     act_pane_to, PANE_DETAILS},
    {"pane-options", "to the options", "Move", "<c-w>j", NULL, CTX_PANES, no_result, act_pane_to,
     PANE_OPTIONS},

    /* Folding: display only, never sums */
    {"fold-toggle", "fold or unfold this row", "Fold", "za", "fold", CTX_TREE, no_result, act_fold,
     FOLD_TOGGLE},
    {"fold-open", "unfold this row", "Fold", "zo + =", NULL, CTX_TREE, no_result, act_fold,
     FOLD_OPEN},
    {"fold-close", "fold this row", "Fold", "zc -", NULL, CTX_TREE, no_result, act_fold,
     FOLD_CLOSE},
    {"fold-open-below", "unfold all below this row", "Fold", "zO", NULL, CTX_TREE, no_result,
     act_fold, FOLD_OPEN_ALL},
    {"fold-close-below", "fold all below this row", "Fold", "zC", NULL, CTX_TREE, no_result,
     act_fold, FOLD_CLOSE_ALL},
    {"fold-toggle-below", "fold or unfold all below this row", "Fold", "zA *", NULL, CTX_TREE,
     no_result, act_fold, FOLD_TOGGLE_ALL},
    {"fold-open-all", "unfold everything", "Fold", "zR", NULL, CTX_TREE, no_result,
     act_fold_everything, 1},
    {"fold-close-all", "fold everything", "Fold", "zM", NULL, CTX_TREE, no_result,
     act_fold_everything, 0},
    {"fold-more", "one level more to see", "Fold", "zr", NULL, CTX_TREE, no_result, act_fold_more,
     1},
    {"fold-less", "one level less", "Fold", "zm", NULL, CTX_TREE, no_result, act_fold_more, -1},
#define FOLD_LEVEL(n)                                                                        \
    {"fold-level-" #n, "unfold to level " #n, "Fold", "z" #n, NULL, CTX_TREE, no_result, \
     act_fold_level, n}
    FOLD_LEVEL(1),
    FOLD_LEVEL(2),
    FOLD_LEVEL(3),
    FOLD_LEVEL(4),
    FOLD_LEVEL(5),
    FOLD_LEVEL(6),
    FOLD_LEVEL(7),
    FOLD_LEVEL(8),
    FOLD_LEVEL(9),
#undef FOLD_LEVEL

    /* Views; each keeps the selected node when it exists there */
    {"scope", "scope view: names as a tree", "View", "1 vs", NULL, CTX_PANES, no_result, act_view,
     VIEW_SCOPE},
    {"graph", "graph view: what reads from what", "View", "2 vg", NULL, CTX_PANES, no_result,
     act_view, VIEW_GRAPH},
    {"code", "code view: call stacks", "View", "3 vc", NULL, CTX_PANES, no_traces, act_view,
     VIEW_CODE},
    {"op", "op view: types of operations", "View", "4 vo", NULL, CTX_PANES, no_result, act_view,
     VIEW_OP},
    {"advise", "what the checkers advise", "View", "5 va", NULL, CTX_PANES, no_advice, act_advise,
     VIEW_ADVISE},

    /* Files and copies */
    {"export", "write this view to a file", "Files and copies", "e <f7> <c-s>", "export", CTX_PANES,
     no_result, export_dialog_open, 0},
    {"copy-command", "copy the command line of this screen", "Files and copies", "y", NULL,
     CTX_PANES, no_result, act_copy, COPY_COMMAND},
    {"copy-name", "copy the name of this row", "Files and copies", "Y", NULL, CTX_PANES, no_result,
     act_copy, COPY_NAME},
    {"copy-row", "copy this row as text", "Files and copies", "c", NULL, CTX_PANES, no_result,
     act_copy, COPY_ROW},
    {"copy-prompt-line", "copy the original's prompt line", "Files and copies", "", NULL, CTX_PANES,
     no_result, act_copy, COPY_PROMPT_LINE},
    {"edit-source", "open the source line in $EDITOR", "Files and copies", "E", NULL,
     CTX_TREE | CTX_DETAILS, no_result, act_edit_source, 0},
    {"shell", "run a shell command", "Files and copies", "!", NULL, CTX_PANES, NULL, act_shell, 0},
    {"pipe", "pipe this view to a shell command", "Files and copies", "|", NULL, CTX_PANES,
     no_result, act_pipe, 0},

    /* Marks and places */
    {"mark-set", "set mark a-z here", "Marks and places", "m", "mark", CTX_TREE, no_result,
     act_mark_set, 0},
    {"mark-go", "go to mark a-z; '' the last place", "Marks and places", "'", NULL, CTX_TREE,
     no_result, act_mark_go, 0},
    {"mark-row", "mark this row", "Marks and places", "<space>", NULL, CTX_TREE, no_result,
     act_mark_row, 0},
    {"marks", "list the marked rows", "Marks and places", "M", NULL, CTX_PANES, no_marks, act_marks,
     0},
    {"back", "back to the place before", "Marks and places", "<c-o> <a-left>", NULL, CTX_PANES,
     no_result, act_jump, -1},
    {"forward", "forward again", "Marks and places", "<a-right>", NULL, CTX_PANES, no_result,
     act_jump, 1},

    /* The program */
    {"command", "type a command", "Program", ":", "command", CTX_PANES, NULL, act_command_line, 0},
    {"undo", "undo the last change", "Program", "u", "undo", CTX_PANES, no_past, act_undo, -1},
    {"redo", "redo it", "Program", "<c-r>", NULL, CTX_PANES, no_future, act_undo, 1},
    {"undo-list", "list what can be undone", "Program", "U", NULL, CTX_PANES, no_past,
     act_undo_list, 0},
    {"summary", "what was read, and what is in it", "Program", "i", NULL, CTX_PANES, no_result,
     act_summary, 0},
    {"help", "this help", "Program", "? <f1>", "help", CTX_LISTS, NULL, act_help, 0},
    {"mouse", "take mouse clicks or leave them to the terminal", "Program", "", NULL, CTX_PANES,
     NULL, act_mouse, 0},
    {"redraw", "draw the screen anew", "Program", "<c-l> R", NULL, CTX_PANES, NULL, act_redraw, 0},
    {"suspend", "stop for now; fg comes back", "Program", "<c-z>", NULL, CTX_ALL, NULL, act_suspend,
     0},
    {"interrupt", "stop what is running", "Program", "<c-c>", NULL, CTX_ALL, NULL, act_interrupt,
     0},
    {"escape", "forget the search; never quits", "Program", "<esc>", NULL, CTX_PANES, NULL,
     act_escape, 0},
    {"close", "close one level, or quit", "Program", "q", NULL, CTX_PANES, NULL, act_close, 0},
    {"quit", "quit", "Program", "Q <f10>", NULL, CTX_LISTS, NULL, act_quit, 0},

    /* What lies over the panes */
    {"accept", "take it", "Choose", "<ret>", "take", CTX_MENU | CTX_TEXT | CTX_EDITOR | CTX_LINES,
     NULL, act_accept, 0},
    {"toggle", "tick it", "Choose", "<space>", "tick", CTX_MENU | CTX_EDITOR, NULL, act_toggle, 0},
    {"find-text", "find in the text", "Choose", "/", "find", CTX_TEXT, NULL, act_text_search, 0},
    {"reset", "back to the default", "Choose", "x", "reset", CTX_EDITOR | CTX_OPTIONS, no_result,
     act_reset, 0},
    {"cancel", "close, change nothing more", "Choose", "<esc> q", "close",
     CTX_MENU | CTX_TEXT | CTX_EDITOR, NULL, act_cancel, 0},

    /* Lines of text */
    {"complete", "complete the word", "Edit", "<tab>", "complete", CTX_PROMPT | CTX_VALUE, NULL,
     act_complete, 0},
    {"next-field", "next field", "Edit", "<tab> <down>", "next field", CTX_DIALOG, NULL, act_field,
     1},
    {"previous-field", "field before", "Edit", "<s-tab> <up>", NULL, CTX_DIALOG, NULL, act_field,
     -1},
    {"older", "older line", "Edit", "<up> <c-p>", NULL, CTX_PROMPT | CTX_VALUE, NULL, act_history,
     -1},
    {"newer", "newer line", "Edit", "<down> <c-n>", NULL, CTX_PROMPT | CTX_VALUE, NULL,
     act_history, 1},
    {"next-choice", "next choice", "Edit", "<space>", "choose", CTX_DIALOG, NULL, act_toggle, 0},
    {"caret-left", "caret left", "Edit", "<left> <c-b>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_LEFT},
    {"caret-right", "caret right", "Edit", "<right> <c-f>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_RIGHT},
    {"caret-home", "to the start", "Edit", "<home> <c-a>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_HOME},
    {"caret-end", "to the end", "Edit", "<end> <c-e>", NULL, CTX_LINES, NULL, act_edit, EDIT_END},
    {"erase-left", "erase the character before", "Edit", "<bs>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_BACKSPACE},
    {"erase", "erase the character", "Edit", "<del> <c-d>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_DELETE},
    {"erase-word", "erase the word before", "Edit", "<c-w>", NULL, CTX_LINES, NULL, act_edit,
     EDIT_KILL_WORD},
    {"erase-line", "erase to the start", "Edit", "<c-u>", "clear", CTX_LINES, NULL, act_edit,
     EDIT_KILL_LINE},
    {"drop-line", "close, keep the old value", "Edit", "<esc>", "cancel", CTX_LINES, NULL,
     act_cancel, 0},
    {0},
};
