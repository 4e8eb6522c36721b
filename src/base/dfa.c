/* dfa.c: the position automaton of a regex with sets of positions as states
 * (the subset construction), tabulated before anything is matched. */
#include "base/dfa.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/positions.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* A state is the offset of its row in the table: a next state for each class
 * of bytes, then 1 when a text may end there.  Class 0 are the bytes beyond
 * ASCII.  In the first three states a match is decided. */
enum { NO_MATCH, UNDECIDED, MATCHES_PLAIN, START, FIXED_STATES };
enum { MOST_STATES = 1000, MOST_OFFSET = UINT16_MAX, SLOTS = 4096 };

struct dfa {
    uint8_t class_of[256];
    uint32_t n_classes;
    uint32_t start, decided; /* offsets; what is below DECIDED is */
    bool backwards;          /* texts are read from their end */
    bool is_open;            /* nearly any byte may be read first */
    uint16_t *next;
};

/* ---- making it */

struct making {
    const struct positions *p;
    struct dfa *d;
    struct position_set at_class[129]; /* positions whose bytes are of a class */
    bool plain_class[129];             /* the class holds more than a newline */
    VEC(struct position_set) states;
    VEC(uint16_t) next; /* numbers of states; a row has n_classes of them */
    uint16_t slots[SLOTS];
};

