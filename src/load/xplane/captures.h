/* captures.h: the reader of captures (*.xplane.pb): every file is a host, all of them are one run
 * (formats-xplane.md sections 1 to 3). */
#ifndef TFPROF_LOAD_XPLANE_CAPTURES_H
#define TFPROF_LOAD_XPLANE_CAPTURES_H

#include "load/loader.h"

/* Adds the file in work to the run that L->run is, made with the first one. */
bool load_capture(struct loader *l, struct err *err);

#endif
