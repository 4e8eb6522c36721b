/* test_row_notes.c: notes on rows are read as written; notes files of others are limited in
 * size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "session/row_notes.h"

#define NAME "profile-1"

static int make_folder(void **state)
{
    char dir[] = "/tmp/tfprof-notes-XXXXXX";

    assert_non_null(mkdtemp(dir));
    *state = xstrdup(dir);
    return 0;
}

static int remove_folder(void **state)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", (char *)*state);
    assert_int_equal(system(command), 0);
    free(*state);
    return 0;
}

static struct row_note note_of(enum view_id view, const char *path, const char *text,
                               const char *screen)
{
    return (struct row_note){.view = view,
                             .path = xstrdup(path),
                             .name = xstrdup(path),
                             .text = xstrdup(text),
                             .command = xstrdup("tfprof scope 'a b'"),
                             .screen = xstrdup(screen)};
}

static void add(struct row_notes *n, enum view_id view, const char *path, const char *text,
                const char *screen)
{
    struct row_note note = note_of(view, path, text, screen);
    struct err err = {0};

    assert_true(row_notes_add(n, &note, &err));
    assert_null(note.path);
}

static void reload(struct row_notes *n, const char *dir)
{
    struct notes notes = {0};

    assert_true(row_notes_save(n, dir, NAME, &notes));
    row_notes_load(n, dir, NAME, &notes);
    assert_int_equal(notes.n, 0);
}

/* Writes TEXT to the file and reads it; returns the number of notes and in *SAID the number of
 * messages. */
static size_t load_text(const char *dir, const char *text, size_t *said)
{
    struct row_notes n = {0};
    struct notes notes = {0};
    size_t n_notes;

    assert_true(state_save(dir, NAME ".notes", text, strlen(text), &notes));
    row_notes_load(&n, dir, NAME, &notes);
    n_notes = n.v.n;
    *said = notes.n;
    notes_done(&notes);
    row_notes_done(&n);
    return n_notes;
}

static void written_notes_are_read(void **state)
{
    static const char odd[] = "it's \"\\ \xc3\xa4 \x1b[31m \xff \t x # y";
    static const char screen[] = " \xe2\x96\xbe row\n\n  'x'\n# y\n";
    struct row_notes n = {0};

    add(&n, VIEW_SCOPE, "unit_1_0", odd, screen);
    add(&n, VIEW_CODE, "'main:35 train' 'model:23 x'", "slow", "");
    reload(&n, *state);
    assert_int_equal(n.v.n, 2);
    assert_int_equal(n.v.data[0].view, VIEW_SCOPE);
    assert_string_equal(n.v.data[0].text, odd);
    assert_string_equal(n.v.data[0].screen, screen);
    assert_string_equal(n.v.data[0].command, "tfprof scope 'a b'");
    assert_int_equal(n.v.data[1].view, VIEW_CODE);
    assert_string_equal(n.v.data[1].path, "'main:35 train' 'model:23 x'");
    assert_string_equal(n.v.data[1].name, "model:23 x");
    assert_string_equal(n.v.data[1].screen, "");
    row_notes_done(&n);
}

static void a_note_is_changed_and_removed(void **state)
{
    struct row_notes n = {0};
    struct err err = {0};

    add(&n, VIEW_SCOPE, "a", "one", "");
    add(&n, VIEW_OP, "a", "two", "");
    assert_int_equal(row_notes_find(&n, VIEW_OP, "a"), 1);
    assert_int_equal(row_notes_find(&n, VIEW_GRAPH, "a"), 2);
    assert_true(row_notes_set(&n, 1, "three", &err));
    assert_true(row_notes_set(&n, 0, "", &err));
    reload(&n, *state);
    assert_int_equal(n.v.n, 1);
    assert_string_equal(n.v.data[0].text, "three");
    row_notes_done(&n);
}

