/* script.h: the screen in memory, driven by keys: no terminal, no waiting. */
#ifndef TFPROF_TESTS_SCRIPT_H
#define TFPROF_TESTS_SCRIPT_H

#include "tui/app.h"

/* One step: keys in macro notation, a new size, then what must be seen once
 * everything is drawn and no worker is busy. */
struct script_step {
    const char *keys;  /* NULL: none */
    int rows, cols;    /* 0: as it was */
    const char *paste; /* NULL: none */
    struct { int row, col; } clicks[4]; /* with the left button; up to 0, 0 */
    const char *golden; /* NULL: not compared */
    const char *shows[8]; /* what golden_shows() checks, up to the first NULL */
    /* NULL: nothing more to check.  STATE is the command line shown. */
    void (*check)(struct app *a, const struct canvas *c, const char *state);
};

struct script {
    const char *const *args; /* of the program, NULL-terminated; paths from the source folder */
    int rows, cols;
    bool ascii; /* every screen must be ASCII */
    const struct script_step *steps;
    size_t n_steps;
    const char *types_ahead; /* keys while the files are read; NULL: none */
    const char *ends_with; /* keys after the last step; NULL: the terminal goes */
    bool keeps_state;      /* reads and writes the state in XDG_STATE_HOME */
    bool never_loads;      /* the files are bad: there is no step */
};

/* Runs all steps, then quits.  Returns the exit status. */
int script_run(const struct script *script);

/* Fails where the row of A differs in a figure from what it is compared with, or is not
 * there; returns how many figures were compared. */
unsigned script_nothing_differs(const struct app *a);

/* Makes a folder that the environment's VARIABLE names until script_folder_remove(VARIABLE); its
 * path, valid as long. */
const char *script_folder_make(const char *variable);
void script_folder_remove(const char *variable);

/* Fails when the cursor of A is on a row of another name. */
void script_cursor_is_on(const struct app *a, const char *name);

/* Text of ROW of C, blanks at the end cut; the caller frees it. */
char *script_row(const struct canvas *c, int row);
/* True when some row of C holds TEXT. */
bool script_shows(const struct canvas *c, const char *text);

#endif
