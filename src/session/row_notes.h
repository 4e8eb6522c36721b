/* row_notes.h: what a person has written on rows of a profile, kept beside its saved state. */
#pragma once

#include "base/cancel.h"
#include "base/vec.h"
#include "export/note_report.h"
#include "session/state.h"
#include "session/words.h"
#include "view/build/tree.h"
#include "view/query.h"

enum {
    ROW_NOTES_MAX = 200,
    NOTE_TEXT_MAX = 4000,    /* bytes of a note */
    NOTE_PATH_MAX = 64,      /* rows above a row of the code view, itself included */
    NOTE_SCREEN_MAX = 65536, /* bytes; more rows are left out */
};

/* A zeroed struct is empty and ready. */
struct row_notes {
    VEC(struct row_note) v; /* oldest first */
};
void row_notes_done(struct row_notes *n);
/* Makes TO, which is empty, the same as FROM. */
void row_notes_copy(struct row_notes *to, const struct row_notes *from);

/* Makes SB the path of ROW (not the root) in the tree of VIEW: its name; in the code view, where
 * several rows have one name, those of the rows above it too, the outermost first.  Each is quoted
 * as words_quote() does.  False when it is too deep, or a name holds a NUL byte. */
bool row_note_path(struct strbuf *sb, const struct tree *t, enum view_id view, row_id row);
/* The row of T, a tree of VIEW, with that path; ROW_NONE when there is none, or CANCEL was asked. */
row_id row_note_row(const struct tree *t, enum view_id view, const char *path,
                    struct cancel_mark cancel);

/* The place of the note on the row of VIEW with PATH in N; n->v.n when it has none. */
size_t row_notes_at(const struct row_notes *n, enum view_id view, const char *path);
/* Adds NOTE (given, emptied) on a row that has none; false with ERR (usage) when there is no room
 * for it in the file: NOTE is the caller's then. */
bool row_notes_add(struct row_notes *n, struct row_note *note, struct err *err);
/* Gives note I the text TEXT (copied); "" removes the note.  False as row_notes_add(). */
bool row_notes_set(struct row_notes *n, size_t i, const char *text, struct err *err);

/* Reads the notes of the profile whose state is called NAME in DIR (NULL: there are none) into N;
 * what is damaged is left out and noted. */
void row_notes_load(struct row_notes *n, const char *dir, const char *name, struct notes *notes);
/* Writes them, whole or not at all; false with a note. */
bool row_notes_save(const struct row_notes *n, const char *dir, const char *name,
                    struct notes *notes);

/* Adds to LINES what R compares, one line for each selected figure of the root, and what is noted
 * of the comparison; nothing when R compares nothing.  Makes figures that are missing. */
void note_summary(struct words *lines, struct result *r);
