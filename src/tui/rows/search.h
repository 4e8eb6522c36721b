/* search.h: the regex of the search and the rows that it matches. */
#pragma once

#include "base/regex/regexes.h"
#include "tui/rows/rowmap.h"

/* Actions when the matches arrive. */
enum search_then {
    SEARCH_LOOK = 1,  /* show the first one while the regex is typed */
    SEARCH_SAY = 2,   /* typing has ended: report the number of matches */
    SEARCH_NEXT = 4,
    SEARCH_PREVIOUS = 8,
};

/* A zeroed struct has no search. */
struct search {
    struct strbuf text;      /* as typed */
    struct strbuf last;      /* last accepted search; empty: none */
    struct regexes *regexes; /* NULL: none, or invalid */
    uint32_t *before; /* see query_count_matches(); includes folded rows */
    struct result *result; /* result of `before`; NULL: not known yet */
    uint8_t *strings;      /* by string of the profile: 1 when it matches; NULL: not known */
    uint32_t generation;   /* another one for each value of `strings` */
    unsigned then; /* enum search_then bits */
    row_id from;         /* row at the start of the search */
    struct tree *tree;   /* tree at the start, with a reference */
    struct folds *folds; /* folds at the start; NULL: no search yet */
};

/* Sets the search to TEXT, a regex for part of a name; "" ends the search. False with ERR if it
 * is invalid. TASK_SEARCH finds the matches. */
bool search_set(struct search *s, const char *text, struct err *err);
/* Appends the regex list that matching names match. */
void search_list(const struct search *s, struct strbuf *sb);
/* Sets the matches of R to BEFORE, and of its profile's strings to STRINGS or NULL (heap, given). */
void search_set_matches(struct search *s, struct result *r, uint32_t *before, uint8_t *strings);
/* Forgets the matches. */
void search_forget(struct search *s);
/* True when the matches of R are known. */
bool search_is_known(const struct search *s, const struct result *r);
/* Number of matches, which must be known. */
uint32_t search_count(const struct search *s);
/* The number, from 1, of ROW among the matches in display order; 0: no match. The matches must be
 * known. REVERSE: siblings are displayed from the last one. */
uint32_t search_number(const struct search *s, row_id row, bool reverse);
/* True when the name of ROW of R matches. */
bool search_matches(const struct search *s, const struct result *r, row_id row);
/* The match after ROW (before it if DIRECTION < 0) in display order, including folded rows;
 * ROW_NONE if there is none. Sets *WRAPPED if the search passed the end. The matches must be
 * known. */
row_id search_next(const struct search *s, row_id row, int direction, bool reverse, bool *wrapped);
/* Maps the start of the search by MAPS [VIEW_COUNT]. */
void search_remap(struct search *s, const struct rowmap *maps);
void search_done(struct search *s);

/* Appends the regex list for a typed filter. A plain word matches any part of a name; other text is
 * a list of regexes for whole names. */
void search_typed_regexes(struct strbuf *sb, const char *text);
