/* intern_sort.c: sorts interned strings bytewise, in parallel.
 *
 * Names of a graph share long prefixes and are scattered in memory, which makes pairwise
 * comparisons slow. Therefore the strings are sorted by sixteen bytes at a time, as numbers; each
 * group of equal keys is then sorted by its next sixteen bytes. There is no worst case: the sort is
 * a merge sort, and each byte of a string is read once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { PIECE_BYTES = 16, MORE = PIECE_BYTES + 1, RUN = 12, AHEAD = 16 };

struct key {
    uint64_t words[2]; /* bytes at the current depth, padded with zeros */
    uint32_t left;     /* number of bytes in words (0 to 16), or MORE */
    strid id;
};

/* Strings with equal first DEPTH bytes. */
struct group {
    size_t begin, end;
    size_t depth;
};

static inline bool is_before(const struct key *a, const struct key *b)
{
    if (a->words[0] != b->words[0])
        return a->words[0] < b->words[0];
    if (a->words[1] != b->words[1])
        return a->words[1] < b->words[1];
    return a->left < b->left;
}

static inline bool are_equal(const struct key *a, const struct key *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1] && a->left == b->left;
}

static void load_key(const struct intern *in, struct key *key, size_t depth)
{
    const struct intern_entry *e = &in->entries[key->id];
    size_t left = e->len - depth;
    uint64_t words[2] = {0, 0};

    /* Reads a short remainder byte by byte, because the bytes after the NUL may not be readable. */
    if (left >= PIECE_BYTES)
        memcpy(words, e->bytes + depth, PIECE_BYTES);
    else
        memcpy(words, e->bytes + depth, left);
    key->words[0] = __builtin_bswap64(words[0]);
    key->words[1] = __builtin_bswap64(words[1]);
    key->left = left > PIECE_BYTES ? MORE : (uint32_t)left;
}

static void load_keys(const struct intern *in, struct key *keys, size_t n, size_t depth)
{
    for (size_t i = 0; i < n; i++) {
        if (i + 2 * AHEAD < n)
            __builtin_prefetch(&in->entries[keys[i + 2 * AHEAD].id]);
        if (i + AHEAD < n)
            __builtin_prefetch(in->entries[keys[i + AHEAD].id].bytes + depth);
        load_key(in, &keys[i], depth);
    }
}

static void insertion_sort(struct key *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct key key = keys[i];
        size_t j = i;

        for (; j && is_before(&key, &keys[j - 1]); j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* Merges the sorted ranges [0, HALF) and [HALF, N) of KEYS. The shorter range is copied to SPARE,
 * which needs room for half of the keys. Ranges that are already in order, which is common for
 * names, are not moved. */
static void merge(struct key *keys, size_t half, size_t n, struct key *spare)
{
    size_t left = half, right = n - half;

    if (right == 0 || !is_before(&keys[half], &keys[half - 1]))
        return;
    if (left <= right) {
        const struct key *other = keys + half, *end = keys + n;
        const struct key *first = spare, *last = spare + left;

        memcpy(spare, keys, left * sizeof *keys);
        while (first < last)
            *keys++ = other < end && is_before(other, first) ? *other++ : *first++;
        return;
    }
    memcpy(spare, keys + half, right * sizeof *keys);
    for (size_t to = n; right; to--)
        keys[to - 1] = left && is_before(&spare[right - 1], &keys[left - 1]) ? keys[--left]
                                                                             : spare[--right];
}

static void sort_keys(struct key *keys, size_t n, struct key *spare)
{
    for (size_t i = 0; i < n; i += RUN)
        insertion_sort(keys + i, n - i < RUN ? n - i : RUN);
    for (size_t run = RUN; run < n; run *= 2)
        for (size_t i = 0; i < n; i += 2 * run) {
            size_t rest = n - i;

            merge(keys + i, run < rest ? run : rest, 2 * run < rest ? 2 * run : rest, spare);
        }
}

/* ---- groups */

/* Groups of at least this size are shared with the other threads; a thread sorts smaller ones
 * itself. */
enum { SHARED_FROM = 1 << 14 };

typedef VEC(struct group) group_list;

struct intern_sorting {
    const struct intern *in;
    const strid *ids; /* caller's ids, valid until the first group is taken */
    size_t n;
    struct key *keys;
    struct key *spare; /* merge space: i / 2 keys for the first i keys */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled when a group was added or no thread can add one */
    group_list shared;
    size_t n_at_work; /* threads that may still add groups */
};

static void share(struct intern_sorting *s, struct group g)
{
    pthread_mutex_lock(&s->lock);
    vec_push(&s->shared, g);
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* The first group holds all strings. Its keys are filled by the thread that takes it. */
static void fill_keys(struct intern_sorting *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->keys[i].id = s->ids[i];
}

/* Sorts group G by its next bytes. Groups of equal keys are added to OWN or, if large, to the
 * shared list. */
static void sort_group(struct intern_sorting *s, struct group g, group_list *own)
{
    struct key *keys = s->keys;
    size_t same;

    if (g.depth == 0)
        fill_keys(s);
    load_keys(s->in, keys + g.begin, g.end - g.begin, g.depth);
    sort_keys(keys + g.begin, g.end - g.begin, s->spare + g.begin / 2);
    for (size_t i = g.begin; i < g.end; i = same) {
        struct group equal;

        same = i + 1;
        while (same < g.end && are_equal(&keys[same], &keys[i]))
            same++;
        if (same - i == 1 || keys[i].left != MORE)
            continue;
        equal = (struct group){i, same, g.depth + PIECE_BYTES};
        if (same - i < SHARED_FROM)
            vec_push(own, equal);
        else
            share(s, equal);
    }
}

/* Takes the next shared group, waiting while another thread may add one. False if all is sorted. */
static bool pop_group(struct intern_sorting *s, struct group *g)
{
    bool found;

    pthread_mutex_lock(&s->lock);
    while (!s->shared.n && s->n_at_work)
        pthread_cond_wait(&s->changed, &s->lock);
    found = s->shared.n > 0;
    if (found)
        *g = s->shared.data[--s->shared.n];
    s->n_at_work += found;
    pthread_mutex_unlock(&s->lock);
    return found;
}

static void end_group(struct intern_sorting *s)
{
    pthread_mutex_lock(&s->lock);
    if (!--s->n_at_work && !s->shared.n)
        pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

struct intern_sorting *intern_sort_begin(const struct intern *in, const strid *ids, size_t n)
{
    struct intern_sorting *s = xcalloc(1, sizeof *s);

    s->in = in;
    s->ids = ids;
    s->n = n;
    s->keys = xalloc_huge(n + n / 2 + 1, sizeof *s->keys);
    s->spare = s->keys + n;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    vec_push(&s->shared, ((struct group){0, n, 0}));
    return s;
}

void intern_sort_work(struct intern_sorting *s)
{
    group_list own = {0};
    struct group g;

    while (pop_group(s, &g)) {
        sort_group(s, g, &own);
        while (own.n)
            sort_group(s, own.data[--own.n], &own);
        end_group(s);
    }
    vec_done(&own);
}

void intern_sort_end(struct intern_sorting *s, strid *sorted)
{
    for (size_t i = 0; i < s->n; i++)
        sorted[i] = s->keys[i].id;
    vec_done(&s->shared);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    EACH(free, s->keys, s);
}

void intern_sort(const struct intern *in, strid *ids, size_t n)
{
    struct intern_sorting *s = intern_sort_begin(in, ids, n);

    intern_sort_work(s);
    intern_sort_end(s, ids);
}
