/* checkpoint_files.h: which files a checkpoint consists of
 * (formats-checkpoint.md sections 1, 3.2 and 5). */
#ifndef TFPROF_LOAD_CHECKPOINT_FILES_H
#define TFPROF_LOAD_CHECKPOINT_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* All heap, owned. */
struct checkpoint_files {
    char *prefix;
    char **tables; /* the index of V2; the file or all shards of V1 */
    size_t n_tables;
};

/* From what a user gives to the files: the prefix, the index or a data file, a
 * table file, a `checkpoint` state file, a folder with one, a SavedModel
 * folder.  False with ERR. */
bool checkpoint_files_find(struct checkpoint_files *f, const char *path, struct err *err);
void checkpoint_files_done(struct checkpoint_files *f);

/* By its name and what stands beside it: PATH is a prefix or a file of a
 * checkpoint; its state file; a data file, which goes with an index. */
bool checkpoint_path_is_one(const char *path);
bool checkpoint_path_is_state(const char *path);
bool checkpoint_path_is_data(const char *path);

/* The data file of SHARD of N_SHARDS (whose count may be off: then the only
 * file of that number counts); heap, or NULL when there is none. */
char *checkpoint_data_path(const struct checkpoint_files *f, uint32_t shard, uint32_t n_shards);

#endif
