/* load_request.h: what a load is asked for, and how far it has come. */
#ifndef TFPROF_LOAD_LOAD_REQUEST_H
#define TFPROF_LOAD_LOAD_REQUEST_H

#include <stdatomic.h>
#include <stdint.h>

#include "opt/options.h"

/* What to read, borrowed.  Of the options those that feed STAGE_LOAD are looked at; "-" is standard
 * input.  `files` are recognised by content, a folder gives every recognised
 * file in it (cli.md section 3). */
struct load_request {
    const struct options *options;
    const char *const *files;
    size_t n_files;
    uint64_t max_file_bytes; /* of all files together, as they are stored; 0: any */
};

/* Written by the loading thread, but for the first one, and read by any other. */
struct load_progress {
    atomic_bool stop_asked; /* no further file is begun; what has been read is the profile */
    atomic_uint_fast32_t n_read, n_runs_read; /* files so far; those that are no graphs */
    atomic_uint_fast32_t n_left_out; /* files that were not read, for stop_asked */
    atomic_uint_fast64_t bytes_done, bytes_total;
    atomic_uint_fast32_t n_nodes;
    _Atomic(const char *) what; /* static text: "GraphDef, binary" */
};

#endif
