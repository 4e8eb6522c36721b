/* checkpoint_parts.h: what checkpoint.c and the readers of values share. */
#ifndef TFPROF_LOAD_CHECKPOINT_PARTS_H
#define TFPROF_LOAD_CHECKPOINT_PARTS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "load/checkpoint/checkpoint.h"
#include "load/checkpoint/checkpoint_files.h"
#include "load/graph/dtype.h"
#include "load/bytes/file_map.h"
#include "load/checkpoint/slice_key.h"
#include "load/checkpoint/sstable.h"

/* A piece of a tensor, or all of it: one extent per dimension, all known. */
struct checkpoint_part {
    const struct slice_extent *extents;
    uint32_t rank; /* of the tensor as it was where the piece is listed; extents there are */
    int64_t n_elements;
    /* V2: where it stands in a data file */
    uint32_t shard;
    uint64_t offset, size_bytes;
    uint32_t masked_crc;
    /* V1: under which key of which table it stands */
    uint32_t table;
    struct attr_bytes key;
};

/* A table file that is open. */
struct checkpoint_table {
    struct file_map map;
    struct sstable table;
};

struct checkpoint {
    struct arena arena;
    struct checkpoint_files files;
    bool is_v2;
    bool is_big_endian;
    uint32_t n_shards; /* as the header says */
    uint64_t room_bytes; /* of names and keys that may still be made */
    bool is_absurd;      /* more were asked for */
    VEC(struct checkpoint_table) tables; /* V2: the index alone, closed after reading */
    VEC(struct checkpoint_tensor) tensors; /* by name */
    VEC(struct checkpoint_part) parts;
    VEC(uint32_t) by_full_name; /* indexes of tensors */
};

/* A copy that lives as long as C; empty once a checkpoint of this size has
 * asked for too much. */
struct attr_bytes checkpoint_keep(struct checkpoint *c, const void *bytes, size_t len);
/* Byte order. */
int checkpoint_compare(struct attr_bytes a, struct attr_bytes b);
/* Sets how many elements T has; -1: its shape is none that can be. */
void checkpoint_count_elements(struct checkpoint_tensor *t);
/* The piece of T that SLICE describes, and the KEY under which it stands; false
 * when it does not fit. */
bool checkpoint_make_part(struct checkpoint *c, const struct checkpoint_tensor *t,
                          struct wire_in slice, struct checkpoint_part *part,
                          struct strbuf *key);
/* In SavedTensorSlices; a table with it under the empty key is one of V1. */
enum { SLICES_META = 1 };
/* Lists the tensors of a V1 checkpoint, whose tables are open. */
bool checkpoint_open_v1(struct checkpoint *c, struct err *err);

enum { PART_WINDOW_BYTES = 1 << 16 };

/* The elements of a part, fetched in order of their places. */
struct part_reader {
    const struct checkpoint *checkpoint;
    const struct checkpoint_tensor *tensor;
    const struct checkpoint_part *part;
    const struct dtype *type;
    struct sstable_cursor cursor; /* V1: where the last part was, for the next one is near */
    struct arena arena; /* V1: of bits */
    const uint64_t *bits; /* V1: all elements */
    int fd;         /* V2: the data file, -1 otherwise */
    uint64_t window_at;
    size_t window_bytes;
    uint8_t window[PART_WINDOW_BYTES];
};

/* A reader of parts, one after the other. */
struct part_reader *part_reader_new(void);
void part_reader_free(struct part_reader *r);
/* Opens a part of a numeric tensor; its size is checked against its shape.
 * False with ERR; nothing is to be closed then. */
bool part_reader_open(struct part_reader *r, const struct checkpoint *c,
                      const struct checkpoint_tensor *t, const struct checkpoint_part *part,
                      struct err *err);
void part_reader_close(struct part_reader *r);
/* The bits of COUNT elements from FIRST on, which the part has. */
bool part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                      struct err *err);
/* Reads the whole part for its checksum (V1 has none of its own). */
bool part_reader_verify(struct part_reader *r, struct err *err);

/* False with ERR when the files do not even have a byte for each element of PART: looked at
 * before memory is taken for what a shape says.  CURSOR, zeroed at first, goes from part to part. */
bool part_is_there(const struct checkpoint *c, const struct checkpoint_tensor *t,
                   const struct checkpoint_part *part, struct sstable_cursor *cursor,
                   struct err *err);

/* The strings of a part, part->n_elements of them, with their bytes in ARENA. */
bool part_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                  const struct checkpoint_part *part, struct sstable_cursor *cursor,
                  struct arena *arena, const struct attr_bytes **strings, struct err *err);

/* False with ERR when the values of T are not plain numbers. */
bool checkpoint_is_numeric(const struct checkpoint *c, const struct checkpoint_tensor *t,
                           struct err *err);
/* False with ERR when the parts of T do not lie within it and make it up; to be asked before
 * any part is read. */
bool checkpoint_parts_check(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            struct err *err);

/* "PATH: tensor NAME: CAUSE". */
bool checkpoint_fail(const struct checkpoint *c, const struct checkpoint_tensor *t,
                     const char *cause, struct err *err);

#endif
