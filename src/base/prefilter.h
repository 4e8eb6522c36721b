/* prefilter.h: what a regex demands of a text, found without a regex engine.
 *
 * Most filters people type are ".*part.*".  Those are decided here by looking
 * for bytes, and of most others a part is known that every match contains. */
#ifndef TFPROF_BASE_PREFILTER_H
#define TFPROF_BASE_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>

struct prefilter_part {
    char *bytes;
    size_t len;
    size_t rare; /* index of the byte that names seldom hold: what is looked for */
};

/* The analysis of one regex that must match a whole text. */
struct prefilter {
    /* Literal parts with ".*" between them: all there is to the regex. */
    bool is_whole;
    bool open_start, open_end; /* ".*" before the first, behind the last part */
    struct prefilter_part *parts; /* heap; not empty parts; when is_whole */
    size_t n_parts;
    /* A part that every match contains; bytes NULL: none is known that is rare. */
    struct prefilter_part needed;
    bool needed_is_first; /* the regex begins with it, but for ".*" */
};

enum prefilter_answer { PREFILTER_NO, PREFILTER_YES, PREFILTER_MAYBE };

/* True for ASCII without newlines, all of which "." is.  Of other bytes it
 * depends. */
bool text_is_plain(const char *text, size_t len);

/* Analyses REGEX (LEN bytes); P is freed with prefilter_done(). */
void prefilter_init(struct prefilter *p, const char *regex, size_t len);
void prefilter_done(struct prefilter *p);
/* Whether the regex matches all of TEXT, as far as that can be told. */
enum prefilter_answer prefilter_match(const struct prefilter *p, const char *text, size_t len);
/* False when TEXT, all or a part that a match must lie in, lacks what is needed. */
bool prefilter_has_needed(const struct prefilter *p, const char *text, size_t len);
/* True when every text that NARROW matches is one that WIDE matches; false
 * when that cannot be told. */
bool prefilter_implies(const struct prefilter *narrow, const struct prefilter *wide);

#endif
