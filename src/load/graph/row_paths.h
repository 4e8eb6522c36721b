/* row_paths.h: paths of rows of models whose names are not unique: levels, numbers of repeated ones
 * (formats-onnx.md section 3). */
#pragma once

#include "load/loader.h"

struct row_paths {
    struct builder *builder;
    struct idmap taken;    /* paths: how many rows want one */
    struct strbuf text;    /* scratch */
    uint64_t bytes_left;   /* that prefixes may repeat */
};

/* Prefixes repeat at most 64 times the inputs of B, and 64 MiB; then "(deep names)" stands for them. */
void row_paths_init(struct row_paths *p, struct builder *b);
void row_paths_done(struct row_paths *p);

/* The path of NAME below PREFIX, which no other row has; IS_TENSOR: dots part levels where there is no
 * slash.  OP and INDEX name what has no name. */
strid row_path(struct row_paths *p, strid prefix, struct span name, bool is_tensor, struct span op,
               int64_t index);
/* The name of a tensor below PREFIX that has no row. */
strid row_free_name(struct row_paths *p, strid prefix, struct span name);
/* PREFIX/A, with _I for element I of a list (-1: none). */
strid row_join(struct row_paths *p, strid prefix, struct span a, int64_t i);
/* Appends the components of NAME, of several names the first, without empty ones. */
void row_put_levels(struct strbuf *sb, struct span name, char between);
