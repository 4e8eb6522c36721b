/* scratch.c: a temporary folder and assertions, for programs that run the readers. */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* set by mkdtemp(); empty: no folder */
static char private[256];

/* Files are one level below, so that the list of runs next to a profile contains only this one. */
static char folder[sizeof private + sizeof "/run"];

const char *fuzz_folder(void)
{
    const char *tmp = getenv("TMPDIR");

    if (*folder)
        return folder;
    snprintf(private, sizeof private, "%s/tfprof-fuzz-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    FUZZ_REQUIRE(mkdtemp(private) != NULL);
    snprintf(folder, sizeof folder, "%s/run", private);
    FUZZ_REQUIRE(mkdir(folder, 0700) == 0);
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
    if (*folder && (rmdir(folder) != 0 || rmdir(private) != 0))
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
