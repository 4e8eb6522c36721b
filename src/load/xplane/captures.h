/* captures.h: reads captures (*.xplane.pb).  Each file describes one host; all files together are
 * one capture (formats-xplane.md sections 1 to 3). */
#ifndef TFPROF_LOAD_XPLANE_CAPTURES_H
#define TFPROF_LOAD_XPLANE_CAPTURES_H

#include "load/loader.h"

/* Adds the current file to L->run, which the first file creates.  With -host_regexes only its name
 * is added, because the names of all files determine what each host is called. */
bool load_capture(struct loader *l, struct err *err);
/* Reads the current file of L, which is entry FILE of the run's names. */
bool read_capture(struct loader *l, uint32_t file, struct err *err);

#endif
