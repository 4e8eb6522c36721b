/* cmd_notes.c: notes on rows. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "term/canvas.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/prompt.h"
#include "tui/places.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"

void screen_notes_done(struct screen_notes *n)
{
    row_notes_done(&n->rows);
    row_note_done(&n->draft);
    free(n->goal);
}

const struct row_note *note_on_row(const struct app *a, row_id row)
{
    const struct row_notes *rows = &a->doc.notes.rows;
    struct strbuf path = {0};
    size_t at = rows->v.n;

    if (rows->v.n && row_note_path(&path, a->doc.result->tree, a->doc.result->view_id, row))
        at = row_notes_find(rows, a->doc.result->view_id, sb_text(&path));
    sb_done(&path);
    return at < rows->v.n ? &rows->v.data[at] : NULL;
}

/* ---- writing a note */

/* The screen as text, cut to the maximum size of a note. */
static char *screen_text(struct app *a)
{
    struct strbuf text = {0};

    app_draw(a); /* held keys have changed the screen */
    for (int row = 0; row < a->ui.canvas.rows; row++) {
        const size_t before = text.len;

        canvas_dump_row(&text, &a->ui.canvas, row);
        sb_addc(&text, '\n');
        if (text.len > NOTE_SCREEN_MAX) {
            sb_truncate(&text, before);
            break;
        }
    }
    return sb_take(&text);
}

static void save_notes(struct app *a, const char *done)
{
    struct notes notes = {0};

    if (!ui_state_dir(a))
        app_print(a, ROLE_NOTE, "%s; not saved: there is no state folder", done);
    else if (ui_state_save_notes(a, &notes))
        app_print(a, ROLE_TEXT, "%s", done);
    else
        app_print(a, ROLE_ERROR, "E: %s", notes.n ? notes.data[0].text : "notes are not saved");
    a->ui.details.result = NULL; /* the details display it */
    notes_done(&notes);
}

static bool take_note(struct app *a, const char *text)
{
    struct row_notes *rows = &a->doc.notes.rows;
    struct row_note *draft = &a->doc.notes.draft;
    const size_t at = row_notes_find(rows, draft->view, draft->path);
    struct err err = {0};
    bool ok = true;

    if (at < rows->v.n) {
        ok = row_notes_set(rows, at, text, &err);
    } else if (*text) {
        free(draft->text);
        draft->text = xstrdup(text);
        ok = row_notes_add(rows, draft, &err);
    } else {
        return true;
    }
    if (ok)
        save_notes(a, *text ? "noted" : "the note is removed");
    else
        app_print_err(a, &err);
    return ok;
}

static const struct prompt_ops note_prompt = {
    .label = "note: ",
    .done = take_note,
};

void cmd_note(struct app *a, int arg UNUSED)
{
    struct row_note *draft = &a->doc.notes.draft;
    const row_id row = app_row(a);
    const struct row_note *there;
    struct strbuf path = {0}, command = {0};

    if (!row_note_path(&path, a->doc.result->tree, a->doc.result->view_id, row)) {
        app_print(a, ROLE_NOTE, row ? "this row's name cannot be written to a file"
                                    : "a row below this one has a note");
        sb_done(&path);
        return;
    }
    there = note_on_row(a, row);
    session_print_command(&command, a->doc.session, a->doc.result->view_id,
                          &a->doc.result->options);
    row_note_done(draft);
    *draft = (struct row_note){
        .view = a->doc.result->view_id,
        .path = sb_take(&path),
        .name = xmemdupz(tree_name(a->doc.result->tree, row),
                         tree_name_len(a->doc.result->tree, row)),
        .command = sb_take(&command),
        .screen = screen_text(a),
    };
    prompt_open(a, &note_prompt, there ? there->text : "");
}

/* ---- the list of notes */

static void go_note(struct app *a, intptr_t i)
{
    places_jump(a);
    note_go(a, &a->doc.notes.rows.v.data[i]);
}

void cmd_notes(struct app *a, int arg UNUSED)
{
    struct menu *m = menu_open(a, "Notes: Enter goes to the row", go_note);

    for (size_t i = 0; i < a->doc.notes.rows.v.n; i++) {
        const struct row_note *note = &a->doc.notes.rows.v.data[i];
        struct strbuf label = {0};

        utf8_escape(&label, note->name, strlen(note->name));
        sb_adds(&label, ": ");
        utf8_escape(&label, note->text, strlen(note->text));
        menu_add(m, (intptr_t)i, sb_text(&label), view_names[note->view]);
        sb_done(&label);
    }
}

/* ---- the report */

static bool ends_with(const char *text, const char *end)
{
    const size_t len = strlen(text), end_len = strlen(end);

    return len > end_len && strcmp(text + len - end_len, end) == 0;
}

bool report_write(struct app *a, const char *file, bool overwrites)
{
    const bool is_html = ends_with(file, ".html") || ends_with(file, ".htm");

    if (!a->doc.result)
        app_print(a, ROLE_NOTE, "no data to write yet");
    else if (!is_html && !ends_with(file, ".md") && !ends_with(file, ".markdown"))
        app_print(a, ROLE_NOTE, "the name of a report must end in .md or .html");
    else if (!overwrites && access(file, F_OK) == 0)
        app_print(a, ROLE_NOTE, "%s exists: :report! FILE writes over it", file);
    else
        report_begin(a, is_html ? "html" : "markdown", file);
    return task_runs(a, TASK_REPORT);
}

static bool take_file(struct app *a, const char *text)
{
    return !*text || report_write(a, text, false);
}

const struct prompt_ops report_prompt = {
    .text = "notes.html",
    .label = "report to: ",
    .done = take_file,
    .complete = complete_path,
};
