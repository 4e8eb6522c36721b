/* checkpoint.h: the tensors of a checkpoint, V1 or V2: names, types and shapes are read at once,
 * values on demand (formats-checkpoint.md). */
#pragma once

#include <sys/types.h>

#include "base/cancel.h"
#include "base/err.h"
#include "model/attr.h"

struct checkpoint; /* private: checkpoint_parts.h */

struct checkpoint_tensor {
    struct attr_bytes name;      /* key in the file */
    struct attr_bytes full_name; /* the variable's name in a graph, "" when unknown */
    int dtype;                   /* DataType number */
    struct attr_shape shape;
    int64_t n_elements; /* -1: invalid shape, no values */
    uint32_t first_part, n_parts;
};

/* Opens PATH: a prefix, one of its files, a folder with a `checkpoint` file, or a SavedModel
 * folder. Does not read data files.  NULL with ERR. */
struct checkpoint *checkpoint_open(const char *path, struct err *err);
void checkpoint_close(struct checkpoint *c);

/* "checkpoint V2": static text. */
const char *checkpoint_format(const struct checkpoint *c);
/* True when C is read from that file; includes data files. */
bool checkpoint_has_file(const struct checkpoint *c, dev_t device, ino_t inode);
/* Sorted by name. */
size_t checkpoint_n_tensors(const struct checkpoint *c);
const struct checkpoint_tensor *checkpoint_tensor(const struct checkpoint *c, size_t i);
/* The tensor of a graph node: by key, by full name, or by the key without
 * "/.ATTRIBUTES/VARIABLE_VALUE"; NULL when there is none. */
const struct checkpoint_tensor *checkpoint_find(const struct checkpoint *c, const char *name,
                                                size_t len);

/* Values in row-major order. */
enum checkpoint_kind { CHECKPOINT_DOUBLES, CHECKPOINT_INTS, CHECKPOINT_STRINGS };

struct checkpoint_values {
    enum checkpoint_kind kind;
    size_t n; /* number of values read */
    double *doubles;
    int64_t *ints; /* including bool; unsigned values above 2^63 wrap */
    struct attr_bytes *strings;
    struct arena arena; /* owns the memory */
};

/* Reads the first MAX values (SIZE_MAX: all) of T; verifies checksums when the whole tensor is
 * read. False with ERR ("PATH: tensor NAME: cause"), also for complex types and types without
 * values. */
bool checkpoint_values_read(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            size_t max, struct checkpoint_values *v, struct err *err);
void checkpoint_values_done(struct checkpoint_values *v);

enum { CHECKPOINT_BINS = 16 };

struct checkpoint_stats {
    uint64_t n, n_zeros, n_nans, n_infinite;
    double min, max, mean, deviation; /* of finite values; population deviation */
    uint64_t bins[CHECKPOINT_BINS];   /* histogram of finite values, equal steps from min to max */
};

/* Makes two passes over all values of a numeric tensor.  False with ERR as above, or cancelled. */
bool checkpoint_stats_compute(const struct checkpoint *c, const struct checkpoint_tensor *t,
                              struct cancel_mark cancel, struct checkpoint_stats *s,
                              struct err *err);
