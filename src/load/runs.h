/* runs.h: the runs below a log folder, to choose one from. */
#ifndef TFPROF_LOAD_RUNS_H
#define TFPROF_LOAD_RUNS_H

#include "base/cancel.h"
#include "base/err.h"
#include "base/vec.h"

enum { RUN_STEPS_UNKNOWN = -1, RUN_STEPS_NONE = -2 };

/* A folder with captures, event files or traces of PyTorch, or one event file of a folder that is
 * read otherwise because captures stand below it. */
struct log_run {
    char *path;          /* begins with that of the log folder; heap */
    uint64_t size_bytes; /* of its files */
    int64_t changed_s;   /* when the last of them did, seconds since 1970 */
    int64_t n_steps;     /* RUN_STEPS_UNKNOWN until run_count_steps(); NONE: it cannot be read */
};

struct log_runs {
    VEC(struct log_run) list; /* the last one that changed first */
    bool is_cut;          /* there are more folders than are looked into */
};

/* Lists the runs in FOLDER and below it into RUNS, which is zeroed.  Links to folders are not
 * followed.  What cannot be opened is left out. */
void runs_find(struct log_runs *runs, const char *folder, struct cancel_mark cancel);
void runs_done(struct log_runs *runs);
/* The same where FOLDER is one to choose a run from: it has several, and, unless it is one of them
 * itself, nothing else to read.  False, RUNS empty, for anything else. */
bool runs_offer(struct log_runs *runs, const char *folder, struct cancel_mark cancel);

/* The folder that lists the run of the file PATH among others: that around the file's folder, or around
 * the folders of plugins that it is in.  Heap. */
char *runs_folder_around(const char *path);

/* Reads RUN to count its steps; false with ERR when it cannot be read, or is larger than
 * RUN_COUNT_BYTES, which would take too long for a list. */
enum { RUN_COUNT_BYTES = 1 << 28 };
bool run_count_steps(struct log_run *run, struct cancel_mark cancel, struct err *err);

#endif
