/* checkpoint_parts.h: shared by checkpoint.c and the readers of values. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/wire_in.h"
#include "load/bytes/mapping.h"
#include "load/checkpoint/checkpoint.h"
#include "load/checkpoint/checkpoint_files.h"
#include "load/checkpoint/sstable.h"
#include "load/graph/dtype.h"
#include "model/attr.h"

/* A slice of a tensor, or all of it: one resolved extent for each dimension, within the tensor. */
struct checkpoint_part {
    const struct slice_extent *extents;
    int64_t n_elements;
    /* V2: position in a data file */
    uint32_t shard;
    uint64_t offset, size_bytes;
    uint32_t masked_crc;
    /* V1: table and key */
    uint32_t table;
    struct attr_bytes key;
};

/* An open table file. */
struct checkpoint_table {
    struct file_map map;
    struct sstable table;
};

struct checkpoint {
    struct arena arena;
    struct checkpoint_files files;
    bool is_v2;
    bool is_big_endian;
    uint32_t n_shards; /* from the header */
    uint64_t room_bytes; /* budget for names and keys */
    bool is_absurd;      /* the budget was exceeded */
    VEC(struct checkpoint_table) tables; /* V2: only the index, closed after reading */
    VEC(struct checkpoint_tensor) tensors; /* sorted by name */
    VEC(struct checkpoint_part) parts;
    VEC(uint32_t) by_full_name; /* indexes of tensors */
};

/* A copy that lives as long as C; empty when the budget of the checkpoint is exhausted. */
struct attr_bytes checkpoint_keep(struct checkpoint *c, const void *bytes, size_t len);
/* Compares by bytes. */
int checkpoint_compare(struct attr_bytes a, struct attr_bytes b);
/* Sets the number of elements of T; -1: invalid shape. */
void checkpoint_count_elements(struct checkpoint_tensor *t);
/* The part of T that SLICE describes, and its KEY; false when it is invalid. */
bool checkpoint_make_part(struct checkpoint *c, const struct checkpoint_tensor *t,
                          struct wire_in slice, struct checkpoint_part *part,
                          struct strbuf *key);
/* Field of SavedTensorSlices; under the empty key it marks a V1 table. */
enum { SLICES_META = 1 };
/* Lists the tensors of a V1 checkpoint, whose tables are open. */
bool checkpoint_open_v1(struct checkpoint *c, struct err *err);

enum { PART_WINDOW_BYTES = 1 << 16 };

/* Reads elements of a part in ascending order. */
struct part_reader {
    const struct checkpoint *checkpoint;
    const struct checkpoint_tensor *tensor;
    const struct checkpoint_part *part;
    const struct dtype *type;
    struct sstable_cursor cursor; /* V1: position of the last part; the next one is nearby */
    struct arena arena; /* V1: memory of bits */
    const uint64_t *bits; /* V1: all elements */
    int fd;         /* V2: the data file; else -1 */
    uint64_t window_at;
    size_t window_bytes;
    uint8_t window[PART_WINDOW_BYTES];
};

/* A reader for parts, one at a time. */
struct part_reader *part_reader_new(void);
void part_reader_free(struct part_reader *r);
/* Opens a part of a numeric tensor and checks its size against its shape.  False with ERR; nothing
 * has to be closed then. */
bool part_reader_open(struct part_reader *r, const struct checkpoint *c,
                      const struct checkpoint_tensor *t, const struct checkpoint_part *part,
                      struct err *err);
void part_reader_close(struct part_reader *r);
/* Reads COUNT elements from FIRST on, which the part has. */
bool part_reader_bits(struct part_reader *r, uint64_t first, size_t count, uint64_t *bits,
                      struct err *err);
/* Reads the whole part to verify its checksum (V1 has none). */
bool part_reader_verify(struct part_reader *r, struct err *err);

/* False with ERR when the files have less than a byte for each element of PART; checked before
 * memory is allocated for a claimed shape.  CURSOR is zeroed initially and passed from part to
 * part. */
bool part_exists(const struct checkpoint *c, const struct checkpoint_tensor *t,
                   const struct checkpoint_part *part, struct sstable_cursor *cursor,
                   struct err *err);

/* The part->n_elements strings of a part, with their bytes in ARENA. */
bool part_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                  const struct checkpoint_part *part, struct sstable_cursor *cursor,
                  struct arena *arena, const struct attr_bytes **strings, struct err *err);

/* Sets the error "PATH: tensor NAME: CAUSE". */
bool checkpoint_fail(const struct checkpoint *c, const struct checkpoint_tensor *t,
                     const char *cause, struct err *err);

/* Calls EACH for every stored value of a serialized TrackableObjectGraph; the full name is "" when
 * it is missing. */
void object_graph_walk(struct attr_bytes graph,
                       void (*each)(void *context, struct attr_bytes key,
                                    struct attr_bytes full_name),
                       void *context);

/* A range of one dimension; length -1: all of it. */
struct slice_extent {
    int64_t start, length;
};

/* Appends the key of a slice of tensor NAME. */
void slice_key_add(struct strbuf *key, const char *name, size_t name_len,
                   const struct slice_extent *extents, size_t n_extents);
