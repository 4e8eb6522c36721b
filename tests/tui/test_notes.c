/* test_notes.c: notes on rows: where they are displayed, and how long they are stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};
static const char *folder;

static int make_folder(void **state)
{
    (void)state;
    folder = script_folder_make("XDG_STATE_HOME");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    script_folder_remove("XDG_STATE_HOME");
    return 0;
}

static void play(int rows, int cols, const struct script_step *steps, size_t n_steps)
{
    const struct script script = {.args = sample, .rows = rows, .cols = cols, .steps = steps,
                                  .n_steps = n_steps, .keeps_state = true};

    assert_int_equal(script_run(&script), 0);
}

static void shows(const struct canvas *c, const char *text)
{
    if (!script_shows(c, text))
        fail_msg("\"%s\" is not shown", text);
}

/* Fails unless the row of NAME has the mark of a note exactly when MARKED. */
static void has_mark(const struct canvas *c, const char *name, bool marked)
{
    for (int row = 4; row < c->rows; row++) {
        char *text = script_row(c, row);
        const char *at = strstr(text, name);
        const bool is_row = at && at < text + 40; /* not the text of the details pane */
        const bool is_marked = is_row && at[strcspn(at, ";\xe2")] == ';';

        free(text);
        if (is_row) {
            assert_int_equal(is_marked, marked);
            return;
        }
    }
    fail_msg("%s is not shown", name);
}

static void is_noted(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    shows(c, "noted");
    shows(c, "; reads too little");
    has_mark(c, "random_shuffle_queue_D", true);
    has_mark(c, "gradients", false);
}

static void is_removed(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.notes.rows.v.n, 0);
    shows(c, "the note is removed");
    assert_false(script_shows(c, "; reads too little"));
    has_mark(c, "random_shuffle_queue_D", false);
}

static void no_list(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    shows(c, "no notes: ; adds one to a row");
}

/* The note stores the screen before its prompt, whatever was displayed when the keys arrived. */
static void holds_the_screen(struct app *a, const struct canvas *c, const char *state)
{
    const struct row_note *note = &a->doc.notes.rows.v.data[0];

    (void)c;
    assert_int_equal(a->doc.notes.rows.v.n, 1);
    assert_string_equal(note->path, "random_shuffle_queue_DequeueMany");
    assert_string_equal(note->command, state);
    assert_non_null(strstr(note->screen, "> \xe2\x96\xb8 random_shuffle_queue_D"));
    assert_non_null(strstr(note->screen, state));
    assert_null(strstr(note->screen, "note:"));
}

static void keeps_its_screen(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_string_equal(a->doc.notes.rows.v.data[0].text, "reads too little at a time");
    assert_non_null(strstr(a->doc.notes.rows.v.data[0].screen, "FLOPs"));
}

static void a_note_is_written_changed_and_removed(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ",", .check = no_list},
        {.keys = "jj;reads too little<ret>", .check = is_noted,
         .shows = {"> ▸ random_shuffle_queue_DequeueMany ;! 665.31 ms 10.3%",
                   "│ ; reads too little", "noted undo 0 redo 0 NORMAL"}},
        {.check = holds_the_screen},
        {.rows = 24, .cols = 80, .keys = ",", .golden = "notes_80x24"},
        {.rows = 36, .cols = 120, .keys = "<esc>S<esc>;<end> at a time<ret>",
         .check = keeps_its_screen},
        {.keys = ";<c-u><ret>", .check = is_removed},
        {.keys = ";<ret>", .check = NULL},
        {.keys = ";x<esc>,", .check = no_list},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void the_root_has_none(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    shows(c, "a row below this one has a note");
}

