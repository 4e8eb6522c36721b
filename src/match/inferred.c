/* inferred.c: infers rename rules by voting. */
#include "match/inferred.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/regex/regexes.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum { COMPONENTS_MAX = 32, VOTES_LEAST = 3 };

/* ---- differences of two names */

struct components {
    struct text at[COMPONENTS_MAX];
    uint32_t n;
};

/* Splits NAME into components; false if there are too many. */
static bool split(struct components *c, struct text name)
{
    const char *at = name.bytes, *end = at + name.len, *slash;

    for (c->n = 0; c->n < COMPONENTS_MAX; at = slash + 1) {
        slash = memchr(at, '/', (size_t)(end - at));
        c->at[c->n++] = (struct text){at, (uint32_t)((slash ? slash : end) - at)};
        if (!slash)
            return true;
    }
    return false;
}

/* COMPONENT without the digits at its end. */
static struct text word_of(struct text component)
{
    while (component.len && component.bytes[component.len - 1] >= '0' &&
           component.bytes[component.len - 1] <= '9')
        component.len--;
    return component;
}

/* Components [FROM, FROM + N) joined by slashes. */
static struct text joined(const struct components *c, uint32_t from, uint32_t n)
{
    const struct text *last = n ? &c->at[from + n - 1] : NULL;

    return last ? (struct text){c->at[from].bytes,
                                (uint32_t)(last->bytes + last->len - c->at[from].bytes)}
                : (struct text){"", 0};
}

enum change_kind {
    CHANGE_FRONT,  /* components added or removed at the front */
    CHANGE_INSIDE, /* components added or removed after component `context` */
    CHANGE_WORD,   /* one component changed, apart from its number */
};

struct change {
    enum change_kind kind;
    struct text context, before, after;
};

/* Sets C to the change from component A to B; false if only the number changed. */
static bool word_change(struct change *c, struct text a, struct text b)
{
    const struct text x = word_of(a), y = word_of(b);
    const struct text x_number = {x.bytes + x.len, a.len - x.len};
    const struct text y_number = {y.bytes + y.len, b.len - y.len};

    *c = (struct change){CHANGE_WORD, {"", 0}, x, y};
    return x.len && y.len && !text_equals(x, y) && text_equals(x_number, y_number);
}

/* Sets CHANGES to the changes that turn name A into B; returns their number, 0 if no rule can
 * express them. */
static uint32_t changes_of(struct change changes[COMPONENTS_MAX], const struct components *a,
                           const struct components *b)
{
    const uint32_t least = a->n < b->n ? a->n : b->n;
    uint32_t front = 0, back = 0, n = 0;

    while (front < least && text_equals(a->at[front], b->at[front]))
        front++;
    while (back < least - front && text_equals(a->at[a->n - back - 1], b->at[b->n - back - 1]))
        back++;
    if (least == front + back) {
        changes[0] = (struct change){front ? CHANGE_INSIDE : CHANGE_FRONT,
                                     front ? a->at[front - 1] : (struct text){"", 0},
                                     joined(a, front, a->n - front - back),
                                     joined(b, front, b->n - front - back)};
        return 1;
    }
    if (a->n != b->n)
        return 0;
    for (uint32_t i = front; i < a->n - back; i++)
        if (!text_equals(a->at[i], b->at[i]) && !word_change(&changes[n++], a->at[i], b->at[i]))
            return 0;
    return n;
}

/* ---- candidates */

struct candidate {
    enum change_kind kind;
    strid context, before, after;
    uint32_t n_votes, n_applies;
    uint8_t rule; /* 1 + index in pairs->rules; 0: not accepted */
};

/* A candidate that may become a rule. */
struct kept {
    uint32_t at, n_votes;
};

struct search {
    struct pairs *pairs;
    struct intern texts, keys;
    VEC(struct candidate) candidates; /* by id in keys, less 1 */
    VEC(struct kept) kept;
    uint32_t n_pairs, n_differ;
};

struct key {
    uint32_t kind;
    strid context, before, after;
};

/* Splits the names of a pair into components; false if NOW has no pair or a name is too long. */
static bool names_of(const struct search *s, node_id now, struct components *a, struct components *b)
{
    const struct pairs *pairs = s->pairs;
    const node_id base = pairs->base_of[now];

    return base != NODE_NONE && pairs->reason[now] != MATCH_GIVEN &&
           split(a, intern_string(&pairs->base->strings, pairs->base->name[base])) &&
           split(b, intern_string(&pairs->now->strings, pairs->now->name[now]));
}

