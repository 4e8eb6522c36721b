/* prefix.c: menus of key pairs, generated from the keymap. */
#include "tui/dialogs/options_editor.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "term/keyname.h"
#include "tui/dialogs/overlay.h"
#include "tui/keymap.h"

enum { COLUMN_COLS = 58 };

struct prefix {
    struct overlay overlay;
    uint32_t key;     /* 0: waits for a letter */
    unsigned context; /* context of the pairs */
    const char *title;
    void (*letter)(struct app *a, int letter);
};

static struct prefix *prefix_of(struct overlay *o)
{
    return (struct prefix *)o;
}

static void prefix_lines(struct prefix *p, struct app *a, struct lines *l)
{
    const struct keymap *m = a->ui.keymap;

    vec_each(const struct binding, b, &m->v) {
        struct strbuf label = {0};

        if (!(b->contexts & p->context) || b->keys[0] != p->key || !b->keys[1] ||
            keymap_find(m, p->context, b->keys[0], b->keys[1]) != b->action)
            continue;
        key_label(&label, b->keys[1]);
        lines_next(l);
        lines_puts(l, ROLE_KEY, sb_text(&label));
        lines_tab(l, 7);
        lines_puts(l, action_refusal(a, b->action) ? ROLE_DIM : ROLE_TEXT,
                   action_help(b->action));
        sb_done(&label);
    }
}

static void prefix_draw(struct overlay *o, struct app *a, struct area screen)
{
    struct prefix *p = prefix_of(o);
    struct strbuf title = {0};
    struct lines l = {0};
    struct area box;
    int n_columns = 1, rows;

    if (p->key) {
        key_label(&title, p->key);
        sb_adds(&title, " ...");
        prefix_lines(p, a, &l);
    } else {
        sb_adds(&title, p->title);
        lines_next(&l);
        lines_puts(&l, ROLE_TEXT, "a letter from a to z; other keys cancel");
    }
    if ((int)l.v.n + 2 > screen.rows) /* two columns if one is too long */
        n_columns = 2;
    rows = ((int)l.v.n + n_columns - 1) / n_columns;
    box = overlay_box(screen, rows, COLUMN_COLS * n_columns, sb_text(&title));
    for (int i = 0; i < (int)l.v.n; i++)
        lines_draw_one(&l, (size_t)i,
                       area_sub(box, i % rows, 1 + i / rows * (box.cols / n_columns), 1,
                                box.cols / n_columns - 2),
                       0);
    area_cursor(box, 0, 1, false);
    lines_done(&l);
    sb_done(&title);
}

static bool prefix_key(struct overlay *o, struct app *a, uint32_t key)
{
    struct prefix *p = prefix_of(o);
    const struct action *action = keymap_find(a->ui.keymap, p->context, p->key, key);
    void (*letter)(struct app *, int) = p->letter;
    const uint32_t first = p->key;

    overlay_remove(a, o);
    if (letter) {
        if (key == '\'' || (key >= 'a' && key <= 'z'))
            letter(a, (int)key);
    } else if (action) {
        action_run(a, action);
    } else if (key != TK_ESC) {
        struct strbuf label = {0};

        key_label(&label, first);
        key_label(&label, key);
        app_print(a, ROLE_DIM, "%s is not bound", sb_text(&label));
        sb_done(&label);
    }
    return true;
}

static void prefix_free(struct overlay *o)
{
    free(o);
}

/* Its context has no bindings, so prefix_key() receives every key. */
static const struct overlay_ops prefix_ops = {
    .mode = "KEY",
    .draw = prefix_draw,
    .key = prefix_key,
    .free = prefix_free,
};

void prefix_open(struct app *a, uint32_t key)
{
    struct prefix *p = xcalloc(1, sizeof *p);

    p->overlay.ops = &prefix_ops;
    p->key = key;
    p->context = app_context(a);
    overlay_push(a, &p->overlay);
}

void letter_open(struct app *a, const char *title, void (*fn)(struct app *a, int letter))
{
    struct prefix *p = xcalloc(1, sizeof *p);

    p->overlay.ops = &prefix_ops;
    p->title = title;
    p->letter = fn;
    overlay_push(a, &p->overlay);
}
