/* sink_vfs.h: a VFS of SQLite that writes a database to a sink. */
#ifndef TFPROF_EXPORT_SQL_SINK_VFS_H
#define TFPROF_EXPORT_SQL_SINK_VFS_H

#include <sqlite3.h>

#include "export/output.h"

/* One database with one connection and no journal: no other process opens it before it is
 * complete. */
struct sink_vfs {
    sqlite3_vfs vfs;
    struct sink *sink;
    uint64_t size_bytes;
    struct err err; /* the first error of the sink */
    char name[32];
};

/* Registers SINK, which has write_at, with SQLite as v->name.  False when SQLite fails. */
bool sink_vfs_open(struct sink_vfs *v, struct sink *sink);
void sink_vfs_close(struct sink_vfs *v);

#endif
