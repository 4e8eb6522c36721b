/* lineedit.h: one line of text being edited. */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"
#include "term/canvas.h"

/* A zeroed struct is an empty line. */
struct lineedit {
    struct strbuf text;
    size_t caret; /* byte offset, never within a character */
    bool gives_way; /* the text is a proposal: the first typed character replaces it */
};

enum edit_op {
    EDIT_LEFT,
    EDIT_RIGHT,
    EDIT_HOME,
    EDIT_END,
    EDIT_BACKSPACE,
    EDIT_DELETE,
    EDIT_KILL_WORD, /* the word before the caret */
    EDIT_KILL_LINE, /* everything before the caret */
};

/* Sets the text and moves the caret to its end. */
void lineedit_set(struct lineedit *e, const char *text);
/* Inserts at the caret. Line ends become blanks. */
void lineedit_insert(struct lineedit *e, const char *text, size_t len);
/* Types one character. */
void lineedit_type(struct lineedit *e, uint32_t code);
/* Returns true if the text changed. */
bool lineedit_do(struct lineedit *e, enum edit_op op);
/* Draws the text in COLS columns from ROW, COL, scrolled to the caret, and sets the cursor. */
void lineedit_draw(const struct lineedit *e, struct area a, int row, int col, int cols);
void lineedit_done(struct lineedit *e);
