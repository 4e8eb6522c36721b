/* rename_rules.c: the file `renames` beside the config file. Each line has a folder and its rules,
 * as words. Rewriting keeps the other lines. */
#include "session/rename_rules.h"

#include <stdlib.h>
#include <string.h>

#include "match/renames.h"
#include "session/state.h"

static const char file_name[] = "renames";

/* Real path of the folder of FILE; heap; NULL: no such file. */
static char *folder_of(const char *file)
{
    char *real = realpath(file, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;

    if (slash)
        slash[slash == real] = '\0'; /* keep "/" for the root */
    return real;
}

/* True if FOLDER is INNER or an ancestor of it. */
static bool is_above(const char *folder, const char *inner)
{
    const size_t len = strlen(folder);

    return strncmp(folder, inner, len) == 0 &&
           (!inner[len] || inner[len] == '/' || (len && folder[len - 1] == '/'));
}

static bool rules_are_valid(const char *rules, struct err *err)
{
    struct renames *r = renames_new(rules, err);

    renames_free(r);
    return r != NULL;
}

/* Splits a line into its two words; false for a comment or, with ERR, an invalid line. */
static bool split(const char *line, struct words *w, struct err *err)
{
    if (!words_split(line, w, err))
        return false;
    if (w->n == 2 && w->items[0][0] == '/' && rules_are_valid(w->items[1], err))
        return true;
    if (w->n && !err->kind)
        err_set(err, ERR_INPUT, "expected a folder and its rules");
    words_done(w);
    return false;
}

/* Finds the line of FOLDER or of its nearest ancestor; false if there is none. Invalid lines add
 * notes, many only the first ones and their number. */
static bool nearest(char *text, const char *folder, const char *path, struct words *found,
                    struct notes *notes)
{
    enum { NOTES_MAX = 5 };
    char *rest = text, *line;
    int n_invalid = 0;
    bool any = false;

    for (int n = 1; (line = strsep(&rest, "\n")); n++) {
        struct words w;
        struct err err = {0};

        if (!split(line, &w, &err)) {
            n_invalid += err.kind != ERR_NONE;
            if (err.kind && n_invalid <= NOTES_MAX)
                note_add(notes, "%s:%d: %s", path, n, err_text(&err));
            err_done(&err);
        } else if (is_above(w.items[0], folder) &&
                   (!any || strlen(w.items[0]) > strlen(found->items[0]))) {
            if (any)
                words_done(found);
            *found = w;
            any = true;
        } else {
            words_done(&w);
        }
    }
    if (n_invalid > NOTES_MAX)
        note_add(notes, "%s: %d invalid lines in all", path, n_invalid);
    return any;
}

bool rename_rules_find(struct strbuf *rules, const char *file, struct notes *notes)
{
    char *dir = config_dir(), *folder = folder_of(file);
    char *path = state_path(dir, file_name);
    struct strbuf text = {0};
    struct words found;
    bool ok = path && folder && state_read_raw(path, &text, notes) && text.len &&
              nearest(text.data, folder, path, &found, notes);

    if (ok) {
        sb_adds(rules, found.items[1]);
        words_done(&found);
    }
    sb_done(&text);
    EACH(free, path, folder, dir);
    return ok;
}

/* Appends the lines of TEXT that are not about FOLDER. */
static void add_others(struct strbuf *sb, char *text, const char *folder)
{
    char *rest = text, *line;

    while ((line = strsep(&rest, "\n"))) {
        struct words w;
        struct err err = {0};
        const bool is_entry = split(line, &w, &err);

        if (*line && !(is_entry && strcmp(w.items[0], folder) == 0))
            sb_addf(sb, "%s\n", line);
        if (is_entry)
            words_done(&w);
        err_done(&err);
    }
}

/* Rewrites the file in DIR with RULES for FOLDER. */
static bool write_rules(const char *dir, const char *folder, const char *rules,
                        struct notes *notes)
{
    char *path = state_path(dir, file_name);
    struct strbuf before = {0}, text = {0};
    const size_t n_notes = notes->n;
    bool ok = true;

    if (state_read_raw(path, &before, notes) && before.len)
        add_others(&text, before.data, folder);
    else if (notes->n > n_notes)
        ok = false; /* do not overwrite an unreadable file */
    if (*rules) {
        words_quote(&text, folder);
        sb_addc(&text, ' ');
        words_quote(&text, rules);
        sb_addc(&text, '\n');
    }
    if (ok && text.len > STATE_BYTES_MAX) {
        note_add(notes, "%s: the file of rules is full", path);
        ok = false;
    }
    ok = ok && state_save_raw(dir, file_name, sb_text(&text), text.len, notes);
    EACH(sb_done, &before, &text);
    free(path);
    return ok;
}

bool rename_rules_save(const char *file, const char *rules, struct notes *notes)
{
    char *dir = config_dir(), *folder = folder_of(file);
    const bool ok = dir && folder && write_rules(dir, folder, rules, notes);

    if (!dir || !folder)
        note_add(notes, "rules not saved: no project folder or no config folder");
    EACH(free, folder, dir);
    return ok;
}

const char *rename_rules_file(const struct options *o, const struct words *files)
{
    const char *const named[] = {o->profile_path, o->graph_path, files->n ? files->items[0] : NULL,
                                 o->run_meta_path};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            return named[i];
    return NULL;
}

void rename_rules_apply(struct options *o, const struct words *files, struct notes *notes)
{
    const char *file = rename_rules_file(o, files);
    struct strbuf rules = {0};
    struct err err = {0};

    if (file && o->diff_base && !o->rename && rename_rules_find(&rules, file, notes) &&
        option_set(o, option_find("rename"), sb_text(&rules), &err))
        note_add(notes, "baseline names are changed by the rules saved for this folder: -rename '%s'",
                 sb_text(&rules));
    err_done(&err);
    sb_done(&rules);
}
