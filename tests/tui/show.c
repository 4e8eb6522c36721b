/* show.c: prints the screen after a sequence of keys, or a screen recording (a cast).
 *
 *   show [-size COLSxROWS] [-ascii] [-cast] KEYS ARGUMENT...
 *
 * ARGUMENTs are those of the program, with paths relative to $top_srcdir.  The screen is in memory,
 * so the same keys always print the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "script.h"
#include "term/canvas.h"
#include "term/keyname.h"
#include "term/theme.h"

enum {
    MAX_KEYS = 256,
    MS_PER_KEY = 1200, /* of a cast: time to see the effect of a key */
    COLORS = 256
};

static void print_text(struct app *a, const struct canvas *c, const char *state)
{
    struct strbuf text = {0};

    (void)a, (void)state;
    for (int row = 0; row < c->rows; row++) {
        canvas_dump_row(&text, c, row);
        sb_addc(&text, '\n');
    }
    fputs(sb_text(&text), stdout);
    sb_done(&text);
}

/* ---- a recording: asciicast, version 2 */

/* The screen recording so far; n_frames is 0 before the first frame. */
static struct {
    struct canvas shown;
    int n_frames;
} cast;

/* Adds the SGR sequence (ECMA-48) of ROLE, escaped for a JSON string. */
static void add_style(struct strbuf *sb, enum role role)
{
    static const struct {
        int style, sgr;
    } attrs[] = {{STYLE_BOLD, 1}, {STYLE_DIM, 2}, {STYLE_UNDERLINE, 4}, {STYLE_REVERSE, 7}};
    const struct style style = theme_style(theme_table, role, COLORS);

    sb_adds(sb, "\\u001b[0");
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
        if (style.attrs & attrs[i].style)
            sb_addf(sb, ";%d", attrs[i].sgr);
    if (style.fg >= 0)
        sb_addf(sb, ";38;5;%d", style.fg);
    if (style.bg >= 0)
        sb_addf(sb, ";48;5;%d", style.bg);
    sb_addc(sb, 'm');
}

static bool row_is_shown(const struct canvas *c, int row)
{
    for (int col = 0; col < c->cols; col++)
        if (!cell_equal(canvas_at(c, row, col), canvas_at(&cast.shown, row, col)))
            return false;
    return true;
}

/* Adds row ROW of C with its styles; cells contain no control characters. */
static void add_row(struct strbuf *sb, const struct canvas *c, int row)
{
    int role = -1;

    sb_addf(sb, "\\u001b[%d;1H", row + 1);
    for (int col = 0; col < c->cols; col++) {
        const struct cell *cell = canvas_at(c, row, col);

        if (!cell->base)
            continue;
        if (cell->role != role)
            add_style(sb, role = cell->role);
        if (cell->base == '"' || cell->base == '\\')
            sb_addc(sb, '\\');
        utf8_encode(sb, cell->base);
        for (int i = 0; i < CELL_COMBINING && cell->combining[i]; i++)
            utf8_encode(sb, cell->combining[i]);
    }
}

static void print_frame(struct app *a, const struct canvas *c, const char *state)
{
    const int ms = cast.n_frames * MS_PER_KEY;
    struct strbuf out = {0};

    (void)a, (void)state;
    if (!cast.n_frames) {
        printf("{\"version\": 2, \"width\": %d, \"height\": %d}\n", c->cols, c->rows);
        canvas_init(&cast.shown);
        canvas_resize(&cast.shown, c->rows, c->cols);
        sb_adds(&out, "\\u001b[?25l\\u001b[2J");
    }
    for (int row = 0; row < c->rows; row++)
        if (!row_is_shown(c, row))
            add_row(&out, c, row);
    printf("[%d.%03d, \"o\", \"%s\"]\n", ms / 1000, ms % 1000, sb_text(&out));
    canvas_copy(&cast.shown, c);
    cast.n_frames++;
    sb_done(&out);
}

/* ---- arguments */

/* Makes one step for each key of MACRO after an initial step without keys; TEXTS stores the text of
 * the keys. */
static size_t split_keys(const char *macro, struct strbuf texts[MAX_KEYS],
                         struct script_step steps[MAX_KEYS + 1])
{
    size_t n = 0, len = strlen(macro);

    steps[0] = (struct script_step){.keys = "", .check = print_frame};
    while (len && n < MAX_KEYS) {
        uint32_t key;
        const size_t bytes = key_parse(macro, len, &key);

        if (!bytes)
            break;
        sb_add(&texts[n], macro, bytes);
        steps[n + 1] = (struct script_step){.keys = sb_text(&texts[n]), .check = print_frame};
        n++;
        macro += bytes;
        len -= bytes;
    }
    return n + 1;
}

static int record(struct script *script, const char *keys)
{
    static struct strbuf texts[MAX_KEYS];
    static struct script_step steps[MAX_KEYS + 1];
    int status;

    script->n_steps = split_keys(keys, texts, steps);
    script->steps = steps;
    status = script_run(script);
    for (size_t i = 0; i < MAX_KEYS; i++)
        sb_done(&texts[i]);
    canvas_done(&cast.shown);
    return status;
}

int main(int argc, char **argv)
{
    struct script_step step = {.keys = "", .check = print_text};
    struct script script = {.rows = 50, .cols = 120, .steps = &step, .n_steps = 1};
    bool is_cast = false;
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++)
        if (strcmp(argv[i], "-ascii") == 0)
            script.ascii = true;
        else if (strcmp(argv[i], "-cast") == 0)
            is_cast = true;
        else if (strcmp(argv[i], "-size") != 0 || i + 1 == argc ||
                 sscanf(argv[++i], "%dx%d", &script.cols, &script.rows) != 2)
            return 2;
    if (i < argc)
        step.keys = argv[i++];
    script.args = (const char *const *)argv + i;
    return is_cast ? record(&script, step.keys) : script_run(&script);
}
