/* run_folder.h: where captures stand in folders (formats-xplane.md section 1). */
#ifndef TFPROF_LOAD_XPLANE_RUN_FOLDER_H
#define TFPROF_LOAD_XPLANE_RUN_FOLDER_H

#include "base/err.h"

/* True for HOST.xplane.pb, packed or not. */
bool run_folder_is_capture(const char *name);
/* True for what viewers of captures keep beside them, and records in other forms of them. */
bool run_folder_is_cache(const char *name);
/* True for captures in a form that is not read. */
bool run_folder_is_riegeli(const char *name);
/* True when FOLDER holds a capture. */
bool run_folder_has_captures(const char *folder);
/* The same of the folder that the file PATH is in. */
bool run_folder_is_of_captures(const char *path);
/* True for the trace that viewers make of a capture. */
bool run_folder_is_trace(const char *name);

/* The folder of the last run below FOLDER, by name: FOLDER is a log folder, or one on the way from
 * it to its runs.  Heap, or NULL when there is none; a note tells of the others. */
char *run_folder_last(const char *folder, struct notes *notes);

#endif
