/* checkpoint_files.h: finds the files of a checkpoint (formats-checkpoint.md sections 1, 3.2 and
 * 5). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* All heap memory, owned. */
struct checkpoint_files {
    char *prefix;
    char **tables; /* the index of V2; the file or all shards of V1 */
    size_t n_tables;
};

/* Finds the files for a path from the user: the prefix, the index or a data file, a table file, a
 * `checkpoint` state file, a folder with one, or a SavedModel folder.  False with ERR. */
bool checkpoint_files_find(struct checkpoint_files *f, const char *path, struct err *err);
void checkpoint_files_done(struct checkpoint_files *f);

/* True, judged by names only, when PATH is a prefix or a file of a checkpoint, its state file, or a
 * data file with an index. */
bool checkpoint_path_is_one(const char *path);
bool checkpoint_path_is_state(const char *path);
bool checkpoint_path_is_data(const char *path);

/* The data file of SHARD of N_SHARDS (if the count is wrong, the only file with that number); heap,
 * or NULL when there is none. */
char *checkpoint_data_path(const struct checkpoint_files *f, uint32_t shard, uint32_t n_shards);
