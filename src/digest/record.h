/* record.h: a digest record: one operation on one kind of device of one host, as sums that can be
 * merged in any order (formats-digest.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "digest/sketch.h"

/* X(ID, name): the parts of a key, in sort order. */
#define DIGEST_KEY_LIST(X)                                                     \
    X(PROGRAM, program)                                                        \
    X(NAME, name)        /* of the node: scopes and operation */               \
    X(OP, op)                                                                  \
    X(TYPES, types)      /* a list: further types */                           \
    X(STACK, call_stack) /* a list: file, line, function of each frame */      \
    X(KIND, device_kind) /* "cpu", "gpu": the device without its number */ \
    X(HOST, host)

#define DIGEST_KEY_ID(id, name) DIGEST_##id,
enum digest_key { DIGEST_KEY_LIST(DIGEST_KEY_ID) DIGEST_KEYS };
#undef DIGEST_KEY_ID

/* X(ID, name): the figures of a record; sums saturate at the 64-bit limit. */
#define DIGEST_FIGURE_LIST(X)                                                 \
    X(COUNT, count)     /* executions */                                      \
    X(RUNS, run_count)  /* as the views count them */                         \
    X(SUM, sum_ps)      /* sum of their times */                                  \
    X(LEAST, min_ps)    /* 0: none; also for all that follow */  \
    X(MOST, max_ps)                                                           \
    X(SQUARES_HIGH, squares_high) /* 128 bits: sum of squares, ps^2 */        \
    X(SQUARES_LOW, squares_low)                                               \
    X(FLOPS, float_ops)                                                       \
    X(BYTES, bytes)                                                           \
    X(PEAK, peak_bytes) /* maximum; the others are sums */                \
    X(RESIDUAL, residual_bytes)                                               \
    X(OUTPUT, output_bytes)

#define DIGEST_FIGURE_ID(id, name) DIGEST_##id,
enum digest_figure { DIGEST_FIGURE_LIST(DIGEST_FIGURE_ID) DIGEST_FIGURES };
#undef DIGEST_FIGURE_ID

/* The longest key that a part can hold. */
enum { DIGEST_KEY_MAX_BYTES = 1 << 20 };

struct digest_record {
    struct strbuf key; /* its parts, encoded so that byte order is the order of the parts */
    uint64_t figures[DIGEST_FIGURES];
    struct sketch times_ps; /* times of the executions */
};

/* Clears the record and keeps its memory. */
void digest_record_clear(struct digest_record *r);
void digest_record_done(struct digest_record *r);

/* Appends a part to the key; the caller adds all parts in order. */
void digest_key_add(struct strbuf *key, const void *bytes, size_t len);
/* Appends an item to a list; the list is then added as a part. */
void digest_list_add(struct strbuf *list, const void *bytes, size_t len);
/* Decodes the next part of a key, or item of a list, to TEXT and advances *AT.  False at the end,
 * and when the bytes are invalid. */
bool digest_part_next(struct text all, uint32_t *at, struct strbuf *text);
/* Appends the node name in a loaded profile: PROGRAM/NAME, or NAME without a program. */
void digest_node_name(struct strbuf *sb, const struct strbuf *program, const struct strbuf *name);
/* Appends the device name in a loaded profile: "/host:HOST/device:KIND:0"; HOST may be NULL. */
void digest_device(struct strbuf *sb, const struct strbuf *host, const struct strbuf *kind);
/* Ends of the parts of a key.  Successive keys share a prefix, so only the bytes that differ are
 * scanned.  Valid for an empty key when zeroed. */
struct digest_key_ends {
    uint32_t end[DIGEST_KEYS]; /* offset in the key after each part */
    uint32_t n;                /* complete parts: DIGEST_KEYS in a valid key */
    uint32_t n_shared;         /* parts in common with the previous key */
    uint32_t n_items;          /* items of the list in which the key was cut, without complete
                                * groups */
};

/* Forgets the parts after the first SHARED bytes of KEY, before the caller truncates it to this length.
 * KEY is valid, or empty. */
void digest_key_ends_cut(struct digest_key_ends *ends, struct text key, uint32_t shared);
/* Scans the bytes that were appended to the first SHARED bytes of KEY.  True when KEY has all its parts and
 * its lists are valid. */
bool digest_key_ends_extend(struct digest_key_ends *ends, struct text key, uint32_t shared);

/* Decoded parts of the current key of a file; valid when zeroed. */
struct digest_parts {
    struct strbuf text[DIGEST_KEYS];
    uint32_t first; /* first part that differs from the previous key */
    uint32_t n;     /* parts in TEXT that belong to the current key */
};

/* The budget for decoding the keys of files of INPUT_BYTES.  It limits memory, because a new name
 * may share up to a megabyte with the previous key. */
struct budget digest_parts_budget(uint64_t input_bytes, struct cancel_mark cancel);
/* Decodes the parts of KEY that differ from the previous key and charges BUDGET for them.  False
 * when the budget is exhausted: KEY has to be skipped. */
bool digest_parts_read(struct digest_parts *parts, const struct strbuf *key,
                       const struct digest_key_ends *ends, struct budget *budget);
void digest_parts_done(struct digest_parts *parts);

/* Adds one execution of PS picoseconds. */
void digest_record_time(struct digest_record *r, uint64_t ps);
/* Adds figures and times of FROM, a record with the same key. */
void digest_record_merge(struct digest_record *r, const struct digest_record *from);
/* True when some executions can have these figures. */
bool digest_record_is_valid(const struct digest_record *r);

/* Compares two keys by memcmp(); a prefix comes first. */
int digest_key_compare(const struct strbuf *a, const struct strbuf *b);

/* Sums that saturate at the 64-bit limit, so that their order makes no difference. */
static inline uint64_t add_up_to_limit(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* A byte that is invalid in UTF-8, the name, and the version. */
#define PART_MAGIC "\xf4TFPART\x01"
enum { PART_MAGIC_BYTES = sizeof PART_MAGIC - 1, PART_CRC_BYTES = 4 };
