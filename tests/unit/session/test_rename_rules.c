/* test_rename_rules.c: rules of -rename saved for folders, in a file that users also edit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "session/rename_rules.h"
#include "session/state.h"

/* A project with a subfolder, a second project, and a folder for the config. */
struct place {
    char root[64];
    char config[96];
    char file[4][128]; /* in the project, in its subfolder, in the second project, nowhere */
};

static int make_place(void **state)
{
    static const char *const folders[] = {"it's one", "it's one/inner", "it's one more", "config"};
    struct place *p = xcalloc(1, sizeof *p);
    char config[80];

    strcpy(p->root, "/tmp/tfprof-rules-XXXXXX");
    assert_non_null(mkdtemp(p->root));
    snprintf(config, sizeof config, "%s/config", p->root);
    snprintf(p->config, sizeof p->config, "%s/tfprof", config);
    for (int i = 0; i < 4; i++) {
        char path[96];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", p->root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(p->file[i], sizeof p->file[i], "%s/x", path);
        f = i < 3 ? fopen(p->file[i], "w") : NULL;
        if (f)
            fclose(f);
    }
    setenv("XDG_CONFIG_HOME", config, 1);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    struct place *p = *state;
    char command[96];

    snprintf(command, sizeof command, "rm -r %s", p->root);
    assert_int_equal(system(command), 0);
    unsetenv("XDG_CONFIG_HOME");
    free(p);
    return 0;
}

static void keep(const char *file, const char *rules)
{
    struct notes notes = {0};

    assert_true(rename_rules_save(file, rules, &notes));
    assert_int_equal(notes.n, 0);
}

/* Fails unless the rules for FILE are WANT ("": none), with N_NOTES notes. */
static void finds(const char *file, const char *want, size_t n_notes)
{
    struct notes notes = {0};
    struct strbuf rules = {0};

    assert_int_equal(rename_rules_find(&rules, file, &notes), *want != '\0');
    assert_string_equal(sb_text(&rules), want);
    assert_int_equal(notes.n, n_notes);
    notes_done(&notes);
    sb_done(&rules);
}

static void the_nearest_folder_counts(void **state)
{
    const struct place *p = *state;

    finds(p->file[0], "", 0); /* the file does not exist yet */
    keep(p->file[0], "a=b");
    finds(p->file[0], "a=b", 0);
    finds(p->file[1], "a=b", 0);
    finds(p->file[2], "", 0); /* a similar prefix of its name */
    finds(p->file[3], "", 0); /* does not exist */
    keep(p->file[1], "it's (.*)=$1, \\,x=y");
    finds(p->file[0], "a=b", 0);
    finds(p->file[1], "it's (.*)=$1, \\,x=y", 0);
    keep(p->file[0], "c=d");
    finds(p->file[0], "c=d", 0);
    keep(p->file[1], "");
    finds(p->file[1], "c=d", 0);
}

static void lines_of_other_projects_are_unchanged(void **state)
{
    static const char text[] = "# mine\n/else x=y\nno folder\n/bad '(=x'\n/open 'x=y\n";
    const struct place *p = *state;
    struct notes notes = {0};
    struct strbuf got = {0};
    char path[128];

    assert_true(state_save_raw(p->config, "renames", text, strlen(text), &notes));
    finds(p->file[0], "", 3);
    keep(p->file[0], "a=b");
    finds(p->file[0], "a=b", 3);
    snprintf(path, sizeof path, "%s/renames", p->config);
    assert_true(state_read_raw(path, &got, &notes));
    assert_int_equal(strncmp(sb_text(&got), text, strlen(text)), 0);
    keep(p->file[0], "");
    sb_clear(&got);
    assert_true(state_read_raw(path, &got, &notes));
    assert_string_equal(sb_text(&got), text);
    assert_int_equal(notes.n, 0);
    sb_done(&got);
}

/* A file that is too large is neither read nor overwritten. */
static void a_large_file_is_not_overwritten(void **state)
{
    const struct place *p = *state;
    char *large = xcalloc(1, STATE_BYTES_MAX + 2);
    struct notes notes = {0};
    struct stat st;
    char path[128];

    memset(large, '#', STATE_BYTES_MAX + 1);
    assert_true(state_save_raw(p->config, "renames", large, STATE_BYTES_MAX + 1, &notes));
    finds(p->file[0], "", 1);
    assert_false(rename_rules_save(p->file[0], "a=b", &notes));
    assert_int_equal(notes.n, 1);
    snprintf(path, sizeof path, "%s/renames", p->config);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, STATE_BYTES_MAX + 1);
    notes_done(&notes);
    free(large);
}

/* Rules behind a NUL would be lost. */
static void a_file_with_a_nul_is_not_overwritten(void **state)
{
    static const char text[] = "/else x=y\n\0/other a=b\n";
    const struct place *p = *state;
    struct notes notes = {0};
    struct stat st;
    char path[128];

    assert_true(state_save_raw(p->config, "renames", text, sizeof text - 1, &notes));
    assert_false(rename_rules_save(p->file[0], "a=b", &notes));
    assert_int_equal(notes.n, 1);
    snprintf(path, sizeof path, "%s/renames", p->config);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, sizeof text - 1);
    notes_done(&notes);
}

/* Bytes that are no UTF-8 and escape sequences are kept; rules that rename to each other apply once;
 * the notes about a file without a valid line are few. */
static void hostile_lines_are_bounded(void **state)
{
    static const char text[] = "/else \xff\x1b]0;x\x07=y\n\xff\x1b[2J z\n";
    const struct place *p = *state;
    struct notes notes = {0};
    struct strbuf lines = {0}, got = {0};
    char path[128];

    assert_true(state_save_raw(p->config, "renames", text, strlen(text), &notes));
    keep(p->file[0], "a=b, b=a");
    finds(p->file[0], "a=b, b=a", 2);
    snprintf(path, sizeof path, "%s/renames", p->config);
    assert_true(state_read_raw(path, &got, &notes));
    assert_int_equal(strncmp(sb_text(&got), text, strlen(text)), 0);
    for (int i = 0; i < 1000; i++)
        sb_adds(&lines, "x\n");
    assert_true(state_save_raw(p->config, "renames", sb_text(&lines), lines.len, &notes));
    finds(p->file[0], "", 6);
    sb_done(&lines);
    sb_done(&got);
}

static void options_get_the_saved_rules(void **state)
{
    const struct place *p = *state;
    struct words files = {0};
    struct notes notes = {0};
    struct options o;
    struct err err = {0};

    keep(p->file[0], "a=b");
    words_add(&files, p->file[0]);
    options_init(&o);
    rename_rules_apply(&o, &files, &notes);
    assert_null(o.rename); /* no comparison */
    assert_true(option_set(&o, option_find("diff_base"), "base", &err));
    rename_rules_apply(&o, &files, &notes);
    assert_string_equal(o.rename, "a=b");
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.data[0].text,
                        "baseline names are changed by the rules saved for this folder: -rename 'a=b'");
    assert_true(option_set(&o, option_find("rename"), "x=y", &err));
    rename_rules_apply(&o, &files, &notes);
    assert_string_equal(o.rename, "x=y"); /* rules on the command line take precedence */
    options_done(&o);
    words_done(&files);
    notes_done(&notes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_nearest_folder_counts),
        TEST(lines_of_other_projects_are_unchanged),
        TEST(a_large_file_is_not_overwritten),
        TEST(a_file_with_a_nul_is_not_overwritten),
        TEST(hostile_lines_are_bounded),
        TEST(options_get_the_saved_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
