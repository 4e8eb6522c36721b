/* record.h: what is known of one operation on one kind of device of one host, as sums that can be
 * merged in any order (formats-digest.md). */
#ifndef TFPROF_DIGEST_RECORD_H
#define TFPROF_DIGEST_RECORD_H

#include <stdbool.h>

#include "base/budget.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "digest/sketch.h"

/* X(ID, name): the parts of a key, in the order in which records are sorted. */
#define DIGEST_KEY_LIST(X)                                                     \
    X(PROGRAM, program)                                                        \
    X(NAME, name)        /* of the node: scopes and operation */               \
    X(OP, op)                                                                  \
    X(TYPES, types)      /* further types: a list */                           \
    X(STACK, call_stack) /* a list: file, line, function of each frame */      \
    X(KIND, device_kind) /* "cpu", "gpu": what stands in front of its number */ \
    X(HOST, host)

#define DIGEST_KEY_ID(id, name) DIGEST_##id,
enum digest_key { DIGEST_KEY_LIST(DIGEST_KEY_ID) DIGEST_KEYS };
#undef DIGEST_KEY_ID

/* X(ID, name): the figures of a record, each 0 to the 64-bit limit. */
#define DIGEST_FIGURE_LIST(X)                                                 \
    X(COUNT, count)     /* executions */                                      \
    X(RUNS, run_count)  /* as the views count them */                         \
    X(SUM, sum_ps)      /* of their times */                                  \
    X(LEAST, min_ps)    /* 0 where there is none, as with all that follow */  \
    X(MOST, max_ps)                                                           \
    X(SQUARES_HIGH, squares_high) /* 128 bits: sum of squares, ps^2 */        \
    X(SQUARES_LOW, squares_low)                                               \
    X(FLOPS, float_ops)                                                       \
    X(BYTES, bytes)                                                           \
    X(PEAK, peak_bytes) /* the largest; the others are sums */                \
    X(RESIDUAL, residual_bytes)                                               \
    X(OUTPUT, output_bytes)

#define DIGEST_FIGURE_ID(id, name) DIGEST_##id,
enum digest_figure { DIGEST_FIGURE_LIST(DIGEST_FIGURE_ID) DIGEST_FIGURES };
#undef DIGEST_FIGURE_ID

/* A key is of so many bytes at most; what is longer cannot be in a part. */
enum { DIGEST_KEY_MAX_BYTES = 1 << 20 };

struct digest_record {
    struct strbuf key; /* its parts, so that the order of bytes is that of the parts */
    uint64_t figures[DIGEST_FIGURES];
    struct sketch times_ps; /* of the executions */
};

/* Forgets all, keeps the memory. */
void digest_record_clear(struct digest_record *r);
void digest_record_done(struct digest_record *r);

/* Appends a part of the key; all of them, in order. */
void digest_key_add(struct strbuf *key, const void *bytes, size_t len);
/* Appends an item to a list, which is then a part. */
void digest_list_add(struct strbuf *list, const void *bytes, size_t len);
/* The next part of a key, or item of a list: replaces TEXT, moves *AT on.  False at the end, and
 * where the bytes are no part. */
bool digest_part_next(struct text all, uint32_t *at, struct strbuf *text);
/* Appends what a node is called when a part is loaded: PROGRAM/NAME, or NAME alone. */
void digest_node_name(struct strbuf *sb, const struct strbuf *program, const struct strbuf *name);
/* Appends what a device is called: "/host:HOST/device:KIND:0"; HOST may be NULL. */
void digest_device(struct strbuf *sb, const struct strbuf *host, const struct strbuf *kind);
/* Where the parts of a key end, for keys that share their first bytes with the one before: only what
 * differs is looked at.  A zeroed one is of an empty key. */
struct digest_key_ends {
    uint32_t end[DIGEST_KEYS]; /* bytes of the key, up to and with the end of each part */
    uint32_t n;                /* parts that are whole: DIGEST_KEYS of a valid key */
    uint32_t n_shared;         /* of those, parts that the key before had too */
    uint32_t n_items;          /* of the list that the key is cut in, but for whole groups */
};

/* KEY is to be cut to SHARED bytes: forgets the parts behind them.  KEY is valid, or empty. */
void digest_key_ends_cut(struct digest_key_ends *ends, struct text key, uint32_t shared);
/* KEY was cut to SHARED bytes and has others behind them.  True when it has as many parts as a key
 * has, and lists are lists. */
bool digest_key_ends_extend(struct digest_key_ends *ends, struct text key, uint32_t shared);

/* The parts of the keys of a file, one key after the other; a zeroed one is ready. */
struct digest_parts {
    struct strbuf text[DIGEST_KEYS];
    uint32_t first; /* the first part that differs from those of the key read before */
    uint32_t n;     /* parts in TEXT that are those of the key at hand */
};

/* The budget for the parts of all keys of files of INPUT_BYTES: a key may share a megabyte with the
 * one before, and make a new name of it. */
struct budget digest_parts_budget(uint64_t input_bytes, struct cancel_mark cancel);
/* Reads the parts of KEY, whose ENDS are known: those that differ, which are paid for with BUDGET.
 * False when that is spent: KEY is then to be left out. */
bool digest_parts_read(struct digest_parts *parts, const struct strbuf *key,
                       const struct digest_key_ends *ends, struct budget *budget);
void digest_parts_done(struct digest_parts *parts);

/* Adds one execution of PS. */
void digest_record_time(struct digest_record *r, uint64_t ps);
/* Adds figures and times of FROM, whose key is the same. */
void digest_record_merge(struct digest_record *r, const struct digest_record *from);
/* True when the figures can be those of any executions. */
bool digest_record_is_valid(const struct digest_record *r);

/* memcmp() of two keys; what begins another comes first. */
int digest_key_compare(const struct strbuf *a, const struct strbuf *b);

#endif
