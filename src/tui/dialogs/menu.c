/* menu.c: menus and checklists. */
#include "tui/dialogs/menu.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/action.h"
#include "tui/dialogs/list_search.h"
#include "tui/lines.h"

static struct menu *menu_of(struct overlay *o)
{
    return (struct menu *)o;
}

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
    const bool at = i == m->at;
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
    struct menu *m = menu_of(o);
    const int note_col = (m->checklist ? 6 : 2) + widest(m, false) + 2;
    const int title_cols = m->title ? text_cols(m->title, strlen(m->title)) + 4 : 0;
    const int cols = note_col + widest(m, true) + 1;
    struct area box = overlay_box(screen, (int)m->items.n, cols > title_cols ? cols : title_cols,
                                  m->title);

    m->page = box.rows;
    m->first_row = box.top;
    m->left = box.left;
    m->top = scroll_to(m->top, m->at, m->items.n, box.rows);
    for (int row = 0; row < box.rows && m->top + (size_t)row < m->items.n; row++)
        draw_item(m, box, row, m->top + (size_t)row, note_col);
    if (m->top + (size_t)box.rows < m->items.n)
        overlay_draw_more(screen, box);
}

static void menu_move(struct overlay *o, struct app *a UNUSED, enum move move)
{
    struct menu *m = menu_of(o);

    m->at = move_index(move, m->at, m->items.n, m->page);
}

static void menu_accept(struct overlay *o, struct app *a)
{
    struct menu *m = menu_of(o);
    void (*choose)(struct app *, intptr_t) = m->choose;
    intptr_t value;

    if (m->checklist) {
        m->choose_all(a, m);
        overlay_remove(a, o);
        return;
    }
    if (m->at >= m->items.n)
        return;
    if (m->items.data[m->at].disabled) {
        app_print(a, ROLE_NOTE, "%s", m->items.data[m->at].disabled);
        return;
    }
    value = m->items.data[m->at].value;
    overlay_remove(a, o);
    choose(a, value);
}

static unsigned menu_idle(const struct overlay *o)
{
    return ((const struct menu *)o)->checklist ? 0 : OFFER_TICK;
}

static void menu_toggle(struct overlay *o, struct app *a)
{
    struct menu *m = menu_of(o);

    if (!m->checklist)
        menu_accept(o, a);
    else if (m->at < m->items.n)
        m->items.data[m->at].checked = !m->items.data[m->at].checked;
}

static bool begins_with(const struct menu *m, size_t i, uint32_t key)
{
    return i < m->items.n && (uint32_t)(unsigned char)m->items.data[i].label[0] == key;
}

static struct overlay_list menu_list(const struct overlay *o, const struct app *a UNUSED)
{
    const struct menu *m = (const struct menu *)o;

    return (struct overlay_list){.n = m->items.n, .at = m->at};
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

static void menu_go(struct overlay *o, struct app *a UNUSED, size_t i)
{
    menu_of(o)->at = i;
}

/* A letter moves to the next item that begins with it. */
static bool menu_key(struct overlay *o, struct app *a, uint32_t key)
{
    struct menu *m = menu_of(o);
    const size_t from = begins_with(m, m->at, key) ? m->at + 1 : 0;

    if (list_search_key(o, a, key))
        return true;
    for (size_t i = 0; i < m->items.n; i++) {
        const size_t at = (from + i) % m->items.n;

        if (begins_with(m, at, key)) {
            m->at = at;
            return true;
        }
    }
    return false;
}

static void menu_click(struct overlay *o, struct app *a, int row, int col UNUSED)
{
    struct menu *m = menu_of(o);
    const size_t at = m->top + (size_t)(row - m->first_row);

    if (row < m->first_row || row >= m->first_row + m->page || at >= m->items.n)
        return;
    m->at = at;
    if (m->checklist)
        menu_toggle(o, a);
    else
        menu_accept(o, a);
}

static void menu_free(struct overlay *o)
{
    struct menu *m = menu_of(o);

    for (size_t i = 0; i < m->items.n; i++)
        EACH(free, m->items.data[i].label, m->items.data[i].note, m->items.data[i].disabled);
    vec_done(&m->items);
    free(m);
}

static const struct overlay_ops menu_ops = {
    .mode = "MENU",
    .context = CTX_MENU,
    .draw = menu_draw,
    .move = menu_move,
    .accept = menu_accept,
    .toggle = menu_toggle,
    .list = menu_list,
    .entry_has = menu_has,
    .entry_go = menu_go,
    .entry_text = menu_text,
    .idle = menu_idle,
    .key = menu_key,
    .click = menu_click,
    .free = menu_free,
};

struct menu *menu_open(struct app *a, const char *title,
                       void (*choose)(struct app *a, intptr_t value))
{
    struct menu *m = xcalloc(1, sizeof *m);

    m->overlay.ops = &menu_ops;
    m->title = title;
    m->choose = choose;
    overlay_push(a, &m->overlay);
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
    return o->ops == &menu_ops ? menu_of(o) : NULL;
}

void menu_point(struct menu *m, intptr_t value)
{
    for (size_t i = 0; i < m->items.n; i++)
        if (m->items.data[i].value == value)
            m->at = i;
}
