/* dump_files.h: folders with XLA dumps of programs (formats-hlo.md section 10). */
#ifndef TFPROF_LOAD_INPUTS_DUMP_FILES_H
#define TFPROF_LOAD_INPUTS_DUMP_FILES_H

#include "base/err.h"
#include "load/inputs/inputs.h"

/* Keeps one of several forms of each program in a folder.  Files that the user names are kept. */
void dump_files_drop(struct inputs *inputs, struct notes *notes);

#endif
