/* preview.h: the effect of an option before it is set. */
#pragma once

#include "view/query.h"

struct app;
struct trial;

/* Matches of one regex of a list. */
struct regex_matches {
    size_t n_matches;
    char *first; /* the first match, escaped; NULL: none */
};

/* Effect of an option and matches of its regexes. */
struct preview {
    const struct option *option;
    char *value;
    struct result *result; /* NULL if the query fails */
    struct regex_matches *items;
    size_t n_items;
    size_t n_names; /* names compared; 0: the option is no list of regexes */
    bool gave_up;   /* matching was abandoned as too expensive: the list matches nothing */
};

/* Computes the preview of VALUE for OPTION in the background. */
void preview_request(struct app *a, const struct option *option, const char *value);
void preview_free(struct preview *p); /* NULL is fine */
void trial_done(struct trial *t);
