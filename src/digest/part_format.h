/* part_format.h: constants shared by the reader and the writer of parts. */
#ifndef TFPROF_DIGEST_PART_FORMAT_H
#define TFPROF_DIGEST_PART_FORMAT_H

/* A byte that is not valid in UTF-8 text, the name, and the version. */
#define PART_MAGIC "\xf4TFPART\x01"
enum { PART_MAGIC_BYTES = sizeof PART_MAGIC - 1, PART_CRC_BYTES = 4 };

#endif
