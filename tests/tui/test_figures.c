/* test_figures.c: every figure on the screen equals the figure in the text output of the same
 * command line, for all visible rows and random options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/random_options.h"
#include "base/utf8.h"
#include "render/row.h"
#include "render/row_facts.h"
#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#include "tui/panes/cells.h"
#include "tui/panes/columns.h"

enum { STEPS = 40, ROWS = 90, COLS = 300 };

static size_t n_checked; /* figures compared in all steps */

/* ---- figures of the text output */

struct figure_text {
    char own[64], total[64];
};

/* Parses field FIELD of the text line of a row in the format of the original: "S/T unit", "S/T|1/D"
 * for occurrence, "S (a%, b%)" in the op view. */
static void parse_field(const char *field, enum metric_id m, bool is_list, struct figure_text *out)
{
    const char *slash = strchr(field, '/');

    memset(out, 0, sizeof *out);
    if (is_list) {
        assert_int_equal(sscanf(field, " %39[^ |]", out->own), 1);
        return;
    }
    if (strstr(field, " N/A in ")) {
        strcpy(out->own, "N/A");
        strcpy(out->total, "N/A");
        return;
    }
    assert_non_null(slash);
    assert_in_range(slash - field, 1, 30);
    memcpy(out->own, field, (size_t)(slash - field));
    if (m == METRIC_OCCURRENCE) { /* S/T|1/D: the cells are S|1 and T|D */
        char runs[20], one[20], defined[20];

        assert_int_equal(sscanf(slash + 1, "%19[^|]|%19[^/]/%19s", runs, one, defined), 3);
        if (strcmp(out->own, "--") != 0)
            strcat(strcat(out->own, "|"), one);
        snprintf(out->total, sizeof out->total, "%s|%s", runs, defined);
        return;
    }
    assert_int_equal(sscanf(slash + 1, "%39s", out->total), 1);
}

/* Parses the fields of the text line of ROW, by metric. */
static void text_figures(struct app *a, row_id row, struct figure_text figures[METRIC_COUNT])
{
    const bool is_list = a->doc.result->view->is_list;
    struct strbuf line = {0}, name = {0};
    int columns[FIELD_COUNT];
    const size_t n = row_columns(a->doc.result, columns);
    struct row_printer printer;
    char *rest, *field;
    size_t skip;

    row_printer_init(&printer, a->doc.result);
    render_row(&line, &printer, row, 0);
    utf8_escape(&name, tree_name(a->doc.result->tree, row),
                tree_name_len(a->doc.result->tree, row));
    assert_memory_equal(sb_text(&line), sb_text(&name), name.len);
    skip = is_list && name.len < 25 ? 25 : name.len;
    line.data[strcspn(line.data, "\n")] = '\0';
    rest = line.data + skip;
    if (!is_list) {
        rest += 2; /* skips " (" */
        rest[strlen(rest) - 1] = '\0';
    }
    for (size_t i = 0; i < n; i++) {
        const bool has_share = is_list && columns[i] < METRIC_COUNT &&
                               columns[i] != METRIC_OCCURRENCE && !metric_is_ratio(columns[i]);
        char *end = strstr(rest, has_share ? ")," : ", ");

        field = rest;
        /* A variable's shape is a separate field before its parameters. */
        if (columns[i] == METRIC_PARAMS && !is_list && end && strchr(field, '/') > end) {
            field = end + 2;
            end = strstr(field, ", ");
        }
        if (end) {
            rest = end + 2 + has_share;
            *end = '\0';
        }
        if (columns[i] < METRIC_COUNT)
            parse_field(field, (enum metric_id)columns[i], is_list, &figures[columns[i]]);
    }
    sb_done(&line);
    sb_done(&name);
}

/* ---- figures of the screen */

/* The screen prints "3.00 GB", "2.66 s", "12 µs" and "53.91 G" where the text output prints
 * "3000.96MB", "2.66sec", "12us" and "53.91b". Blanks are left out; a byte beyond ASCII is '?'. */
