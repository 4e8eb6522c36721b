/* dump_files.c: selects the final form of each program in a folder of XLA dumps. */
#include "load/inputs/inputs.h"

#include <stdlib.h>
#include <string.h>

/* Length of the prefix "module_NUMBER.NAME." of PATH, which all forms of a program share; 0 when
 * the name differs. */
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

/* True for HLO files next to a capture: a viewer's cache. */
static bool is_viewer_cache(const struct inputs *inputs, const struct input *input)
{
    if (input->named || input->format != FORMAT_HLO)
        return false;
    for (size_t i = 0; i < inputs->list.n; i++)
        if (inputs->list.data[i].format == FORMAT_CAPTURE)
            return true;
    return false;
}

/* The end of the group of files of the program of input FIRST.  Inputs of a folder are sorted, and
 * the files of a program share a prefix. */
static size_t end_of_program(const struct inputs *inputs, size_t first)
{
    const struct input *list = inputs->list.data;
    const size_t len = program_len(list[first].path);
    size_t end = first + 1;

    if (!len || list[first].named)
        return end;
    while (end < inputs->list.n && !list[end].named && program_len(list[end].path) == len &&
           memcmp(list[first].path, list[end].path, len) == 0)
        end++;
    return end;
}

/* The optimized program among inputs [FIRST, END), which is the one that runs; else the last
 * program; END if there is none. */
static size_t find_executed_form(const struct input *list, size_t first, size_t end)
{
    size_t chosen = end;

    for (size_t i = first; i < end; i++) {
        if (list[i].format != FORMAT_HLO)
            continue;
        if (is_optimized(list[i].path))
            return i;
        chosen = i;
    }
    return chosen;
}

/* Marks INPUT for sweep(). */
static void drop(struct input *input)
{
    free(input->path);
    input->path = NULL;
}

static void sweep(struct inputs *inputs)
{
    vec_keep(&inputs->list, i, inputs->list.data[i].path);
}

void dump_files_drop(struct inputs *inputs, struct notes *notes)
{
    struct input *list = inputs->list.data;
    size_t n_dropped = 0;

    for (size_t i = 0; i < inputs->list.n; i++)
        if (is_viewer_cache(inputs, &list[i]))
            drop(&list[i]);
    sweep(inputs);
    for (size_t first = 0, end; first < inputs->list.n; first = end) {
        size_t chosen;

        end = end_of_program(inputs, first);
        chosen = find_executed_form(list, first, end);
        for (size_t i = first; i < end; i++)
            if (list[i].format == FORMAT_HLO && i != chosen) {
                drop(&list[i]);
                n_dropped++;
            }
    }
    sweep(inputs);
    if (n_dropped)
        note_add_kind(notes, NOTE_SKIPPED,
                      "%zu file%s skipped: the optimized form of these programs is read instead",
                 n_dropped, n_dropped == 1 ? "" : "s");
}
