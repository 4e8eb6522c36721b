/* config.c: the config file tfprofrc. */
#include "session/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/open_input.h"
#include "base/xalloc.h"
#include "session/state.h"

/* Larger files are refused. */
enum { LINE_MAX_BYTES = 1 << 16, LINES_MAX = 10000 };

static bool apply_set(struct options *o, struct words *given, const struct words *words,
                      struct err *err)
{
    struct command_line cl;

    if (!command_line_parse(&cl, (int)words->n, (const char *const *)words->items, AT_PROMPT, o,
                            err))
        return false;
    options_done(o);
    options_copy(o, &cl.options);
    for (size_t i = 0; given && i < cl.given.n; i++)
        words_add(given, cl.given.items[i]);
    command_line_done(&cl);
    return true;
}

static bool apply_line(const char *line, struct options *o, struct words *given, config_line *other,
                       void *arg, struct err *err)
{
    struct words words;
    bool ok = true;

    if (!words_split(line, &words, err))
        return false;
    if (words.n && strcmp(words.items[0], "set") == 0)
        ok = apply_set(o, given, &words, err);
    else if (words.n && other)
        ok = other(&words, arg, err);
    words_done(&words);
    return ok;
}

/* Returns NULL when the file does not exist or, with a note, cannot be read. */
static FILE *open_config(const char *path, struct notes *notes)
{
    struct err err = {0};
    struct stat st;
    const int fd = open_input(path, INPUT_ANY, &st, &err);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

    if (fd >= 0 && !f)
        xalloc_fail();
    if (fd < 0 && errno != ENOENT && errno != ENOTDIR)
        note_add(notes, "%s", err_text(&err));
    err_done(&err);
    return f;
}

void config_read(struct options *o, struct words *given, config_line *other, void *arg,
                 struct notes *notes)
{
    char *dir = config_dir();
    char *path = state_path(dir, "tfprofrc");
    FILE *f = path ? open_config(path, notes) : NULL;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len = 0;

    for (int n = 1; f && n <= LINES_MAX && (len = getline(&line, &capacity, f)) >= 0; n++) {
        struct err err = {0};

        if (len > LINE_MAX_BYTES || strlen(line) != (size_t)len)
            err_set(&err, ERR_INPUT, "not a text file");
        else
            apply_line(line, o, given, other, arg, &err);
        if (err.kind != ERR_NONE)
            note_add(notes, "%s:%d: %s", path, n, err_text(&err));
        err_done(&err);
    }
    if (f && !feof(f) && !ferror(f) && len < 0)
        xalloc_fail();
    if (f && len >= 0 && getc(f) != EOF)
        note_add(notes, "%s:%d: lines from here on have no effect", path, LINES_MAX + 1);
    if (f)
        fclose(f);
    EACH(free, line, path, dir);
}