static const char *of_screen(const struct app *a, row_id row, int metric, bool own, const char *text)
{
    static const struct {
        enum metric_unit unit;
        const char *of_text, *of_screen;
    } suffixes[] = {{UNIT_TIME_PS, "sec", "s"}, {UNIT_TIME_PS, "us", "?s"}, {UNIT_BYTES, "KB", "kB"},
                    {UNIT_NUMBER, "m", "M"},    {UNIT_NUMBER, "b", "G"}};
    static char cell[64];
    const int64_t value = (own ? a->doc.result->self[metric] : a->doc.result->total[metric])[row];
    const double bytes = (double)value;
    const size_t len = strlen(text);

    if (metrics[metric].unit == UNIT_BYTES && strchr(text, 'B') && llabs(value) >= 1000000000) {
        snprintf(cell, sizeof cell, llabs(value) < 1000000000000 ? "%.2fGB" : "%.2fTB",
                 bytes / (llabs(value) < 1000000000000 ? 1e9 : 1e12));
        return cell;
    }
    for (size_t i = 0; i < COUNT(suffixes) && metric != METRIC_OCCURRENCE; i++) {
        const size_t end = strlen(suffixes[i].of_text);

        if (metrics[metric].unit == suffixes[i].unit && len > end &&
            strcmp(text + len - end, suffixes[i].of_text) == 0) {
            snprintf(cell, sizeof cell, "%.*s%s", (int)(len - end), text, suffixes[i].of_screen);
            return cell;
        }
    }
    return text;
}

static void cell_is(const struct canvas *c, int row, int right, int cols, const char *want)
{
    char got[64];
    int n = 0;

    for (int col = right - cols; col < right; col++) {
        const struct cell *cell = canvas_at(c, row, col);

        if (cell->base != ' ' && n < 60)
            got[n++] = cell->base < 128 ? (char)cell->base : '?';
    }
    got[n] = '\0';
    if (strcmp(got, want) != 0)
        fail_msg("row %d shows '%s', the text has '%s'", row, got, want);
    n_checked++;
}

/* True when nothing was executed that has the figure: the text prints 0, the screen nothing. */
static bool is_none(const struct app *a, row_id row, int metric, bool own)
{
    const int64_t *figures = own ? a->doc.result->self[metric] : a->doc.result->total[metric];
    const bool none = cell_state(a, row, (enum metric_id)metric, own ? CELL_SELF : CELL_TOTAL) ==
                      CELL_NONE;

    assert_true(!none || figures[row] == 0);
    return none;
}

static void same_figures(struct app *a, const struct canvas *c, const char *state)
{
    const struct fitted_columns columns = columns_fit(a, a->ui.layout.tree.cols);
    const bool is_list = a->doc.result->view->is_list;
    const enum metric_id primary = figure_primary(&a->doc.result->options);
    const size_t top = app_view(a)->top;

    (void)state;
    for (int row = 0; row < a->ui.layout.tree.rows &&
         top + (size_t)row < rows_count(a->nav.rows); row++) {
        const row_id id = rows_at(a->nav.rows, top + (size_t)row).row;
        struct figure_text figures[METRIC_COUNT];
        int right = columns.name_cols;

        if (is_list && !id)
            continue; /* the text output of the op view has no root */
        text_figures(a, id, figures);
        for (int i = 0; i < columns.n; i++) {
            const struct column_spec *column = &columns.v[i];
            const bool own = column->kind == COLUMN_SELF ||
                             (is_list && column->field != (int)primary);

            right += 1 + column->cols;
            if (column->kind == COLUMN_SELF || column->kind == COLUMN_TOTAL) {
                const struct figure_text *f = &figures[column->field];

                if (!field_in(a->doc.result->options.select, column->field))
                    continue; /* a sort key that the text output does not print */
                if (is_list && !own)
                    continue; /* the text output prints the running sum as a percentage */
                if (is_list && column->field == METRIC_OCCURRENCE)
                    continue; /* plain integers in the text output, abbreviated on the screen */
                cell_is(c, a->ui.layout.tree.top + row, right, column->cols,
                        is_none(a, id, column->field, own)
                            ? ""
                            : of_screen(a, id, column->field, own, own ? f->own : f->total));
            }
        }
    }
}

