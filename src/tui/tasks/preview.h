/* preview.h: what an option would do, tried before it is set. */
#ifndef TFPROF_TUI_PREVIEW_H
#define TFPROF_TUI_PREVIEW_H

#include "view/query.h"

struct app;

/* How one regex of a list fares. */
struct coach_item {
    size_t n_matches;
    char *first; /* the first match, escaped; NULL: none */
};

/* What an option would do, and how its regexes match. */
struct preview {
    const struct option *option;
    char *value;
    struct result *result; /* NULL when it cannot be */
    struct coach_item *items;
    size_t n_items;
    size_t n_names; /* names looked at; 0: the option is no list of regexes */
    bool gave_up;   /* they were too much work for the list, which matches nothing */
};

/* A zeroed struct: nothing was tried. */
struct trial {
    struct preview *preview; /* the newest; NULL: none */
    const struct option *option; /* to be tried */
    char *value;
};

/* Tries VALUE for OPTION; what comes of it is a->trial.preview. */
void preview_want(struct app *a, const struct option *option, const char *value);
void preview_free(struct preview *p); /* NULL is fine */
void trial_done(struct trial *t);

#endif
