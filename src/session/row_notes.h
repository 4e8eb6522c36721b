/* row_notes.h: the user's notes on rows of a profile, stored beside its saved state. */
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
    NOTE_PATH_MAX = 64,      /* ancestors of a row of the code view, including itself */
    NOTE_SCREEN_MAX = 65536, /* bytes; later rows are left out */
};

/* A zeroed struct is empty and ready. */
struct row_notes {
    VEC(struct row_note) v; /* oldest first */
};
void row_notes_done(struct row_notes *n);
/* Copies FROM to TO, which is empty. */
void row_notes_copy(struct row_notes *to, const struct row_notes *from);

/* Sets SB to the path of ROW (not the root) in the tree of VIEW: its name, or in the code view the
 * names of its ancestors and its own, outermost first. Names are quoted by words_quote(). False
 * when the row is too deep or a name has a NUL byte. */
bool row_note_path(struct strbuf *sb, const struct tree *t, enum view_id view, row_id row);
/* Returns the row of T (the tree of VIEW) with that path; ROW_NONE: none, or cancelled. */
row_id row_note_row(const struct tree *t, enum view_id view, const char *path,
                    struct cancel_mark cancel);

/* Returns the index of the note on the row PATH of VIEW; n->v.n: none. */
size_t row_notes_find(const struct row_notes *n, enum view_id view, const char *path);
/* Adds NOTE to a row without a note and takes over its contents. False with ERR (usage) when the
 * file would become too large; the caller then keeps NOTE. */
bool row_notes_add(struct row_notes *n, struct row_note *note, struct err *err);
/* Replaces the text of note I by a copy of TEXT; "" removes the note. False as row_notes_add(). */
bool row_notes_set(struct row_notes *n, size_t i, const char *text, struct err *err);

/* Reads the notes of the profile whose state is NAME in DIR (NULL: none). Damaged notes are skipped
 * and counted in NOTES. */
void row_notes_load(struct row_notes *n, const char *dir, const char *name, struct notes *notes);
/* Writes the notes atomically; false with a note. */
bool row_notes_save(const struct row_notes *n, const char *dir, const char *name,
                    struct notes *notes);

/* Appends to LINES the compared values of the root, one line per selected metric, and the notes
 * about the comparison. Appends nothing if R is no comparison. Computes missing figures. */
void row_notes_summary(struct words *lines, struct result *r);
