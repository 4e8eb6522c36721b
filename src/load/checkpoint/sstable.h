/* sstable.h: reads sorted string tables, the container of checkpoints (formats-checkpoint.md
 * section 2). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* An index entry: a data block with keys up to last_key. */
struct sstable_block {
    const char *last_key;
    size_t last_key_len;
    uint64_t offset, size_bytes;
};

/* Borrows the bytes and the path. */
struct sstable {
    const uint8_t *bytes;
    size_t size_bytes;
    const char *path;
    struct sstable_block *blocks; /* heap, as are their keys */
    size_t n_blocks;
};

/* Limit for the bytes of keys and blocks of a table of this size: keys share prefixes and blocks
 * are compressed, so a small file could expand without bound. */
uint64_t sstable_max_bytes(size_t size_bytes);

/* Reads footer and index.  False with ERR: "PATH: byte N: cause"; nothing has to be closed then. */
bool sstable_open(struct sstable *t, const uint8_t *bytes, size_t size_bytes, const char *path,
                struct err *err);
void sstable_close(struct sstable *t);

/* A position in the table.  Key and value are valid until the next call. */
struct sstable_cursor {
    const struct sstable *table;
    size_t next_block;
    struct strbuf unpacked; /* the current block, if it is compressed */
    const uint8_t *block, *at, *end;
    struct strbuf key;
    const uint8_t *value;
    size_t value_len;
};

/* Positions C before the first entry. */
void sstable_cursor_init(struct sstable_cursor *c, const struct sstable *t);
void sstable_cursor_done(struct sstable_cursor *c);
/* Moves to the next entry; *MORE is false at the end.  False with ERR when a block is damaged. */
bool sstable_next(struct sstable_cursor *c, bool *more, struct err *err);
/* Finds the entry with that key; *FOUND is false when there is none.  Looking up ascending keys
 * scans each block once. */
bool sstable_seek(struct sstable_cursor *c, const void *key, size_t len, bool *found, struct err *err);
