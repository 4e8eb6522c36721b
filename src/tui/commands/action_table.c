/* action_table.c: the action table. Its order is the order of the help and of the footer. */
#include "tui/action.h"

#include "activity/verdict.h"
#include "model/events.h"
#include "model/memory_records.h"
#include "model/profile_kind.h"
#include "model/recorder.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/prompt.h"
#include "tui/dialogs/runs_menu.h"
#include "tui/panes/picture.h"
#include "tui/pictures/actions.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/loading.h"

#define PICTURE_CONTEXT(name, id, action, ...) action,
const char *const context_names[] = {
    "tree", "details", "options", "menu", "text", "prompt", "editor", "value", "dialog",
    VIEW_LIST(NO_VIEW, NO_VIEW, PICTURE_CONTEXT, NO_VIEW) "table",
};
#undef PICTURE_CONTEXT
_Static_assert(sizeof context_names / sizeof *context_names == CONTEXT_COUNT, "a name for each");

static const char *no_result(const struct app *a)
{
    return a->doc.result ? NULL : "the profile is not loaded yet";
}

/* The following functions are called with a result, except those of actions with `is_early`. */
static const char *no_programs(const struct app *a)
{
    return a->doc.secure ? "other programs are disabled: TFPROF_SECURE is set" : NULL;
}

static const char *no_result_or_programs(const struct app *a)
{
    return no_programs(a) ? no_programs(a) : no_result(a);
}

static const char *no_steps(const struct app *a)
{
    if (a->doc.result->profile->n_steps)
        return NULL;
    return load_is_open(a) ? "the steps are still being read"
                             : "no steps: no run was recorded";
}

static const char *no_base(const struct app *a)
{
    return a->doc.session->comparison ? NULL : "no comparison: D starts one";
}

static const char *one_step(const struct app *a)
{
    if (no_steps(a))
        return no_steps(a);
    return a->doc.result->profile->n_steps > 1 ? NULL : "there is only one step";
}

static const char *no_traces(const struct app *a)
{
    if (a->doc.result->profile->has_stacks)
        return NULL;
    if (load_is_open(a))
        return "call stacks are still being read";
    return a->doc.result->profile->programs
               ? "no call stacks: try -host_events python"
               : "the code view needs call stacks: give an op log with --op_log_path";
}

static const char *no_advice(const struct app *a)
{
    if (a->doc.advice)
        return NULL;
    return load_is_open(a) ? "checkers start after loading"
                             : "checkers are running; try again";
}

static const char *no_figure(const struct app *a)
{
    return figure_primary(&a->doc.result->options) < METRIC_COUNT
               ? NULL
               : "no figure is selected: S selects some";
}

static const char *no_flame_graph(const struct app *a)
{
    if (no_figure(a))
        return no_figure(a);
    return a->doc.result->view->is_list
               ? "the op view is a list and has no flame graph: use scope, graph or code"
               : NULL;
}

static const char *no_siblings(const struct app *a)
{
    return a->doc.result->view->is_list
               ? "the op view has no repeated layers: use scope, graph or code"
               : NULL;
}

static const char *no_allocations(const struct app *a)
{
    const char *why;

    if (profile_has_memory(a->doc.session->now))
        return NULL;
    why = metric_unknown(a->doc.session->now, METRIC_BYTES);
    return load_is_open(a) ? "the steps are still being read"
           : why           ? why
                           : "no allocation records in this profile";
}

static const char *no_timeline(const struct app *a)
{
    const char *why;

    if (timeline_exists(a->doc.result->profile))
        return NULL;
    why = metric_unknown(a->doc.result->profile, METRIC_MICROS);
    return load_is_open(a) ? "the steps are still being read"
           : why           ? why
                           : "no times: load RunMetadata, a capture or a trace";
}

static const char *no_room(const struct app *a)
{
    return layout_has_room(a->ui.canvas.rows, a->ui.canvas.cols)
               ? NULL
               : "the screen is too small for several panes: Tab shows the others";
}

static const char *no_border(const struct app *a)
{
    if (no_room(a))
        return no_room(a);
    return a->ui.layout.wide ? NULL : "only one pane is shown, without a border: Z shows all";
}

static const char *no_search(const struct app *a)
{
    return a->nav.search.regexes ? NULL : "no search pattern: / searches";
}

static const char *no_past(const struct app *a)
{
    return a->nav.undo.past.n ? NULL : "nothing to undo";
}

static const char *no_future(const struct app *a)
{
    return a->nav.undo.future.n ? NULL : "nothing to redo";
}

static const char *no_notes(const struct app *a)
{
    return a->doc.notes.rows.v.n ? NULL : "no notes: ; adds one to a row";
}

static const char *no_marks(const struct app *a)
{
    return a->nav.places.marked.n ? NULL : "no row is marked: Space marks one";
}

