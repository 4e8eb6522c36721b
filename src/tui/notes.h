/* notes.h: the user's notes on rows. */
#pragma once

#include "session/row_notes.h"

struct app;

/* A zeroed struct has no notes. */
struct screen_notes {
    struct row_notes rows;
    struct row_note draft; /* the note that is being written, without its text */
    char *goal;            /* path of the row to go to; NULL: none */
    enum view_id goal_view;
};
void screen_notes_done(struct screen_notes *n);

/* The note on ROW of the displayed result; NULL: none. */
const struct row_note *note_on_row(const struct app *a, row_id row);
/* Shows the view of NOTE and moves the cursor to its row in the background. */
void note_go(struct app *a, const struct row_note *note);
/* Writes all notes to FILE in the background. OUTPUT ("markdown") is a constant. */
void report_begin(struct app *a, const char *output, const char *file);
