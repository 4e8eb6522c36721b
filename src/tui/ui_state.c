/* ui_state.c: the state file of a profile: lines of words. */
#include "tui/ui_state.h"

#include <stdlib.h>
#include <stdio.h>

#include "base/xalloc.h"
#include "session/first_options.h"
#include "session/state.h"
#include "tui/app.h"

struct ui_state {
    char *dir;
    struct strbuf name;
    struct history history;
    bool keep_options; /* no options on the command line */
    struct intern open[VIEW_ADVISE]; /* names of open rows */
    struct layout_choice panes; /* as saved */
    struct words later; /* lines of marks whose nodes are not loaded (yet) */
};

enum { FOLDS_MAX = 1000 }; /* maximum number of saved open rows of a view */

struct ui_state *ui_state_new(const struct command_line *cl)
{
    struct notes notes = {0};
    struct ui_state *k = xcalloc(1, sizeof *k);

    for (int v = 0; v < VIEW_ADVISE; v++)
        intern_init(&k->open[v]);
    k->keep_options = true;
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].stages != STAGE_LOAD && !option_table[i].stands_for &&
            !option_is_default(&cl->options, &option_table[i]))
            k->keep_options = false;
    if (!cl->no_state)
        k->dir = state_dir();
    state_name_for_command(&k->name, cl);
    if (k->dir)
        history_load(&k->history, k->dir, STATE_HISTORY, &notes);
    notes_done(&notes);
    return k;
}

void ui_state_switch_file(struct app *a, const char *file)
{
    struct ui_state *k = a->ui.ui_state;

    if (!k)
        return;
    words_done(&k->later);
    sb_clear(&k->name);
    state_name(&k->name, &file, 1);
    ui_state_restore_notes(a);
}

void ui_state_free(struct ui_state *k)
{
    if (!k)
        return;
    for (int v = 0; v < VIEW_ADVISE; v++)
        intern_done(&k->open[v]);
    words_done(&k->later);
    free(k->dir);
    sb_done(&k->name);
    history_done(&k->history);
    free(k);
}

/* The tree view called NAME, or VIEW_ADVISE. */
static enum view_id view_named(const char *name)
{
    const struct command *command = command_find(name, AT_PROMPT);

    return command && command->kind == COMMAND_VIEW ? command->view : VIEW_ADVISE;
}

/* Restores "mark a scope NAME". A line whose row is missing is kept for later. A mark that was
 * set meanwhile is kept. */
static void restore_mark(struct app *a, const struct words *w, const char *line)
{
    const node_id node = profile_find(a->doc.session->profile, w->items[3], strlen(w->items[3]));
    const enum view_id view = view_named(w->items[2]);
    const char letter = w->items[1][0];
    struct place *place;

    if (view >= VIEW_ADVISE || letter < 'a' || letter > 'z')
        return;
    place = &a->nav.places.letters[letter - 'a'];
    if (node == NODE_NONE)
        words_add(&a->ui.ui_state->later, line);
    else if (!place->set)
        *place = (struct place){.set = true, .view = view, .node = node};
}

/* Restores "open scope NAME". */
static void restore_open(struct app *a, const struct words *w)
{
    const enum view_id view = view_named(w->items[1]);

    if (view < VIEW_ADVISE)
        intern_put(&a->ui.ui_state->open[view], w->items[2], strlen(w->items[2]));
}

bool ui_state_has_folds(const struct app *a, enum view_id view)
{
    return a->ui.ui_state->open[view].n > 1; /* "" is always present */
}

void ui_state_open_folds(struct app *a, enum view_id view, const struct tree *t, struct folds *folds)
{
    const struct intern *names = &a->ui.ui_state->open[view];

    if (!ui_state_has_folds(a, view))
        return;
    for (row_id row = 1; row < t->n_rows; row++)
        if (intern_find(names, tree_name(t, row), tree_name_len(t, row)) != STRID_NONE)
            folds_set(folds, row, true);
}

static void restore_line(struct app *a, const char *line)
{
    struct words w = {0};
    struct err err = {0};

    if (!words_split(line, &w, &err)) {
        ; /* unknown lines are ignored */
    } else if (w.n == 4 && strcmp(w.items[0], "mark") == 0) {
        restore_mark(a, &w, line);
    } else if (w.n == 3 && strcmp(w.items[0], "open") == 0) {
        restore_open(a, &w);
    } else if (w.n >= 1 && a->ui.ui_state->keep_options && view_named(w.items[0]) < VIEW_ADVISE) {
        struct command_line cl;

        if (command_line_parse_text(&cl, line, AT_PROMPT, &a->doc.requested.options, &err)) {
            app_try(a, cl.command->view, &cl.options);
            command_line_done(&cl);
            if (options_changed_stages(&a->doc.requested.options, &a->doc.loader.suited))
                app_print(a, ROLE_NOTE,
                          "options restored; :reset-options sets the defaults");
        }
    }
    err_done(&err);
    words_done(&w);
}

void ui_state_restore_notes(struct app *a)
{
    const struct ui_state *k = a->ui.ui_state;
    struct notes notes = {0};

    row_notes_load(&a->doc.notes.rows, k->dir, sb_text(&k->name), &notes);
    app_print_notes(a, &notes);
}

bool ui_state_save_notes(const struct app *a, struct notes *notes)
{
    const struct ui_state *k = a->ui.ui_state;

    return row_notes_save(&a->doc.notes.rows, k->dir, sb_text(&k->name), notes);
}

