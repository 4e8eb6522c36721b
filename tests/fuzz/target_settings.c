/* target_settings.c: user files: config, saved state, history, selected by the first byte; any
 * bytes are read, or reported as a note. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session/config.h"
#include "session/state.h"
#include "targets.h"
#include "tui/commands/keymap.h"

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
        FUZZ_REQUIRE(*notes->lines[i] && !strchr(notes->lines[i], '\n'));
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

void target_settings(const uint8_t *bytes, size_t size)
{
    static void (*const kinds[])(const char *, const uint8_t *, size_t) = {config, state, history};

    if (size)
        kinds[bytes[0] % 3](fuzz_folder(), bytes + 1, size - 1);
}
