/* glob.h: what a regex demands of a text, found without a regex engine.
 *
 * Most filters people type are ".*part.*".  Those are decided here by looking
 * for bytes, and of most others a part is known that every match contains. */
#ifndef TFPROF_BASE_GLOB_H
#define TFPROF_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

struct glob_part {
    char *bytes;
    size_t len;
    size_t rare; /* index of the byte that names seldom hold: what is looked for */
};

/* The analysis of one regex that must match a whole text. */
struct glob {
    /* Literal parts with ".*" between them: all there is to the regex. */
    bool is_whole;
    bool open_start, open_end; /* ".*" before the first, behind the last part */
    struct glob_part *parts;   /* heap; not empty parts; when is_whole */
    size_t n_parts;
    /* A part that every match contains; bytes NULL: none is known. */
    struct glob_part needed;
};

enum glob_answer { GLOB_NO, GLOB_YES, GLOB_MAYBE };

/* True for ASCII without newlines, all of which "." is.  Of other bytes it
 * depends. */
bool glob_is_plain(const char *text, size_t len);

/* Analyses REGEX (LEN bytes); GLOB is freed with glob_done(). */
void glob_init(struct glob *glob, const char *regex, size_t len);
void glob_done(struct glob *glob);
/* Whether the regex matches all of TEXT, as far as that can be told. */
enum glob_answer glob_match(const struct glob *glob, const char *text, size_t len);
/* True when every text that NARROW matches is one that WIDE matches; false
 * when that cannot be told. */
bool glob_implies(const struct glob *narrow, const struct glob *wide);

#endif
