/* prefilter.h: decides simple regexes by substring search.
 *
 * Most filters that users type have the form ".*part.*" and are decided by substring search alone.
 * For most others, a literal is known that every match contains. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct prefilter_part {
    char *bytes;
    size_t len;
    size_t rare; /* index of its rarest byte, which is searched first */
};

/* Analysis of a regex that must match a whole text. */
struct prefilter {
    /* The regex consists of literals separated by ".*" only. */
    bool is_whole;
    bool open_start, open_end; /* ".*" before the first part, after the last part */
    struct prefilter_part *parts; /* heap; non-empty parts if is_whole */
    size_t n_parts;
    /* A literal that every match contains. BYTES is NULL if none is known or it would be too
     * common. */
    struct prefilter_part needed;
    bool needed_is_first; /* the regex begins with it, or with ".*" and it */
};

enum prefilter_answer { PREFILTER_NO, PREFILTER_YES, PREFILTER_MAYBE };

/* True if TEXT is ASCII without newlines. Then "." matches each of its bytes. */
bool text_is_plain(const char *text, size_t len);

/* Analyses REGEX (LEN bytes). Free P with prefilter_done(). */
void prefilter_init(struct prefilter *p, const char *regex, size_t len);
void prefilter_done(struct prefilter *p);
/* Decides whether the regex matches all of TEXT, if the prefilter can. */
enum prefilter_answer prefilter_match(const struct prefilter *p, const char *text, size_t len);
/* False if TEXT does not contain the literal that every match contains. */
bool prefilter_has_needed(const struct prefilter *p, const char *text, size_t len);
/* True if every text that NARROW matches is matched by WIDE. False if that is not known. */
bool prefilter_implies(const struct prefilter *narrow, const struct prefilter *wide);
