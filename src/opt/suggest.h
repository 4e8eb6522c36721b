/* suggest.h: "did you mean": the known word that is most like a typed one. */
#ifndef TFPROF_OPT_SUGGEST_H
#define TFPROF_OPT_SUGGEST_H

#include <stddef.h>

#include "base/strbuf.h"

struct suggest {
    const char *typed;
    const char *best; /* NULL while nothing is near */
    size_t best_distance;
};

void suggest_init(struct suggest *s, const char *typed);
/* Offers a known word (borrowed); the nearest of those offered is kept, the
 * first one among equals. */
void suggest_try(struct suggest *s, const char *known);
/* Appends ": did you mean PREFIXword?" when something is near. */
void suggest_add(const struct suggest *s, const char *prefix, struct strbuf *sb);

#endif
