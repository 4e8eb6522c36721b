/* table.h: the sorted string table that holds checkpoints
 * (formats-checkpoint.md section 2). */
#ifndef TFPROF_LOAD_TABLE_H
#define TFPROF_LOAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* A data block by the index: keys up to last_key stand in it. */
struct table_block {
    const char *last_key;
    size_t last_key_len;
    uint64_t offset, size_bytes;
};

/* Borrows the bytes and the path. */
struct table {
    const uint8_t *bytes;
    size_t size_bytes;
    const char *path;
    struct table_block *blocks; /* heap, as their keys */
    size_t n_blocks;
};

/* What may be kept, or gone over, of a table of that size: keys share their
 * beginnings and blocks are packed, so a small file can stand for very much. */
uint64_t table_max_bytes(size_t size_bytes);

/* Reads footer and index.  False with ERR: "PATH: byte N: cause"; nothing is
 * to be closed then. */
bool table_open(struct table *t, const uint8_t *bytes, size_t size_bytes, const char *path,
                struct err *err);
void table_close(struct table *t);

/* A place in the table.  Key and value are valid until the next call. */
struct table_cursor {
    const struct table *table;
    size_t next_block;
    struct strbuf unpacked; /* of the current block, when it is compressed */
    const uint8_t *block, *at, *end;
    struct strbuf key;
    const uint8_t *value;
    size_t value_len;
};

/* Before the first entry. */
void table_cursor_init(struct table_cursor *c, const struct table *t);
void table_cursor_done(struct table_cursor *c);
/* The next entry; *MORE false behind the last one.  False with ERR when a
 * block is damaged. */
bool table_next(struct table_cursor *c, bool *more, struct err *err);
/* The entry of exactly that key; *FOUND false when there is none.  Keys that are sought in their
 * order are found in one walk over each block. */
bool table_seek(struct table_cursor *c, const void *key, size_t len, bool *found, struct err *err);

#endif
