/* test_panes.c: sizes and positions of the panes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/canvas_dump.h"
#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};

static void play(int rows, int cols, const struct script_step *steps, size_t n_steps)
{
    struct script script = {.args = sample, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void side_is(const struct app *a, int cols)
{
    assert_true(a->ui.layout.wide);
    assert_int_equal(a->ui.layout.details.cols, cols);
}

#define SIDE_IS(n)                                                                                 \
    static void side_is_##n(struct app *a, const struct canvas *c, const char *state)              \
    {                                                                                              \
        (void)c;                                                                                   \
        (void)state;                                                                               \
        side_is(a, n);                                                                             \
    }

SIDE_IS(20)
SIDE_IS(32)
SIDE_IS(40)
SIDE_IS(44)
SIDE_IS(79)

static void ends_there(struct app *a, const struct canvas *c, const char *state)
{
    side_is_20(a, c, state);
    assert_true(script_shows(c, "the border is at its limit"));
}

/* ---- one pane */

static void has_all(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_true(a->ui.layout.wide);
    assert_true(script_shows(c, "\u2502 DETAILS"));
}

static void has_details_alone(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->ui.focus, PANE_DETAILS);
    assert_int_equal(a->ui.layout.details.cols, c->cols);
    assert_true(script_shows(c, " DETAILS"));
    assert_false(script_shows(c, "TIME v"));
}

static void has_no_room(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "the screen is too small for several panes: Tab shows the others"));
}

static void has_no_border(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "only one pane is shown, without a border: Z shows all"));
}

static void a_single_pane_fills_the_screen(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "jZ",
         .shows = {"NAME SELF TIME v % of root FLOPs",
                   "> ▸ gradients 4.64 s 72.0% ▇▇▇▇▇▇·· 35.94 G", "▸ train_step 2 µs 11.83 ms",
                   "the tree alone; Z shows all panes, Tab the next one", "!DETAILS", "!OPTIONS"}},
        {.keys = "<tab>", .check = has_details_alone},
        {.keys = "<c-w><gt>", .check = has_no_border},
        {.keys = "Z", .check = has_all},
        {.keys = "Z<bs>", .check = has_all}, /* as from any other position */
        {.keys = "Z<tab><tab>", .rows = 24, .cols = 80},
        {.keys = "Z", .check = has_no_room},
        {.rows = 36, .cols = 120},
        {.keys = "Z", .check = has_all},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

/* ---- the border */

