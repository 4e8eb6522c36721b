/* runs.h: lists the runs below a log folder. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "base/vec.h"

enum { RUN_STEPS_UNKNOWN = -1, RUN_STEPS_NONE = -2 };

/* A folder with captures, event files or traces of PyTorch; or one event file of a folder that
 * loads other files because captures are below it. */
struct log_run {
    char *path;          /* begins with the path of the log folder; heap */
    uint64_t size_bytes; /* total size of its files */
    int64_t changed_s;   /* last modification, seconds since 1970 */
    int64_t n_steps;     /* RUN_STEPS_UNKNOWN until run_count_steps(); NONE: unreadable */
};

struct log_runs {
    VEC(struct log_run) list; /* last modified first */
    bool is_cut;          /* the limit of folders was reached */
};

/* Lists the runs in FOLDER and below it in RUNS, which is zeroed.  Does not follow links to
 * folders. Skips what cannot be opened. */
void runs_find(struct log_runs *runs, const char *folder, struct cancel_mark cancel);
void runs_done(struct log_runs *runs);
/* The same if FOLDER has several runs to choose from and, unless it is a run itself, no other
 * inputs. False, with RUNS empty, otherwise. */
bool runs_offer(struct log_runs *runs, const char *folder, struct cancel_mark cancel);

/* The log folder that lists the run of the file PATH: the parent of its folder, or of the plugin
 * folders around it; heap. */
char *runs_folder_around(const char *path);

/* Reads RUN to count its steps; false with ERR when it cannot be read, or is larger than
 * RUN_COUNT_BYTES (too slow for a list). */
enum { RUN_COUNT_BYTES = 1 << 28 };
bool run_count_steps(struct log_run *run, struct cancel_mark cancel, struct err *err);
