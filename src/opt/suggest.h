/* suggest.h: "did you mean": the known word closest to a typed one. */
#pragma once

#include <stddef.h>

#include "base/strbuf.h"

struct suggest {
    const char *typed;
    const char *best; /* NULL: no word is close enough */
    size_t best_distance;
};

void suggest_init(struct suggest *s, const char *typed);
/* Offers a known word (borrowed); keeps the closest one, the first among equals. */
void suggest_try(struct suggest *s, const char *known);
/* Appends ": did you mean PREFIXword?" when a word is close enough. */
void suggest_add(const struct suggest *s, const char *prefix, struct strbuf *sb);