static void notes_on_the_root_are_refused(void **state)
{
    static const struct script_step steps[] = {{.keys = ";", .check = the_root_has_none}};

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

#define CURSOR_IS_ON(check, want_view, name)                                                       \
    static void check(struct app *a, const struct canvas *c, const char *state)                    \
    {                                                                                              \
        const struct text at = tree_text(a->doc.result->tree, app_row(a));                         \
                                                                                                   \
        (void)c;                                                                                   \
        (void)state;                                                                               \
        assert_int_equal(a->doc.result->view_id, want_view);                                       \
        if (at.len != strlen(name) || memcmp(at.bytes, name, at.len) != 0)                         \
            fail_msg("the cursor is on %.*s", (int)at.len, at.bytes);                              \
    }

CURSOR_IS_ON(is_on_op, VIEW_OP, "Conv2DBackpropFilter")
CURSOR_IS_ON(is_on_scope, VIEW_SCOPE, "gradients/unit_1_0")
#define LINE "resnet_main.py:85:<module> (gradient)"
CURSOR_IS_ON(is_on_line, VIEW_CODE, LINE)

/* To a row of another view, a row below folded rows, or one of several rows with the same name. */
static void the_list_leads_to_rows(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":scope<ret>jlj;grad<ret>"},
        {.keys = "gg4j;op<ret>", .check = is_on_op},
        {.keys = "ggj3ggj;line<ret>", .check = is_on_line},
        {.keys = "gg1ggzM,<ret>", .check = is_on_scope},
        {.keys = ",j<ret>", .check = is_on_op},
        {.keys = ",jj<ret>", .check = is_on_line},
        {.keys = "<bs>", .check = is_on_op},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void row_still_exists(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.notes.rows.v.n, 1);
    has_mark(c, "random_shuffle_queue_D", true);
}

static void is_gone(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.notes.rows.v.n, 0);
    has_mark(c, "random_shuffle_queue_D", false);
}

static void notes_are_unchanged(void **state)
{
    static const struct script_step write[] = {
        {.keys = "jj;reads too little<ret>", .check = is_noted},
        {.keys = "<f5>", .check = row_still_exists},
    };
    static const struct script_step again[] = {{.check = row_still_exists},
                                               {.keys = "jj;<c-u><ret>", .check = is_gone}};
    static const struct script_step last[] = {{.check = is_gone}};

    (void)state;
    play(36, 120, write, COUNT(write));
    play(36, 120, again, COUNT(again));
    play(36, 120, last, COUNT(last));
}

/* Notes belong to a profile. */
static void another_profile_has_other_notes(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "jj;reads too little<ret>", .check = is_noted},
        {.keys = ":edit tests/golden/models/towers/profile.pb.gz<ret>", .check = NULL},
        {.keys = ",", .check = no_list},
        {.keys = ":edit data/resnet32.pb.gz<ret>", .check = row_still_exists},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void is_harmless(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    shows(c, "\\x1b[2J");
    for (int row = 0; row < c->rows; row++)
        for (int col = 0; col < c->cols; col++)
            assert_int_not_equal(canvas_at(c, row, col)->base, 0x1b);
}

/* A notes file from another user may contain escape sequences. */
static void escapes_are_shown_as_text(void **state)
{
    static const struct script_step write[] = {{.keys = "jj;x<ret>", .check = NULL}};
    static const struct script_step look[] = {
        {.keys = "gg", .check = NULL},
        {.keys = "jj", .check = is_harmless},
        {.keys = ",", .check = is_harmless},
    };
    char command[256];

    (void)state;
    play(36, 120, write, COUNT(write));
    snprintf(command, sizeof command,
             "sed -i \"s/^text x$/text $'\\\\\\\\x1b[2Jx'/\" %s/tfprof/profile-*.notes", folder);
    assert_int_equal(system(command), 0);
    play(36, 120, look, COUNT(look));
}

/* ---- reports with notes */

/* Fails unless the screen shows FORMAT, with %s replaced by the folder. */
static void says(const struct canvas *c, const char *format)
{
    char text[128];

    snprintf(text, sizeof text, format, folder);
    shows(c, text);
}

#define SAYS(check, text)                                                                          \
    static void check(struct app *a, const struct canvas *c, const char *state)                    \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        says(c, text);                                                                             \
    }

