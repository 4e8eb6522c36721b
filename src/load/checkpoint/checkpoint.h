/* checkpoint.h: the tensors of a checkpoint, V1 or V2: names, types and
 * shapes at once, values when somebody looks at them (formats-checkpoint.md). */
#ifndef TFPROF_LOAD_CHECKPOINT_H
#define TFPROF_LOAD_CHECKPOINT_H

#include <sys/types.h>

#include "base/cancel.h"
#include "base/err.h"
#include "model/attr.h"

struct checkpoint; /* private: checkpoint_parts.h */

struct checkpoint_tensor {
    struct attr_bytes name;      /* the key in the file */
    struct attr_bytes full_name; /* the variable's name in a graph, "" when not known */
    int dtype;                   /* DataType number */
    struct attr_shape shape;
    int64_t n_elements; /* -1: the shape is absurd, there are no values */
    uint32_t first_part, n_parts;
};

/* Opens what PATH names: a prefix, one of its files, a folder with a
 * `checkpoint` file, or a SavedModel folder.  Nothing is read from data files.
 * NULL with ERR. */
struct checkpoint *checkpoint_open(const char *path, struct err *err);
void checkpoint_close(struct checkpoint *c);

/* "checkpoint V2": static text for people. */
const char *checkpoint_format(const struct checkpoint *c);
/* True when that file is one of those C is read from, data files included. */
bool checkpoint_has_file(const struct checkpoint *c, dev_t device, ino_t inode);
/* In byte order of their names. */
size_t checkpoint_n_tensors(const struct checkpoint *c);
const struct checkpoint_tensor *checkpoint_tensor(const struct checkpoint *c, size_t i);
/* The tensor of a graph node's name: by key, by full name, or by the key
 * without its "/.ATTRIBUTES/VARIABLE_VALUE"; NULL when there is none. */
const struct checkpoint_tensor *checkpoint_find(const struct checkpoint *c, const char *name,
                                                size_t len);

/* Values, row major. */
enum checkpoint_kind { CHECKPOINT_DOUBLES, CHECKPOINT_INTS, CHECKPOINT_STRINGS };

struct checkpoint_values {
    enum checkpoint_kind kind;
    size_t n; /* how many were read */
    double *doubles;
    int64_t *ints; /* also truth values; unsigned ones above 2^63 wrap */
    struct attr_bytes *strings;
    struct arena arena; /* of all of it */
};

/* Reads the first MAX values (SIZE_MAX: all) of T; checksums are verified when
 * all of the tensor is read.  False with ERR ("PATH: tensor NAME: cause"), also
 * for types without numbers or strings and for complex ones. */
bool checkpoint_values_read(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            size_t max, struct checkpoint_values *v, struct err *err);
void checkpoint_values_done(struct checkpoint_values *v);

enum { CHECKPOINT_BINS = 16 };

struct checkpoint_stats {
    uint64_t n, n_zeros, n_nans, n_infinite;
    double min, max, mean, deviation; /* of the finite ones; population's */
    uint64_t bins[CHECKPOINT_BINS];   /* finite ones, min to max in equal steps */
};

/* Goes twice over all values of a numeric tensor.  False with ERR as above, or
 * cancelled. */
bool checkpoint_stats_compute(const struct checkpoint *c, const struct checkpoint_tensor *t,
                              struct cancel_mark cancel, struct checkpoint_stats *s,
                              struct err *err);

#endif
