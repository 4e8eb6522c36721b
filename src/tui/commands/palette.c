/* palette.c: actions, views, options, fields and presets in one list, found by parts of their names. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/option_rows.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/overlay.h"
#include "tui/keymap.h"

enum { LIST_ROWS = 16, BOX_COLS = 100, HELP_COL = 30 };

/* All texts are static. */
struct entry {
    const char *prefix; /* before the name, as in a command line */
    const char *name, *help;
    const char *words;  /* synonyms; NULL: none */
    void (*run)(struct app *a, intptr_t value);
    intptr_t value; /* for run: index in its table */
    int score;      /* of the typed text; 0: does not match */
};

struct palette {
    struct overlay overlay;
    struct lineedit line;
    VEC(struct entry) entries;
    VEC(uint32_t) found; /* indexes of entries, best first */
    unsigned context; /* of the pane below */
};

/* ---- entries */

static void run_action(struct app *a, intptr_t at)
{
    action_run(a, &action_table[at]);
}

static void edit_option(struct app *a, intptr_t row)
{
    a->ui.option_at = (size_t)row;
    options_editor_open(a, true);
}

static void add_actions(struct palette *p)
{
    for (intptr_t i = 0; action_table[i].name; i++) {
        const struct action *action = &action_table[i];

        if (action->contexts & (p->context | CTX_TREE))
            vec_push(&p->entries, ((struct entry){"", action->name, action_help(action), action->words,
                                                  run_action, i, 0}));
    }
}

static void add_options(struct palette *p)
{
    for (size_t i = 0; i < option_rows_n(); i++)
        vec_push(&p->entries, ((struct entry){"-", option_row(i)->name, option_row(i)->help, NULL,
                                              edit_option, (intptr_t)i, 0}));
}

static void add_fields(struct palette *p)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        vec_push(&p->entries, ((struct entry){"-select ", field_get(i)->name, field_get(i)->help,
                                              NULL, select_field, i, 0}));
}

static void add_presets(struct palette *p)
{
    for (intptr_t i = 0; preset_rows[i].preset; i++)
        if (!i || strcmp(preset_rows[i - 1].preset, preset_rows[i].preset) != 0)
            vec_push(&p->entries, ((struct entry){"-preset ", preset_rows[i].preset,
                                                  "choose a preset of options", NULL, take_preset, i,
                                                  0}));
}

/* ---- search */

/* True when TEXT contains the letters of PART in order. */
static bool has_letters(const char *text, const char *part, size_t len)
{
    size_t n = 0;

    for (; *text && n < len; text++)
        n += (*text | 0x20) == (part[n] | 0x20);
    return n == len;
}

/* Score of the best match of a word; 0: no match. */
static int score_word(const struct entry *e, const char *word, size_t len)
{
    char *part = xmemdupz(word, len);
    const char *in_name = strcasestr(e->name, part);
    int score = 0;

    if (in_name)
        score = in_name == e->name ? 5 : 4;
    else if (e->words && strcasestr(e->words, part))
        score = 3;
    else if (strcasestr(e->help, part))
        score = 2;
    else if (has_letters(e->name, word, len))
        score = 1;
    free(part);
    return score;
}

/* Sum of the scores of TEXT's words; 0 if a word does not match. */
static int score_text(const struct entry *e, const char *text)
{
    int sum = 1;

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t len = strcspn(text, " ");
        const int score = score_word(e, text, len);

        if (!score)
            return 0;
        sum += score;
        text += len;
    }
    return sum;
}

COMPARE_WITH(by_score, uint32_t, struct entry,
             THEN(COMPARE(with[*b].score, with[*a].score)) || THEN(COMPARE(*a, *b)))

static void find(struct overlay *o, struct app *a UNUSED)
{
    struct palette *p = (struct palette *)o;

    p->found.n = 0;
    for (uint32_t i = 0; i < p->entries.n; i++) {
        struct entry *e = &p->entries.data[i];

        e->score = score_text(e, sb_text(&p->line.text));
        if (e->score)
            vec_push(&p->found, i);
    }
    vec_sort_arg(&p->found, by_score, p->entries.data);
    o->at = 0;
}