/* Why tables of devices have no rows; NULL until it is known. */
static const char *no_work(const struct app *a)
{
    const struct verdict *v = a->doc.verdict;

    return v && !v->n_devices && !load_is_open(a) ? profile_needs_work(a->doc.result->profile) : NULL;
}

/* Captures of several hosts have no ranks, but waits. */
static const char *no_ranks(const struct app *a)
{
    const struct event_store *s = a->doc.result->profile->events;

    return load_is_open(a) || (s && (s->ranks.n > 1 || s->hosts.n > 1))
               ? NULL
               : "needs the traces of several ranks of one job";
}

static const char *no_iterations(const struct app *a)
{
    array_each(const struct recorder, r, a->doc.result->profile->recorders,
               a->doc.result->profile->n_recorders) {
        if (r->n_iterations)
            return NULL;
    }
    return load_is_open(a) ? NULL : "no iteration marks: vLLM, SGLang and ATOM write them";
}

/* Why the profile has no rows for tables of such data. */
static const char *(*const no_rows[TABLE_OF_COUNT])(const struct app *a) = {
    [TABLE_OF_ANY] = no_result,
    [TABLE_OF_WORK] = no_work,
    [TABLE_OF_RANKS] = no_ranks,
    [TABLE_OF_STEPS] = no_steps,
    [TABLE_OF_ITERATIONS] = no_iterations,
};

const char *action_refusal(const struct app *a, const struct action *action)
{
    const char *(*disabled)(const struct app *a) =
        action->disabled ? action->disabled : action->table ? no_rows[action->table->of] : NULL;

    if (!disabled)
        return NULL;
    return !action->is_early && no_result(a) ? no_result(a) : disabled(a);
}