static bool same_set(const struct position_set *a, const struct position_set *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Bytes that are at the same positions are of one class. */
static void find_classes(struct making *m)
{
    struct dfa *d = m->d;

    d->n_classes = 1;
    memset(d->class_of, 0, sizeof d->class_of);
    for (unsigned c = 0; c < 0x80; c++) {
        struct position_set at = {{0}};
        uint32_t k = 1;

        for (uint32_t i = 0; i < m->p->n; i++)
            if (byte_in(&m->p->bytes[i], (unsigned char)c))
                position_add(&at, i);
        while (k < d->n_classes && !same_set(&at, &m->at_class[k]))
            k++;
        if (k == d->n_classes) {
            m->at_class[k] = at;
            m->plain_class[k] = false;
            d->n_classes++;
        }
        m->plain_class[k] = m->plain_class[k] || c != '\n';
        d->class_of[c] = (uint8_t)k;
    }
}

static uint32_t slot_of(const struct making *m, const struct position_set *set)
{
    uint64_t hash = 0;
    uint32_t at;

    for (int i = 0; i < POSITION_WORDS; i++)
        hash = (hash ^ set->words[i]) * UINT64_C(0x9e3779b97f4a7c15) >> 7 ^ hash << 9;
    for (at = (uint32_t)(hash % SLOTS); m->slots[at]; at = (at + 1) % SLOTS)
        if (same_set(&m->states.data[m->slots[at]], set))
            break;
    return at;
}

/* The number of SET, which may be a new state. */
static uint16_t state_of(struct making *m, const struct position_set *set)
{
    static const struct position_set none;
    uint32_t slot;

    if (same_set(set, &none))
        return NO_MATCH;
    slot = slot_of(m, set);
    if (!m->slots[slot]) {
        m->slots[slot] = (uint16_t)m->states.n;
        vec_push(&m->states, *set);
    }
    return m->slots[slot];
}

/* Where all positions of a state lead to. */
static struct position_set followers(const struct making *m, size_t state)
{
    const struct position_set *set = &m->states.data[state];
    struct position_set all = {{0}};

    if (state == START)
        return m->p->first;
    for (uint32_t i = position_next(set, 0); i < m->p->n; i = position_next(set, i + 1))
        position_join(&all, &m->p->follow[i]);
    return all;
}

/* Where a match is decided it stays so, but plain text may go on otherwise. */
static void fill_fixed_rows(struct making *m)
{
    static const struct position_set none;

    /* Never looked up: the empty set is NO_MATCH, START is no set. */
    for (int state = 0; state < FIXED_STATES; state++)
        vec_push(&m->states, none);
    for (uint16_t state = 0; state < START; state++)
        for (uint32_t k = 0; k < m->d->n_classes; k++) {
            const bool is_odd = k == 0 || k == m->d->class_of['\n'];

            vec_push(&m->next, state == MATCHES_PLAIN && is_odd ? UNDECIDED : state);
        }
}

/* False when the table gets large. */
static bool find_states(struct making *m)
{
    const uint32_t width = m->d->n_classes + 1;

    fill_fixed_rows(m);
    for (size_t state = START; state < m->states.n; state++) {
        const struct position_set all = followers(m, state);

        if (m->states.n > MOST_STATES || m->states.n * width > MOST_OFFSET)
            return false;
        vec_push(&m->next, UNDECIDED);
        for (uint32_t k = 1; k < m->d->n_classes; k++) {
            struct position_set to = all;

            for (int i = 0; i < POSITION_WORDS; i++)
                to.words[i] &= m->at_class[k].words[i];
            vec_push(&m->next, state_of(m, &to));
        }
    }
    return true;
}

static bool may_end(const struct making *m, size_t state)
{
    bool ends = state == MATCHES_PLAIN || (state == START && m->p->nullable);

    for (int i = 0; i < POSITION_WORDS; i++)
        ends = ends || (m->states.data[state].words[i] & m->p->last.words[i]);
    return ends;
}

/* True when a state that matches leads to such states alone, newlines aside. */
static bool stays_universal(const struct making *m, const uint8_t *universal, size_t state)
{
    for (uint32_t k = 1; k < m->d->n_classes; k++)
        if (m->plain_class[k] && !universal[m->next.data[state * m->d->n_classes + k]])
            return false;
    return true;
}

/* By state: 1 when whatever plain text follows, it matches; heap memory. */
static uint8_t *universal_states(const struct making *m)
{
    uint8_t *universal = xcalloc(m->states.n, 1);
    bool changed = true;

    for (size_t state = 0; state < m->states.n; state++)
        universal[state] = may_end(m, state);
    while (changed) {
        changed = false;
        for (size_t state = START; state < m->states.n; state++)
            if (universal[state] && !stays_universal(m, universal, state)) {
                universal[state] = 0;
                changed = true;
            }
    }
    return universal;
}

static void fill_table(struct making *m)
{
    struct dfa *d = m->d;
    const uint32_t width = d->n_classes + 1;
    uint8_t *universal = universal_states(m);

    d->next = xreallocarray(NULL, m->states.n * width, sizeof *d->next);
    for (size_t state = 0; state < m->states.n; state++) {
        uint16_t *row = d->next + state * width;

        for (uint32_t k = 0; k < d->n_classes; k++) {
            const uint16_t to = m->next.data[state * d->n_classes + k];

            row[k] = (uint16_t)((universal[to] ? MATCHES_PLAIN : to) * width);
        }
        row[d->n_classes] = may_end(m, state);
    }
    d->start = (universal[START] ? MATCHES_PLAIN : START) * width;
    d->decided = START * width;
    free(universal);
}

static struct dfa *tabulate(const struct positions *p, bool backwards)
{
    struct making *m = xcalloc(1, sizeof *m);
    struct dfa *d = xcalloc(1, sizeof *d);

    m->p = p;
    m->d = d;
    d->backwards = backwards;
    find_classes(m);
    if (find_states(m)) {
        fill_table(m);
    } else {
        free(d);
        d = NULL;
    }
    vec_done(&m->states);
    vec_done(&m->next);
    free(m);
    return d;
}

/* True when nearly any byte may stand at one of SET. */
static bool is_open(const struct positions *p, const struct position_set *set)
{
    unsigned n = 0;

    for (uint32_t i = position_next(set, 0); i < p->n; i = position_next(set, i + 1)) {
        const unsigned bytes = (unsigned)(__builtin_popcountll(p->bytes[i].words[0]) +
                                          __builtin_popcountll(p->bytes[i].words[1]));

        n = bytes > n ? bytes : n;
    }
    return n > 64;
}

struct dfa *dfa_new(const char *regex, size_t len)
{
    struct positions *p = xmalloc(sizeof *p), *reverse = xmalloc(sizeof *reverse);
    struct dfa *d = NULL;

    if (positions_init(p, regex, len)) {
        /* From the end that says more, most names are out in a few bytes. */
        const bool backwards = is_open(p, &p->first) && !is_open(p, &p->last);

        positions_reverse(reverse, p);
        d = tabulate(backwards ? reverse : p, backwards);
        if (!d)
            d = tabulate(backwards ? p : reverse, !backwards);
        if (d)
            d->is_open = is_open(p, d->backwards ? &p->last : &p->first);
    }
    free(p);
    free(reverse);
    return d;
}

void dfa_free(struct dfa *d)
{
    if (!d)
        return;
    free(d->next);
    free(d);
}

/* ---- matching */

/* What STATE says of a text of which LEN bytes, at REST, have not been read. */
static enum glob_answer answer(const struct dfa *d, uint32_t state, const char *rest, size_t len)
{
    const uint32_t width = d->n_classes + 1;

    if (state == UNDECIDED * width)
        return GLOB_MAYBE;
    if (state == MATCHES_PLAIN * width)
        return glob_is_plain(rest, len) ? GLOB_YES : GLOB_MAYBE;
    return d->next[state + d->n_classes] ? GLOB_YES : GLOB_NO;
}

static enum glob_answer match_backwards(const struct dfa *d, const char *text, size_t len)
{
    const uint16_t *next = d->next;
    const uint32_t decided = d->decided;
    uint32_t state = d->start;

    while (len && state >= decided)
        state = next[state + d->class_of[(unsigned char)text[--len]]];
    return answer(d, state, text, len);
}

/* From STATE on, of which LEN bytes at TEXT are left. */
static enum glob_answer match_from(const struct dfa *d, uint32_t state, const char *text,
                                   size_t len)
{
    const char *const end = text + len;
    const uint16_t *next = d->next;
    const uint32_t decided = d->decided;

    while (text < end && state >= decided)
        state = next[state + d->class_of[(unsigned char)*text++]];
    return answer(d, state, text, (size_t)(end - text));
}

enum glob_answer dfa_match(const struct dfa *d, const char *text, size_t len)
{
    return d->backwards ? match_backwards(d, text, len) : match_from(d, d->start, text, len);
}

bool dfa_has_lanes(const struct dfa *d)
{
    return !d->backwards && d->is_open;
}

void dfa_match_lanes(const struct dfa *d, const struct text texts[DFA_LANES],
                     enum glob_answer answers[DFA_LANES])
{
    const uint16_t *next = d->next;
    const uint8_t *class_of = d->class_of;
    const unsigned char *text[DFA_LANES];
    uint32_t state[DFA_LANES], least = UINT32_MAX;

    for (int i = 0; i < DFA_LANES; i++) {
        text[i] = (const unsigned char *)texts[i].bytes;
        state[i] = d->start;
        least = texts[i].len < least ? texts[i].len : least;
    }
    /* Written out, so that the four chains stand in registers. */
    for (uint32_t at = 0; at < least; at++) {
        state[0] = next[state[0] + class_of[text[0][at]]];
        state[1] = next[state[1] + class_of[text[1][at]]];
        state[2] = next[state[2] + class_of[text[2][at]]];
        state[3] = next[state[3] + class_of[text[3][at]]];
    }
    for (int i = 0; i < DFA_LANES; i++)
        answers[i] = match_from(d, state[i], texts[i].bytes + least, texts[i].len - least);
}
