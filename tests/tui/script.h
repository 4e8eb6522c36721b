/* script.h: runs the application on an in-memory screen driven by keys, without a terminal or
 * waiting. */
#pragma once

#include "tui/app.h"

/* One step: keys in macro notation, a new size, then checks once everything is drawn and no worker
 * is busy. */
struct script_step {
    const char *keys;  /* NULL: none */
    int rows, cols;    /* 0: unchanged */
    const char *paste; /* NULL: none */
    struct { int row, col; } clicks[4]; /* with the left button; ends at 0, 0 */
    const char *golden; /* NULL: not compared */
    const char *shows[8]; /* checked by golden_shows(), up to the first NULL */
    /* NULL: no further check.  STATE is the displayed command line. */
    void (*check)(struct app *a, const struct canvas *c, const char *state);
};

struct script {
    const char *const *args; /* arguments, NULL-terminated; paths relative to the source folder */
    int rows, cols;
    bool ascii; /* every screen must be ASCII */
    const struct script_step *steps;
    size_t n_steps;
    const char *types_ahead; /* keys sent while files are read; NULL: none */
    const char *ends_with; /* keys sent after the last step; NULL: the terminal is hung up */
    bool keeps_state;      /* reads and writes the state in XDG_STATE_HOME */
    bool never_loads;      /* loading fails: no step runs */
};

/* Runs all steps, then quits; returns the exit status. */
int script_run(const struct script *script);

/* Fails when a row of A has no counterpart in the comparison or a figure differs; returns the
 * number of compared figures. */
unsigned script_nothing_differs(const struct app *a);

/* Creates a folder and sets the environment variable VARIABLE to its path until
 * script_folder_remove(VARIABLE); the returned path is valid until then. */
const char *script_folder_make(const char *variable);
void script_folder_remove(const char *variable);

/* Fails unless the cursor of A is on a row named NAME. */
void script_cursor_is_on(const struct app *a, const char *name);

/* The text of row ROW of C without trailing blanks; the caller frees it. */
char *script_row(const struct canvas *c, int row);
/* True when a row of C contains TEXT. */
bool script_shows(const struct canvas *c, const char *text);
