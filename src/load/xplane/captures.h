/* captures.h: the reader of captures (*.xplane.pb): every file is a host, all of them are one run
 * (formats-xplane.md sections 1 to 3). */
#ifndef TFPROF_LOAD_XPLANE_CAPTURES_H
#define TFPROF_LOAD_XPLANE_CAPTURES_H

#include "load/loader.h"

/* Adds the file in work to the run that L->run is, made with the first one.  Where hosts are chosen,
 * its name alone: which names there are decides what each host is called. */
bool load_capture(struct loader *l, struct err *err);
/* Adds what the file in work, FILE of the names of L->run, says of its host. */
bool read_capture(struct loader *l, uint32_t file, struct err *err);

#endif
