/* sink_vfs.c: a VFS of SQLite that writes a database to a sink. */
#include "export/sql/sql_db.h"

#include <stdio.h>

struct sink_vfs_file {
    sqlite3_file base; /* must be first */
    struct sink_vfs *vfs;
};

static struct sink_vfs *vfs_of(sqlite3_file *file)
{
    return ((struct sink_vfs_file *)file)->vfs;
}

static int close_file(sqlite3_file *file UNUSED)
{
    return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    struct sink_vfs *v = vfs_of(file);

    if (!v->sink->read_at(v->sink, bytes, (size_t)len, (uint64_t)at, &v->err))
        return SQLITE_IOERR_READ;
    return (uint64_t)at + (uint64_t)len <= v->size_bytes ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    struct sink_vfs *v = vfs_of(file);
    const uint64_t end = (uint64_t)at + (uint64_t)len;

    if (v->err.kind != ERR_NONE ||
        !v->sink->write_at(v->sink, bytes, (size_t)len, (uint64_t)at, &v->err))
        return SQLITE_IOERR_WRITE;
    KEEP_MAX(v->size_bytes, end);
    return SQLITE_OK;
}

/* Never needed: the database is written once and not truncated. */
static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    return (uint64_t)size >= vfs_of(file)->size_bytes ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int sync_file(sqlite3_file *file UNUSED, int flags UNUSED)
{
    return SQLITE_OK; /* the sink syncs at the end */
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)vfs_of(file)->size_bytes;
    return SQLITE_OK;
}

static int lock_file(sqlite3_file *file UNUSED, int lock UNUSED)
{
    return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file UNUSED, int *reserved)
{
    *reserved = 0;
    return SQLITE_OK;
}

static int control_file(sqlite3_file *file UNUSED, int operation UNUSED, void *arg UNUSED)
{
    return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file UNUSED)
{
    return 4096;
}

static int device_characteristics(sqlite3_file *file UNUSED)
{
    return SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL;
}

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name UNUSED, sqlite3_file *file, int flags,
                     int *flags_out)
{
    static const sqlite3_io_methods methods = {
        .iVersion = 1,
        .xClose = close_file,
        .xRead = read_file,
        .xWrite = write_file,
        .xTruncate = truncate_file,
        .xSync = sync_file,
        .xFileSize = file_size,
        .xLock = lock_file,
        .xUnlock = lock_file,
        .xCheckReservedLock = is_reserved,
        .xFileControl = control_file,
        .xSectorSize = sector_size,
        .xDeviceCharacteristics = device_characteristics,
    };
    struct sink_vfs_file *f = (struct sink_vfs_file *)file;

    f->base.pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB))
        return SQLITE_CANTOPEN;
    f->base.pMethods = &methods;
    f->vfs = vfs->pAppData;
    if (flags_out)
        *flags_out = flags;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs UNUSED, const char *name UNUSED, int sync UNUSED)
{
    return SQLITE_IOERR_DELETE;
}

static int has_file(sqlite3_vfs *vfs UNUSED, const char *name UNUSED, int flags UNUSED, int *is_there)
{
    *is_there = 0;
    return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs UNUSED, const char *name, int n, char *full)
{
    snprintf(full, (size_t)n, "%s", name);
    return SQLITE_OK;
}

bool sink_vfs_open(struct sink_vfs *v, struct sink *sink)
{
    const sqlite3_vfs *system;

    if (sqlite3_initialize() != SQLITE_OK)
        return false;
    system = sqlite3_vfs_find(NULL);
    *v = (struct sink_vfs){.sink = sink};
    /* The address makes the name unique, because two exports may run at once. */
    snprintf(v->name, sizeof v->name, "tfprof-%p", (void *)v);
    v->vfs = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = sizeof(struct sink_vfs_file),
        .mxPathname = 255,
        .zName = v->name,
        .pAppData = v,
        .xOpen = open_file,
        .xDelete = delete_file,
        .xAccess = has_file,
        .xFullPathname = full_name,
        .xRandomness = system->xRandomness,
        .xSleep = system->xSleep,
        .xCurrentTime = system->xCurrentTime,
    };
    return sqlite3_vfs_register(&v->vfs, 0) == SQLITE_OK;
}

void sink_vfs_close(struct sink_vfs *v)
{
    sqlite3_vfs_unregister(&v->vfs);
    err_done(&v->err);
}
