/* intern.h: each distinct byte string once, known by a 32-bit id.
 *
 * Interning as in compilers: equal strings have equal ids, so comparing is
 * comparing numbers and anything computed per distinct string is an array. */
#ifndef TFPROF_BASE_INTERN_H
#define TFPROF_BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"

/* Id of a string; STRID_EMPTY is "" in every table. */
typedef uint32_t strid;
#define STRID_EMPTY ((strid)0)
#define STRID_NONE UINT32_MAX

struct intern_entry {
    const char *bytes; /* NUL-terminated copy; may hold further NULs */
    uint32_t len;
    uint32_t hash;
};

/* Private but for the inline readers below. */
struct intern {
    struct arena arena;
    struct intern_entry *entries; /* by id */
    size_t n;
    size_t capacity;
    /* Open addressing.  A slot is an id in its low bits, as many as it takes to number the slots, and
     * above them those bits of the hash that do not say where the search begins: a probe that
     * misses touches nothing else.  STRID_NONE is free. */
    uint32_t *slots;
    size_t n_slots; /* a power of two */
};

void intern_init(struct intern *in);
void intern_done(struct intern *in);
/* The id of LEN bytes; they are copied when new.  Strings are shorter than
 * 4 GiB and fewer than 2^32 - 1; more ends the program as lack of memory. */
strid intern_put(struct intern *in, const void *bytes, size_t len);
/* The two halves of intern_put(), for callers that know the string some time
 * before its turn: the hash of LEN bytes; the call that fetches the memory the
 * search will touch; and the search with the hash at hand. */
static inline uint32_t intern_hash(const void *bytes, size_t len)
{
    return (uint32_t)hash_bytes(bytes, len);
}
static inline void intern_prefetch(const struct intern *in, uint32_t hash)
{
    __builtin_prefetch(&in->slots[hash & (in->n_slots - 1)]);
}
strid intern_put_hashed(struct intern *in, const void *bytes, size_t len, uint32_t hash);
/* The same of BYTES with a NUL behind them that live as long as the table: they are not copied. */
strid intern_put_kept(struct intern *in, const char *bytes, size_t len, uint32_t hash);

/* Makes COPY, not initialised, a table of the strings of IN with the same ids; both go on apart.  The
 * bytes of these strings move to TEXTS, which is to live as long as either of them. */
void intern_fork(struct intern *in, struct intern *copy, struct arena *texts);

/* The id, or STRID_NONE when the string is not there. */
strid intern_find(const struct intern *in, const void *bytes, size_t len);

static inline const char *intern_text(const struct intern *in, strid id)
{
    return in->entries[id].bytes;
}

static inline uint32_t intern_len(const struct intern *in, strid id)
{
    return in->entries[id].len;
}

/* Both together. */
static inline struct text intern_string(const struct intern *in, strid id)
{
    return (struct text){intern_text(in, id), intern_len(in, id)};
}

/* Byte order of two strings: negative, 0, positive (as memcmp; a prefix
 * stands before what is longer). */
int intern_compare(const struct intern *in, strid a, strid b);
/* Sorts N ids in byte order of their strings. */
void intern_sort(const struct intern *in, strid *ids, size_t n);

/* The same by several threads: each of them calls intern_sort_work(), which returns when nothing is
 * left to sort; one of them, before and after, the other two.  IN and IDS are read until the end, which may
 * put what is SORTED into IDS. */
struct intern_sorting;
struct intern_sorting *intern_sort_begin(const struct intern *in, const strid *ids, size_t n);
void intern_sort_work(struct intern_sorting *s);
void intern_sort_end(struct intern_sorting *s, strid *sorted);

#endif
