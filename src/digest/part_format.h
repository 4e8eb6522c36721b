/* part_format.h: what reader and writer of parts agree on. */
#ifndef TFPROF_DIGEST_PART_FORMAT_H
#define TFPROF_DIGEST_PART_FORMAT_H

/* A byte that no text has, the name, and the version. */
#define PART_MAGIC "\xf4TFPART\x01"
enum { PART_MAGIC_BYTES = sizeof PART_MAGIC - 1, PART_CRC_BYTES = 4 };

#endif
