/* sink_file.h: atomic files: written as a whole, or not at all. */
#pragma once

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/cancel.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "export/sinks/sink.h"

/* A name in an open folder; renaming folders above it has no effect. */
struct target_path {
    int folder_fd; /* O_PATH */
    char *name;    /* heap; in the folder, "." for the folder itself */
    bool exists;
    bool is_descriptor; /* NAME is a link in /proc to a pipe or device: /dev/stdout */
    struct stat st;     /* if the target exists; not of a link */
};

/* Resolves PATH and its links, one by one; the file need not exist.  False with ERR (input) when a
 * folder is missing, or at a link of another user in a sticky, world-writable folder like /tmp,
 * because that user chooses its target.  The kernel has this rule as fs.protected_symlinks
 * (proc(5)), but it is optional and does not apply to readlink(). */
bool target_path_find(const char *path, struct target_path *t, struct err *err);
void target_path_done(struct target_path *t);

/* Bytes are written to an unnamed (or temporary) file in the target's folder; sink_file_commit()
 * renames it. Until then the target is unchanged. INT, TERM, HUP and QUIT are blocked while a sink
 * is open and cancel writing, so that no temporary file remains. Devices and pipes are written
 * directly. Fields are private. */
struct sink_file {
    struct sink sink; /* must be first */
    char *path;       /* as given, for messages */
    struct target_path target;
    char *temp;       /* temporary name in the folder; NULL: none */
    int fd;
    bool shares_folder; /* target.folder_fd belongs to another sink */
    bool direct; /* a device or pipe, written in place */
    bool failed;
    struct cancel_mark cancel;
    sigset_t old_signals;
    char *buffer;
    size_t used_bytes;
    struct xalloc_hook no_memory;
};

/* Borrowed; all fields but the path may be zero. */
struct sink_file_request {
    const char *path;
    const struct profile *inputs;  /* files that must not be overwritten; NULL: none */
    const struct sink_file *first; /* first sink of a set, which outlives this one */
    struct cancel_mark cancel;     /* cancels writing and waiting */
};

/* Opens a file for writing.  Waits for a reader of a pipe until a signal or a cancellation (ERR is
 * then ERR_CANCELLED).  False with ERR (input) when the file cannot be written, is one of the
 * inputs, or is behind a link that is not trusted. */
bool sink_file_open(struct sink_file *f, const struct sink_file_request *request,
                    struct err *err);
/* Writes the buffer and syncs the file without renaming it; the renaming itself rarely fails. */
bool sink_file_finish(struct sink_file *f, struct err *err);
/* Renames the finished file to its target and closes it.  Of several open sinks the last one opened
 * is closed first, because blocking of signals nests. */
bool sink_file_commit(struct sink_file *f, struct err *err);
/* Closes and removes the file. Valid after any failure above; does nothing after a commit. */
void sink_file_abandon(struct sink_file *f);
