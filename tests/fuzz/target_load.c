/* target_load.c: inputs of every kind: loaded and read, or rejected with one line. */
#include "fixtures/load_bytes.h"
#include "targets.h"

static void load(enum bytes_kind kind, const uint8_t *bytes, size_t size)
{
    struct err err = {0};

    load_bytes(kind, bytes, size, &err);
    err_done(&err);
}

void target_graph(const uint8_t *bytes, size_t size)
{
    load(BYTES_GRAPH, bytes, size);
}

void target_op_log(const uint8_t *bytes, size_t size)
{
    load(BYTES_OP_LOG, bytes, size);
}

void target_run_meta(const uint8_t *bytes, size_t size)
{
    load(BYTES_RUN_META, bytes, size);
}

void target_profile(const uint8_t *bytes, size_t size)
{
    load(BYTES_PROFILE, bytes, size);
}

/* Detected by content: SavedModels, MetaGraphDefs, event files, and all of the above. */
void target_file(const uint8_t *bytes, size_t size)
{
    load(BYTES_FILE, bytes, size);
}
