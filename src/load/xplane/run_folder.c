/* run_folder.c: finds captures in folders (formats-xplane.md section 1). */
#include "load/xplane/run_folder.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

bool run_folder_is_capture(const char *name)
{
    return fnmatch("*.xplane.pb", name, 0) == 0 || fnmatch("*.xplane.pb.gz", name, 0) == 0;
}

bool run_folder_is_riegeli(const char *name)
{
    return fnmatch("*.riegeli", name, 0) == 0;
}

bool run_folder_is_trace(const char *name)
{
    return fnmatch("*trace.json.gz", name, 0) == 0;
}

bool run_folder_is_cache(const char *name)
{
    static const char *const patterns[] = {
        "ALL_HOSTS.*",          "*.op_stats*.pb",        "*.SSTABLE",
        "*.hlo_proto.pb",       "*.op_profile.json",     "*.memory_profile.json.gz",
        "*.input_pipeline.pb",  "*.overview_page.pb",    "*.kernel_stats.pb",
        "*.tensorflow_stats.pb", "*.profile-empty",
    };

    if (run_folder_is_trace(name))
        return true;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    return false;
}

bool run_folder_has_captures(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    bool any = false;

    while (dir && !any && (entry = readdir(dir)))
        any = run_folder_is_capture(entry->d_name);
    if (dir)
        closedir(dir);
    return any;
}

bool run_folder_is_of_captures(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct strbuf folder = {0};
    bool any;

    sb_add(&folder, slash ? path : "./", slash ? (size_t)(slash + 1 - path) : 2);
    any = run_folder_has_captures(sb_text(&folder));
    sb_done(&folder);
    return any;
}

/* The last run directly below FOLDER, NULL if none; the caller frees it.  *N is the number of
 * runs. */
static char *last_run_in(const char *folder, size_t *n)
{
    DIR *dir = opendir(folder);
    struct strbuf path = {0};
    struct dirent *entry;
    char *last = NULL;

    *n = 0;
    while (dir && (entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        sb_clear(&path);
        sb_addf(&path, "%s/%s", folder, entry->d_name);
        if (!run_folder_has_captures(sb_text(&path)))
            continue;
        ++*n;
        if (last && strcmp(sb_text(&path), last) <= 0)
            continue;
        free(last);
        last = xstrdup(sb_text(&path));
    }
    if (dir)
        closedir(dir);
    sb_done(&path);
    return last;
}

char *run_folder_last(const char *folder, struct notes *notes)
{
    static const char *const ways[] = {"/plugins/profile", "/profile", ""};
    struct strbuf path = {0};
    char *last = NULL;
    size_t n = 0;

    for (size_t i = 0; i < sizeof ways / sizeof *ways && !last; i++) {
        sb_clear(&path);
        sb_addf(&path, "%s%s", folder, ways[i]);
        last = last_run_in(sb_text(&path), &n);
    }
    sb_done(&path);
    if (last && n > 1)
        note_add(notes, "%s: the last of %zu runs in %s, which `tfprof runs` lists", last, n, folder);
    return last;
}
