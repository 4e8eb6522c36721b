/* menu.c: menus, checklists, and menus of key pairs. */
#include "tui/dialogs/menu.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "term/keyname.h"
#include "tui/action.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/prompt.h"
#include "tui/keymap.h"
#include "tui/lines.h"

/* Columns of the widest label or note. */
static int widest(const struct menu *m, bool notes)
{
    int cols = 0;

    for (size_t i = 0; i < m->items.n; i++) {
        const char *text = notes ? m->items.data[i].note : m->items.data[i].label;
        const int c = text ? text_cols(text, strlen(text)) : 0;

        cols = c > cols ? c : cols;
    }
    return cols;
}

static void draw_item(const struct menu *m, struct area a, int row, size_t i, int note_col)
{
    const struct menu_item *item = &m->items.data[i];
    const bool at = i == m->overlay.at;
    const enum role role = at ? ROLE_CURSOR : item->disabled ? ROLE_DIM : ROLE_TEXT;
    const int label_col = m->checklist ? 6 : 2;

    area_fill(a, row, 0, a.cols, ' ', role);
    if (m->checklist)
        area_puts(a, row, 2, item->checked ? "[x]" : "[ ]", role);
    else if (item->checked)
        area_puts(a, row, 0, "*", role);
    area_puts(a, row, label_col, item->label, role);
    if (item->note) {
        struct strbuf note = {0};

        text_cut_words(&note, item->note, strlen(item->note), a.cols - note_col);
        area_put(a, row, note_col, sb_text(&note), note.len, at ? ROLE_CURSOR : ROLE_DIM);
        sb_done(&note);
    }
    if (at)
        area_cursor(a, row, label_col, false);
}

static void menu_draw(struct overlay *o, struct app *a UNUSED, struct area screen)
{
    const struct menu *m = (const struct menu *)o;
    const int note_col = (m->checklist ? 6 : 2) + widest(m, false) + 2;
    const int title_cols = m->title ? text_cols(m->title, strlen(m->title)) + 4 : 0;
    const int cols = note_col + widest(m, true) + 1;
    struct area box = overlay_box(screen, (int)m->items.n, cols > title_cols ? cols : title_cols,
                                  m->title);

    overlay_scroll(o, box, o->at);
    for (int row = 0; row < box.rows && o->top + (size_t)row < m->items.n; row++)
        draw_item(m, box, row, o->top + (size_t)row, note_col);
    if (o->top + (size_t)box.rows < m->items.n)
        overlay_draw_more(screen, box);
}

static void menu_accept(struct overlay *o, struct app *a)
{
    struct menu *m = (struct menu *)o;
    void (*choose)(struct app *, intptr_t) = m->choose;
    intptr_t value;

    if (m->checklist) {
        m->choose_all(a, m);
        overlay_remove(a, o);
        return;
    }
    if (o->at >= m->items.n)
        return;
    if (m->items.data[o->at].disabled) {
        app_print(a, ROLE_NOTE, "%s", m->items.data[o->at].disabled);
        return;
    }
    value = m->items.data[o->at].value;
    overlay_remove(a, o);
    choose(a, value);
}

static unsigned menu_idle(const struct overlay *o)
{
    return ((const struct menu *)o)->checklist ? 0 : OFFER_TICK;
}

static void menu_toggle(struct overlay *o, struct app *a)
{
    struct menu *m = (struct menu *)o;

    if (!m->checklist)
        menu_accept(o, a);
    else if (o->at < m->items.n)
        m->items.data[o->at].checked = !m->items.data[o->at].checked;
}

static bool begins_with(const struct menu *m, size_t i, uint32_t key)
{
    return i < m->items.n && (uint32_t)(unsigned char)m->items.data[i].label[0] == key;
}

static size_t menu_n_entries(const struct overlay *o)
{
    return ((const struct menu *)o)->items.n;
}

