/* sink_vfs.h: a sink as the file system that SQLite writes a database to. */
#ifndef TFPROF_EXPORT_SQL_SINK_VFS_H
#define TFPROF_EXPORT_SQL_SINK_VFS_H

#include <sqlite3.h>

#include "export/output.h"

/* One database, written by one connection, without a journal: nobody else sees it before
 * it is whole. */
struct sink_vfs {
    sqlite3_vfs vfs;
    struct sink *sink;
    uint64_t size_bytes;
    struct err err; /* why the sink failed first */
    char name[32];
};

/* Makes SINK, which has write_at, known to SQLite as v->name.  False when SQLite cannot. */
bool sink_vfs_open(struct sink_vfs *v, struct sink *sink);
void sink_vfs_close(struct sink_vfs *v);

#endif
