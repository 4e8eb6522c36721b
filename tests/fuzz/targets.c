/* targets.c: the table of fuzz targets, and what they share. */
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct fuzz_target fuzz_targets[] = {
    {.name = "attrs", .run = target_attrs},
    {.name = "checkpoint", .run = target_checkpoint},
    {.name = "events", .run = target_file},
    {.name = "graph", .run = target_graph},
    {.name = "graph_text", .run = target_graph},
    {.name = "gzip", .run = target_gzip},
    {.name = "keys", .run = target_keys},
    {.name = "line", .run = target_line},
    {.name = "model", .run = target_file},
    {.name = "op_log", .run = target_op_log},
    {.name = "profile", .run = target_profile},
    {.name = "regexes", .run = target_regexes},
    {.name = "run_meta", .run = target_run_meta},
    {.name = "screen", .run = target_screen},
    {.name = "settings", .run = target_settings},
    {.name = "text", .run = target_text},
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

/* mkdtemp() fills it in. */
static char folder[256];

const char *fuzz_folder(void)
{
    const char *tmp = getenv("TMPDIR");

    if (*folder)
        return folder;
    snprintf(folder, sizeof folder, "%s/tfprof-fuzz-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    FUZZ_REQUIRE(mkdtemp(folder) != NULL);
    return folder;
}

void fuzz_folder_remove(void)
{
    char command[300];

    if (!*folder)
        return;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

void fuzz_require(int holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}