#define OF_VIEW .contexts = CTX_PANES, .group = "View"
#define TREE_ACTION(label, id, key, tab, synonyms, text)                                          \
    {.name = #label, .keys = key, .words = synonyms, .help = text, OF_VIEW, ACTION_##label,       \
     .not_pairs = CTX_MEMORY | CTX_TIMELINE, .run = cmd_view, .arg = VIEW_##id},
#define PAGE_ACTION(label, key, tab, synonyms, text)                                              \
    {.name = #label, .keys = key, .words = synonyms, .help = text, OF_VIEW, ACTION_##label},
#define PICTURE_ACTION(label, id, action, key, tab, synonyms, text)                               \
    {.name = action, .keys = key, .words = synonyms, .help = text, OF_VIEW, ACTION_##label,       \
     .run = cmd_picture, .arg = PICTURE_##id},
#define TABLE_ACTION(label, action, key, tab, synonyms)                                           \
    {.name = action, .keys = key, .words = synonyms, .table = &table_##label, OF_VIEW,            \
     .run = cmd_table, .arg = TABLE_VIEW_##label},

/* What else the actions of views have. */
#define ACTION_scope .disabled = no_result
#define ACTION_graph .disabled = no_result
#define ACTION_code .disabled = no_traces
#define ACTION_op .disabled = no_result
#define ACTION_advise \
    .not_pairs = CTX_MEMORY | CTX_TIMELINE, .disabled = no_advice, .is_early = true, \
    .run = cmd_advise, .arg = VIEW_ADVISE
#define ACTION_memory .disabled = no_allocations
#define ACTION_timeline .disabled = no_timeline
#define ACTION_flame .brief = "flame graph", .footer = "flame", .disabled = no_flame_graph
#define ACTION_roofline .brief = "roofline", .disabled = no_result
#define ACTION_check .disabled = no_result, .run = cmd_check, .arg = TABLE_VIEW_check
#define ACTION_summary .brief = "summary", .disabled = no_result, .run = summary_open
#define ACTION_runs .brief = "other runs", .run = runs_menu_open, .urgency = URGENT

const struct action action_table[] = {
    /* Finding */
    {.name = "search", .brief = "search", .keys = "/", .footer = "search", .contexts = CTX_PANES,
     .group = "Find", .help = "search names by regex", .words = "find grep", .disabled = no_result,
     .run = cmd_search},
    {.name = "search-next", .brief = "next match", .keys = "n", .contexts = CTX_PANES,
     .help = "go to the next match", .disabled = no_search, .run = cmd_search_next, .arg = 1},
    {.name = "search-previous", .brief = "previous match", .keys = "N", .contexts = CTX_PANES,
     .help = "go to the previous match", .disabled = no_search, .run = cmd_search_next, .arg = -1},
    {.name = "filter", .brief = "filter", .keys = "f \\ & <f4>", .footer = "filter",
     .contexts = CTX_PANES, .help = "show only names that match, as you type",
     .words = "show grep match", .disabled = no_result, .run = cmd_filter},
    {.name = "hide-like", .brief = "hide similar", .keys = "H", .contexts = CTX_ROWS,
     .help = "hide names like this one", .words = "exclude ignore", .disabled = no_result,
     .run = cmd_like},
    {.name = "keep-like", .brief = "keep similar", .keys = "K", .contexts = CTX_ROWS,
     .help = "keep only names like this one", .words = "only include", .disabled = no_result,
     .run = cmd_like, .arg = true},
    {.name = "explain", .brief = "why is it here", .keys = "x", .contexts = CTX_ROWS | CTX_DETAILS,
     .help = "explain why this row is here and what is hidden below", .words = "why reason hidden",
     .disabled = no_result, .run = cmd_explain},
    {.name = "explain-name", .brief = "why is it hidden", .keys = "X", .contexts = CTX_PANES,
     .help = "explain why a name is not shown", .words = "missing", .disabled = no_result,
     .run = cmd_prompt, .arg = PROMPT_EXPLAIN},

    /* Sorting and selecting */
    {.name = "sort", .brief = "order by", .keys = "s <f6>", .footer = "sort",
     .contexts = CTX_PANES & ~(CTX_MEMORY | CTX_TIMELINE), .group = "Order and fields",
     .help = "choose the order", .words = "rank column descending", .disabled = no_result,
     .run = cmd_sort_menu},
    {.name = "sort-next", .brief = "next column", .keys = "<gt>", .contexts = CTX_PANES,
     .help = "order by the next column", .disabled = no_result, .run = cmd_sort_step, .arg = 1},
    {.name = "sort-previous", .keys = "<lt>", .contexts = CTX_PANES,
     .help = "order by the previous column", .disabled = no_result, .run = cmd_sort_step,
     .arg = -1},
    {.name = "reverse", .brief = "reverse", .keys = "I", .contexts = CTX_PANES,
     .help = "reverse the order, on the screen only", .words = "invert ascending descending",
     .disabled = no_result, .run = cmd_reverse},
    {.name = "select", .brief = "fields", .keys = "S", .footer = "select", .contexts = CTX_PANES,
     .help = "choose the fields or columns to show", .words = "columns metrics", .disabled = no_result,
     .run = cmd_select_menu},
    {.name = "columns-right", .keys = "<s-right>", .contexts = CTX_TREE,
     .help = "scroll the columns: the next ones", .disabled = no_result, .run = cmd_columns,
     .arg = 1},
    {.name = "columns-left", .keys = "<s-left>", .contexts = CTX_TREE,
     .help = "scroll the columns back", .disabled = no_result, .run = cmd_columns, .arg = -1},
    {.name = "percent-base", .brief = "% of parent", .keys = "B", .contexts = CTX_PANES & ~CTX_TABLE,
     .help = "show percent of the root or of the parent", .words = "share", .disabled = no_figure,
     .run = cmd_percent_base},

    /* Options */
    {.name = "options", .brief = "options", .keys = "o <f2>", .footer = "options",
     .contexts = CTX_PANES, .group = "Options", .help = "edit the options",
     .words = "settings preferences configure", .disabled = no_result, .run = options_editor_open},
    {.name = "cover", .brief = "top N percent", .keys = "%", .contexts = CTX_PANES & ~CTX_TABLE,
     .help = "show the top rows that make up N percent", .words = "threshold top",
     .disabled = no_figure, .run = cmd_prompt, .arg = PROMPT_COVER},
    {.name = "presets", .brief = "presets", .keys = "p", .contexts = CTX_PANES,
     .help = "choose a preset of options", .disabled = no_result, .run = cmd_presets},
    {.name = "reset-options", .keys = "", .contexts = CTX_PANES,
     .help = "set the options of the first screen", .words = "defaults", .disabled = no_result,
     .run = cmd_reset_options},
    {.name = "library-frames", .brief = "library frames", .keys = "L",
     .contexts = CTX_TREE | CTX_DETAILS, .help = "fold or unfold library frames",
     .disabled = no_traces, .run = cmd_library_frames},
    {.name = "fold-layers", .brief = "fold layers", .keys = "t",
     .contexts = CTX_PANES & ~(CTX_MEMORY | CTX_TABLE),
     .help = "fold repeated layers into one row, or show each",
     .words = "layers towers blocks replicas same", .disabled = no_siblings, .run = cmd_repeats},
    {.name = "step-next", .brief = "next step", .keys = "]", .contexts = CTX_PANES,
     .help = "show the next step", .words = "iteration run", .disabled = one_step, .run = cmd_step,
     .arg = 1},
    {.name = "step-previous", .brief = "previous step", .keys = "[", .contexts = CTX_PANES,
     .help = "show the previous step", .words = "iteration run", .disabled = one_step,
     .run = cmd_step, .arg = -1},
    {.name = "step-average", .brief = "average", .keys = "A", .contexts = CTX_PANES,
     .help = "show the average of all steps", .disabled = no_steps, .run = cmd_step_average},
    {.name = "compare", .brief = "compare", .keys = "D", .contexts = CTX_PANES,
     .help = "compare with another step or profile", .words = "difference delta",
     .disabled = no_figure, .run = cmd_compare},

    {.name = "rename", .keys = "", .contexts = CTX_PANES,
     .help = "rename nodes of the baseline by rules REGEX=TEMPLATE, and preview the matches",
     .words = "match moved regex", .disabled = no_base, .run = cmd_rename},

    /* Moving */
    {.name = "open", .brief = "open", .keys = "<ret>", .footer = "open", .contexts = CTX_PANES,
     .group = "Move",
     .help = "fold or unfold a group; show the details of a leaf; zoom into a cell",
     .words = "expand drill", .disabled = no_result, .run = cmd_open},
    {.name = "down", .keys = "<down> j", .contexts = CTX_LISTS, .help = "move one row down",
     .run = cmd_move, .arg = MOVE_DOWN},
    {.name = "up", .keys = "<up> k", .contexts = CTX_LISTS, .help = "move one row up",
     .run = cmd_move, .arg = MOVE_UP},
    {.name = "page-down", .keys = "<pgdn> <c-f>", .contexts = CTX_LISTS, .help = "move a page down",
     .run = cmd_move, .arg = MOVE_PAGE_DOWN},
    {.name = "page-up", .keys = "<pgup> <c-b>", .contexts = CTX_LISTS, .help = "move a page up",
     .run = cmd_move, .arg = MOVE_PAGE_UP},
    {.name = "half-down", .keys = "<c-d>", .contexts = CTX_LISTS, .help = "move half a page down",
     .run = cmd_move, .arg = MOVE_HALF_DOWN},
    {.name = "half-up", .keys = "<c-u>", .contexts = CTX_LISTS, .help = "move half a page up",
     .run = cmd_move, .arg = MOVE_HALF_UP},
    {.name = "first", .brief = "first", .keys = "<home> g", .contexts = CTX_LISTS,
     .help = "go to the first row", .run = cmd_move, .arg = MOVE_FIRST},
    {.name = "last", .brief = "last", .keys = "<end> G", .contexts = CTX_LISTS,
     .help = "go to the last row", .run = cmd_move, .arg = MOVE_LAST},
    {.name = "right", .brief = "unfold", .keys = "<right> l", .contexts = CTX_TREE,
     .help = "unfold, or go to the first child", .disabled = no_result, .run = cmd_right},
    {.name = "left", .brief = "fold", .keys = "<left> h", .contexts = CTX_TREE,
     .help = "fold, or go to the parent", .disabled = no_result, .run = cmd_left},
    {.name = "hottest", .brief = "most expensive", .keys = ".", .footer = "hottest",
     .contexts = CTX_ROWS,
     .help = "follow the most expensive rows to a leaf; in comparisons the largest increases",
     .words = "expensive slowest critical path", .disabled = no_figure, .run = cmd_hottest},
    {.name = "next-pane", .brief = "next pane", .keys = "<tab>", .contexts = CTX_PANES,
     .help = "go to the next pane: tree, details, options", .words = "window focus switch",
     .disabled = no_result, .run = cmd_pane, .arg = 1},
    {.name = "previous-pane", .keys = "<s-tab>", .contexts = CTX_PANES,
     .help = "go to the previous pane", .disabled = no_result, .run = cmd_pane, .arg = -1},
    {.name = "pane-tree", .keys = "<c-w>h", .contexts = CTX_PANES, .help = "go to the tree",
     .disabled = no_result, .run = cmd_pane_to, .arg = PANE_TREE},
    {.name = "pane-details", .keys = "<c-w>l <c-w>k", .contexts = CTX_PANES,
     .help = "go to the details", .disabled = no_result, .run = cmd_pane_to, .arg = PANE_DETAILS},
    {.name = "pane-options", .keys = "<c-w>j", .contexts = CTX_PANES, .help = "go to the options",
     .disabled = no_result, .run = cmd_pane_to, .arg = PANE_OPTIONS},
    {.name = "zoom", .brief = "zoom pane", .keys = "Z", .contexts = CTX_PANES,
     .help = "give this pane the whole screen, or show all again", .words = "maximize full",
     .disabled = no_room, .run = cmd_zoom},
    {.name = "border-left", .keys = "<c-w><lt>", .contexts = CTX_PANES,
     .help = "move the border to the left", .words = "resize wider split", .disabled = no_border,
     .run = cmd_border, .arg = -1},
    {.name = "border-right", .keys = "<c-w><gt>", .contexts = CTX_PANES,
     .help = "move the border to the right", .words = "resize narrower split",
     .disabled = no_border, .run = cmd_border, .arg = 1},

    /* Folding: changes the display, never sums */
    {.name = "fold-toggle", .brief = "fold or unfold", .keys = "za", .footer = "fold",
     .contexts = CTX_TREE, .group = "Fold", .help = "fold or unfold this row",
     .words = "collapse expand", .disabled = no_result, .run = cmd_fold, .arg = FOLD_TOGGLE},
    {.name = "fold-open", .keys = "zo + =", .contexts = CTX_TREE, .help = "unfold this row",
     .words = "expand", .disabled = no_result, .run = cmd_fold, .arg = FOLD_OPEN},
    {.name = "fold-close", .keys = "zc -", .contexts = CTX_TREE, .help = "fold this row",
     .words = "collapse", .disabled = no_result, .run = cmd_fold, .arg = FOLD_CLOSE},
    {.name = "fold-open-below", .keys = "zO", .contexts = CTX_TREE,
     .help = "unfold all below this row", .words = "expand", .disabled = no_result, .run = cmd_fold,
     .arg = FOLD_OPEN_ALL},
    {.name = "fold-close-below", .keys = "zC", .contexts = CTX_TREE,
     .help = "fold all below this row", .words = "collapse", .disabled = no_result, .run = cmd_fold,
     .arg = FOLD_CLOSE_ALL},
    {.name = "fold-toggle-below", .brief = "fold below", .keys = "zA *", .contexts = CTX_TREE,
     .help = "fold or unfold all below this row", .disabled = no_result, .run = cmd_fold,
     .arg = FOLD_TOGGLE_ALL},
    {.name = "fold-open-all", .brief = "unfold all", .keys = "zR", .contexts = CTX_TREE,
     .help = "unfold everything", .words = "expand", .disabled = no_result,
     .run = cmd_fold_everything, .arg = 1},
    {.name = "fold-close-all", .brief = "fold all", .keys = "zM", .contexts = CTX_TREE,
     .help = "fold everything", .words = "collapse", .disabled = no_result,
     .run = cmd_fold_everything},
    {.name = "fold-more", .keys = "zr", .contexts = CTX_TREE, .help = "unfold one more level",
     .disabled = no_result, .run = cmd_fold_more, .arg = 1},
    {.name = "fold-less", .keys = "zm", .contexts = CTX_TREE, .help = "fold one level",
     .disabled = no_result, .run = cmd_fold_more, .arg = -1},
#define FOLD_LEVEL(n)                                                                          \
    {.name = "fold-level-" #n, .keys = "z" #n, .contexts = CTX_TREE, .group = "Fold",          \
     .help = "unfold to level " #n, .disabled = no_result, .run = cmd_fold_level, .arg = n}
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

    /* Views; each keeps the selected node if it has a row there */
    TAB_LIST(TREE_ACTION, PAGE_ACTION, PICTURE_ACTION, TABLE_ACTION)
    MENU_LIST(TREE_ACTION, PAGE_ACTION, PICTURE_ACTION, TABLE_ACTION)
    {.name = "cell-right", .brief = "right", .keys = "<right> l", .contexts = CTX_PICTURES,
     .help = "go to the next cell of this level, time or point",
     .disabled = no_result, .run = cmd_side, .arg = 1},
    {.name = "cell-left", .brief = "left", .keys = "<left> h", .contexts = CTX_PICTURES,
     .help = "go to the previous cell of this level, time or point",
     .disabled = no_result, .run = cmd_side, .arg = -1},
    {.name = "memory-peak", .brief = "peak", .keys = "P", .footer = "peak", .contexts = CTX_MEMORY,
     .help = "go to the peak of memory in use", .run = cmd_memory_peak},
    {.name = "memory-failure-next", .brief = "next failure", .keys = "}", .contexts = CTX_MEMORY,
     .help = "go to the next failed allocation", .run = cmd_memory_failure, .arg = 1},
    {.name = "memory-failure-previous", .brief = "previous failure", .keys = "{",
     .contexts = CTX_MEMORY, .help = "go to the previous failed allocation",
     .run = cmd_memory_failure, .arg = -1},
    {.name = "memory-segments", .brief = "segments", .keys = "r", .contexts = CTX_MEMORY,
     .help = "show segments, or live memory", .run = cmd_memory_segments},
    {.name = "memory-range", .brief = "since here", .keys = "v", .contexts = CTX_MEMORY,
     .help = "show only memory allocated since here, or all live memory",
     .run = cmd_memory_range},
    {.name = "memory-group", .brief = "group by", .keys = "s", .footer = "group",
     .contexts = CTX_MEMORY, .help = "group live memory by scope, type, code or node",
     .run = cmd_memory_group},
    {.name = "memory-allocator", .brief = "next allocator", .keys = "a", .contexts = CTX_MEMORY,
     .help = "show the next allocator of the step", .run = cmd_memory_allocator},
    {.name = "timeline-zoom-in", .brief = "zoom in", .keys = "+ w", .footer = "zoom",
     .contexts = CTX_TIMELINE, .help = "zoom in at the cursor", .run = cmd_timeline_zoom, .arg = 1},
    {.name = "timeline-zoom-out", .brief = "zoom out", .keys = "- s", .contexts = CTX_TIMELINE,
     .help = "zoom out", .run = cmd_timeline_zoom, .arg = -1},
    {.name = "timeline-later", .brief = "later", .keys = "d", .contexts = CTX_TIMELINE,
     .help = "move forward by a quarter of the displayed time", .words = "pan", .run = cmd_timeline_pan,
     .arg = 1},
    {.name = "timeline-earlier", .brief = "earlier", .keys = "a", .contexts = CTX_TIMELINE,
     .help = "move back by a quarter of the displayed time", .words = "pan",
     .run = cmd_timeline_pan, .arg = -1},
    {.name = "timeline-fold", .brief = "fold", .keys = "za", .contexts = CTX_TIMELINE,
     .help = "fold or unfold the rank or host of this track", .words = "collapse expand",
     .run = cmd_timeline_fold},
    {.name = "timeline-all", .brief = "whole step", .keys = "=", .footer = "all",
     .contexts = CTX_TIMELINE, .help = "show all of the step", .run = cmd_timeline_all},
    {.name = "timeline-gap-next", .brief = "next gap", .keys = "}", .footer = "gap",
     .contexts = CTX_TIMELINE, .help = "go to the next gap of this track, at least one column wide",
     .words = "idle", .run = cmd_timeline_gap, .arg = 1},
    {.name = "timeline-gap-previous", .brief = "previous gap", .keys = "{",
     .contexts = CTX_TIMELINE, .help = "go to the previous gap", .words = "idle",
     .run = cmd_timeline_gap, .arg = -1},
    {.name = "timeline-range", .brief = "count a range", .keys = "v", .footer = "range",
     .contexts = CTX_TIMELINE,
     .help = "choose a time range; press again to restrict all views to it",
     .words = "select interval -time_range", .run = cmd_timeline_range},
    {.name = "timeline-range-all", .brief = "count all", .keys = "V", .contexts = CTX_TIMELINE,
     .help = "remove the time range", .words = "interval -time_range",
     .run = cmd_timeline_range_all},
    {.name = "timeline-group", .brief = "coloring", .keys = "b", .footer = "group",
     .contexts = CTX_TIMELINE, .help = "color by op type, by scope or by a figure",
     .run = cmd_timeline_group},
    {.name = "views", .brief = "all views", .keys = "0", .contexts = CTX_PANES,
     .help = "choose from the list of all views", .words = "menu tabs more", .disabled = no_result,
     .run = cmd_views},
    {.name = "next-advice", .brief = "next advice", .keys = "}", .contexts = CTX_ROWS,
     .help = "go to the next row with advice (!)", .disabled = no_advice, .is_early = true,
     .run = cmd_advice_step, .arg = 1},
    {.name = "previous-advice", .brief = "previous advice", .keys = "{", .contexts = CTX_ROWS,
     .help = "go to the previous row with advice", .disabled = no_advice, .is_early = true,
     .run = cmd_advice_step, .arg = -1},

    /* Files and clipboard */
    {.name = "export", .brief = "export", .keys = "e <f7> <c-s>", .footer = "export",
     .contexts = CTX_PANES, .group = "Files and clipboard", .help = "write this view to a file",
     .words = "save file", .disabled = no_result, .run = export_dialog_open},
    {.name = "reload", .brief = "read again", .keys = "<f5>", .contexts = CTX_PANES,
     .help = "read the files again; cursor, folds, filters and marks stay", .disabled = no_result,
     .run = load_reload},
    {.name = "copy-command", .brief = "copy command", .keys = "y", .contexts = CTX_PANES,
     .help = "copy the command line of this screen", .words = "yank clipboard",
     .disabled = no_result, .run = cmd_copy, .arg = COPY_COMMAND},
    {.name = "copy-name", .brief = "copy name", .keys = "Y", .contexts = CTX_PANES,
     .help = "copy the name of this row", .words = "yank clipboard", .disabled = no_result,
     .run = cmd_copy, .arg = COPY_NAME},
    {.name = "copy-row", .brief = "copy row", .keys = "c", .contexts = CTX_PANES,
     .help = "copy this row as text", .words = "yank clipboard", .disabled = no_result,
     .run = cmd_copy, .arg = COPY_ROW},
    {.name = "copy-prompt-line", .keys = "", .contexts = CTX_PANES,
     .help = "copy the original's prompt line", .disabled = no_result, .run = cmd_copy,
     .arg = COPY_PROMPT_LINE},
    {.name = "edit-source", .brief = "edit source", .keys = "E", .contexts = CTX_ROWS | CTX_DETAILS,
     .help = "open the source line in $EDITOR", .words = "vi", .disabled = no_result_or_programs,
     .is_early = true, .run = cmd_edit_source},
    {.name = "shell", .keys = "!", .contexts = CTX_PANES, .help = "run a shell command",
     .disabled = no_programs, .is_early = true, .run = cmd_prompt, .arg = PROMPT_SHELL},
    {.name = "pipe", .keys = "|", .contexts = CTX_PANES,
     .help = "pipe this view to a shell command", .words = "less grep",
     .disabled = no_result_or_programs, .is_early = true, .run = cmd_prompt, .arg = PROMPT_PIPE},

    /* Marks and positions */
    {.name = "mark-set", .brief = "set mark", .keys = "m", .footer = "mark", .contexts = CTX_ROWS,
     .group = "Marks and positions", .help = "set mark a-z here", .words = "bookmark",
     .disabled = no_result, .run = cmd_mark_set},
    {.name = "mark-go", .brief = "go to mark", .keys = "'", .contexts = CTX_ROWS,
     .help = "go to mark a-z; '' returns to the last position", .words = "bookmark jump",
     .disabled = no_result, .run = cmd_mark_go},
    {.name = "mark-row", .brief = "mark row", .keys = "<space>", .contexts = CTX_ROWS,
     .help = "mark this row", .words = "tag", .disabled = no_result, .run = cmd_mark_row},
    {.name = "marks", .keys = "M", .contexts = CTX_PANES, .help = "list the marked rows",
     .words = "bookmarks", .disabled = no_marks, .is_early = true, .run = cmd_marks},
    {.name = "note", .brief = "write note", .keys = ";", .contexts = CTX_ROWS,
     .help = "write or change a note on this row; an empty note is removed",
     .words = "annotate comment remark", .disabled = no_result, .run = cmd_note},
    {.name = "notes", .brief = "notes", .keys = ",", .contexts = CTX_PANES,
     .help = "list the notes; Enter goes to the row", .words = "annotations comments remarks",
     .disabled = no_notes, .is_early = true, .run = cmd_notes},
    {.name = "report", .keys = "", .contexts = CTX_PANES,
     .help = "write the notes with their screens, as Markdown or HTML",
     .words = "document markdown", .disabled = no_notes, .is_early = true, .run = cmd_prompt,
     .arg = PROMPT_REPORT},
    {.name = "back", .brief = "back", .keys = "<c-o> <a-left> <bs>", .contexts = CTX_PANES,
     .help = "go back to the previous position", .words = "return last", .disabled = no_result,
     .run = cmd_jump, .arg = -1},
    {.name = "forward", .keys = "<a-right>", .contexts = CTX_PANES, .help = "go forward again",
     .disabled = no_result, .run = cmd_jump, .arg = 1},

    /* The program */
    {.name = "command", .brief = "command", .keys = ":", .footer = "command", .contexts = CTX_PANES,
     .group = "Program", .help = "type a command", .words = "colon", .run = cmd_prompt,
     .arg = PROMPT_COMMAND},
    {.name = "palette", .brief = "palette", .keys = "<c-p>", .contexts = CTX_PANES,
     .help = "find an action, option, field or preset by parts of its name",
     .words = "fuzzy search menu all", .run = cmd_palette},
    {.name = "undo", .brief = "undo", .keys = "u", .footer = "undo", .contexts = CTX_PANES,
     .help = "undo the last change", .disabled = no_past, .is_early = true, .run = cmd_undo, .arg = -1},
    {.name = "redo", .brief = "redo", .keys = "<c-r>", .contexts = CTX_PANES,
     .help = "redo the last undone change", .disabled = no_future, .is_early = true,
     .run = cmd_undo, .arg = 1},
    {.name = "undo-list", .keys = "U", .contexts = CTX_PANES,
     .help = "list the changes that can be undone", .disabled = no_past, .is_early = true,
     .run = cmd_undo_list},
    {.name = "help", .keys = "? <f1>", .footer = "help", .contexts = CTX_LISTS,
     .help = "show this help", .words = "keys bindings", .urgency = URGENT_FIRST, .run = cmd_help},
    {.name = "mouse", .keys = "", .contexts = CTX_PANES,
     .help = "take mouse clicks, or leave them to the terminal", .run = cmd_mouse},
    {.name = "next-theme", .brief = "next theme", .keys = "T", .contexts = CTX_PANES,
     .help = "use the next theme of colours", .words = "colors dark light contrast",
     .run = cmd_next_theme},
    {.name = "redraw", .keys = "<c-l>", .contexts = CTX_PANES, .help = "redraw the screen",
     .words = "refresh", .urgency = URGENT_FIRST, .run = cmd_redraw},
    {.name = "suspend", .keys = "<c-z>", .contexts = CTX_ALL, .help = "suspend; fg returns",
     .words = "background shell", .urgency = URGENT_FIRST, .run = cmd_suspend},
    {.name = "interrupt", .keys = "<c-c>", .contexts = CTX_ALL, .help = "stop what is running",
     .words = "cancel abort", .urgency = URGENT, .run = cmd_interrupt},
    {.name = "escape", .keys = "<esc>", .contexts = CTX_PANES,
     .help = "clear the search, go back from a picture, or stop reading; never quits",
     .urgency = URGENT, .run = cmd_escape},
    {.name = "close", .brief = "close or quit", .keys = "q", .contexts = CTX_PANES,
     .help = "close one level, or quit", .words = "exit leave back", .urgency = URGENT_FIRST,
     .run = cmd_close},
    {.name = "quit", .keys = "Q <f10>", .contexts = CTX_LISTS, .help = "quit",
     .words = "exit leave", .urgency = URGENT_FIRST, .run = cmd_quit},

    /* Overlays */
    {.name = "accept", .keys = "<ret>", .footer = "OK",
     .contexts = CTX_MENU | CTX_EDITOR | CTX_LINES, .group = "Choose", .help = "OK",
     .run = cmd_accept},
    {.name = "follow", .keys = "<ret>", .footer = "open", .contexts = CTX_TEXT,
     .help = "open what the line refers to, or close", .offer = OFFER_LINK, .run = cmd_accept},
    {.name = "toggle", .keys = "<space>", .footer = "tick", .contexts = CTX_MENU | CTX_EDITOR,
     .help = "tick or untick", .offer = OFFER_TICK, .run = cmd_toggle},
    {.name = "find-text", .keys = "/", .footer = "find",
     .contexts = CTX_MENU | CTX_TEXT | CTX_EDITOR, .help = "find in the text",
     .run = list_search_open},
    {.name = "copy-entry", .keys = "y", .contexts = CTX_MENU | CTX_TEXT,
     .help = "copy the selected line", .words = "yank clipboard", .run = cmd_copy,
     .arg = COPY_ENTRY},
    {.name = "reset", .keys = "x", .footer = "reset", .contexts = CTX_EDITOR | CTX_OPTIONS,
     .help = "reset to the default", .disabled = no_result, .run = option_reset_selected},
    {.name = "cancel", .keys = "<esc> q", .footer = "close",
     .contexts = CTX_MENU | CTX_TEXT | CTX_EDITOR, .help = "cancel", .run = cmd_cancel},

    /* Lines of text */
    {.name = "complete", .keys = "<tab>", .footer = "complete", .contexts = CTX_PROMPT | CTX_VALUE,
     .group = "Edit", .help = "complete the word", .offer = OFFER_COMPLETE, .run = cmd_complete},
    {.name = "next-field", .keys = "<tab> <down>", .footer = "next field", .contexts = CTX_DIALOG,
     .help = "go to the next field", .run = cmd_field, .arg = 1},
    {.name = "previous-field", .keys = "<s-tab> <up>", .contexts = CTX_DIALOG,
     .help = "go to the previous field", .run = cmd_field, .arg = -1},
    {.name = "older", .keys = "<up> <c-p>", .contexts = CTX_PROMPT | CTX_VALUE,
     .help = "recall an older line", .run = cmd_history, .arg = -1},
    {.name = "newer", .keys = "<down> <c-n>", .contexts = CTX_PROMPT | CTX_VALUE,
     .help = "recall a newer line", .run = cmd_history, .arg = 1},
    {.name = "next-choice", .keys = "<space>", .footer = "choose", .contexts = CTX_DIALOG,
     .help = "select the next choice", .offer = OFFER_TICK, .run = cmd_toggle},
    {.name = "caret-left", .keys = "<left> <c-b>", .contexts = CTX_LINES, .help = "move left",
     .run = cmd_edit, .arg = EDIT_LEFT},
    {.name = "caret-right", .keys = "<right> <c-f>", .contexts = CTX_LINES, .help = "move right",
     .run = cmd_edit, .arg = EDIT_RIGHT},
    {.name = "caret-home", .keys = "<home> <c-a>", .contexts = CTX_LINES,
     .help = "move to the start", .run = cmd_edit, .arg = EDIT_HOME},
    {.name = "caret-end", .keys = "<end> <c-e>", .contexts = CTX_LINES, .help = "move to the end",
     .run = cmd_edit, .arg = EDIT_END},
    {.name = "erase-left", .keys = "<bs>", .contexts = CTX_LINES,
     .help = "delete the character before", .run = cmd_edit, .arg = EDIT_BACKSPACE},
    {.name = "erase", .keys = "<del> <c-d>", .contexts = CTX_LINES, .help = "delete the character",
     .run = cmd_edit, .arg = EDIT_DELETE},
    {.name = "erase-word", .keys = "<c-w>", .contexts = CTX_LINES, .help = "delete the word before",
     .run = cmd_edit, .arg = EDIT_KILL_WORD},
    {.name = "erase-line", .keys = "<c-u>", .footer = "clear", .contexts = CTX_LINES,
     .help = "delete to the start", .offer = OFFER_CLEAR, .run = cmd_edit, .arg = EDIT_KILL_LINE},
    {.name = "drop-line", .keys = "<esc>", .footer = "cancel", .contexts = CTX_LINES,
     .help = "close, keep the old value", .run = cmd_cancel},
    {0},
};
