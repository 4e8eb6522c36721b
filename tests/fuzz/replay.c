/* replay.c: runs every input in tests/fuzz/corpus once: `make check` without libFuzzer.
 *
 *     replay [TARGET FILE...]    runs these files only */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "targets.h"

static void replay_file(const struct fuzz_target *target, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct strbuf bytes = {0};
    char block[4096];
    size_t n;

    if (!file) {
        perror(path);
        exit(1);
    }
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        sb_add(&bytes, block, n);
    fclose(file);
    printf("# %s\n", path); /* the last one printed is the one that failed */
    fflush(stdout);
    target->run((const uint8_t *)sb_text(&bytes), bytes.len);
    sb_done(&bytes);
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static size_t replay_folder(const struct fuzz_target *target)
{
    const char *top = getenv("top_srcdir");
    struct dirent **entries;
    char folder[512], path[1024];
    int n;

    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", top ? top : ".", target->name);
    n = scandir(folder, &entries, is_input, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        replay_file(target, path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return n > 0 ? (size_t)n : 0;
}

static int replay_all(void)
{
    printf("1..%zu\n", fuzz_targets_n);
    for (size_t i = 0; i < fuzz_targets_n; i++) {
        const size_t n = replay_folder(&fuzz_targets[i]);

        printf("%s %zu - %s: %zu inputs\n", n ? "ok" : "not ok", i + 1, fuzz_targets[i].name, n);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct fuzz_target *target = argc > 1 ? fuzz_target_find(argv[1]) : NULL;
    int status = 0;

    if (argc == 1)
        status = replay_all();
    else if (target)
        for (int i = 2; i < argc; i++)
            replay_file(target, argv[i]);
    else
        status = 2;
    fuzz_folder_remove();
    return status;
}