static void the_border_moves(void **state)
{
    static const struct script_step steps[] = {
        {.check = side_is_40},
        {.keys = "<c-w><lt>",
         .shows = {"NAME TIME v % root FLOPs│ DETAILS", ">▾ _TFProfRoot 6.45 s 100.0% 53.91 G│",
                   "bytes -- 3.00 GB 100.0% ▇▇▇", "OPTIONS (o) ─"}},
        {.keys = "<c-w><gt><c-w><gt><c-w><gt>", .check = side_is_32},
        {.keys = "<c-w><gt><c-w><gt><c-w><gt>", .check = side_is_20},
        {.keys = "<c-w><gt>", .check = ends_there},
        {.keys = "<c-w><lt><c-w><lt><c-w><lt><c-w><lt><c-w><lt>"
                 "<c-w><lt><c-w><lt><c-w><lt><c-w><lt><c-w><lt>"
                 "<c-w><lt><c-w><lt><c-w><lt><c-w><lt><c-w><lt>", .check = side_is_79},
        {.rows = 24, .cols = 80},
        {.keys = "<c-w><lt>", .check = has_no_room},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void is_still_zoomed(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_true(a->ui.layout_choice.zoomed);
    assert_false(a->ui.layout.wide);
}

/* At the next start, even with other files. */
static void the_arrangement_is_remembered(void **state)
{
    static const char *const other[] = {"tests/golden/models/towers/profile.pb.gz", NULL};
    static const struct script_step move[] = {{.keys = "<c-w><lt>", .check = side_is_44}};
    static const struct script_step zoom[] = {{.check = side_is_44}, {.keys = "Z"}};
    static const struct script_step all[] = {{.check = is_still_zoomed},
                                             {.keys = "Z", .check = side_is_44}};
    static const struct script_step last[] = {{.check = side_is_44}};
    const struct {
        const char *const *args;
        const struct script_step *steps;
        size_t n_steps;
    } runs[] = {{sample, move, 1}, {sample, zoom, 2}, {other, all, 2}, {sample, last, 1}};
    char dir[] = "/tmp/tfprof-test-XXXXXX", remove[64];

    (void)state;
    assert_non_null(mkdtemp(dir));
    setenv("XDG_STATE_HOME", dir, 1);
    for (size_t i = 0; i < COUNT(runs); i++) {
        const struct script script = {.args = runs[i].args, .rows = 36, .cols = 120,
                                      .steps = runs[i].steps, .n_steps = runs[i].n_steps,
                                      .keeps_state = true};

        assert_int_equal(script_run(&script), 0);
    }
    snprintf(remove, sizeof remove, "rm -r %s", dir);
    assert_int_equal(system(remove), 0);
    unsetenv("XDG_STATE_HOME");
}

/* ---- keys offered in the last row */

#define OFFERS(name, want)                                                                         \
    static void name(struct app *a, const struct canvas *c, const char *state)                     \
    {                                                                                              \
        char *footer = script_row(c, c->rows - 1);                                                 \
                                                                                                   \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        assert_string_equal(footer, want);                                                         \
        free(footer);                                                                              \
    }

OFFERS(offers_no_tick, " ? help  Enter OK  / find  Esc close")
OFFERS(offers_ticks, " ? help  Enter OK  Space tick  / find  Esc close")
OFFERS(offers_no_completion, " Enter OK  ^U clear  Esc cancel")
OFFERS(offers_completion, " Enter OK  Tab complete  ^U clear  Esc cancel")
OFFERS(offers_choices, " Enter OK  Tab next field  Space choose  Esc cancel")
OFFERS(offers_typing, " Enter OK  Tab next field  ^U clear  Esc cancel")

static void only_keys_that_do_something_are_offered(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "s", .check = offers_no_tick},
        {.keys = "<esc>S", .check = offers_ticks},
        {.keys = "<esc>/", .check = offers_no_completion},
        {.keys = "<esc>f", .check = offers_no_completion},
        {.keys = "<esc>%", .check = offers_no_completion},
        {.keys = "<esc>:", .check = offers_completion},
        {.keys = "<esc>e", .check = offers_choices},
        {.keys = "<tab>", .check = offers_typing}, /* a space is a character of the name */
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
    play(24, 80, steps, COUNT(steps));
}

/* ---- a low screen */

/* All formats, and the fields below them. */
static void the_export_dialog_fits(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "e",
         .shows = {"│>Format (o) file rows as text to a file",
                   "( ) svg a picture: flame graph or roofline", "File scope.txt",
                   "Rows (o) in view 6,710 ( ) below the cursor 6,710 ( ) all 6,710",
                   "Same as tfprof scope data/resnet32.pb.gz"}},
        {.rows = 12, .cols = 40,
         .shows = {"│>Format (o) file rows as… │", "( ) timeline", "!pprof", "File scope.txt",
                   "a new file", "Rows (o) in view 6,710", "Same as tfprof scope data/"}},
    };

    (void)state;
    play(24, 80, steps, COUNT(steps));
}

/* ---- names that do not fit */

static const char *const different[] = {"17_backward", "18_backward", "17_forward", "18_forward"};

static void all_differ(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    for (size_t i = 0; i < COUNT(different); i++)
        if (!script_shows(c, different[i]))
            fail_msg("%s is not seen in %d columns", different[i], c->cols);
    assert_true(c->rows < 24 || script_shows(c, "operation_alone")); /* a unique name */
}

/* Names with a common beginning and end are cut so that the difference is displayed. */
static void similar_names_are_distinguishable(void **state)
{
    static const struct script_step steps[] = {
        {.check = all_differ},
        {.rows = 24, .cols = 80, .check = all_differ},
        {.rows = 12, .cols = 40, .check = all_differ},
    };
    char path[] = "/tmp/tfprof-test-XXXXXX.pbtxt";
    const char *const args[] = {path, NULL};
    const struct script script = {.args = args, .rows = 36, .cols = 100, .steps = steps,
                                  .n_steps = COUNT(steps)};
    FILE *f = fdopen(mkstemps(path, 6), "w");

    (void)state;
    assert_non_null(f);
    for (size_t i = 0; i < COUNT(different); i++)
        fprintf(f, "node { name: \"transformer_encoder_normalization_of_layer_%s"
                   "_kernel_of_an_operation_that_is_fused\" op: \"NoOp\" }\n", different[i]);
    fputs("node { name: \"transformer_encoder_normalization_of_layers_and_a_kernel_of_an_"
          "operation_alone\" op: \"NoOp\" }\n", f);
    fclose(f);
    assert_int_equal(script_run(&script), 0);
    unlink(path);
}