static strid text_id(struct search *s, struct text text)
{
    return intern_put(&s->texts, text.bytes, text.len);
}

/* Returns the candidate for C; NULL if it is new and ADDS is false. */
static struct candidate *candidate_of(struct search *s, const struct change *c, bool adds)
{
    struct key key = {(uint32_t)c->kind, text_id(s, c->context), text_id(s, c->before),
                      text_id(s, c->after)};
    const strid id = adds ? intern_put(&s->keys, &key, sizeof key)
                          : intern_find(&s->keys, &key, sizeof key);

    if (id == STRID_NONE)
        return NULL;
    if (id > s->candidates.n) {
        const struct candidate new = {c->kind, key.context, key.before, key.after, 0, 0, 0};

        vec_push(&s->candidates, new);
    }
    return &s->candidates.data[id - 1];
}

static void vote(struct search *s)
{
    struct change changes[COMPONENTS_MAX];
    struct components a, b;

    for (node_id now = 0; now < s->pairs->now->n_nodes; now++) {
        uint32_t n;

        if (!names_of(s, now, &a, &b))
            continue;
        s->n_pairs++;
        if (text_equals(joined(&a, 0, a.n), joined(&b, 0, b.n)))
            continue;
        s->n_differ++;
        n = changes_of(changes, &a, &b);
        for (uint32_t i = 0; i < n; i++)
            candidate_of(s, &changes[i], true)->n_votes++;
    }
}

COMPARE_CHAIN(by_votes, struct kept, DOWN(n_votes) || UP(at))

/* Sets s->kept to the candidates with enough votes, by descending votes. */
static void select_best(struct search *s)
{
    for (size_t i = 0; i < s->candidates.n; i++) {
        const uint32_t n_votes = s->candidates.data[i].n_votes;

        if (n_votes >= VOTES_LEAST || n_votes == s->n_differ)
            vec_push(&s->kept, ((struct kept){(uint32_t)i, n_votes}));
    }
    vec_sort(&s->kept, by_votes);
    KEEP_MIN(s->kept.n, INFERRED_RULES_MAX);
}

/* Increments n_applies of candidates whose word or context is TEXT. */
static void count_applies(struct search *s, struct text text, bool has_more, const uint8_t *is_asked)
{
    const strid id = intern_find(&s->texts, text.bytes, text.len);

    if (id == STRID_NONE || !is_asked[id])
        return;
    for (size_t i = 0; i < s->kept.n; i++) {
        struct candidate *c = &s->candidates.data[s->kept.data[i].at];

        c->n_applies += (c->kind == CHANGE_WORD && c->before == id) ||
                        (c->kind == CHANGE_INSIDE && c->context == id && has_more);
    }
}

static void count_all_applies(struct search *s)
{
    uint8_t *is_asked = xcalloc(s->texts.n + 1, 1); /* by text: a word or context of a candidate */
    struct components a, b;

    for (size_t i = 0; i < s->kept.n; i++) {
        const struct candidate *c = &s->candidates.data[s->kept.data[i].at];

        is_asked[c->kind == CHANGE_WORD ? c->before : c->context] = 1;
    }
    for (node_id now = 0; now < s->pairs->now->n_nodes; now++) {
        if (!names_of(s, now, &a, &b))
            continue;
        for (uint32_t i = 0; i < a.n; i++) {
            const struct text word = word_of(a.at[i]);

            count_applies(s, a.at[i], i + 1 < a.n, is_asked);
            if (word.len != a.at[i].len)
                count_applies(s, word, false, is_asked);
        }
    }
    free(is_asked);
}

/* Votes for the same change after a component, which is a mirror such as "gradients". */
static uint32_t votes_of_mirrors(const struct search *s, const struct candidate *front)
{
    uint32_t n = 0;

    vec_each(const struct candidate, c, &s->candidates) {
        if (c->kind == CHANGE_INSIDE && c->before == front->before && c->after == front->after)
            n += c->n_votes;
    }
    return n;
}

static bool is_accepted(const struct search *s, const struct candidate *c)
{
    const uint32_t applies =
        c->kind == CHANGE_FRONT ? s->n_pairs - votes_of_mirrors(s, c) : c->n_applies;
    const struct text after = intern_string(&s->texts, c->after);

    return (uint64_t)c->n_votes * 10 >= (uint64_t)applies * 9 &&
           !memchr(after.bytes, '$', after.len) && !memchr(after.bytes, ',', after.len) &&
           !memchr(after.bytes, '=', after.len) && !memchr(after.bytes, '\\', after.len);
}

