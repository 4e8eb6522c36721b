/* cmd_program.c: help, the command line, quitting. */
#include <unistd.h>

#include "session/complete.h"
#include "term/theme.h"
#include "tui/action.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/prompt.h"
#include "tui/dialogs/textview.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"

enum { FORCE_US = 1000000 }; /* a second ^C within this time ends the program */

/* Shows one page of keys for a pane; for other contexts, or if that page is open, all keys. */
void cmd_help(struct app *a, int arg UNUSED)
{
    static const char page_title[] = "Keys: press ? again for all";
    const bool again = textview_lines(a, page_title);
    struct lines l = {0};

    if (again)
        overlay_remove(a, a->ui.top);
    if (app_context(a) & CTX_PANES && !again) {
        help_page(a, &l, app_context(a));
        textview_open(a, page_title, &l, false);
        return;
    }
    help_lines(a, &l, app_context(a));
    textview_open(a, "Keys: / finds, Enter runs, q closes", &l, true);
}

static void set_mouse(struct app *a, bool on)
{
    a->ui.mouse_on = on;
    a->ui.term->ops->set_mouse(a->ui.term, on);
    app_print(a, ROLE_TEXT, on ? "mouse on; Shift selects text as usual" : "mouse off");
}

void cmd_mouse(struct app *a, int arg UNUSED)
{
    set_mouse(a, !a->ui.mouse_on);
}

/* ---- the command line */

static void take_theme(struct app *a, const struct theme *theme)
{
    a->ui.theme = theme;
    a->ui.theme_is_guess = false;
    a->ui.term->ops->set_theme(a->ui.term, theme);
    app_print(a, ROLE_TEXT, "theme %s: %s", theme->name, theme->help);
}

static void set_theme(struct app *a, const char *name)
{
    const struct theme *theme = theme_find(name);

    if (theme)
        take_theme(a, theme);
    else
        app_print(a, ROLE_ERROR, "E: unknown theme '%s'", name);
}

void cmd_next_theme(struct app *a, int arg UNUSED)
{
    take_theme(a, theme_next(a->ui.theme));
}

/* Runs settings of the screen: `set NAME [VALUE]`, `theme NAME`. */
static bool set_screen(struct app *a, const struct words *w)
{
    if (w->n == 2 && strcmp(w->items[0], "theme") == 0) {
        set_theme(a, w->items[1]);
        return true;
    }
    if (w->n < 2 || strcmp(w->items[0], "set") != 0)
        return false;
    if (strcmp(w->items[1], "percent") == 0 && w->n == 3) {
        a->ui.tree.percent_of_parent = strcmp(w->items[2], "parent") == 0;
        return true;
    }
    if (strcmp(w->items[1], "mouse") == 0 || strcmp(w->items[1], "nomouse") == 0) {
        set_mouse(a, w->items[1][0] == 'm');
        return true;
    }
    if (strcmp(w->items[1], "theme") == 0 && w->n == 3) {
        set_theme(a, w->items[2]);
        return true;
    }
    return false;
}

static bool run_parsed(struct app *a, const struct command_line *cl)
{
    switch (cl->command ? cl->command->kind : COMMAND_SET) {
    case COMMAND_VIEW:
        if (!a->doc.result || cl->command->view >= VIEW_ADVISE)
            app_print(a, ROLE_NOTE, "%s: type it in a shell as tfprof %s", cl->command->name,
                      cl->command->name);
        else
            app_change(a, cl->command->view, &cl->options);
        return true;
    case COMMAND_SET:
        app_change(a, a->doc.requested.view, &cl->options);
        return true;
    case COMMAND_HELP:
        cmd_help(a, 0);
        return true;
    case COMMAND_QUIT:
        cmd_quit(a, 0);
        return true;
    default:
        app_print(a, ROLE_NOTE, "not available here; run tfprof %s FILE", cl->command->name);
        return false;
    }
}

/* Writes the view as text to FILE, which must not exist. */
static void write_view(struct app *a, const char *file)
{
    struct strbuf output = {0};
    struct options options;
    struct err err = {0};

    if (!a->doc.result) {
        app_print(a, ROLE_NOTE, "no data to write yet");
        return;
    }
    if (table_pane_is_check(a)) {
        table_pane_export(a);
        return;
    }
    if (access(file, F_OK) == 0) {
        app_print(a, ROLE_NOTE, "%s exists: e (export) can write over it", file);
        return;
    }
    sb_addf(&output, "file:outfile=%s", file);
    options_copy(&options, &a->doc.requested.options);
    if (command_line_set(&options, option_find("output"), sb_text(&output), &err))
        export_begin(a, &options,
                     table_pane_is_on(a) ? table_view_get(a->ui.table.view) : NULL, file);
    else
        app_print_err(a, &err);
    options_done(&options);
    sb_done(&output);
}

