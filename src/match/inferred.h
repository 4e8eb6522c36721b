/* inferred.h: how names changed between two profiles, inferred from pairs of nodes. */
#pragma once

#include "match/pairs.h"

enum { INFERRED_RULES_MAX = 32 };

/* Finds rules that turn names of the base into those of their pairs: components that were added or
 * removed, and components with another word. A rule needs 3 pairs, or all that differ in name, and at
 * most 10 % of the names that it applies to may disagree. Fills pairs->rules and rule_of; pairs that
 * rules explain have the reason MATCH_RENAME. */
void inferred_find(struct pairs *pairs);