/* ---- rules */

/* Appends "X/", or nothing for an empty path; QUOTED: as a regex. */
static void add_path(struct strbuf *sb, struct text path, bool quoted)
{
    if (!path.len)
        return;
    if (quoted)
        regexes_quote(sb, path.bytes, path.len);
    else
        sb_add(sb, path.bytes, path.len);
    sb_addc(sb, '/');
}

static char *rename_of(const struct change *c)
{
    struct strbuf sb = {0};

    sb_adds(&sb, c->kind == CHANGE_FRONT ? "^" : "(^|/)");
    if (c->kind == CHANGE_WORD) {
        regexes_quote(&sb, c->before.bytes, c->before.len);
        sb_adds(&sb, "([0-9]*)(/|$)=${1}");
        sb_add(&sb, c->after.bytes, c->after.len);
        sb_adds(&sb, "${2}${3}");
        return sb_take(&sb);
    }
    add_path(&sb, c->context, true);
    add_path(&sb, c->before, true);
    sb_adds(&sb, c->kind == CHANGE_FRONT ? "=" : "=${1}");
    add_path(&sb, c->context, false);
    add_path(&sb, c->after, false);
    return sb_take(&sb);
}

static char *words_of(const struct change *c)
{
    struct strbuf sb = {0};

    sb_adds(&sb, c->kind == CHANGE_FRONT ? "\"^" : "\"");
    for (int side = 0; side < 2; side++) {
        const struct text text = side ? c->after : c->before;

        sb_adds(&sb, side ? "\" to \"" : "");
        if (c->kind == CHANGE_WORD) {
            sb_add(&sb, text.bytes, text.len);
        } else {
            add_path(&sb, c->context, false);
            add_path(&sb, text, false);
        }
    }
    sb_addc(&sb, '"');
    return sb_take(&sb);
}

static void accept(struct search *s)
{
    struct pairs *pairs = s->pairs;

    for (size_t i = 0; i < s->kept.n; i++) {
        struct candidate *c = &s->candidates.data[s->kept.data[i].at];
        const struct change change = {c->kind, intern_string(&s->texts, c->context),
                                      intern_string(&s->texts, c->before),
                                      intern_string(&s->texts, c->after)};

        if (!is_accepted(s, c))
            continue;
        vec_push(&pairs->rules, ((struct inferred_rule){rename_of(&change), words_of(&change), 0}));
        c->rule = (uint8_t)pairs->rules.n;
    }
}

/* Index of the rule for CHANGE + 1; 0: none. */
static uint8_t rule_of(struct search *s, const struct change *change)
{
    const struct change front = {CHANGE_FRONT, {"", 0}, change->before, change->after};
    const struct candidate *c = candidate_of(s, change, false);

    if ((!c || !c->rule) && change->kind == CHANGE_INSIDE)
        c = candidate_of(s, &front, false);
    return c ? c->rule : 0;
}

static void set_rules(struct search *s)
{
    struct pairs *pairs = s->pairs;
    struct change changes[COMPONENTS_MAX];
    struct components a, b;

    pairs->rule_of = xcalloc((size_t)pairs->now->n_nodes + 1, 1);
    for (node_id now = 0; now < pairs->now->n_nodes; now++) {
        uint8_t rule = 0;
        uint32_t n;

        if (!names_of(s, now, &a, &b) || text_equals(joined(&a, 0, a.n), joined(&b, 0, b.n)))
            continue;
        n = changes_of(changes, &a, &b);
        for (uint32_t i = n; i-- > 0 && (rule || i + 1 == n);)
            rule = rule_of(s, &changes[i]);
        if (!rule)
            continue;
        pairs->rule_of[now] = rule;
        pairs->reason[now] = MATCH_RENAME;
        pairs->confidence[now] = MATCH_HIGH;
        pairs->rules.data[rule - 1].n_pairs++;
    }
}

void inferred_find(struct pairs *pairs)
{
    struct search s = {.pairs = pairs};

    EACH(intern_init, &s.texts, &s.keys);
    vote(&s);
    select_best(&s);
    if (s.kept.n)
        count_all_applies(&s);
    accept(&s);
    if (pairs->rules.n)
        set_rules(&s);
    EACH(intern_done, &s.texts, &s.keys);
    EACH(vec_done, &s.candidates, &s.kept);
}
