/* load_request.h: the request for a load, and its progress. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "opt/options.h"

/* The inputs of a load, borrowed.  Uses the options of STAGE_LOAD; "-" is standard input.  `files`
 * are detected by content; a folder means the files in it (cli.md section 3). */
struct load_request {
    const struct options *options;
    const char *const *files;
    size_t n_files;
    uint64_t max_file_bytes; /* limit for all files together as stored; 0: none */
};

/* Written by the loading thread, except for the first field, and read by any thread. */
struct load_progress {
    atomic_bool stop_asked; /* start no further file; the files read so far become the profile */
    atomic_uint_fast32_t n_read, n_runs_read; /* files read; those that are not graphs */
    atomic_uint_fast32_t n_left_out; /* files left out because of stop_asked */
    atomic_uint_fast64_t bytes_done, bytes_total;
    atomic_uint_fast32_t n_nodes;
    _Atomic(const char *) what; /* static text: "GraphDef, binary" */
};
