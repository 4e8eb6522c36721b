/* fuzz.c: the libFuzzer program; the environment variable FUZZ_TARGET selects the target. */
#include <stdio.h>
#include <stdlib.h>

#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");

    (void)argc;
    (void)argv;
    target = fuzz_target_find(name ? name : "");
    if (!target) {
        fputs("FUZZ_TARGET names no target; available:", stderr);
        for (size_t i = 0; i < fuzz_targets_n; i++)
            fprintf(stderr, " %s", fuzz_targets[i].name);
        fputs("\n", stderr);
        exit(2);
    }
    atexit(fuzz_folder_remove);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target->run(data, size);
    return 0;
}
