/* row_paths.h: makes unique paths for rows of models whose node names need not be unique
 * (formats-onnx.md section 3). */
#pragma once

#include "load/loader.h"

struct row_paths {
    struct builder *builder;
    struct idmap taken;    /* path -> number of rows with this path */
    struct strbuf text;    /* scratch */
    uint64_t bytes_left;   /* limit for repeated prefixes */
};

/* Prefixes may take half of the memory of a load of B (base/budget.h); then "(deep names)" replaces
 * them. */
void row_paths_init(struct row_paths *p, struct builder *b);
void row_paths_done(struct row_paths *p);

/* A unique path for NAME below PREFIX.  IS_TENSOR: dots separate levels if NAME has no slash.  An
 * empty NAME becomes OP_INDEX. */
strid row_path(struct row_paths *p, strid prefix, struct span name, bool is_tensor, struct span op,
               int64_t index);
/* A unique name below PREFIX for a tensor without a row. */
strid row_free_name(struct row_paths *p, strid prefix, struct span name);
/* PREFIX/A; with I >= 0 PREFIX/A_I. */
strid row_join(struct row_paths *p, strid prefix, struct span a, int64_t i);
/* Appends NAME with its levels, separated by BETWEEN, joined by slashes.  Skips empty levels, and
 * everything after a semicolon. */
void row_put_levels(struct strbuf *sb, struct span name, char between);