/* Runs `:report FILE` (a new file) or `:report! FILE` (overwrites). False if W is neither. */
static bool run_report(struct app *a, const struct words *w)
{
    const bool overwrites = w->n == 2 && strcmp(w->items[0], "report!") == 0;

    if (w->n != 2 || (!overwrites && strcmp(w->items[0], "report") != 0))
        return false;
    report_write(a, w->items[1], overwrites);
    return true;
}

static bool take_rules(struct app *a, const char *file)
{
    if (*file)
        table_pane_check(a, file);
    return true;
}

static const struct prompt_ops rules_prompt = {
    .label = "rules in: ",
    .done = take_rules,
    .complete = complete_path,
};

void cmd_check(struct app *a, int view)
{
    if (a->ui.table.rules)
        cmd_table(a, view);
    else
        prompt_open(a, &rules_prompt, "");
}

/* Runs `:check FILE`. False if W is something else. */
static bool run_check(struct app *a, const struct words *w)
{
    if (w->n != 2 || strcmp(w->items[0], "check") != 0)
        return false;
    if (a->doc.result)
        table_pane_check(a, w->items[1]);
    else
        app_print(a, ROLE_NOTE, "the profile is not loaded yet");
    return true;
}

/* Runs commands of vi: `:q`, `:wq`, `:w FILE`, `:edit FILE`. False if W is another word. */
static bool run_vi(struct app *a, const struct words *w)
{
    static const char *const quits[] = {"q", "q!", "wq", "x"};

    for (size_t i = 0; w->n == 1 && i < sizeof quits / sizeof *quits; i++)
        if (strcmp(w->items[0], quits[i]) == 0) {
            cmd_quit(a, 0);
            return true;
        }
    if (w->n != 2)
        return false;
    if (strcmp(w->items[0], "w") == 0)
        write_view(a, w->items[1]);
    else if (strcmp(w->items[0], "edit") != 0 && strcmp(w->items[0], "e") != 0)
        return false;
    else if (a->doc.result)
        load_other(a, w->items[1], false);
    else
        app_print(a, ROLE_NOTE, "the profile is not loaded yet");
    return true;
}

/* Parses a line like the prompt of the shell. Options alone apply to the displayed view. */
static bool parse_line(const struct app *a, struct command_line *cl, const char *text, struct err *err)
{
    struct strbuf line = {0};
    bool ok;

    sb_addf(&line, "%s%s", *text == '-' ? "set " : "", text);
    ok = command_line_parse_text(cl, sb_text(&line), AT_PROMPT, &a->doc.requested.options, err);
    sb_done(&line);
    return ok;
}

static bool run_line(struct app *a, const char *text)
{
    struct words w = {0};
    struct err err = {0};
    struct command_line cl;
    const struct action *action;
    bool ok = true;

    if (!words_split(text, &w, &err)) {
        app_print_err(a, &err);
        return false;
    }
    action = w.n == 1 ? action_find(w.items[0]) : NULL;
    if (w.n == 0 || set_screen(a, &w) || run_vi(a, &w) || run_report(a, &w) || run_check(a, &w)) {
        ;
    } else if (action && action->contexts & CTX_PANES) {
        action_run(a, action);
    } else if (parse_line(a, &cl, text, &err)) {
        ok = run_parsed(a, &cl);
        command_line_done(&cl);
    } else {
        app_print_err(a, &err);
        ok = false;
    }
    words_done(&w);
    return ok;
}

static void offer_word(const char *word, const char *begin, struct completions *c)
{
    if (strncmp(word, begin, strlen(begin)) != 0)
        return;
    for (size_t i = 0; i < c->matches.n; i++)
        if (strcmp(c->matches.items[i], word) == 0)
            return; /* a command has the name of its action */
    words_add(&c->matches, word);
}

/* Adds names of themes that begin with the second word of TEXT. False if TEXT is not a theme
 * command. */
static bool complete_theme(const char *text, struct completions *c)
{
    static const char command[] = "theme ";

    if (strncmp(text, command, strlen(command)))
        return false;
    c->start = strlen(command);
    c->is_final = true;
    for (const struct theme *theme = theme_table; theme->name; theme++)
        offer_word(theme->name, text + strlen(command), c);
    return true;
}

/* Adds candidates for the first word: actions, and other commands of the screen. */
static void complete_actions(const char *text, struct completions *c)
{
    static const char *const words[] = {"theme", "edit", "quit", "w", "report"};

    if (strchr(text, ' '))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!action_find(words[i]))
            offer_word(words[i], text, c);
    for (const struct action *action = action_table; action->name; action++)
        if (action->contexts & CTX_PANES)
            offer_word(action->name, text, c);
}

