/* overlay.h: what lies over the panes: menus, prompts, texts, dialogs.  They
 * stack; the top one has the keys. */
#ifndef TFPROF_TUI_OVERLAY_H
#define TFPROF_TUI_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/canvas.h"
#include "tui/dialogs/lineedit.h"
#include "term/term.h"

struct app;
struct overlay;

enum move {
    MOVE_UP,
    MOVE_DOWN,
    MOVE_PAGE_UP,
    MOVE_PAGE_DOWN,
    MOVE_HALF_UP,
    MOVE_HALF_DOWN,
    MOVE_FIRST,
    MOVE_LAST,
};

/* Where a movement over N entries leads from AT; PAGE entries are seen. */
size_t move_index(enum move move, size_t at, size_t n, int page);
/* The first entry to draw so that AT is among PAGE of N, changing TOP as
 * little as possible. */
size_t scroll_to(size_t top, size_t at, size_t n, int page);

/* What the footer offers in some overlays and not, or not now, in others. */
enum overlay_offer { OFFER_TICK = 1, OFFER_COMPLETE = 2, OFFER_CLEAR = 4 };

/* Entries of a list, and the one under the cursor. */
struct overlay_list {
    size_t n, at;
};

/* What an overlay kind can do; NULL: not that.  `free` frees the overlay. */
struct overlay_ops {
    const char *mode;  /* a word for the status row: "EDIT" */
    unsigned context;  /* one enum context bit: whose keys it has */
    void (*draw)(struct overlay *o, struct app *a, struct area screen);
    void (*move)(struct overlay *o, struct app *a, enum move move);
    void (*accept)(struct overlay *o, struct app *a);
    /* Esc and q, before the overlay goes. */
    void (*cancel)(struct overlay *o, struct app *a);
    /* The line that typed characters go to; may give NULL. */
    struct lineedit *(*edit)(struct overlay *o);
    void (*edited)(struct overlay *o, struct app *a);
    void (*complete)(struct overlay *o, struct app *a);
    void (*history)(struct overlay *o, struct app *a, int direction); /* -1 older */
    void (*toggle)(struct overlay *o, struct app *a);                 /* Space */
    void (*field)(struct overlay *o, struct app *a, int direction);   /* Tab */
    void (*adjust)(struct overlay *o, struct app *a, int direction);  /* Left, Right */
    /* The entries that / searches, NULL: none; whether the I-th has NEEDLE, and going there. */
    struct overlay_list (*list)(const struct overlay *o, const struct app *a);
    bool (*entry_has)(const struct overlay *o, size_t i, const char *needle);
    void (*entry_go)(struct overlay *o, struct app *a, size_t i);
    void (*reset)(struct overlay *o, struct app *a);                  /* x */
    /* The enum overlay_offer bits whose keys do nothing (else) now; NULL: none. */
    unsigned (*idle)(const struct overlay *o);
    /* A key that no action took; true when used. */
    bool (*key)(struct overlay *o, struct app *a, uint32_t key);
    void (*click)(struct overlay *o, struct app *a, int row, int col);
    void (*free)(struct overlay *o);
};

/* Embedded first in every overlay. */
struct overlay {
    const struct overlay_ops *ops;
    struct overlay *below;
    char *needle; /* what its list was searched for, heap; NULL: nothing */
};

/* Puts O on top; A owns it. */
void overlay_push(struct app *a, struct overlay *o);
/* Frees the top one. */
void overlay_pop(struct app *a);
/* Frees O, wherever it lies, if it is there. */
void overlay_remove(struct app *a, struct overlay *o);

/* True when the top overlay has a use for OFFER now. */
bool overlay_offers(const struct app *a, enum overlay_offer offer);

/* A frame with TITLE in the middle of SCREEN for ROWS x COLS inside (cut to
 * what fits); returns the inside. */
struct area overlay_box(struct area screen, int rows, int cols, const char *title);

#endif
