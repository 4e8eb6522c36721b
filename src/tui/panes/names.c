/* names.c: cuts names so that siblings stay distinguishable. */
#include "tui/panes/names.h"

#include <ctype.h>

#include "base/utf8.h"
#include "tui/panes/pane.h"

/* Appends the escaped name of ROW; of scope rows only the last component. */
static void add_full(const struct doc *doc, row_id row, struct strbuf *sb)
{
    const struct text name = tree_text(doc->result->tree, row);
    const char *from = name.bytes;
    size_t len = name.len;

    if (doc->result->view_id == VIEW_SCOPE && row) {
        const row_id parent = doc->result->shown_parent[row];
        const row_id above = parent != ROW_NONE && tree_n_repeats(doc->result->tree, parent)
                                 ? doc->result->shown_parent[parent]
                                 : parent;
        const struct text up = tree_text(doc->result->tree, above == ROW_NONE ? 0 : above);

        if (above != ROW_NONE && above && up.len + 1 < len &&
            memcmp(up.bytes, from, up.len) == 0 && from[up.len] == '/') {
            from += up.len + 1;
            len -= up.len + 1;
        }
    }
    utf8_escape(sb, from, len);
}

/* Cuts frames at the end, since they begin with file and line, and other names in the middle. */
static void cut(const struct doc *doc, const struct strbuf *full, int cols, struct strbuf *sb)
{
    (doc->result->view->needs_stacks ? text_cut_end : text_cut_middle)(sb, sb_text(full),
                                                                         full->len,
                                                                     cols);
}

void pane_tree_name(struct doc *doc, row_id row, int cols, struct strbuf *sb)
{
    struct strbuf full = {0};

    add_full(doc, row, &full);
    cut(doc, &full, cols, sb);
    sb_done(&full);
}

void names_add(struct doc *doc, struct shown_names *names, const struct row_entry *e, int cols)
{
    struct shown_name shown = {.cols = cols, .parent = e->parent};

    add_full(doc, e->row, &shown.full);
    vec_push(&names->v, shown);
}

/* True for bytes within a word: digits and bytes of characters outside of ASCII. */
static bool in_word(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

/* Extends the range of N that must be displayed by the words in which it differs from OTHER. */
static void show_difference(struct shown_name *n, const struct shown_name *other)
{
    const char *text = sb_text(&n->full), *than = sb_text(&other->full);
    const size_t len = n->full.len, than_len = other->full.len;
    const size_t least = len < than_len ? len : than_len;
    size_t head = 0, tail = 0, to;

    while (head < least && text[head] == than[head])
        head++;
    while (tail < least - head && text[len - 1 - tail] == than[than_len - 1 - tail])
        tail++;
    to = len - tail;
    while (head > 0 && in_word(text[head - 1]))
        head--;
    while (to < len && in_word(text[to]))
        to++;
    if (n->from == n->to) {
        n->from = head;
        n->to = to;
        return;
    }
    n->from = head < n->from ? head : n->from;
    n->to = to > n->to ? to : n->to;
}

static bool names_look_equal(const struct shown_name *x, const struct shown_name *y)
{
    return x->parent == y->parent && x->is_cut && y->is_cut && x->cut.len == y->cut.len &&
           strcmp(sb_text(&x->cut), sb_text(&y->cut)) == 0 &&
           strcmp(sb_text(&x->full), sb_text(&y->full)) != 0;
}

void names_cut(const struct doc *doc, struct shown_names *names)
{
    const size_t n = names->v.n;

    for (size_t i = 0; i < n; i++) {
        struct shown_name *name = &names->v.data[i];

        name->is_cut = text_cols(sb_text(&name->full), name->full.len) > name->cols;
        if (name->is_cut)
            cut(doc, &name->full, name->cols, &name->cut);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            struct shown_name *x = &names->v.data[i], *y = &names->v.data[j];

            if (names_look_equal(x, y)) {
                show_difference(x, y);
                show_difference(y, x);
            }
        }
    for (size_t i = 0; i < n; i++) {
        struct shown_name *name = &names->v.data[i];

        if (name->from == name->to)
            continue;
        sb_clear(&name->cut);
        text_cut_around(&name->cut, sb_text(&name->full), name->full.len, name->from, name->to,
                        name->cols);
    }
}

const struct strbuf *names_text(const struct shown_names *names, size_t i)
{
    const struct shown_name *name = &names->v.data[i];

    return name->is_cut ? &name->cut : &name->full;
}

void names_done(struct shown_names *names)
{
    for (size_t i = 0; i < names->v.n; i++)
        EACH(sb_done, &names->v.data[i].full, &names->v.data[i].cut);
    vec_done(&names->v);
}
