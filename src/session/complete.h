/* complete.h: what could stand where the cursor is: commands, options, values
 * and names, for the shell and the screen's `:` line. */
#pragma once

#include "model/profile.h"
#include "session/command_line.h"

/* Longer lists help nobody. */
enum { COMPLETIONS_MAX = 500 };

struct completions {
    struct words matches; /* what the whole word could be, in order */
    size_t start;         /* byte offset of the word in the line */
    size_t item_start;    /* bytes of a match in front of the list item typed */
    struct strbuf typed;  /* the word so far, without quotes */
    bool is_final;        /* of a single match: a blank may follow */
};

/* Completes the word that ends at LINE[LEN).  P gives names (NULL: none).
 * Free with completions_done(). */
void complete_line(struct completions *c, const char *line, size_t len, enum command_place place,
                   const struct profile *p);
/* The same of a word that is the name of a file. */
void complete_file(struct completions *c, const char *line, size_t len);
void completions_done(struct completions *c);

/* How many bytes all matches begin with alike. */
size_t completions_common(const struct completions *c);
