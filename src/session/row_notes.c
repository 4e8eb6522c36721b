/* row_notes.c: notes on rows, and the file that stores them.
 *
 * The file has lines of words, like the state file: `note VIEW PATH`, then `text`, `command`,
 * and a `screen` line for each row of the screen, with one word each. */
#include "session/row_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "render/row.h"
#include "session/command_line.h"
#include "view/delta.h"

void row_notes_done(struct row_notes *n)
{
    for (size_t i = 0; i < n->v.n; i++)
        row_note_done(&n->v.data[i]);
    vec_done(&n->v);
}

void row_notes_copy(struct row_notes *to, const struct row_notes *from)
{
    vec_each(const struct row_note, note, &from->v) {
        const struct row_note copy = {.view = note->view, .path = xstrdup(note->path),
                                      .name = xstrdup(note->name), .text = xstrdup(note->text),
                                      .command = xstrdup(note->command),
                                      .screen = xstrdup(note->screen)};

        vec_push(&to->v, copy);
    }
}

/* ---- rows and their paths */

static bool add_name(struct strbuf *sb, struct text name)
{
    char *copy = xmemdupz(name.bytes, name.len);
    const bool ok = strlen(copy) == name.len;

    sb_adds(sb, sb->len ? " " : "");
    words_quote(sb, copy);
    free(copy);
    return ok;
}

bool row_note_path(struct strbuf *sb, const struct tree *t, enum view_id view, row_id row)
{
    row_id path[NOTE_PATH_MAX];
    size_t n = 0;
    bool ok = true;

    sb_clear(sb);
    for (row_id up = row; up; up = view == VIEW_CODE ? t->parent[up] : 0) {
        if (n == NOTE_PATH_MAX)
            return false;
        path[n++] = up;
    }
    while (n-- > 0)
        ok = add_name(sb, tree_text(t, path[n])) && ok;
    return ok && row;
}

static bool has_name(const struct tree *t, row_id row, const char *name, size_t len)
{
    const struct text text = tree_text(t, row);

    return text.len == len && memcmp(text.bytes, name, len) == 0;
}

/* Finds the row NAME below PARENT: any descendant, or only a child (CHILDREN). */
static row_id find_below(const struct tree *t, row_id parent, bool children, const char *name,
                         struct cancel_mark cancel)
{
    const size_t len = strlen(name);

    for (row_id row = parent + 1; row < t->end[parent]; row = children ? t->end[row] : row + 1)
        if (has_name(t, row, name, len))
            return row;
        else if (row % 4096 == 0 && cancel_asked(cancel))
            break;
    return ROW_NONE;
}

row_id row_note_row(const struct tree *t, enum view_id view, const char *path,
                    struct cancel_mark cancel)
{
    struct words names;
    struct err err = {0};
    row_id row = 0;

    if (!words_split(path, &names, &err)) {
        err_done(&err);
        return ROW_NONE;
    }
    for (size_t i = 0; i < names.n && row != ROW_NONE; i++)
        row = find_below(t, row, view == VIEW_CODE, names.items[i], cancel);
    words_done(&names);
    return row ? row : ROW_NONE;
}

/* ---- adding and changing */

size_t row_notes_find(const struct row_notes *n, enum view_id view, const char *path)
{
    size_t i = 0;

    while (i < n->v.n && (n->v.data[i].view != view || strcmp(n->v.data[i].path, path) != 0))
        i++;
    return i;
}

static void print_field(struct strbuf *sb, const char *key, const char *text, size_t len)
{
    char *copy = xmemdupz(text, len);

    sb_addf(sb, "%s ", key);
    words_quote(sb, copy);
    sb_addc(sb, '\n');
    free(copy);
}

static void print_note(struct strbuf *sb, const struct row_note *note)
{
    const char *line = note->screen;

    sb_addf(sb, "note %s %s\n", view_names[note->view], note->path);
    print_field(sb, "text", note->text, strlen(note->text));
    print_field(sb, "command", note->command, strlen(note->command));
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        print_field(sb, "screen", line, (size_t)(end - line));
}

static void print_notes(struct strbuf *sb, const struct row_notes *n)
{
    for (size_t i = 0; i < n->v.n; i++)
        print_note(sb, &n->v.data[i]);
}

/* True if the file of N stays within the limits of the reader. */
static bool has_room(const struct row_notes *n, struct err *err)
{
    enum { HEAD_AND_TAIL = 64 };
    struct strbuf text = {0};
    bool ok;

    print_notes(&text, n);
    ok = n->v.n <= ROW_NOTES_MAX && text.len + HEAD_AND_TAIL <= STATE_BYTES_MAX;
    sb_done(&text);
    return ok || err_set(err, ERR_USAGE,
                         "the notes file is full: remove a note (:report writes all notes to a file)");
}

static bool fits(const char *text, struct err *err)
{
    return strlen(text) <= NOTE_TEXT_MAX ||
           err_set(err, ERR_USAGE, "a note has up to %d bytes", NOTE_TEXT_MAX);
}

bool row_notes_add(struct row_notes *n, struct row_note *note, struct err *err)
{
    if (!fits(note->text, err))
        return false;
    vec_push(&n->v, *note);
    if (!has_room(n, err)) {
        n->v.n--;
        return false;
    }
    memset(note, 0, sizeof *note);
    return true;
}

