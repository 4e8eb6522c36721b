/* dump_files.h: the files of a folder into which XLA dumps programs (formats-hlo.md section 10). */
#ifndef TFPROF_LOAD_HLO_DUMP_FILES_H
#define TFPROF_LOAD_HLO_DUMP_FILES_H

#include "base/err.h"
#include "load/inputs.h"

/* Keeps one form of each program that a folder has in several forms.  Files named by the user are
 * kept. */
void dump_files_drop(struct inputs *inputs, struct notes *notes);

#endif
