/* pairs.h: which node of one profile is which of another. */
#ifndef TFPROF_MATCH_PAIRS_H
#define TFPROF_MATCH_PAIRS_H

#include "base/cancel.h"
#include "match/renames.h"
#include "model/profile.h"

/* Why two nodes are the same one, surest first. */
enum match_reason {
    MATCH_NONE,
    MATCH_NAME, /* the same name and operation type */
    MATCH_RENAME,     /* a rule of the user makes the one name of the other */
    MATCH_STRUCTURE,  /* all before, behind and beside it is the same */
    MATCH_NEIGHBOURS, /* the same place beside nodes that are matched */
    MATCH_CODE,       /* the same call stack */
    MATCH_SUFFIX,     /* names alike but for numbers and decorations */
    MATCH_SCOPE,      /* its scope has the name that others of it tell */
    MATCH_REASONS
};

extern const char *const match_reasons[MATCH_REASONS]; /* "structure" */
/* What spoke for such a pair, behind "matched with 'NAME' of the base: ". */
extern const char *const match_evidence[MATCH_REASONS];

/* One to one: now_of[base_of[n]] is n wherever base_of[n] is a node. */
struct pairs {
    const struct profile *base, *now; /* borrowed */
    node_id *now_of;                  /* [base->n_nodes] NODE_NONE: it has vanished */
    node_id *base_of;                 /* [now->n_nodes] NODE_NONE: it is new */
    uint8_t *reason;                  /* [now->n_nodes] enum match_reason */
};

/* Matches the nodes of NOW with those of BASE, also by RENAMES (NULL: no rules); free with
 * pairs_done().  A node's partner has its operation type.  The answer depends on nothing but the
 * two profiles and the rules; once CANCEL was asked it is no answer. */
void pairs_make(struct pairs *pairs, const struct profile *base, const struct profile *now,
                struct renames *renames, struct cancel_mark cancel);
void pairs_done(struct pairs *pairs);

/* How the pairs of two profiles differ when other rules rename them: numbers of nodes of now. */
struct pairs_change {
    uint32_t n_matched; /* that have a partner */
    uint32_t n_won;     /* that had none before */
    uint32_t n_lost;    /* that have none any more */
    uint32_t n_other;   /* that have another one than before */
};
struct pairs_change pairs_compare(const struct pairs *before, const struct pairs *after);

#endif
