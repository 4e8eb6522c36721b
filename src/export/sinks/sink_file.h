/* sink_file.h: files that are written whole or not at all. */
#ifndef TFPROF_EXPORT_SINK_FILE_H
#define TFPROF_EXPORT_SINK_FILE_H

#include <signal.h>
#include <sys/types.h>

#include "base/cancel.h"
#include "base/xalloc.h"
#include "export/output.h"
#include "export/sinks/target_path.h"

/* The bytes go to a file without a name (or a temporary one) in the folder of
 * the target; sink_file_commit() gives it the target's name.  Until then the
 * target is as it was, and an end by signal leaves nothing behind: INT, TERM,
 * HUP and QUIT are held back while a sink is open and end the writing.
 * Devices and pipes are written as they are.  Fields are private. */
struct sink_file {
    struct sink sink; /* first: a struct sink * is one of these */
    char *path;       /* as asked, for messages */
    struct target_path target;
    char *temp;       /* a name in its folder to rename from; NULL while there is none */
    int fd;
    bool shares_folder; /* target.folder_fd is another sink's */
    bool direct; /* a device or pipe: no rename */
    bool failed;
    struct cancel_mark cancel;
    sigset_t old_signals;
    char *buffer;
    size_t used_bytes;
    struct xalloc_hook no_memory;
};

/* All borrowed; zeroed fields are fine but for the path. */
struct sink_file_request {
    const char *path;
    const struct profile *inputs;  /* whose files are not to be overwritten; NULL: none */
    const struct sink_file *first; /* the first sink of a set, which outlives this one */
    struct cancel_mark cancel;     /* ends any writing and waiting */
};

/* Opens a file for writing.  A pipe that nobody reads from is waited for, until
 * one of the signals comes or the request is cancelled (ERR is cancelled then).
 * False with ERR (input) when it cannot be written, is one of the inputs, or
 * stands behind a link that is not to be trusted (target_path.h). */
bool sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                    struct err *err);
/* Writes what is buffered and makes it safe on disk, still without the name:
 * the part that can fail. */
bool sink_file_finish(struct sink_file *f, struct err *err);
/* Gives the finished file its name and closes.  Of several sinks that are open
 * at once the last one opened is closed first (signals are held in a nest). */
bool sink_file_commit(struct sink_file *f, struct err *err);
/* Closes without a trace; fine after a failure of any of the above and, as a
 * no-op, after a commit. */
void sink_file_abandon(struct sink_file *f);

#endif
