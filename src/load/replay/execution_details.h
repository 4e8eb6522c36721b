/* execution_details.h: the list of captures that a server writes (formats-trace.md section 11). */
#pragma once

#include "load/replay/capture_files.h"

/* Adds the entries of the file PATH to FILES, or a note if it is not such a list. */
void execution_details_read(struct capture_files *files, const char *path);