/* ---- drawing */

static void draw_entry(const struct palette *p, const struct app *a, struct area box, int row,
                       size_t at)
{
    const struct entry *e = &p->entries.data[p->found.data[at]];
    const bool is_selected = at == p->overlay.at;
    const enum role role = is_selected ? ROLE_CURSOR : ROLE_TEXT;
    struct strbuf key = {0}, help = {0};
    int col, cols;

    area_fill(box, row, 0, box.cols, ' ', role);
    col = area_printf(box, row, 1, role, "%s%s", e->prefix, e->name) + 1;
    col = col < HELP_COL ? HELP_COL : col;
    if (e->run == run_action &&
        !keymap_label(a->ui.keymap, p->context, &action_table[e->value], &key))
        keymap_label(a->ui.keymap, CTX_TREE, &action_table[e->value], &key);
    cols = text_cols(sb_text(&key), key.len);
    area_puts(box, row, box.cols - cols - 1, sb_text(&key), is_selected ? role : ROLE_KEY);
    if (col < box.cols - cols - 2)
        text_cut_end(&help, e->help, strlen(e->help), box.cols - cols - 2 - col);
    area_puts(box, row, col, sb_text(&help), is_selected ? role : ROLE_DIM);
    EACH(sb_done, &key, &help);
}

static void palette_draw(struct overlay *o, struct app *a, struct area screen)
{
    const struct palette *p = (const struct palette *)o;
    struct area box = overlay_box(screen, LIST_ROWS + 1, BOX_COLS,
                                  "Actions, options, fields and presets: Enter runs");
    struct area list = area_sub(box, 1, 0, box.rows - 1, box.cols);

    overlay_scroll(o, list, o->at);
    for (int row = 0; row < list.rows && o->top + (size_t)row < p->found.n; row++)
        draw_entry(p, a, list, row, o->top + (size_t)row);
    if (!p->found.n)
        area_puts(list, 0, 1, "no match", ROLE_NOTE);
    area_puts(box, 0, 0, ">", ROLE_KEY);
    lineedit_draw(&p->line, box, 0, 2, box.cols - 3);
}

/* ---- the overlay */

static struct lineedit *palette_edit(struct overlay *o)
{
    return &((struct palette *)o)->line;
}

static size_t palette_n_entries(const struct overlay *o)
{
    return ((const struct palette *)o)->found.n;
}

static void palette_move(struct overlay *o, struct app *a, int direction)
{
    overlay_move(o, a, direction < 0 ? MOVE_UP : MOVE_DOWN);
}

static void palette_accept(struct overlay *o, struct app *a)
{
    const struct palette *p = (const struct palette *)o;
    struct entry e;

    if (o->at >= p->found.n)
        return;
    e = p->entries.data[p->found.data[o->at]];
    overlay_remove(a, o);
    e.run(a, e.value);
}

static void palette_click(struct overlay *o, struct app *a, int row, int col UNUSED)
{
    if (overlay_entry_at(o, row, &o->at))
        palette_accept(o, a);
}

static unsigned palette_idle(const struct overlay *o UNUSED)
{
    return OFFER_COMPLETE;
}

static void palette_done(struct overlay *o)
{
    struct palette *p = (struct palette *)o;

    lineedit_done(&p->line);
    EACH(vec_done, &p->entries, &p->found);
}

static const struct overlay_ops palette_ops = {
    .mode = "PALETTE",
    .context = CTX_PROMPT,
    .draw = palette_draw,
    .accept = palette_accept,
    .edit = palette_edit,
    .edited = find,
    .history = palette_move,
    .n_entries = palette_n_entries,
    .idle = palette_idle,
    .click = palette_click,
    .done = palette_done,
};

void cmd_palette(struct app *a, int arg UNUSED)
{
    const unsigned context = app_context(a);
    struct palette *p = overlay_open(a, &palette_ops, sizeof *p);

    p->context = context;
    add_actions(p);
    if (a->doc.result) {
        add_options(p);
        add_fields(p);
        add_presets(p);
    }
    find(&p->overlay, a);
}
