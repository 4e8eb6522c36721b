/* names.c: names that fit and differ. */
#include "tui/panes/names.h"

#include <ctype.h>

#include "base/utf8.h"

/* Appends the name of ROW, escaped.  Names of scope rows show their last part: the tree shows the
 * rest. */
static void add_full(const struct app *a, row_id row, struct strbuf *sb)
{
    const struct text name = tree_text(a->result->tree, row);
    const char *from = name.bytes;
    size_t len = name.len;

    if (a->result->view_id == VIEW_SCOPE && row) {
        const row_id parent = a->result->shown_parent[row];
        const row_id above = parent != ROW_NONE && tree_n_twins(a->result->tree, parent)
                                 ? a->result->shown_parent[parent]
                                 : parent;
        const struct text up = tree_text(a->result->tree, above == ROW_NONE ? 0 : above);

        if (above != ROW_NONE && above && up.len + 1 < len &&
            memcmp(up.bytes, from, up.len) == 0 && from[up.len] == '/') {
            from += up.len + 1;
            len -= up.len + 1;
        }
    }
    utf8_escape(sb, from, len);
}

/* A frame begins with file and line, other names end with what they are. */
static void cut(const struct app *a, const struct strbuf *full, int cols, struct strbuf *sb)
{
    (a->result->view->needs_traces ? text_cut_end : text_cut_middle)(sb, sb_text(full), full->len,
                                                                     cols);
}

void pane_tree_name(struct app *a, row_id row, int cols, struct strbuf *sb)
{
    struct strbuf full = {0};

    add_full(a, row, &full);
    cut(a, &full, cols, sb);
    sb_done(&full);
}

void names_add(struct app *a, struct shown_names *names, const struct row_entry *e, int cols)
{
    struct shown_name shown = {.cols = cols, .parent = e->parent};

    add_full(a, e->row, &shown.full);
    vec_push(&names->v, shown);
}

/* A byte within a word: of a number, or of a character outside of ASCII. */
static bool in_word(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

/* Widens what N shows so that it tells itself from OTHER: from the word in which they begin to
 * differ to the one in which they end to. */
static void tell_apart(struct shown_name *n, const struct shown_name *other)
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

static bool look_alike(const struct shown_name *x, const struct shown_name *y)
{
    return x->parent == y->parent && x->is_cut && y->is_cut && x->cut.len == y->cut.len &&
           strcmp(sb_text(&x->cut), sb_text(&y->cut)) == 0 &&
           strcmp(sb_text(&x->full), sb_text(&y->full)) != 0;
}

void names_cut(const struct app *a, struct shown_names *names)
{
    const size_t n = names->v.n;

    for (size_t i = 0; i < n; i++) {
        struct shown_name *name = &names->v.data[i];

        name->is_cut = text_cols(sb_text(&name->full), name->full.len) > name->cols;
        if (name->is_cut)
            cut(a, &name->full, name->cols, &name->cut);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            struct shown_name *x = &names->v.data[i], *y = &names->v.data[j];

            if (look_alike(x, y)) {
                tell_apart(x, y);
                tell_apart(y, x);
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
    for (size_t i = 0; i < names->v.n; i++) {
        sb_done(&names->v.data[i].full);
        sb_done(&names->v.data[i].cut);
    }
    vec_done(&names->v);
}
