/* target_replay.c: graph replays and their captures: any traces and any list of captures are joined
 * or not, and the profile stays consistent.  Three files, separated by NUL bytes: the trace, its
 * capture and execution_details.json. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fixtures/load_bytes.h"
#include "fixtures/load_with.h"
#include "targets.h"

/* Writes the bytes up to the next NUL to NAME in the folder; returns the rest. */
static const uint8_t *write_file(const char *name, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    const size_t n = (size_t)((zero ? zero : end) - at);
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    file = fopen(path, "wb");
    FUZZ_REQUIRE(file && fwrite(at, 1, n, file) == n);
    FUZZ_REQUIRE(fclose(file) == 0);
    return zero ? zero + 1 : end;
}

static void load(const char *iterations, const char *kernels, const char *file)
{
    struct err err = {0};
    struct profile *p =
        load_with(SETTINGS("iterations", iterations, "kernels", kernels), file, &err);

    FUZZ_REQUIRE((p != NULL) == (err.kind == ERR_NONE));
    FUZZ_REQUIRE(!strchr(err_text(&err), '\n'));
    if (p)
        profile_expect_whole(p);
    profile_free(p);
    err_done(&err);
}

void target_replay(const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    char path[512];

    fuzz_folder_empty();
    snprintf(path, sizeof path, "%s/capture_traces", fuzz_folder());
    FUZZ_REQUIRE(mkdir(path, 0700) == 0);
    at = write_file("replay.json", at, end);
    at = write_file("capture_traces/capture.json", at, end);
    write_file("capture_traces/execution_details.json", at, end);
    snprintf(path, sizeof path, "%s/replay.json", fuzz_folder());
    load("on", "rows", path);
    load("auto", "ops", path);
    load("off", "ops", fuzz_folder());
    fuzz_folder_empty();
}
