/* profileproto.h: a ProfileProto file. */
#ifndef TFPROF_LOAD_PROFILEPROTO_H
#define TFPROF_LOAD_PROFILEPROTO_H

#include "load/loader.h"

/* Adds all of the binary ProfileProto that is l->input. */
bool load_profileproto(struct loader *l, struct err *err);

#endif
