/* oplog.h: an OpLogProto file. */
#ifndef TFPROF_LOAD_OPLOG_H
#define TFPROF_LOAD_OPLOG_H

#include "load/loader.h"

/* Adds the binary OpLogProto that is l->input to the nodes that are there. */
bool load_oplog(struct loader *l, struct err *err);

#endif
