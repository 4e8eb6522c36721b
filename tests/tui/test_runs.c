/* test_runs.c: a log folder with several runs: a list to choose from at the start and later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/runs_menu.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The files of the log folder, with their modification day in May 2026. */
static const struct {
    const char *path, *from;
    int day;
} files[] = {
    {"damaged/events.out.tfevents.1", NULL, 1},
    {"eval/events.out.tfevents.1.gz", "tests/golden/modern/tf2_trace.tfevents.gz", 2},
    {"train/plugins/profile/05_03/host.xplane.pb", "data/training.xplane.pb", 3},
    {"train/plugins/profile/05_04/host.xplane.pb", "data/training.xplane.pb", 4},
    {"old/events.out.tfevents.1.gz", "tests/golden/modern/cnn_session.tfevents.gz", 5},
};
static const char *const folders[] = {
    "logs", "logs/damaged", "logs/eval", "logs/old", "logs/train", "logs/train/plugins",
    "logs/train/plugins/profile", "logs/train/plugins/profile/05_03",
    "logs/train/plugins/profile/05_04",
};

static char work[] = "/tmp/test_runs.XXXXXX";
static char logs[64];

static void play(int rows, int cols, const struct script_step *steps, size_t n_steps)
{
    const char *const args[] = {logs, NULL};
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void says(const struct canvas *c, const char *text)
{
    if (!script_shows(c, text))
        fail_msg("\"%s\" is not said", text);
}

/* Nothing is read before a run is chosen.  The last modified run is first; runs with captures are
 * named without the plugin folders. */
static void is_list(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_null(a->doc.session);
    assert_int_equal(a->ui.top->at, 0);
    says(c, "old              2 steps     21.89KB  2026-05-05 00:00");
    says(c, "train/05_04      2 steps      2.63KB  2026-05-04 00:00");
    says(c, "train/05_03      2 steps      2.63KB  2026-05-03 00:00");
    says(c, "eval         graph alone      6.33KB  2026-05-02 00:00");
    says(c, "damaged                -          8B  2026-05-01 00:00");
}

/* A narrow list shows the full names. */
static void is_small_list(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    says(c, " train/05_03 ");
    says(c, " damaged ");
}

static void is_nothing(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_null(a->doc.session);
    assert_null(a->ui.top);
    says(c, "no run is open: O lists them");
}

static void is_named(const struct app *a, const char *name)
{
    assert_non_null(a->doc.session);
    assert_int_equal(a->doc.session->files.n, 1);
    assert_string_equal(a->doc.session->files.items[0] + strlen(logs), name);
    assert_ptr_equal(a->doc.result->profile, a->doc.session->profile);
}

static void is_last(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    is_named(a, "/old");
    assert_non_null(strstr(state, "/logs/old "));
}

static void is_capture(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    is_named(a, "/train/plugins/profile/05_04");
    assert_non_null(strstr(state, "/logs/train/plugins/profile/05_04"));
}

/* The list returns with the reason. */
static void is_refused(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_non_null(a->ui.top);
    says(c, "/logs/damaged");
    is_named(a, "/train/plugins/profile/05_04");
}

static void is_edit(struct app *a, const struct canvas *c, const char *state)
{
    is_capture(a, c, state);
    assert_true(runs_menu_is_open(a));
}

static void runs_are_chosen_one_after_another(void **state)
{
    static char edit[80];
    const struct script_step steps[] = {
        {.check = is_list},
        {.rows = 24, .cols = 80, .check = is_list},
        {.rows = 12, .cols = 40, .check = is_small_list},
        {.rows = 24, .cols = 80, .keys = "<esc>", .check = is_nothing},
        {.keys = "O<ret>", .check = is_last},
        {.keys = "O<down><ret>", .check = is_capture},
        {.keys = "<f5>", .check = is_capture},
        {.keys = "O<end><ret>", .check = is_refused},
        {.keys = "<esc>", .check = is_capture},
        {.keys = edit, .check = is_edit},
        {.keys = "<ret>", .check = is_last},
        {.keys = ":runs<ret><esc>", .check = is_last},
    };

    (void)state;
    snprintf(edit, sizeof edit, ":edit %s<ret>", logs);
    play(36, 120, steps, COUNT(steps));
}

static void knows_its_neighbours(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_non_null(a->ui.top);
    assert_string_equal(a->doc.listed_runs.folder + strlen(logs), "/train");
    says(c, "  05_03  ");
    says(c, "  05_04  ");
}

/* With one run loaded, the other runs of its folder are listed. */
static void the_runs_beside_one_are_listed(void **state)
{
    static char run[128];
    const char *const args[] = {run, NULL};
    static const struct script_step steps[] = {
        {.keys = "O", .check = knows_its_neighbours},
    };
    struct script script = {.args = args, .rows = 24, .cols = 80, .steps = steps,
                                  .n_steps = COUNT(steps)};

    (void)state;
    snprintf(run, sizeof run, "%s/train/plugins/profile/05_03", logs);
    assert_int_equal(script_run(&script), 0);
}

static void write_file(size_t i)
{
    char path[160];
    const struct timespec at = {.tv_sec = 1777593600 + (files[i].day - 1) * 86400};
    const struct timespec both[2] = {at, at};
    FILE *in, *out;
    int byte;

    snprintf(path, sizeof path, "%s/%s", logs, files[i].path);
    out = fopen(path, "wb");
    assert_non_null(out);
    in = files[i].from ? fopen(files[i].from, "rb") : NULL;
    while (in && (byte = getc(in)) != EOF)
        assert_int_not_equal(putc(byte, out), EOF);
    if (in)
        fclose(in);
    else
        fputs("no event", out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, both, 0), 0);
}

static int make_folders(void **state)
{
    const char *top = getenv("top_srcdir");
    char path[160];

    (void)state;
    if ((top && chdir(top) != 0) || !mkdtemp(work))
        return -1;
    setenv("TZ", "UTC", 1);
    snprintf(logs, sizeof logs, "%s/logs", work);
    for (size_t i = 0; i < COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s/%s", work, folders[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    for (size_t i = 0; i < COUNT(files); i++)
        write_file(i);
    return 0;
}

static int remove_folders(void **state)
{
    char path[160];

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        snprintf(path, sizeof path, "%s/%s", logs, files[i].path);
        unlink(path);
    }
    for (size_t i = COUNT(folders); i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", work, folders[i]);
        rmdir(path);
    }
    return rmdir(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_chosen_one_after_another),
        cmocka_unit_test(the_runs_beside_one_are_listed),
    };

    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
