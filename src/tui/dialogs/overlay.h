/* overlay.h: menus, prompts, texts and dialogs over the panes. They form a stack; the top one
 * receives keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/canvas.h"
#include "tui/dialogs/lineedit.h"
#include "tui/move.h"

struct app;
struct overlay;

/* Actions that the footer offers only in some overlays or states. */
enum overlay_offer { OFFER_TICK = 1, OFFER_COMPLETE = 2, OFFER_CLEAR = 4, OFFER_LINK = 8 };

/* Operations of a kind of overlay; NULL: not supported. */
struct overlay_ops {
    const char *mode;  /* mode in the status row: "EDIT" */
    unsigned context;  /* one enum context bit, whose keys apply */
    void (*draw)(struct overlay *o, struct app *a, struct area screen);
    void (*move)(struct overlay *o, struct app *a, enum move move);
    void (*accept)(struct overlay *o, struct app *a);
    /* Called by Esc and q before the overlay is closed. */
    void (*cancel)(struct overlay *o, struct app *a);
    /* The line that receives typed characters; may return NULL. */
    struct lineedit *(*edit)(struct overlay *o);
    void (*edited)(struct overlay *o, struct app *a);
    void (*complete)(struct overlay *o, struct app *a);
    void (*history)(struct overlay *o, struct app *a, int direction); /* -1 older */
    void (*toggle)(struct overlay *o, struct app *a);                 /* Space */
    void (*field)(struct overlay *o, struct app *a, int direction);   /* Tab */
    void (*adjust)(struct overlay *o, struct app *a, int direction);  /* Left, Right */
    /* Number of entries of a list. */
    size_t (*n_entries)(const struct overlay *o);
    /* True when entry I contains NEEDLE. NULL: `/` does not search the list. */
    bool (*entry_has)(const struct overlay *o, size_t i, const char *needle);
    /* Selects entry I. NULL: only `at` changes. */
    void (*entry_go)(struct overlay *o, struct app *a, size_t i);
    /* Appends the text of entry I. */
    void (*entry_text)(const struct overlay *o, size_t i, struct strbuf *sb);
    /* Bits of enum overlay_offer that are unavailable now; NULL: none. */
    unsigned (*idle)(const struct overlay *o);
    /* Receives a key without an action. True if it was used. */
    bool (*key)(struct overlay *o, struct app *a, uint32_t key);
    void (*click)(struct overlay *o, struct app *a, int row, int col);
    /* Frees what the overlay owns. */
    void (*done)(struct overlay *o);
};

/* The first member of every overlay. */
struct overlay {
    const struct overlay_ops *ops;
    struct overlay *below;
    /* ---- of overlays with a list */
    char *needle;   /* last text searched for in it, heap; NULL: none */
    size_t at, top; /* selected entry, and first one in the window */
    int page, first_row; /* rows of the window and its first row on the screen, at the last drawing */
};

/* Pushes a zeroed overlay of BYTES, which A owns. */
void *overlay_open(struct app *a, const struct overlay_ops *ops, size_t bytes);
/* Removes and frees O if it is on the stack. */
void overlay_remove(struct app *a, struct overlay *o);

/* Scrolls the list of O, drawn in BOX, so that entry AT is visible. */
void overlay_scroll(struct overlay *o, struct area box, size_t at);
/* Moves in the list of O. */
void overlay_move(struct overlay *o, struct app *a, enum move move);
/* Sets *AT to the entry in row ROW of the screen. False: there is none. */
bool overlay_entry_at(const struct overlay *o, int row, size_t *at);

/* True when the top overlay supports OFFER now. */
bool overlay_offers(const struct app *a, enum overlay_offer offer);

/* Draws a frame with TITLE in the middle of SCREEN, ROWS x COLS inside, cut to fit; its inside. */
struct area overlay_box(struct area screen, int rows, int cols, const char *title);
/* Marks in the lower border of BOX, an overlay_box() of SCREEN, that more lines follow. */
void overlay_draw_more(struct area screen, struct area box);
