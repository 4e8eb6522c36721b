/* test_rename.c: renaming rules for the comparison, tried while they are typed and saved for the
 * folder. */
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

static const char *folder;
static char old[64], new[64];

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Two profiles whose nodes match only by a rule. */
static int make_folder(void **state)
{
    (void)state;
    folder = script_folder_make("XDG_CONFIG_HOME");
    snprintf(old, sizeof old, "%s/old.pbtxt", folder);
    snprintf(new, sizeof new, "%s/new.pbtxt", folder);
    put(old, "node { name: \"old/a\" op: \"Foo\" } node { name: \"old/b\" op: \"Foo\" }\n"
             "node { name: \"same\" op: \"Bar\" }\n");
    put(new, "node { name: \"new/xb\" op: \"Foo\" } node { name: \"new/xa\" op: \"Foo\" }\n"
             "node { name: \"same\" op: \"Bar\" }\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    script_folder_remove("XDG_CONFIG_HOME");
    return 0;
}

static void play(const char *const *args, const struct script_step *steps, size_t n_steps)
{
    const struct script script = {
        .args = args, .rows = 36, .cols = 120, .steps = steps, .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

#define SHOWS(check, text)                                                                         \
    static void check(struct app *a, const struct canvas *c, const char *state)                    \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        if (!script_shows(c, text))                                                                \
            fail_msg("\"%s\" is not shown", text);                                                 \
    }

SHOWS(has_one, "1 of 3 matched: 0 won, 0 lost, 0 otherwise")
SHOWS(wins_two, "3 of 3 matched: 2 won, 0 lost, 0 otherwise")
SHOWS(loses_two, "1 of 3 matched: 0 won, 2 lost, 0 otherwise")
SHOWS(exchanges_two, "3 of 3 matched: 0 won, 0 lost, 2 otherwise")
SHOWS(is_wrong, "E: -rename, column 2:")
SHOWS(has_no_base, "no comparison: D starts one")
SHOWS(has_fewer, "2 nodes fewer")

static void is_renamed(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_non_null(strstr(state, "--rename='old/(.*)=new/x${1}'"));
    assert_string_equal(a->doc.requested.options.rename, "old/(.*)=new/x${1}");
    assert_null(a->doc.renames_typed);
}

static void is_not_renamed(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_null(strstr(state, "-rename"));
    assert_null(a->doc.renames_typed);
}

/* The file of rules has N_LINES lines. */
static void keeps(const char *n_lines)
{
    char command[128];

    snprintf(command, sizeof command, "test $(cat %s/tfprof/renames | wc -l) = %s", folder, n_lines);
    assert_int_equal(system(command), 0);
}

#define RULES "old/(.*)=new/x${1}"

static void rules_are_tried_and_saved(void **state)
{
    const char *const args[] = {new, "-diff_base", old, "-min_delta", "0", NULL};
    const char *const alone[] = {new, NULL};
    char compare[96], same[256];
    const struct script_step steps[] = {
        {.keys = ":rename<ret>", .check = has_one},
        {.keys = "(=", .check = is_wrong},
        {.keys = "<c-u>" RULES, .check = wins_two},
        {.keys = "<esc>", .check = is_not_renamed},
        {.keys = ":rename<ret>" RULES "<ret>", .check = has_fewer},
        {.keys = "j", .check = is_renamed},
        {.keys = ":rename<ret><c-u>", .check = loses_two},
        {.keys = "old/a=new/xb,old/b=new/xa", .check = exchanges_two},
        {.keys = "<esc>", .check = is_renamed},
    };
    const struct script_step again[] = {
        {.keys = ":rename<ret>", .check = has_no_base},
        {.keys = compare, .check = is_renamed},
    };
    const struct script_step forget[] = {
        {.keys = compare, .check = is_renamed},
        {.keys = ":rename<ret><c-u><ret>", .check = is_not_renamed},
    };

    (void)state;
    play(args, steps, COUNT(steps));
    keeps("1");
    snprintf(compare, sizeof compare, "D<ret>%s<ret>", old);
    play(alone, again, COUNT(again));
    snprintf(same, sizeof same, "$TFPROF scope %s -diff_base %s -select params | grep -q "
                                "'new/xa.* was old/a by given'", new, old);
    assert_int_equal(system(same), 0);
    snprintf(same, sizeof same, "$TFPROF scope %s -diff_base %s -select params --no-config | "
                                "grep -q 'by given'", new, old);
    assert_int_not_equal(system(same), 0);
    play(alone, forget, COUNT(forget));
    keeps("0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(rules_are_tried_and_saved)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
