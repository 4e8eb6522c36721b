/* names.h: names of the rows in the window, cut to fit so that siblings stay distinguishable. */
#pragma once

#include "tui/app.h"

struct shown_name {
    struct strbuf full; /* escaped, without the part that the parent's row displays */
    struct strbuf cut;  /* the part that fits */
    bool is_cut;        /* false: the whole name fits */
    int cols;           /* available columns */
    row_id parent;      /* displayed parent */
    size_t from, to;    /* bytes of full that differ from similar siblings; 0, 0: none */
};

/* Zeroed: no names. */
struct shown_names {
    VEC(struct shown_name) v;
};

/* Adds the name of row E, which has COLS columns. */
void names_add(struct doc *doc, struct shown_names *names, const struct row_entry *e, int cols);
/* Cuts names that do not fit: frames at the end, others in the middle, or around the part in
 * which siblings differ. */
void names_cut(const struct doc *doc, struct shown_names *names);
/* Name I for display. */
const struct strbuf *names_text(const struct shown_names *names, size_t i);
void names_done(struct shown_names *names);
