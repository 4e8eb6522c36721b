/* target_settings.c: user files: config, saved state, history, notes on rows and renaming rules,
 * selected by the first byte; any bytes are read, or reported as a note. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session/config.h"
#include "session/rename_rules.h"
#include "session/row_notes.h"
#include "session/state.h"
#include "targets.h"
#include "tui/keymap.h"

static void write_file(const char *folder, const char *name, const uint8_t *bytes, size_t size)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    FUZZ_REQUIRE(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static void notes_are_lines(struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        FUZZ_REQUIRE(*notes->data[i].text && !strchr(notes->data[i].text, '\n'));
    notes_done(notes);
}

static bool take_bind(const struct words *words, void *arg, struct err *err)
{
    if (strcmp(words->items[0], "bind") != 0)
        return err_set(err, ERR_USAGE, "no");
    return keymap_bind_words(arg, words->items + 1, words->n - 1, err);
}

static void config(const char *folder, const uint8_t *bytes, size_t size)
{
    char below[300];
    struct options o;
    struct keymap map;
    struct notes notes = {0};

    snprintf(below, sizeof below, "%s/tfprof", folder);
    mkdir(below, 0700);
    write_file(below, "tfprofrc", bytes, size);
    setenv("XDG_CONFIG_HOME", folder, 1);
    options_init(&o);
    keymap_init(&map);
    config_read(&o, NULL, take_bind, &map, &notes);
    notes_are_lines(&notes);
    keymap_done(&map);
    options_done(&o);
}

static void state(const char *folder, const uint8_t *bytes, size_t size)
{
    struct strbuf lines = {0}, again = {0};
    struct notes notes = {0};

    write_file(folder, "state", bytes, size);
    if (state_load(folder, "state", &lines, &notes)) {
        FUZZ_REQUIRE(notes.n == 0 && strlen(sb_text(&lines)) == lines.len);
        FUZZ_REQUIRE(state_save(folder, "state", sb_text(&lines), lines.len, &notes));
        FUZZ_REQUIRE(state_load(folder, "state", &again, &notes));
        FUZZ_REQUIRE(strcmp(sb_text(&lines), sb_text(&again)) == 0);
    }
    sb_done(&lines);
    sb_done(&again);
    notes_are_lines(&notes);
}

static void history(const char *folder, const uint8_t *bytes, size_t size)
{
    struct history h = {0}, again = {0};
    struct notes notes = {0};

    write_file(folder, "past", bytes, size);
    history_load(&h, folder, "past", &notes);
    FUZZ_REQUIRE(h.lines.n <= HISTORY_MAX);
    for (size_t i = 0; i < h.lines.n; i++)
        for (const char *c = h.lines.data[i]; *c; c++)
            FUZZ_REQUIRE((unsigned char)*c >= ' ' && *c != 0x7f);
    history_add(&h, "scope -max_depth 4", folder, "past", &notes);
    history_load(&again, folder, "past", &notes);
    FUZZ_REQUIRE(again.lines.n >= 1);
    FUZZ_REQUIRE(strcmp(again.lines.data[again.lines.n - 1], "scope -max_depth 4") == 0);
    history_done(&h);
    history_done(&again);
    notes_are_lines(&notes);
}

/* The notes that were read can be written, and are equal when read again. */
static void row_notes(const char *folder, const uint8_t *bytes, size_t size)
{
    struct row_notes n = {0}, again = {0};
    struct notes notes = {0}, none = {0};

    FUZZ_REQUIRE(state_save(folder, "profile.notes", (const char *)bytes, size, &none));
    row_notes_load(&n, folder, "profile", &notes);
    FUZZ_REQUIRE(n.v.n <= ROW_NOTES_MAX);
    FUZZ_REQUIRE(row_notes_save(&n, folder, "profile", &none));
    row_notes_load(&again, folder, "profile", &none);
    FUZZ_REQUIRE(none.n == 0 && again.v.n == n.v.n);
    for (size_t i = 0; i < n.v.n; i++) {
        const struct row_note *note = &n.v.data[i], *same = &again.v.data[i];

        FUZZ_REQUIRE(strlen(note->text) <= NOTE_TEXT_MAX && note->view == same->view);
        FUZZ_REQUIRE(strcmp(note->path, same->path) == 0 && strcmp(note->text, same->text) == 0 &&
                     strcmp(note->command, same->command) == 0 &&
                     strcmp(note->screen, same->screen) == 0);
    }
    row_notes_done(&n);
    row_notes_done(&again);
    notes_are_lines(&notes);
}

/* Writing the rules of a folder leaves those of other folders unchanged. */
static void renames(const char *folder, const uint8_t *bytes, size_t size)
{
    char file[300];
    struct strbuf rules = {0}, again = {0};
    struct notes notes = {0};

    snprintf(file, sizeof file, "%s/tfprof", folder);
    mkdir(file, 0700);
    write_file(file, "renames", bytes, size);
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(file, sizeof file, "%s/tfprof/renames", folder);
    rename_rules_find(&rules, file, &notes);
    if (rename_rules_save(file, "a=b", &notes)) {
        FUZZ_REQUIRE(rename_rules_find(&again, file, &notes));
        FUZZ_REQUIRE(strcmp(sb_text(&again), "a=b") == 0);
    }
    sb_done(&rules);
    sb_done(&again);
    notes_are_lines(&notes);
}

void target_settings(const uint8_t *bytes, size_t size)
{
    static void (*const kinds[])(const char *, const uint8_t *, size_t) = {
        config, state, history, row_notes, renames};

    if (size)
        kinds[bytes[0] % (sizeof kinds / sizeof *kinds)](fuzz_folder(), bytes + 1, size - 1);
}
