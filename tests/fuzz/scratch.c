/* scratch.c: what programs that feed the readers share: a folder for files, and conditions. */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* mkdtemp() fills it in; empty: there is none. */
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

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st;
    (void)type;
    return place->level ? remove(path) : 0;
}

void fuzz_folder_empty(void)
{
    if (*folder && nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        perror(folder);
}

void fuzz_folder_remove(void)
{
    fuzz_folder_empty();
    if (*folder && rmdir(folder) != 0)
        perror(folder);
    *folder = '\0';
}

void fuzz_require(int holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}