/* A refused note changes nothing, and the file can be read again. */
static void notes_are_bounded(void **state)
{
    struct row_notes n = {0};
    struct row_note note;
    struct err err = {0};
    char *long_text = xcalloc(1, NOTE_TEXT_MAX + 2);
    char *screen = xcalloc(1, 60001);
    char path[16];

    memset(long_text, 'x', NOTE_TEXT_MAX + 1);
    memset(screen, 'x', 60000);
    screen[59999] = '\n';
    note = note_of(VIEW_SCOPE, "a", long_text, "");
    assert_false(row_notes_add(&n, &note, &err));
    assert_string_equal(err_text(&err), "a note has up to 4000 bytes");
    err_done(&err);
    row_note_done(&note);
    for (int i = 0;; i++) {
        snprintf(path, sizeof path, "row%d", i);
        note = note_of(VIEW_SCOPE, path, "x", screen);
        if (!row_notes_add(&n, &note, &err))
            break;
    }
    row_note_done(&note);
    assert_non_null(strstr(err_text(&err), "the notes file is full"));
    err_done(&err);
    assert_int_equal(n.v.n, 17); /* of 60,000 bytes each in 1 MiB */
    reload(&n, *state);
    assert_int_equal(n.v.n, 17);
    assert_false(row_notes_set(&n, 0, long_text, &err));
    assert_string_equal(n.v.data[0].text, "x");
    err_done(&err);
    row_notes_done(&n);
    for (int i = 0; i < ROW_NOTES_MAX; i++) {
        snprintf(path, sizeof path, "row%d", i);
        add(&n, VIEW_SCOPE, path, "x", "");
    }
    note = note_of(VIEW_SCOPE, "more", "x", "");
    assert_false(row_notes_add(&n, &note, &err));
    err_done(&err);
    row_note_done(&note);
    reload(&n, *state);
    assert_int_equal(n.v.n, ROW_NOTES_MAX);
    row_notes_done(&n);
    free(long_text);
    free(screen);
}

static void damage_is_left_out(void **state)
{
#define REST "\ntext x\ncommand y\nscreen z\n"
    static const struct {
        const char *text;
        size_t n_notes, n_said;
    } cases[] = {
        {"note scope a" REST, 1, 0},
        {"note scope a" REST "note scope a" REST, 1, 1},      /* a duplicate */
        {"note advise a" REST, 0, 1},                         /* a view without rows */
        {"note there a" REST, 0, 1},                          /* an unknown view */
        {"note scope" REST "note op b" REST, 1, 1},           /* no row */
        {"note scope a\ncommand y\n", 0, 1},                  /* no text */
        {"note scope a\ntext ''\ncommand y\n", 0, 1},         /* an empty text */
        {"note scope a\ntext x\n", 0, 1},                     /* no command */
        {"text x\ncommand y\nscreen z\nnote scope a" REST, 1, 0},
        {"note scope 'a" REST "note scope b" REST, 1, 0},     /* an open quote */
        {"later release\nnote scope a" REST "later\n", 1, 0},
        {"note scope a\ntext x y\ntext x\ntext z\ncommand y\nscreen $'a\\nb'\n", 1, 0},
        {"", 0, 0},
    };
    size_t said;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = load_text(*state, cases[i].text, &said);

        if (n != cases[i].n_notes || said != cases[i].n_said)
            fail_msg("case %zu: %zu notes, %zu said", i, n, said);
    }
}

static void hostile_files_are_bounded(void **state)
{
    struct strbuf text = {0};
    struct row_notes n = {0};
    struct notes notes = {0};
    size_t said;

    for (int i = 0; i < 2 * ROW_NOTES_MAX; i++)
        sb_addf(&text, "note scope row%d" REST, i);
    assert_int_equal(load_text(*state, sb_text(&text), &said), ROW_NOTES_MAX);
    assert_int_equal(said, 1);
    sb_clear(&text);
    sb_adds(&text, "note code");
    for (int i = 0; i <= NOTE_PATH_MAX; i++)
        sb_addf(&text, " row%d", i);
    sb_adds(&text, REST);
    assert_int_equal(load_text(*state, sb_text(&text), &said), 0);
    sb_clear(&text);
    sb_adds(&text, "note scope a" REST);
    for (int i = 0; i < 20000; i++)
        sb_adds(&text, "screen 0123456789\n");
    assert_true(state_save(*state, NAME ".notes", sb_text(&text), text.len, &notes));
    row_notes_load(&n, *state, NAME, &notes);
    assert_int_equal(n.v.n, 1);
    assert_in_range(strlen(n.v.data[0].screen), NOTE_SCREEN_MAX - 20, NOTE_SCREEN_MAX);
    assert_int_equal(notes.n, 0);
    row_notes_done(&n);
    sb_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(written_notes_are_read), TEST(a_note_is_changed_and_removed),
        TEST(notes_are_bounded),             TEST(damage_is_left_out),
        TEST(hostile_files_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
