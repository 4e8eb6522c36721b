/* execution_details.h: the list of captures that a server writes (formats-trace.md section 11). */
#pragma once

#include "load/replay/capture_files.h"

/* Adds what the file PATH lists to FILES; a note says why when it is not such a list. */
void execution_details_read(struct capture_files *files, const char *path);