SAYS(is_written, "written: %s/a.markdown, 1 note ")
SAYS(is_refused, "%s/a.markdown exists: :report! FILE writes over it")
SAYS(is_written_again, "written: %s/a.markdown, 2 notes ")
SAYS(is_html, "written: %s/a.html, 2 notes ")
SAYS(is_short, "written: %s/b" ".md, 2 notes ")
SAYS(has_another_end, "the name of a report must end in .md or .html")
SAYS(cannot_be_written, "E: %s/none/a.markdown: ")
SAYS(is_completed, ":report %s/a.markdown")

/* Fails unless FILE contains LINE exactly when WANTED. */
static void has_line(const char *file, const char *line, bool wanted)
{
    char command[256];

    snprintf(command, sizeof command, "grep -qxF -e \"%s\" %s/%s", line, folder, file);
    assert_int_equal(system(command) == 0, wanted);
}

static void a_report_is_written(void **state)
{
    char to_md[64], again[64], to_short[64], to_html[64], nowhere[64], part[64], same[256];
    const struct script_step steps[] = {
        {.keys = "jj;reads too little<ret>"},
        {.keys = to_md, .check = is_written},
        {.keys = to_md, .check = is_refused},
        {.keys = "j;<lt>this one\\<gt><ret>"},
        {.keys = again, .check = is_written_again},
        {.keys = to_html, .check = is_html},
        {.keys = to_short, .check = is_short},
        {.keys = ":report a.txt<ret>", .check = has_another_end},
        {.keys = ":report<ret>a.txt<ret>", .check = has_another_end},
        {.keys = "<esc>", .check = NULL},
        {.keys = nowhere, .check = cannot_be_written},
        {.keys = part, .check = is_completed},
        {.keys = "<esc>", .check = NULL},
    };

    snprintf(to_md, sizeof to_md, ":report %s/a.markdown<ret>", folder);
    snprintf(again, sizeof again, ":report! %s/a.markdown<ret>", folder);
    snprintf(to_html, sizeof to_html, ":report %s/a.html<ret>", folder);
    snprintf(to_short, sizeof to_short, ":report %s/b" ".md<ret>", folder);
    snprintf(nowhere, sizeof nowhere, ":report %s/none/a.markdown<ret>", folder);
    snprintf(part, sizeof part, ":report %s/a.m<tab>", folder);
    (void)state;
    play(36, 120, steps, COUNT(steps));
    has_line("a.markdown", "## random\\\\_shuffle\\\\_queue\\\\_DequeueMany", true);
    has_line("a.markdown", "reads too little", true);
    has_line("a.markdown", "## unit\\\\_1\\\\_0", true);
    has_line("a.html", "<p>reads too little</p>", true);
    /* The command prints the same notes for the same files. */
    snprintf(same, sizeof same,
             "$TFPROF report data/resnet32.pb.gz -max_depth all -order_by micros "
             "-select float_ops,micros | cmp - %s/a.markdown", folder);
    assert_int_equal(system(same), 0);
    snprintf(same, sizeof same,
             "$TFPROF report -q data/resnet32.pb.gz --no-state -output html | grep -q '<h2>'");
    assert_int_not_equal(system(same), 0);
}

/* The comparison precedes the notes. */
static void a_report_has_the_comparison(void **state)
{
    static const char *const args[] = {"data/resnet32.pb.gz", "-step", "2", "-diff_step", "0",
                                       NULL};
    char to_md[64];
    const struct script_step steps[] = {{.keys = to_md, .check = NULL}};
    const struct script script = {.args = args, .rows = 36, .cols = 120, .steps = steps,
                                  .n_steps = COUNT(steps), .keeps_state = true};

    (void)state;
    snprintf(to_md, sizeof to_md, ":report %s/a.markdown<ret>", folder);
    assert_int_equal(script_run(&script), 0);
    has_line("a.markdown", "## Comparison", true);
    has_line("a.markdown", "* micros: 5.94sec -> 6.64sec, +700.37ms (+11.8%)", true);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_note_is_written_changed_and_removed),
        TEST(notes_on_the_root_are_refused),
        TEST(the_list_leads_to_rows),
        TEST(notes_are_unchanged),
        TEST(another_profile_has_other_notes),
        TEST(escapes_are_shown_as_text),
        TEST(a_report_is_written),
        TEST(a_report_has_the_comparison),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