/* Figures stay aligned with those of other rows. */
static void emoji_are_displayed(struct app *a, const struct canvas *c, const char *state)
{
    int ends[2] = {0, 0};

    (void)a;
    (void)state;
    assert_true(script_shows(c, "\U0001f469\U0001f4bb_encoder"));
    assert_false(script_shows(c, "?_encoder"));
    for (int i = 0; i < 2; i++) {
        while (canvas_at(c, 4 + i, ends[i])->base != '%')
            ends[i]++;
    }
    assert_int_equal(ends[0], ends[1]);
}

static void joined_emoji_survive(void **state)
{
    static const struct script_step steps[] = {
        {.check = emoji_are_displayed},
        {.rows = 24, .cols = 80, .check = emoji_are_displayed},
    };
    char path[] = "/tmp/tfprof-test-XXXXXX.pbtxt";
    const char *const args[] = {path, NULL};
    const struct script script = {.args = args, .rows = 36, .cols = 120, .steps = steps,
                                  .n_steps = COUNT(steps)};
    FILE *f = fdopen(mkstemps(path, 6), "w");

    (void)state;
    assert_non_null(f);
    fputs("node { name: \"\U0001f469\u200d\U0001f4bb_encoder\" op: \"NoOp\" }\n"
          "node { name: \"plain\" op: \"NoOp\" }\n", f);
    fclose(f);
    assert_int_equal(script_run(&script), 0);
    unlink(path);
}

/* ---- highlighted figures */

/* All cells of TEXT in the row that contains NAME have the role ROLE. */
static void has_role(const struct canvas *c, const char *name, const char *text, enum role role)
{
    for (int row = 3; row < c->rows; row++) {
        char *line = script_row(c, row);
        const char *at = strstr(line, name) ? strstr(line, text) : NULL;

        if (at) {
            const int col = text_cols(line, (size_t)(at - line));

            for (int i = 0; i < (int)strlen(text); i++)
                if (canvas_at(c, row, col + i)->role != role)
                    fail_msg("%s of %s: role %c", text, name,
                             role_letter(canvas_at(c, row, col + i)->role));
            free(line);
            return;
        }
        free(line);
    }
    fail_msg("no row has %s and %s", name, text);
}

/* The color agrees with the displayed share. */
static void heat_is_the_share_of_the_root(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    has_role(c, "random_shuffle", "665.31 ms", ROLE_HOT);
    has_role(c, "random_shuffle", "10.3%", ROLE_HOT);
    has_role(c, "unit_1_0", "129.06 ms", ROLE_NUMBER);
    has_role(c, "unit_1_0", "2.0%", ROLE_NUMBER);
    has_role(c, "init", "20.91 ms", ROLE_DIM);
    has_role(c, "init", "0.3%", ROLE_DIM);
    has_role(c, "gradients", "35.94 G", ROLE_CURSOR); /* the selected row has a single color */
    has_role(c, "unit_1_0", "1.24 G", ROLE_NUMBER); /* 2.3 % of its own sum */
    /* without a mark there is no color */
    for (int row = a->ui.layout.tree.top; row < a->ui.layout.tree.top + a->ui.layout.tree.rows; row++)
        if (canvas_at(c, row, 0)->base == ' ')
            assert_int_equal(canvas_at(c, row, 0)->role, ROLE_TEXT);
}

static void large_shares_are_highlighted(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "j", .check = heat_is_the_share_of_the_root},
        {.rows = 30, .cols = 80, .check = heat_is_the_share_of_the_root},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

/* Texts that do not fit end with a whole word; a menu and a completion have no useless entries. */
static void texts_of_dialogs_end_with_a_word(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "e", .shows = {"Chrome trace events: device tracks of the graph… │",
                                "the result as the protocol buffer message of the… │"}},
        {.keys = "<esc>s", .shows = {"Order by", "name alphabetical", "@d value no data in this profile",
                                     "!accepted as", "* micros"}},
        {.keys = "/value<ret><ret>", .shows = {"no data in this profile", "Order by"}},
        {.keys = "<esc><esc>:break<tab>", .shows = {":breakdown", "!breakdown breakdown"}},
    };

    (void)state;
    play(24, 80, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_pane_fills_the_screen),
        cmocka_unit_test(the_border_moves),
        cmocka_unit_test(similar_names_are_distinguishable),
        cmocka_unit_test(only_keys_that_do_something_are_offered),
        cmocka_unit_test(the_export_dialog_fits),
        cmocka_unit_test(texts_of_dialogs_end_with_a_word),
        cmocka_unit_test(joined_emoji_survive),
        cmocka_unit_test(large_shares_are_highlighted),
        cmocka_unit_test(the_arrangement_is_remembered),
    };

    return cmocka_run_group_tests_name("tests/tui/test_panes", tests, NULL, NULL);
}
