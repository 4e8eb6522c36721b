/* dump_files.h: the files of a folder into which XLA dumps programs (formats-hlo.md section 10). */
#ifndef TFPROF_LOAD_HLO_DUMP_FILES_H
#define TFPROF_LOAD_HLO_DUMP_FILES_H

#include "base/err.h"
#include "load/inputs.h"

/* Of programs that INPUTS have in several forms of one folder, keeps one form; what a user names
 * stays. */
void dump_files_drop(struct inputs *inputs, struct notes *notes);

#endif
