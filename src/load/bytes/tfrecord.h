/* tfrecord.h: the records of an event file (formats-runmeta.md section 7.2). */
#ifndef TFPROF_LOAD_TFRECORD_H
#define TFPROF_LOAD_TFRECORD_H

#include "load/loader.h"

enum tfrecord_state {
    TFRECORD_OK,
    TFRECORD_BAD_DATA,   /* its checksum is wrong: this one counts not */
    TFRECORD_END,        /* also in the middle of a record: a file being written */
    TFRECORD_BAD_LENGTH, /* what follows cannot be read */
};

/* The record at *AT inside of FILE; moves *AT behind it. */
enum tfrecord_state tfrecord_next(struct span file, size_t *at, struct span *data);

/* True when BYTES, the head of a file, begin with a record's length and its
 * checksum, which is no matter of evidence: E is NULL. */
struct evidence;
bool fits_events(struct span bytes, struct evidence *e);

#endif
