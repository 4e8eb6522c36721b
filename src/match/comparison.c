/* comparison.c: merges two profiles for a comparison. */
#include "match/comparison.h"

#include <stdlib.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "match/inferred.h"
#include "match/merge.h"
#include "match/text_order.h"

static uint8_t sides_of(const struct comparison *c, node_id id)
{
    const struct pairs *pairs = &c->pairs;
    const node_id now = c->now_of[id], base = c->base_of[id];

    if (now == NODE_NONE || base == NODE_NONE)
        return now == NODE_NONE ? SIDE_BASE : SIDE_NOW;
    return SIDE_NOW | SIDE_BASE |
           (text_order(pairs->now, pairs->now->name[now], pairs->base, pairs->base->name[base])
                ? SIDE_MOVED
                : SIDE_SAME_NAME);
}

static bool name_matches(const struct regexes *r, const struct profile *p, node_id node)
{
    const strid name = p->name[node];

    return regexes_match(r, profile_text(p, name), intern_len(&p->strings, name)) >= 0;
}

/* Separates the pairs that -unmatch rejects; other pairs are not affected. */
static bool separate_rejected(struct pairs *pairs, const char *unmatch, struct notes *notes,
                              struct err *err)
{
    struct regexes *regexes;

    if (!unmatch || !*unmatch)
        return true;
    if (!(regexes = regexes_new(unmatch, err))) {
        err_prefix(err, "-unmatch");
        return false;
    }
    for (node_id now = 0; now < pairs->now->n_nodes; now++) {
        const node_id base = pairs->base_of[now];

        if (base == NODE_NONE || (!name_matches(regexes, pairs->now, now) &&
                                  !name_matches(regexes, pairs->base, base)))
            continue;
        pairs->base_of[now] = pairs->now_of[base] = NODE_NONE;
        pairs->reason[now] = MATCH_NONE;
    }
    regexes_note_undecided(regexes, "-unmatch", pairs->now->n_nodes, notes);
    regexes_free(regexes);
    return true;
}

struct comparison *comparison_new(const struct profile *base, const struct profile *now,
                                  const char *rename, const char *unmatch, struct err *err)
{
    static const struct cancel_mark never = {NULL, 0};
    const uint64_t n_ids = (uint64_t)profile_n_ids(base) + profile_n_ids(now) + base->n_nodes + now->n_nodes;
    struct renames *renames = NULL;
    struct notes notes = {0};
    struct comparison *c;
    uint32_t n;

    if (n_ids >= NODE_NONE || base->n_files + now->n_files > UINT16_MAX) {
        err_set(err, ERR_INPUT, "-diff_base: the two profiles are too large to compare");
        return NULL;
    }
    if (rename && !(renames = renames_new(rename, err)))
        return NULL;
    c = xcalloc(1, sizeof *c);
    pairs_make(&c->pairs, base, now, renames, never);
    renames_note(renames, &notes);
    renames_free(renames);
    inferred_find(&c->pairs);
    if (!separate_rejected(&c->pairs, unmatch, &notes, err)) {
        notes_done(&notes);
        pairs_done(&c->pairs);
        free(c);
        return NULL;
    }
    frames_init(&c->base_frames, base);
    frames_init(&c->now_frames, now);
    frames_pair(&c->base_frames, &c->now_frames, c->pairs.now_of);
    c->merged = merge_profiles(&c->pairs, &c->base_frames, &c->now_frames, &c->now_of, &c->base_of);
    notes_add_all(&c->merged->notes, &notes, "");
    notes_done(&notes);
    n = profile_n_ids(c->merged);
    c->sides = xcalloc((size_t)n + 1, 1);
    for (node_id id = 0; id < n; id++)
        c->sides[id] = sides_of(c, id);
    return c;
}

void comparison_free(struct comparison *c)
{
    if (!c)
        return;
    merge_free(c->merged);
    EACH(frames_done, &c->base_frames, &c->now_frames);
    pairs_done(&c->pairs);
    EACH(free, c->now_of, c->base_of, c->sides, c);
}
