/* targets.c: the table of fuzz targets. */
#include "targets.h"

#include <string.h>

const struct fuzz_target fuzz_targets[] = {
    {.name = "attrs", .run = target_attrs},
    {.name = "capture", .run = target_file},
    {.name = "checkpoint", .run = target_checkpoint},
    {.name = "digest", .run = target_digest},
    {.name = "events", .run = target_file},
    {.name = "graph", .run = target_graph},
    {.name = "graph_text", .run = target_graph},
    {.name = "gzip", .run = target_gzip},
    {.name = "hlo", .run = target_hlo},
    {.name = "keys", .run = target_keys},
    {.name = "line", .run = target_line},
    {.name = "model", .run = target_file},
    {.name = "onnx", .run = target_file},
    {.name = "nsys", .run = target_file},
    {.name = "op_log", .run = target_op_log},
    {.name = "pprof", .run = target_file},
    {.name = "profile", .run = target_profile},
    {.name = "regexes", .run = target_regexes},
    {.name = "replay", .run = target_replay},
    {.name = "run_meta", .run = target_run_meta},
    {.name = "screen", .run = target_screen},
    {.name = "settings", .run = target_settings},
    {.name = "snapshot", .run = target_file},
    {.name = "text", .run = target_text},
    {.name = "tflite", .run = target_file},
    {.name = "trace", .run = target_file},
    {.name = "views", .run = target_views},
};
const size_t fuzz_targets_n = sizeof fuzz_targets / sizeof *fuzz_targets;

const struct fuzz_target *fuzz_target_find(const char *name)
{
    for (size_t i = 0; i < fuzz_targets_n; i++)
        if (strcmp(fuzz_targets[i].name, name) == 0)
            return &fuzz_targets[i];
    return NULL;
}