void ui_state_restore(struct app *a)
{
    struct notes notes = {0};
    struct strbuf text = {0};

    if (a->ui.ui_state->dir &&
        state_load(a->ui.ui_state->dir, sb_text(&a->ui.ui_state->name), &text, &notes)) {
        char *rest = text.data, *line;

        while ((line = strsep(&rest, "\n")))
            if (*line)
                restore_line(a, line);
    }
    app_print_notes(a, &notes);
    sb_done(&text);
    ui_state_restore_notes(a);
}

void ui_state_restore_marks(struct app *a)
{
    struct words lines = a->ui.ui_state->later;

    memset(&a->ui.ui_state->later, 0, sizeof a->ui.ui_state->later);
    for (size_t i = 0; i < lines.n; i++)
        restore_line(a, lines.items[i]);
    words_done(&lines);
}

/* Appends the options of the query as a prompt line, without inputs. */
static void save_command(struct app *a, struct strbuf *sb)
{
    const struct options *o = &a->doc.requested.options;

    sb_adds(sb,
            view_names[a->doc.requested.view < VIEW_ADVISE ? a->doc.requested.view : VIEW_SCOPE]);
    array_each(const struct option, opt, option_table, option_table_n) {
        struct strbuf value = {0};

        if (opt->stages == STAGE_LOAD || opt->stands_for ||
            (option_is_default(o, opt) && !option_depends_on_profile(opt)))
            continue;
        option_print(&value, o, opt);
        sb_addf(sb, " -%s ", opt->name);
        words_quote(sb, sb_text(&value));
        sb_done(&value);
    }
    sb_addc(sb, '\n');
}

static void save_folds(struct app *a, struct strbuf *sb)
{
    for (int v = 0; v < VIEW_ADVISE; v++) {
        const struct view_state *state = &a->nav.views[v];
        size_t n = 0;

        for (row_id row = 1; state->tree && row < state->tree->n_rows && n < FOLDS_MAX; row++) {
            const struct text name = tree_text(state->tree, row);
            struct strbuf whole = {0};

            if (!folds_is_open(state->folds, row) || memchr(name.bytes, 0, name.len))
                continue;
            sb_add(&whole, name.bytes, name.len);
            sb_addf(sb, "open %s ", view_names[v]);
            words_quote(sb, sb_text(&whole));
            sb_addc(sb, '\n');
            sb_done(&whole);
            n++;
        }
    }
}

/* file of "side 44", "zoomed" */
static const char panes_name[] = "panes";

void ui_state_restore_panes(struct app *a)
{
    struct notes notes = {0};
    struct strbuf text = {0};
    int cols = 0;

    a->nav.zoomed_at = SIZE_MAX;
    if (a->ui.ui_state->dir && state_load(a->ui.ui_state->dir, panes_name, &text, &notes)) {
        if (sscanf(sb_text(&text), "side %4d", &cols) == 1 && cols > 0)
            a->ui.layout_choice.side_cols = cols;
        a->ui.layout_choice.zoomed = strstr(sb_text(&text), "zoomed\n") != NULL;
    }
    a->ui.ui_state->panes = a->ui.layout_choice;
    notes_done(&notes);
    sb_done(&text);
}

static void save_panes(struct app *a)
{
    const struct layout_choice now = a->ui.layout_choice, before = a->ui.ui_state->panes;
    struct notes notes = {0};
    struct strbuf text = {0};

    if (now.side_cols == before.side_cols && now.zoomed == before.zoomed)
        return;
    if (now.side_cols)
        sb_addf(&text, "side %d\n", now.side_cols);
    sb_adds(&text, now.zoomed ? "zoomed\n" : "");
    state_save(a->ui.ui_state->dir, panes_name, sb_text(&text), text.len, &notes);
    notes_done(&notes);
    sb_done(&text);
}

void ui_state_save(struct app *a)
{
    struct notes notes = {0};
    struct strbuf text = {0};
    const struct profile *p;

    if (!a->ui.ui_state->dir || !a->doc.session)
        return;
    p = a->doc.session->profile;
    save_panes(a);
    save_command(a, &text);
    save_folds(a, &text);
    for (int i = 0; i < PLACE_LETTERS; i++) {
        const struct place *place = &a->nav.places.letters[i];

        if (!place->set || place->node == NODE_NONE)
            continue;
        sb_addf(&text, "mark %c %s ", 'a' + i, view_names[place->view]);
        words_quote(&text, profile_text(p, p->name[place->node]));
        sb_addc(&text, '\n');
    }
    for (size_t i = 0; a->doc.loader.is_part && i < a->ui.ui_state->later.n; i++)
        sb_addf(&text, "%s\n", a->ui.ui_state->later.items[i]);
    state_save(a->ui.ui_state->dir, sb_text(&a->ui.ui_state->name), sb_text(&text), text.len,
               &notes);
    notes_done(&notes);
    sb_done(&text);
}

void ui_state_remember(struct app *a, const char *line)
{
    struct notes notes = {0};

    history_add(&a->ui.ui_state->history, line, a->ui.ui_state->dir, STATE_HISTORY, &notes);
    notes_done(&notes);
}

const char *ui_state_history(struct app *a, size_t back)
{
    const size_t n = a->ui.ui_state->history.lines.n;

    return back >= 1 && back <= n ? a->ui.ui_state->history.lines.data[n - back] : NULL;
}

const char *ui_state_dir(const struct app *a)
{
    return a->ui.ui_state->dir;
}