/* ---- random command lines */

static void random_command(struct strbuf *keys, uint64_t *seed)
{
    static const char *const regexes[] = {".*Conv.*", ".*grad.*", "tower_[01].*", "[A-Z].*", ".*"};
    const uint32_t view = random_below(seed, 4);

    sb_addf(keys, ":%s -max_depth %u", view_names[view], 1 + random_below(seed, 8));
    sb_addf(keys, " -select %s", metrics[random_below(seed, METRIC_COUNT)].name);
    for (uint32_t n = random_below(seed, 3); n > 0; n--)
        sb_addf(keys, ",%s", metrics[random_below(seed, METRIC_COUNT)].name);
    sb_addf(keys, " -order_by %s", metrics[random_below(seed, METRIC_COUNT)].name);
    if (random_below(seed, 2))
        sb_addf(keys, " -min_micros %u", random_below(seed, 100));
    if (random_below(seed, 3) == 0)
        sb_addf(keys, " -account_type_regexes %s", regexes[random_below(seed, 5)]);
    if (random_below(seed, 3) == 0)
        sb_addf(keys, " -hide_name_regexes %s", regexes[random_below(seed, 4)]);
    if (random_below(seed, 3) == 0)
        sb_addf(keys, " -show_name_regexes %s", regexes[random_below(seed, 5)]);
    if (random_below(seed, 3) == 0)
        sb_adds(keys, " -account_displayed_op_only");
    if (random_below(seed, 3) == 0)
        sb_addf(keys, " -step %u", random_below(seed, 2));
    sb_adds(keys, "<ret>zR");
}

static void figures_equal_the_text(const char *model)
{
    const char *const args[] = {model, NULL};
    struct script_step steps[2 * STEPS];
    struct strbuf keys[STEPS];
    struct script script = {.args = args, .rows = ROWS, .cols = COLS, .steps = steps,
                            .n_steps = sizeof steps / sizeof *steps};
    uint64_t seed = 20;

    memset(steps, 0, sizeof steps);
    memset(keys, 0, sizeof keys);
    for (int i = 0; i < STEPS; i++) {
        random_command(&keys[i], &seed);
        steps[2 * i].keys = sb_text(&keys[i]);
        steps[2 * i].check = same_figures;
        steps[2 * i + 1].keys = "G:reset-options<ret>";
    }
    n_checked = 0;
    assert_int_equal(script_run(&script), 0);
    printf("# %zu figures compared\n", n_checked);
    assert_true(n_checked > 300);
    for (int i = 0; i < STEPS; i++)
        sb_done(&keys[i]);
}

static void towers(void **state)
{
    (void)state;
    figures_equal_the_text("tests/golden/models/towers/profile.pb.gz");
}

static void towers_on_accelerators(void **state)
{
    (void)state;
    figures_equal_the_text("tests/golden/models/towers/profile_gpu.pb.gz");
}

static void mobilenet(void **state)
{
    (void)state;
    figures_equal_the_text("tests/golden/models/mobilenet/profile.pb.gz");
}

static void seq2seq(void **state)
{
    (void)state;
    figures_equal_the_text("tests/golden/models/seq2seq/profile.pb.gz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(towers),
        cmocka_unit_test(towers_on_accelerators),
        cmocka_unit_test(mobilenet),
        cmocka_unit_test(seq2seq),
    };

    return cmocka_run_group_tests_name("tests/tui/test_figures", tests, NULL, NULL);
}
