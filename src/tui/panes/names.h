/* names.h: the names of the rows in the window, cut to the room there is so that siblings can be
 * told apart. */
#ifndef TFPROF_TUI_NAMES_H
#define TFPROF_TUI_NAMES_H

#include "tui/app.h"

struct shown_name {
    struct strbuf full; /* escaped, without what the row above it says already */
    struct strbuf cut;  /* what fits of it */
    bool is_cut;        /* else all of it does */
    int cols;           /* the room */
    row_id parent;      /* that it is displayed under */
    size_t from, to;    /* bytes of full that differ from siblings that look alike; 0, 0: none */
};

/* Zeroed: no names. */
struct shown_names {
    VEC(struct shown_name) v;
};

/* Adds the name of row E, which has COLS. */
void names_add(struct app *a, struct shown_names *names, const struct row_entry *e, int cols);
/* Cuts those that do not fit: in the middle, those of code at the end; where siblings would look
 * alike, so that what differs is seen. */
void names_cut(const struct app *a, struct shown_names *names);
/* Name I as it is drawn. */
const struct strbuf *names_text(const struct shown_names *names, size_t i);
void names_done(struct shown_names *names);

#endif
