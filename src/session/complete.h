/* complete.h: completion at the cursor: commands, options, values and names, for the shell and the
 * screen's `:` line. */
#pragma once

#include "model/profile.h"
#include "session/command_line.h"

/* The number of matches is limited. */
enum { COMPLETIONS_MAX = 500 };

struct completions {
    struct words matches; /* candidates for the whole word, in order */
    size_t start;         /* byte offset of the word in the line */
    size_t item_start;    /* bytes of a match before the list item being typed */
    struct strbuf typed;  /* the word so far, without quotes */
    bool is_final;        /* the only match is complete; a blank may follow */
};

/* Completes the word that ends at LINE[LEN). Names come from P (NULL: no names). Free with
 * completions_done(). */
void complete_line(struct completions *c, const char *line, size_t len, enum command_origin origin,
                   const struct profile *p);
/* Completes a word that is a file name. */
void complete_file(struct completions *c, const char *line, size_t len);
void completions_done(struct completions *c);

/* Returns the length in bytes of the longest common prefix of the matches. */
size_t completions_common(const struct completions *c);
