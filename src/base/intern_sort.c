/* intern_sort.c: many interned strings in byte order.
 *
 * Names of a graph share long beginnings and lie all over the memory, which
 * makes comparing them two by two slow.  So eight bytes of each are looked at
 * together: sorted as numbers, then each group of equals goes on with its next
 * eight bytes.  No list is slow: merging has no bad case, and every step of a
 * string is looked at once. */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { WORD_BYTES = 8, MORE = WORD_BYTES + 1, RUN = 12, AHEAD = 16 };

struct key {
    uint64_t word; /* the bytes at the depth in work, zeros behind the end */
    uint32_t left; /* bytes left there: 0 to 8, or MORE */
    strid id;
};

/* Strings that agree in their first DEPTH bytes. */
struct group {
    size_t begin, end;
    size_t depth;
};

static inline bool is_before(const struct key *a, const struct key *b)
{
    return a->word < b->word || (a->word == b->word && a->left < b->left);
}

static void load_key(const struct intern *in, struct key *key, size_t depth)
{
    const struct intern_entry *e = &in->entries[key->id];
    size_t left = e->len - depth;
    uint64_t word = 0;

    /* Strings end in a NUL of their own, so a short one is read byte by byte. */
    if (left >= WORD_BYTES)
        memcpy(&word, e->bytes + depth, WORD_BYTES);
    else
        memcpy(&word, e->bytes + depth, left);
    key->word = __builtin_bswap64(word);
    key->left = left > WORD_BYTES ? MORE : (uint32_t)left;
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

/* Merges the sorted parts [0, HALF) and [HALF, N) of KEYS.  The shorter part moves
 * to SPARE, which so needs room for half of the keys only; parts that are in order
 * as they stand, as names often are, stay where they are. */
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

void intern_sort(const struct intern *in, strid *ids, size_t n)
{
    struct key *keys = xreallocarray(NULL, n + n / 2 + 1, sizeof *keys);
    VEC(struct group) todo = {0};

    for (size_t i = 0; i < n; i++)
        keys[i].id = ids[i];
    vec_push(&todo, ((struct group){0, n, 0}));
    while (todo.n) {
        struct group g = todo.data[--todo.n];
        size_t same;

        load_keys(in, keys + g.begin, g.end - g.begin, g.depth);
        sort_keys(keys + g.begin, g.end - g.begin, keys + n);
        for (size_t i = g.begin; i < g.end; i = same) {
            same = i + 1;
            while (same < g.end && keys[same].word == keys[i].word &&
                   keys[same].left == keys[i].left)
                same++;
            if (same - i > 1 && keys[i].left == MORE)
                vec_push(&todo, ((struct group){i, same, g.depth + WORD_BYTES}));
        }
    }
    for (size_t i = 0; i < n; i++)
        ids[i] = keys[i].id;
    vec_done(&todo);
    free(keys);
}
