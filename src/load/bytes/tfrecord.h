/* tfrecord.h: reads the records of an event file (formats-runmeta.md section 7.2). */
#ifndef TFPROF_LOAD_TFRECORD_H
#define TFPROF_LOAD_TFRECORD_H

#include "load/loader.h"

enum tfrecord_state {
    TFRECORD_OK,
    TFRECORD_BAD_DATA,   /* wrong checksum: skip this record */
    TFRECORD_END,        /* also within a record: the file is still being written */
    TFRECORD_BAD_LENGTH, /* the rest cannot be read */
};

/* Reads the record at *AT in FILE and advances *AT. */
enum tfrecord_state tfrecord_next(struct span file, size_t *at, struct span *data);

/* True when BYTES, the head of a file, begin with a record length and its checksum; E is unused. */
struct evidence;
bool fits_events(struct span bytes, struct evidence *e);

#endif
