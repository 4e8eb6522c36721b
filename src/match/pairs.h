/* pairs.h: one-to-one matching of the nodes of two profiles. */
#ifndef TFPROF_MATCH_PAIRS_H
#define TFPROF_MATCH_PAIRS_H

#include "base/cancel.h"
#include "match/renames.h"
#include "model/profile.h"

/* Reason for a match, strongest first. */
enum match_reason {
    MATCH_NONE,
    MATCH_NAME, /* equal name and operation type */
    MATCH_RENAME,     /* a -rename rule maps one name to the other */
    MATCH_STRUCTURE,  /* equal structure of producers, consumers and siblings */
    MATCH_NEIGHBOURS, /* equal position next to matched nodes */
    MATCH_CODE,       /* equal call stack */
    MATCH_SUFFIX,     /* names differ in numbers and decorations only */
    MATCH_SCOPE,      /* its scope was renamed like that of other pairs */
    MATCH_REASONS
};

extern const char *const match_reasons[MATCH_REASONS]; /* "structure" */
/* Evidence for such a pair; follows "matched with 'NAME' of the base: ". */
extern const char *const match_evidence[MATCH_REASONS];

/* One to one: now_of[base_of[n]] is n wherever base_of[n] is a node. */
struct pairs {
    const struct profile *base, *now; /* borrowed */
    node_id *now_of;                  /* [base->n_nodes] NODE_NONE: removed */
    node_id *base_of;                 /* [now->n_nodes] NODE_NONE: added */
    uint8_t *reason;                  /* [now->n_nodes] enum match_reason */
};

/* Matches the nodes of NOW with those of BASE, with RENAMES (NULL: no rules); free with
 * pairs_done(). Matched nodes have the same operation type. Deterministic in the two profiles and
 * the rules. After a cancel the result is incomplete. */
void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now,
                struct renames *renames, struct cancel_mark cancel);
void pairs_done(struct pairs *pairs);

/* Effect of other rename rules on the pairs, as numbers of nodes of now. */
struct pairs_change {
    uint32_t n_matched; /* matched nodes */
    uint32_t n_won;     /* matched now, unmatched before */
    uint32_t n_lost;    /* matched before, unmatched now */
    uint32_t n_other;   /* matched with another node than before */
};
struct pairs_change pairs_compare(const struct pairs *before, const struct pairs *after);

#endif
