/* dump_files.c: of each program in a folder of dumps the form that runs. */
#include "load/hlo/dump_files.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of PATH up to the end of "module_NUMBER.NAME.", which all forms of a program begin with; 0
 * when it is named otherwise. */
static size_t program_len(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strncmp(name, "module_", 7) == 0 ? strchr(name, '.') : NULL;

    dot = dot ? strchr(dot + 1, '.') : NULL;
    return dot ? (size_t)(dot + 1 - path) : 0;
}

static bool is_optimized(const char *path)
{
    return strstr(path, "after_optimizations.hlo") != NULL;
}

/* Beside a capture such files are what a viewer keeps. */
static bool is_kept_by_viewer(const struct inputs *inputs, const struct input *input)
{
    if (input->named || input->format != FORMAT_HLO)
        return false;
    for (size_t i = 0; i < inputs->list.n; i++)
        if (inputs->list.data[i].format == FORMAT_CAPTURE)
            return true;
    return false;
}

/* The end of the forms of the program that begin with input FIRST: folders are read in order. */
static size_t end_of_forms(const struct inputs *inputs, size_t first)
{
    const struct input *list = inputs->list.data;
    const size_t len = program_len(list[first].path);
    size_t end = first + 1;

    if (!len || list[first].named || list[first].format != FORMAT_HLO)
        return end;
    while (end < inputs->list.n && !list[end].named && list[end].format == FORMAT_HLO &&
           program_len(list[end].path) == len && memcmp(list[first].path, list[end].path, len) == 0)
        end++;
    return end;
}

void dump_files_drop(struct inputs *inputs, struct notes *notes)
{
    size_t kept = 0, n_dropped = 0;

    for (size_t i = 0; i < inputs->list.n; i++) {
        if (is_kept_by_viewer(inputs, &inputs->list.data[i]))
            free(inputs->list.data[i].path);
        else
            inputs->list.data[kept++] = inputs->list.data[i];
    }
    inputs->list.n = kept;
    kept = 0;
    for (size_t first = 0, end; first < inputs->list.n; first = end) {
        size_t chosen = first;

        end = end_of_forms(inputs, first);
        while (chosen + 1 < end && !is_optimized(inputs->list.data[chosen].path))
            chosen++;
        for (size_t i = first; i < end; i++)
            if (i != chosen)
                free(inputs->list.data[i].path);
        n_dropped += end - first - 1;
        inputs->list.data[kept++] = inputs->list.data[chosen];
    }
    inputs->list.n = kept;
    if (n_dropped)
        note_add(notes, "%zu file%s skipped: other forms of programs that are read as they run",
                 n_dropped, n_dropped == 1 ? "" : "s");
}