static void remove_note(struct row_notes *n, size_t i)
{
    row_note_done(&n->v.data[i]);
    memmove(n->v.data + i, n->v.data + i + 1, (n->v.n - i - 1) * sizeof *n->v.data);
    n->v.n--;
}

bool row_notes_set(struct row_notes *n, size_t i, const char *text, struct err *err)
{
    char *before = n->v.data[i].text;

    if (!*text) {
        remove_note(n, i);
        return true;
    }
    if (!fits(text, err))
        return false;
    n->v.data[i].text = xstrdup(text);
    if (has_room(n, err)) {
        free(before);
        return true;
    }
    free(n->v.data[i].text);
    n->v.data[i].text = before;
    return false;
}

/* ---- the file */

/* Parser of the notes file; the screen of a note grows line by line. */
struct reader {
    struct row_notes *notes;
    struct row_note note; /* path NULL: no note is open */
    struct strbuf screen;
    size_t n_left_out;
};

/* Adds the open note, unless it is incomplete or exceeds a limit. */
static void end_note(struct reader *r)
{
    struct row_note *note = &r->note;

    if (!note->path)
        return;
    note->screen = xstrdup(sb_text(&r->screen));
    sb_clear(&r->screen);
    if (note->text && *note->text && strlen(note->text) <= NOTE_TEXT_MAX && note->command &&
        r->notes->v.n < ROW_NOTES_MAX &&
        row_notes_find(r->notes, note->view, note->path) == r->notes->v.n) {
        vec_push(&r->notes->v, *note);
    } else {
        row_note_done(note);
        r->n_left_out++;
    }
    memset(note, 0, sizeof *note);
}

static void begin_note(struct reader *r, const struct words *w)
{
    const struct command *command = command_find(w->items[1], AT_PROMPT);
    struct strbuf path = {0};

    if (!command || command->kind != COMMAND_VIEW || command->view >= VIEW_ADVISE) {
        r->n_left_out++;
        return;
    }
    for (size_t i = 2; i < w->n; i++) {
        sb_adds(&path, i > 2 ? " " : "");
        words_quote(&path, w->items[i]);
    }
    r->note.view = command->view;
    r->note.path = sb_take(&path);
    r->note.name = xstrdup(w->items[w->n - 1]);
}

static void set_once(char **field, const char *text)
{
    free(*field);
    *field = xstrdup(text);
}

static void read_words(struct reader *r, const struct words *w)
{
    if (strcmp(w->items[0], "note") == 0) {
        end_note(r);
        if (w->n >= 3 && w->n - 2 <= NOTE_PATH_MAX)
            begin_note(r, w);
        else
            r->n_left_out++;
    } else if (w->n != 2 || !r->note.path) {
        ; /* unknown, or part of a skipped note */
    } else if (strcmp(w->items[0], "text") == 0) {
        set_once(&r->note.text, w->items[1]);
    } else if (strcmp(w->items[0], "command") == 0) {
        set_once(&r->note.command, w->items[1]);
    } else if (strcmp(w->items[0], "screen") == 0 && !strchr(w->items[1], '\n') &&
               r->screen.len + strlen(w->items[1]) < NOTE_SCREEN_MAX) {
        sb_addf(&r->screen, "%s\n", w->items[1]);
    }
}

static void read_line(struct reader *r, const char *line)
{
    struct words w;
    struct err err = {0};

    if (!words_split(line, &w, &err)) {
        err_done(&err);
        return;
    }
    if (w.n)
        read_words(r, &w);
    words_done(&w);
}

void row_notes_load(struct row_notes *n, const char *dir, const char *name, struct notes *notes)
{
    struct strbuf text = {0}, file = {0};
    struct reader r = {.notes = n};

    row_notes_done(n);
    sb_addf(&file, "%s.notes", name);
    if (dir && state_load(dir, sb_text(&file), &text, notes)) {
        char *rest = text.data, *line;

        while ((line = strsep(&rest, "\n")))
            read_line(&r, line);
        end_note(&r);
        if (r.n_left_out)
            note_add(notes, "%s/%s: %zu damaged notes are skipped", dir, sb_text(&file),
                     r.n_left_out);
    }
    EACH(sb_done, &r.screen, &text, &file);
}

bool row_notes_save(const struct row_notes *n, const char *dir, const char *name,
                    struct notes *notes)
{
    struct strbuf text = {0}, file = {0};
    bool ok;

    print_notes(&text, n);
    sb_addf(&file, "%s.notes", name);
    ok = state_save(dir, sb_text(&file), sb_text(&text), text.len, notes);
    EACH(sb_done, &text, &file);
    return ok;
}

/* ---- the comparison in a report of notes */

static void add_figures(struct words *lines, struct result *r)
{
    struct row_printer printer;

    row_printer_init(&printer, r);
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct strbuf line = {0};

        if (!field_in(r->options.select, m))
            continue;
        sb_addf(&line, "%s: ", metrics[m].name);
        render_delta(&line, r, 0, m);
        words_add(lines, sb_text(&line));
        sb_done(&line);
    }
}

void row_notes_summary(struct words *lines, struct result *r)
{
    if (!result_compares(r))
        return;
    add_figures(lines, r);
    for (size_t i = 0; i < r->notes.n; i++)
        words_add(lines, r->notes.data[i].text);
}
