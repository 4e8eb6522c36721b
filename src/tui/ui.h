/* ui.h: terminal, layout, panes, overlays, messages and the state of the input. */
#pragma once

#include "base/vec.h"
#include "term/term.h"
#include "tui/layout.h"
#include "tui/lines.h"
#include "tui/picture_state.h"

struct action;
struct keymap;
struct overlay;
struct picture_ops;
struct ui_state;

enum pane_id { PANE_TREE, PANE_DETAILS, PANE_OPTIONS, PANE_COUNT };

/* The details pane: lines about one row of one result. */
struct details {
    struct lines lines;
    const struct result *result;
    row_id row;
    int cols;
    size_t at, top;
    int page; /* visible lines at the last drawing */
};

/* Cells that run something when they are clicked. */
struct hit {
    int row, left, cols;
    const struct action *action; /* NULL: order by ARG, a value of -order_by */
    int arg;
    void (*call)(struct app *a, int arg); /* NULL: run `action` */
};

/* A message in the status row. The next key clears it. */
struct message {
    struct strbuf text;
    enum role role;
};

/* State of keys and clicks in the event loop. */
struct ui_input {
    VEC(uint32_t) ahead;    /* keys that wait for the first result, or for a table */
    bool replays;           /* the held keys are being replayed */
    int pressed_col; /* column where the left button was pressed in the tree; -1: not pressed */
    int last_click_row;     /* row of the tree; -1: none */
    int64_t interrupted_us; /* time of the last ^C while no task ran; 0: none */
    bool interrupted;       /* the last key was ^C while no task ran */
    bool sync_wanted;       /* a test waits until all tasks have ended and the screen is drawn */
    bool sync_early;        /* the test does not wait for background tasks */
    bool idle;              /* no key was typed for IDLE_MS */
};

/* How the tree is displayed. */
struct tree_style {
    int column_shift; /* number of columns scrolled out after the first one */
    bool percent_of_parent;
    bool dim; /* the result does not match the text that is typed */
};

struct ui {
    struct term *term; /* owned, as are all members unless stated otherwise */
    struct canvas canvas;
    struct layout layout;
    struct layout_choice layout_choice;
    struct keymap *keymap;
    const struct theme *theme; /* a constant */
    bool theme_is_guess;       /* the user has not chosen a theme */
    int64_t asked_us;          /* time of the query for the terminal's background */
    int64_t (*now_us)(void);   /* NULL: no clock, times are not displayed (tests) */
    VEC(struct hit) hits;      /* since the last drawing */
    bool mouse_on;
    bool is_drawn; /* the screen is up to date */

    enum pane_id focus;
    struct tree_style tree;
    struct details details;
    size_t option_at;         /* index of a row of the options pane */
    const struct picture_ops *picture; /* displayed instead of the tree; NULL: none */
    struct flame_pane flame_graph;
    struct memory_pane memory;
    struct timeline_pane timeline;
    struct roofline_pane roofline;
    struct table_pane table;

    struct overlay *top;
    struct message message;
    struct ui_input input;
    struct ui_state *ui_state;

    bool quit;
    int status; /* exit status of the program */
    int signal; /* signal that ended the screen; 0: none */
};
