/* runs.c: lists the runs below a log folder. */
#include "load/runs.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compare.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "load/inputs/inputs.h"
#include "load/load.h"
#include "load/xplane/run_folder.h"

/* Limits, because a tree of folders may be as large as a disk. */
enum { MAX_DEPTH = 8, MAX_FOLDERS = 10000 };

struct folder {
    char *path; /* heap */
    int depth;
};

struct walk {
    struct log_runs *runs;
    VEC(struct folder) folders; /* entries before AT are done */
    size_t at;
};

static bool is_event_file(const char *name)
{
    return fnmatch("*tfevents*", name, 0) == 0 && !run_folder_is_cache(name);
}

/* The files of one folder. */
struct found {
    struct log_run run;
    bool has_captures;
    VEC(struct log_run) event_files;
};

static void count_file(struct log_run *run, const struct stat *st)
{
    run->size_bytes += (uint64_t)st->st_size;
    KEEP_MAX(run->changed_s, st->st_mtime);
}

static void examine_file(struct found *found, const char *name, const char *path,
                         const struct stat *st)
{
    const bool is_capture = run_folder_is_capture(name);
    struct log_run file = {.n_steps = RUN_STEPS_UNKNOWN};

    found->has_captures |= is_capture;
    if (is_event_file(name)) {
        file.path = xstrdup(path);
        count_file(&file, st);
        vec_push(&found->event_files, file);
    } else if (is_capture || fnmatch("*.pt.trace.json*", name, 0) == 0) {
        found->run.path = found->run.path ? found->run.path : xstrdup("");
        count_file(&found->run, st);
    }
}

static void push_folder(struct walk *w, const char *path, int depth)
{
    struct folder folder = {.path = xstrdup(path), .depth = depth};

    if (w->folders.n < MAX_FOLDERS && depth <= MAX_DEPTH) {
        vec_push(&w->folders, folder);
        return;
    }
    w->runs->is_cut = true;
    free(folder.path);
}

/* Adds the run or runs in FOUND: the folder as one run, or each event file. */
static void add_runs(struct walk *w, struct found *found, const char *folder)
{
    struct notes ignored = {0};
    char *other = found->event_files.n && !found->has_captures ? run_folder_last(folder, &ignored)
                                                               : NULL;

    vec_each(struct log_run, file, &found->event_files) {
        if (other) {
            vec_push(&w->runs->list, *file);
            continue;
        }
        found->run.size_bytes += file->size_bytes;
        KEEP_MAX(found->run.changed_s, file->changed_s);
        free(file->path);
    }
    if (found->run.path || (found->event_files.n && !other)) {
        free(found->run.path);
        found->run.path = xstrdup(folder);
        vec_push(&w->runs->list, found->run);
    }
    vec_done(&found->event_files);
    notes_done(&ignored);
    free(other);
}

/* Examines the files in the folder at w->at. */
static void scan_folder(struct walk *w)
{
    const struct folder *at = &w->folders.data[w->at];
    struct found found = {.run = {.n_steps = RUN_STEPS_UNKNOWN}};
    const int depth = at->depth;
    DIR *dir = opendir(at->path);
    struct strbuf path = {0};
    struct dirent *entry;
    struct stat st;
    size_t before;

    sb_adds(&path, at->path);
    sb_adds(&path, path.len && path.data[path.len - 1] != '/' ? "/" : "");
    before = path.len;
    while (dir && (entry = readdir(dir))) {
        sb_truncate(&path, before);
        sb_adds(&path, entry->d_name);
        if (entry->d_name[0] == '.' || lstat(sb_text(&path), &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode))
            push_folder(w, sb_text(&path), depth + 1);
        else if (stat(sb_text(&path), &st) == 0 && S_ISREG(st.st_mode))
            examine_file(&found, entry->d_name, sb_text(&path), &st);
    }
    if (dir)
        closedir(dir);
    sb_done(&path);
    add_runs(w, &found, w->folders.data[w->at].path);
}

COMPARE_CHAIN(by_change, struct log_run, DOWN(changed_s) || THEN(strverscmp(a->path, b->path)))

void runs_find(struct log_runs *runs, const char *folder, struct cancel_mark cancel)
{
    struct walk w = {.runs = runs};

    push_folder(&w, folder, 0);
    for (; w.at < w.folders.n && !cancel_asked(cancel); w.at++)
        scan_folder(&w);
    for (size_t i = 0; i < w.folders.n; i++)
        free(w.folders.data[i].path);
    vec_done(&w.folders);
    if (runs->list.n)
        qsort(runs->list.data, runs->list.n, sizeof *runs->list.data, by_change);
}

void runs_done(struct log_runs *runs)
{
    for (size_t i = 0; i < runs->list.n; i++)
        free(runs->list.data[i].path);
    vec_done(&runs->list);
}

bool runs_offer(struct log_runs *runs, const char *folder, struct cancel_mark cancel)
{
    struct stat st;
    bool is_one = false;

    if (strcmp(folder, "-") == 0 || stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
        return false;
    runs_find(runs, folder, cancel);
    for (size_t i = 0; i < runs->list.n; i++)
        is_one |= strcmp(runs->list.data[i].path, folder) == 0;
    if (runs->list.n > 1 && (is_one || !folder_has_inputs(folder)))
        return true;
    runs_done(runs);
    return false;
}

/* Removes the last component of PATH; a single name becomes ".". */
static void cut_last(struct strbuf *path)
{
    const char *slash = strrchr(sb_text(path), '/');
    const size_t len = slash ? (size_t)(slash - path->data) : 0;

    if (slash && len == 0) {
        sb_truncate(path, 1);
        return;
    }
    sb_truncate(path, len);
    sb_adds(path, !slash ? "." : "");
}

char *runs_folder_around(const char *path)
{
    static const char plugins[] = "/plugins/profile";
    const size_t tail = sizeof plugins - 1;
    struct strbuf folder = {0};

    sb_adds(&folder, path);
    cut_last(&folder);
    cut_last(&folder);
    if (folder.len > tail && strcmp(folder.data + folder.len - tail, plugins) == 0)
        sb_truncate(&folder, folder.len - tail);
    else if (strcmp(sb_text(&folder), plugins + 1) == 0)
        sb_truncate(&folder, 0);
    sb_adds(&folder, !folder.len ? "." : "");
    return sb_take(&folder);
}

bool run_count_steps(struct log_run *run, struct cancel_mark cancel, struct err *err)
{
    const char *const files[] = {run->path};
    struct load_request request = {
        .files = files, .n_files = 1, .max_file_bytes = RUN_COUNT_BYTES};
    struct options options;
    struct profile *p;

    run->n_steps = RUN_STEPS_NONE;
    options_init(&options);
    request.options = &options;
    p = load_profile(&request, NULL, cancel, err);
    options_done(&options);
    if (!p)
        return false;
    run->n_steps = p->n_steps;
    profile_free(p);
    return true;
}
