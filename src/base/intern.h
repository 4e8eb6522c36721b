/* intern.h: string interning with 32-bit ids.
 *
 * Equal strings have equal ids. Strings are compared by their ids, and values per distinct string
 * are stored in arrays indexed by id. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"

/* Id of a string. STRID_EMPTY is "" in every table. */
typedef uint32_t strid;
#define STRID_EMPTY ((strid)0)
#define STRID_NONE UINT32_MAX

struct intern_entry {
    const char *bytes; /* NUL-terminated; may contain NULs */
    uint32_t len;
    uint32_t hash;
};

/* Private, except for the inline functions below. */
struct intern {
    struct arena arena;
    struct intern_entry *entries; /* indexed by id */
    size_t n;
    size_t capacity;
    /* Hash table with open addressing. The low bits of a slot hold an id, as many as the number of
     * slots needs; the remaining bits hold the hash bits that are not used to select the first
     * slot, so that most mismatches are detected without reading the entry. STRID_NONE marks a free
     * slot. */
    uint32_t *slots;
    size_t n_slots; /* a power of two */
};

void intern_init(struct intern *in);
void intern_done(struct intern *in);
/* Removes all strings and keeps memory. Initialises a zeroed table. */
void intern_clear(struct intern *in);
/* Returns the id of LEN bytes, and adds a copy of them if they are new. Strings must be shorter
 * than 4 GiB and fewer than 2^32 - 1; otherwise the program ends as if memory were out. */
strid intern_put(struct intern *in, const void *bytes, size_t len);
/* The parts of intern_put(), for callers that know many strings before they need their ids: compute
 * the hash of LEN bytes; prefetch what the search for each of N strings will read; then search with
 * the hash. HASHES are STRIDE bytes apart. Too many at once would displace each other from the
 * cache: string I of TOTAL prefetches as many as intern_group() says, itself included. */
static inline uint32_t intern_hash(const void *bytes, size_t len)
{
    return (uint32_t)hash_bytes(bytes, len);
}
enum { INTERN_GROUP = 32 };
static inline size_t intern_group(size_t i, size_t total)
{
    return i % INTERN_GROUP ? 0 : total - i < INTERN_GROUP ? total - i : INTERN_GROUP;
}
void intern_prefetch(const struct intern *in, const uint32_t *hashes, size_t n, size_t stride);
strid intern_put_hashed(struct intern *in, const void *bytes, size_t len, uint32_t hash);
/* Like intern_put(), but BYTES are not copied: they are NUL-terminated and must live as long as the
 * table. */
strid intern_put_kept(struct intern *in, const char *bytes, size_t len, uint32_t hash);

/* Initialises COPY with the strings of IN under the same ids; afterwards the tables are
 * independent. The bytes of these strings move to TEXTS, which must outlive both tables. */
void intern_fork(struct intern *in, struct intern *copy, struct arena *texts);

/* Returns the id, or STRID_NONE if the string is not in the table. */
strid intern_find(const struct intern *in, const void *bytes, size_t len);

static inline const char *intern_text(const struct intern *in, strid id)
{
    return in->entries[id].bytes;
}

static inline uint32_t intern_len(const struct intern *in, strid id)
{
    return in->entries[id].len;
}

/* Returns the bytes and length of ID. */
static inline struct text intern_string(const struct intern *in, strid id)
{
    return (struct text){intern_text(in, id), intern_len(in, id)};
}

/* Compares two strings bytewise: negative, 0 or positive, as memcmp(). A prefix comes before a
 * longer string. */
int intern_compare(const struct intern *in, strid a, strid b);
/* Sorts N ids by the bytes of their strings. */
void intern_sort(const struct intern *in, strid *ids, size_t n);

/* Parallel version of intern_sort(). Every thread calls intern_sort_work(), which returns when
 * nothing is left to sort; one thread calls the begin and end functions before and after. IN and
 * IDS are read until the end function, which may write SORTED to IDS. */
struct intern_sorting;
struct intern_sorting *intern_sort_begin(const struct intern *in, const strid *ids, size_t n);
void intern_sort_work(struct intern_sorting *s);
void intern_sort_end(struct intern_sorting *s, strid *sorted);
