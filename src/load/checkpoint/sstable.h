/* sstable.h: the sorted string table that holds checkpoints
 * (formats-checkpoint.md section 2). */
#ifndef TFPROF_LOAD_SSTABLE_H
#define TFPROF_LOAD_SSTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* A data block by the index: keys up to last_key stand in it. */
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
    struct sstable_block *blocks; /* heap, as their keys */
    size_t n_blocks;
};

/* What may be kept, or gone over, of a table of that size: keys share their
 * beginnings and blocks are packed, so a small file can stand for very much. */
uint64_t sstable_max_bytes(size_t size_bytes);

/* Reads footer and index.  False with ERR: "PATH: byte N: cause"; nothing is
 * to be closed then. */
bool sstable_open(struct sstable *t, const uint8_t *bytes, size_t size_bytes, const char *path,
                struct err *err);
void sstable_close(struct sstable *t);

/* A place in the table.  Key and value are valid until the next call. */
struct sstable_cursor {
    const struct sstable *table;
    size_t next_block;
    struct strbuf unpacked; /* of the current block, when it is compressed */
    const uint8_t *block, *at, *end;
    struct strbuf key;
    const uint8_t *value;
    size_t value_len;
};

/* Before the first entry. */
void sstable_cursor_init(struct sstable_cursor *c, const struct sstable *t);
void sstable_cursor_done(struct sstable_cursor *c);
/* The next entry; *MORE false behind the last one.  False with ERR when a
 * block is damaged. */
bool sstable_next(struct sstable_cursor *c, bool *more, struct err *err);
/* The entry of exactly that key; *FOUND false when there is none.  Keys that are sought in their
 * order are found in one walk over each block. */
bool sstable_seek(struct sstable_cursor *c, const void *key, size_t len, bool *found, struct err *err);

#endif
