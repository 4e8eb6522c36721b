/* inferred.h: how names changed between two profiles, inferred from pairs of nodes. */
#pragma once

#include "match/pairs.h"

enum { INFERRED_RULES_MAX = 32 };

/* Infers rules that map names of the baseline to those of their pairs: added, removed and replaced
 * components. A rule needs 3 pairs, or all pairs with different names, and may fail for at most 10
 * % of the names that it applies to. Fills pairs->rules and rule_of, and sets the reason of
 * explained pairs to MATCH_RENAME. */
void inferred_find(struct pairs *pairs);
