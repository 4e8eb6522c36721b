/* notes.h: the notes on rows as the screen has them. */
#ifndef TFPROF_TUI_NOTES_H
#define TFPROF_TUI_NOTES_H

#include "session/row_notes.h"
#include "tui/tasks/tasks.h"

struct app;

/* A zeroed struct: there are none. */
struct screen_notes {
    struct row_notes rows;
    struct row_note draft; /* on what the prompt is about: all but its text */
    char *goal;            /* path of a row to go to; NULL: none */
    enum view_id goal_view;
};
void screen_notes_done(struct screen_notes *n);

/* The note on ROW of what is seen; NULL: none. */
const struct row_note *note_on_row(const struct app *a, row_id row);
/* Goes to the row of NOTE, in its view; once that is seen, beside the screen. */
void note_go(struct app *a, const struct row_note *note);
/* Writes all notes to FILE by OUTPUT ("markdown", a constant), beside the screen. */
void report_begin(struct app *a, const char *output, const char *file);


#endif