/* True when the second word of TEXT is a file name. */
static bool takes_file(const char *text)
{
    static const char *const names[] = {"report ", "report! ", "check ", "edit ", "e ", "w "};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(text, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Adds completions at CARET of TEXT. Options alone complete as after `set`. */
static void complete_text(struct app *a, const char *text, size_t caret, struct completions *c)
{
    static const char set[] = "set ";
    const size_t before = *text == '-' ? strlen(set) : 0;
    struct strbuf line = {0};

    if (takes_file(text)) {
        complete_file(c, text, caret);
        return;
    }
    memset(c, 0, sizeof *c);
    if (complete_theme(text, c))
        return;
    sb_add(&line, set, before);
    sb_adds(&line, text);
    complete_line(c, sb_text(&line), before + caret, AT_PROMPT, a->doc.session
                  ? a->doc.session->profile : NULL);
    c->start -= before;
    sb_done(&line);
    complete_actions(text, c);
}

/* Appends TEXT with the common prefix of the completions C, and shows them. Frees C. */
static bool take_completions(struct app *a, const char *text, struct completions *c, struct strbuf *sb)
{
    const size_t common = completions_common(c);
    const bool ok = c->matches.n && common;

    if (ok) {
        sb_add(sb, text, c->start);
        sb_add(sb, c->matches.items[0], common);
        sb_adds(sb, c->matches.n == 1 && c->is_final ? " " : "");
    }
    if (c->matches.n > 1) {
        struct strbuf list = {0};

        for (size_t i = 0; i < c->matches.n && list.len < 100; i++)
            sb_addf(&list, "%s%s", i ? " " : "", c->matches.items[i]);
        app_print(a, ROLE_DIM, "%s%s", sb_text(&list), list.len >= 100 ? " ..." : "");
        sb_done(&list);
    } else if (!c->matches.n) {
        app_print(a, ROLE_DIM, "no completion");
    }
    completions_done(c);
    return ok;
}

bool complete_path(struct app *a, const char *text, size_t caret, struct strbuf *sb)
{
    struct completions c;

    complete_file(&c, text, caret);
    c.is_final = false;
    return take_completions(a, text, &c, sb);
}

static bool complete_command(struct app *a, const char *text, size_t caret, struct strbuf *sb)
{
    struct completions c;

    complete_text(a, text, caret, &c);
    return take_completions(a, text, &c, sb);
}

static const struct prompt_ops command_prompt = {
    .label = ":",
    .done = run_line,
    .complete = complete_command,
    .keeps_history = true,
};

void cmd_prompt(struct app *a, int kind)
{
    static const struct prompt_ops *const prompts[] = {
        [PROMPT_COMMAND] = &command_prompt, [PROMPT_SHELL] = &shell_prompt,
        [PROMPT_PIPE] = &pipe_prompt,       [PROMPT_EXPLAIN] = &explain_prompt,
        [PROMPT_COVER] = &cover_prompt,     [PROMPT_REPORT] = &report_prompt,
    };

    prompt_open(a, prompts[kind], prompts[kind]->text);
}

/* ---- leaving */

void cmd_redraw(struct app *a, int arg UNUSED)
{
    a->ui.term->ops->redraw(a->ui.term);
}

void cmd_close(struct app *a, int arg UNUSED)
{
    if (a->ui.focus != PANE_TREE && !a->ui.layout.wide)
        a->ui.focus = PANE_TREE;
    else if (picture_displayed(a))
        a->ui.picture = NULL;
    else
        a->ui.quit = true;
}

void cmd_quit(struct app *a, int arg UNUSED)
{
    a->ui.quit = true;
}

void cmd_escape(struct app *a, int arg UNUSED)
{
    const struct picture_ops *picture = picture_displayed(a);
    struct err err = {0};

    if ((task_is_open(a, TASK_LOAD) && (!a->doc.session || a->doc.loader.is_again)) ||
        task_runs(a, TASK_EXPORT)) {
        cmd_interrupt(a, 0);
    } else if (picture && picture->cancel && picture->cancel(a)) {
        ; /* the action has left a state of the picture */
    } else if (a->nav.search.regexes) {
        search_set(&a->nav.search, "", &err);
        err_done(&err);
    } else if (a->ui.focus != PANE_TREE) {
        a->ui.focus = PANE_TREE;
    } else if (picture) {
        a->ui.picture = NULL;
    } else if (task_is_open(a, TASK_LOAD)) {
        cmd_interrupt(a, 0);
    } else {
        app_print(a, ROLE_DIM, "q quits");
    }
}

void cmd_interrupt(struct app *a, int arg UNUSED)
{
    const int64_t now = a->ui.now_us ? a->ui.now_us() : 0;

    if (tasks_cancel(a))
        return;
    if (a->ui.input.interrupted && now - a->ui.input.interrupted_us < FORCE_US) {
        a->ui.status = err_status(ERR_CANCELLED);
        a->ui.quit = true;
        return;
    }
    a->ui.input.interrupted = true;
    a->ui.input.interrupted_us = now;
    app_print(a, ROLE_NOTE, "q quits, ^C again forces");
}

void cmd_suspend(struct app *a, int arg UNUSED)
{
    a->ui.term->ops->suspend(a->ui.term);
}
