/* pairs.h: one-to-one matching of the nodes of two profiles. */
#pragma once

#include "base/cancel.h"
#include "match/renames.h"
#include "model/profile.h"

/* Evidence that decided for a pair. */
enum match_reason {
    MATCH_NONE,
    MATCH_NAME,       /* equal name */
    MATCH_GIVEN,      /* a -rename rule maps one name to the other */
    MATCH_RENAME,     /* an inferred rule maps one name to the other */
    MATCH_SCOPE,      /* role in a pair of scopes */
    MATCH_STRUCTURE,  /* alignment with its siblings by content */
    MATCH_NEIGHBOURS, /* equal position next to pairs */
    MATCH_ORDER,      /* order among nodes that agree in everything else */
    MATCH_LINES,      /* code view: line numbers differ */
    MATCH_REASONS
};

enum match_confidence { MATCH_LOW, MATCH_MEDIUM, MATCH_HIGH };

extern const char *const match_reasons[MATCH_REASONS]; /* "structure" */
/* Evidence for such a pair; follows "matched with 'NAME' of the baseline: ". */
extern const char *const match_evidence[MATCH_REASONS];
extern const char *const match_confidences[]; /* "high" */

/* A rule that turns names of the base into those of their pairs. */
struct inferred_rule {
    char *rename;     /* heap: for -rename */
    char *words;      /* heap: "^" to "model/", with the quotes */
    uint32_t n_pairs; /* pairs that the rule explains */
};

/* One to one: now_of[base_of[n]] is n wherever base_of[n] is a node. */
struct pairs {
    const struct profile *base, *now; /* borrowed */
    node_id *now_of;                  /* [base->n_nodes] NODE_NONE: removed */
    node_id *base_of;                 /* [now->n_nodes] NODE_NONE: added */
    uint8_t *reason;                  /* [now->n_nodes] enum match_reason */
    uint8_t *confidence;              /* [now->n_nodes] enum match_confidence */
    VEC(struct inferred_rule) rules;  /* inferred.h */
    uint8_t *rule_of; /* [now->n_nodes] 1 + the rule of MATCH_RENAME; NULL: there are no rules */
};

/* Matches the nodes of NOW with those of BASE, with RENAMES (NULL: no rules); free with
 * pairs_done(). Matched nodes have the same operation type, except by rules. Deterministic in the two
 * profiles and the rules; exchanging the profiles exchanges the result. After a cancel the result is
 * incomplete. */
void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now,
                struct renames *renames, struct cancel_mark cancel);
void pairs_done(struct pairs *pairs);
/* True when the shapes of NOW and its pair are equal, or unknown on one side. */
bool pairs_shapes_are_equal(const struct pairs *pairs, node_id now);

/* Effect of other rename rules on the pairs, as numbers of nodes of the current profile. */
struct pairs_change {
    uint32_t n_matched; /* matched nodes */
    uint32_t n_won;     /* matched now, unmatched before */
    uint32_t n_lost;    /* matched before, unmatched now */
    uint32_t n_other;   /* matched with another node than before */
};
struct pairs_change pairs_compare(const struct pairs *before, const struct pairs *after);