static bool menu_has(const struct overlay *o, size_t i, const char *needle)
{
    const struct menu_item *item = &((const struct menu *)o)->items.data[i];

    return strcasestr(item->label, needle) || (item->note && strcasestr(item->note, needle));
}

static void menu_text(const struct overlay *o, size_t i, struct strbuf *sb)
{
    const struct menu_item *item = &((const struct menu *)o)->items.data[i];

    sb_addf(sb, "%s%s%s", item->label, item->note ? "  " : "", item->note ? item->note : "");
}

/* A letter moves to the next item that begins with it. */
static bool menu_key(struct overlay *o, struct app *a, uint32_t key)
{
    const struct menu *m = (const struct menu *)o;
    const size_t from = begins_with(m, o->at, key) ? o->at + 1 : 0;

    if (list_search_key(o, a, key))
        return true;
    for (size_t i = 0; i < m->items.n; i++) {
        const size_t at = (from + i) % m->items.n;

        if (begins_with(m, at, key)) {
            o->at = at;
            return true;
        }
    }
    return false;
}

static void menu_click(struct overlay *o, struct app *a, int row, int col UNUSED)
{
    if (overlay_entry_at(o, row, &o->at))
        menu_toggle(o, a);
}

static void menu_done(struct overlay *o)
{
    struct menu *m = (struct menu *)o;

    for (size_t i = 0; i < m->items.n; i++)
        EACH(free, m->items.data[i].label, m->items.data[i].note, m->items.data[i].disabled);
    vec_done(&m->items);
}

static const struct overlay_ops menu_ops = {
    .mode = "MENU",
    .context = CTX_MENU,
    .draw = menu_draw,
    .move = overlay_move,
    .accept = menu_accept,
    .toggle = menu_toggle,
    .n_entries = menu_n_entries,
    .entry_has = menu_has,
    .entry_text = menu_text,
    .idle = menu_idle,
    .key = menu_key,
    .click = menu_click,
    .done = menu_done,
};

struct menu *menu_open(struct app *a, const char *title,
                       void (*choose)(struct app *a, intptr_t value))
{
    struct menu *m = overlay_open(a, &menu_ops, sizeof *m);

    m->title = title;
    m->choose = choose;
    return m;
}

struct menu_item *menu_add(struct menu *m, intptr_t value, const char *label, const char *note)
{
    struct menu_item item = {.label = xstrdup(label), .value = value};

    if (note && *note)
        item.note = xstrdup(note);
    vec_push(&m->items, item);
    return &m->items.data[m->items.n - 1];
}

struct menu *menu_from(struct overlay *o)
{
    return o->ops == &menu_ops ? (struct menu *)o : NULL;
}

void menu_point(struct menu *m, intptr_t value)
{
    for (size_t i = 0; i < m->items.n; i++)
        if (m->items.data[i].value == value)
            m->overlay.at = i;
}

enum { COLUMN_COLS = 58 };

struct prefix {
    struct overlay overlay;
    uint32_t key;     /* 0: waits for a letter */
    unsigned context; /* context of the pairs */
    const char *title;
    void (*letter)(struct app *a, int letter);
};

static void prefix_lines(const struct prefix *p, struct app *a, struct lines *l)
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
    const struct prefix *p = (const struct prefix *)o;
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
    const struct prefix *p = (const struct prefix *)o;
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

/* Its context has no bindings, so prefix_key() receives every key. */
static const struct overlay_ops prefix_ops = {
    .mode = "KEY",
    .draw = prefix_draw,
    .key = prefix_key,
};

void prefix_open(struct app *a, uint32_t key)
{
    const unsigned context = app_context(a);
    struct prefix *p = overlay_open(a, &prefix_ops, sizeof *p);

    p->key = key;
    p->context = context;
}

void letter_open(struct app *a, const char *title, void (*fn)(struct app *a, int letter))
{
    struct prefix *p = overlay_open(a, &prefix_ops, sizeof *p);

    p->title = title;
    p->letter = fn;
}
