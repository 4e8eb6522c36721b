/* nav.h: navigation: the rows of each view, cursor, folds, search, places and undo. */
#pragma once

#include "base/vec.h"
#include "tui/rows/rows.h"
#include "tui/rows/search.h"
#include "tui/spec.h"

/* ---- undo.c */

/* A state of the screen. */
struct snapshot {
    struct spec spec;
    bool reverse;
    struct tree *tree;   /* with a reference; NULL before the first result */
    struct folds *folds; /* of that tree */
    row_id cursor;
    size_t top;
};

enum { UNDO_MAX = 500 };
typedef VEC(struct snapshot) snapshot_list;

/* A zeroed struct is empty. */
struct undo {
    snapshot_list past;   /* oldest first */
    snapshot_list future; /* the next one to redo is last */
    struct snapshot pending; /* restored when its result is displayed */
    bool is_pending;
    int n_steps; /* steps from the displayed to the pending state; negative: back */
};

/* ---- places.c: the jump list, marks with a letter, and marked rows */

struct place {
    bool set;
    enum view_id view;
    row_id row;
    node_id node; /* finds the row in another tree */
};

/* An entry of the jump list. */
struct jump {
    struct place place;
    struct snapshot *state; /* state of the screen before drilling down; NULL: the place only */
};

enum { PLACE_LETTERS = 26, PLACES_MAX = 200 };

struct places {
    VEC(struct jump) jumps;
    size_t at; /* index in jumps; jumps.n: after the newest */
    struct place letters[PLACE_LETTERS];
    VEC(struct place) marked;
};

/* ---- */

/* State of the tree pane, one for each view, displayed or not. */
struct view_state {
    struct tree *tree; /* with a reference; NULL: never displayed */
    struct folds *folds;
    row_id cursor;
    size_t top; /* index of the first entry in the window */
    struct rows *rows;
    struct result *kept; /* last result while another view is displayed; NULL: none */
};

/* A change of folds over the whole tree. A task applies it. */
struct fold_wish {
    enum {
        FOLD_WISH_EVERYTHING,
        FOLD_WISH_BELOW, /* `row` and all rows below it */
        FOLD_WISH_LEVEL, /* unfold above `level`, fold from there on */
        FOLD_WISH_NEXT,  /* as FOLD_WISH_LEVEL, one level deeper or less deep */
    } kind;
    bool open; /* false: fold */
    uint32_t level;
    row_id row;
    const struct tree *tree; /* the displayed tree; set by folds_request() */
};

struct nav {
    struct view_state views[VIEW_COUNT];
    struct rows *rows; /* of the displayed view, borrowed */
    size_t cursor;     /* index into rows */
    bool jumped;       /* the cursor jumped since the last drawing: show rows around it */
    bool reverse;      /* siblings in ascending order */

    node_id anchor;    /* node that the cursor follows into other views; NODE_NONE */
    struct place goal; /* destination of the cursor once its view is displayed */
    bool goes_to_hottest;              /* then go to the most expensive row */
    const struct frame *goes_to_frame; /* then go to this frame of the anchor; NULL: none */

    struct fold_wish fold_wish;
    struct search search;
    struct undo undo;
    struct places places;
    size_t zoomed_at; /* position in the jump list when a pane was zoomed */
};
