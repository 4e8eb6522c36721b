/* execution_details.c: reads execution_details.json: an array of objects with the file, the batch size
 * and the mode of each capture (formats-trace.md section 11). */
#include "load/replay/execution_details.h"

#include <stdlib.h>

#include "load/bytes/input.h"
#include "load/trace/json_in.h"

/* Limit of entries; others are ignored. */
enum { LISTED_MAX = 4096 };

/* VALUE as a heap string; NULL if it is not a string. */
static char *string_of(struct json_value value)
{
    struct strbuf sb = {0};

    if (value.type != JSON_STRING)
        return NULL;
    json_unescape(&sb, value);
    return sb_take(&sb);
}

/* FILE in the folder of PATH, as heap memory. */
static char *path_of(const char *path, const char *file)
{
    const char *slash = strrchr(path, '/');
    struct strbuf sb = {0};

    if (file[0] != '/')
        sb_add(&sb, path, slash ? (size_t)(slash + 1 - path) : 0);
    sb_adds(&sb, file);
    return sb_take(&sb);
}

/* Adds the entry ELEMENT; false if it is malformed. */
static bool add_entry(struct capture_files *files, const char *path, struct json_value element)
{
    struct json_in in = json_again(element, false);
    struct listed_capture listed = {.size = -1};
    struct json_value key, value;
    char *file = NULL;

    if (element.type != JSON_OBJECT || !json_open(&in))
        return false;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        if (json_is(key, "file", 4)) {
            free(file);
            file = string_of(value);
        } else if (json_is(key, "mode", 4)) {
            free(listed.mode);
            listed.mode = string_of(value);
        } else if (json_is(key, "batch_size", 10) && !json_integer(value, &listed.size)) {
            listed.size = -1;
        }
    }
    if (in.fault == JSON_FINE && file && listed.size >= 0) {
        listed.path = path_of(path, file);
        vec_push(&files->listed, listed);
    } else {
        free(listed.mode);
    }
    free(file);
    return listed.path != NULL;
}

/* Adds the entries of the array in BYTES; false if it is malformed. */
static bool add_entries(struct capture_files *files, const char *path, const struct source_file *file)
{
    struct json_in in = {.at = file->bytes, .end = file->bytes + file->size_bytes, .is_last = true};
    struct json_value all, element;
    bool fits = file->size_bytes && json_blanks(&in) && json_value(&in, &all) && all.type == JSON_ARRAY;

    if (!fits)
        return false;
    in = json_again(all, false);
    while (fits && files->listed.n < LISTED_MAX && json_element(&in, &element))
        fits = add_entry(files, path, element);
    return fits && in.fault == JSON_FINE;
}

void execution_details_read(struct capture_files *files, const char *path)
{
    struct notes *notes = &builder_profile(files->all.l->builder)->notes;
    const size_t n_before = files->listed.n;
    struct source_file file = {0};
    struct err err = {0};

    if (!input_read(path, &file, files->all.l->cancel, &err)) {
        note_add(notes, "%s: ignored", err_text(&err));
    } else if (!add_entries(files, path, &file)) {
        note_add(notes, "%s: not a list of captures (file, batch_size, mode): ignored", path);
        while (files->listed.n > n_before) {
            const struct listed_capture *listed = &files->listed.data[--files->listed.n];

            EACH(free, listed->path, listed->mode);
        }
    }
    input_drop(&file);
    free(file.path);
    err_done(&err);
}
