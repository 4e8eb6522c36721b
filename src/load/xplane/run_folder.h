/* run_folder.h: finds captures in folders (formats-xplane.md section 1). */
#pragma once

#include "base/err.h"

/* True for HOST.xplane.pb, compressed or not. */
bool run_folder_is_capture(const char *name);
/* True for caches that viewers store next to captures, and for other forms of a capture. */
bool run_folder_is_cache(const char *name);
/* True for captures in Riegeli format, which is not supported. */
bool run_folder_is_riegeli(const char *name);
/* True when FOLDER holds a capture. */
bool run_folder_has_captures(const char *folder);
/* True if the folder of file PATH holds a capture. */
bool run_folder_is_of_captures(const char *path);
/* True for traces that viewers convert captures to. */
bool run_folder_is_trace(const char *name);

/* The folder of the last run by name.  FOLDER is a log folder or a folder between it and its runs.
 * Returns NULL if there is no run; the caller frees the result.  A note lists the other runs. */
char *run_folder_last(const char *folder, struct notes *notes);
