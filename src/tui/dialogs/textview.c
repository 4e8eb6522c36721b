/* textview.c: scrolled texts: help, explanations, the summary. */
#include "tui/dialogs/textview.h"

#include <strings.h>

#include "tui/action.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/prompt.h"
#include "tui/drill.h"

struct textview {
    struct overlay overlay;
    const char *title;
    struct lines lines;
    bool selects;
};

void link_follow(struct app *a, struct link link)
{
    switch (link.kind) {
    case LINK_NODE:
        app_go_node(a, link.node);
        break;
    case LINK_FRAME:
        drill_frame(a, link.node, link.frame);
        break;
    case LINK_SOURCE:
        editor_open(a, link.frame);
        break;
    case LINK_DEVICE:
        drill_subject(a, &(struct subject){.kind = SUBJECT_DEVICE, .id = STEP_ALL, .name = link.device});
        break;
    case LINK_CURE:
        cure(a, link.row, link.why);
        break;
    case LINK_UNMATCH:
        unmatch(a, link.row);
        break;
    case LINK_ACTION:
        action_run(a, action_find(link.action));
        break;
    case LINK_NONE:
        break;
    }
}

static int longest(const struct lines *l)
{
    struct strbuf text = {0};
    int cols = 0;

    for (size_t i = 0; i < l->v.n; i++) {
        sb_clear(&text);
        lines_text(l, i, &text);
        const int c = text_cols(sb_text(&text), text.len);

        cols = c > cols ? c : cols;
    }
    sb_done(&text);
    return cols;
}

static bool line_has(const struct lines *l, size_t i, const char *needle)
{
    struct strbuf text = {0};
    bool found;

    lines_text(l, i, &text);
    if (l->v.data[i].link.kind == LINK_ACTION) { /* help lines also match by synonyms */
        const struct action *action = action_find(l->v.data[i].link.action);

        sb_addf(&text, " %s %s", action->name, action->words ? action->words : "");
    }
    found = strcasestr(sb_text(&text), needle) != NULL;
    sb_done(&text);
    return found;
}

static void textview_draw(struct overlay *o, struct app *a UNUSED, struct area screen)
{
    const struct textview *t = (const struct textview *)o;
    const int cols = longest(&t->lines) + 3;
    struct area box = overlay_box(screen, (int)t->lines.v.n, cols < 40 ? 40 : cols, t->title);

    overlay_scroll(o, box, t->selects ? o->at : o->top);
    for (int row = 0; row < box.rows && o->top + (size_t)row < t->lines.v.n; row++) {
        const size_t i = o->top + (size_t)row;

        lines_draw_one(&t->lines, i, area_sub(box, row, 1, 1, box.cols - 2), 0);
        if (o->needle && line_has(&t->lines, i, o->needle))
            area_paint(box, row, 1, box.cols - 2, ROLE_MATCH);
        if (t->selects && i == o->at)
            area_paint(box, row, 0, box.cols, ROLE_CURSOR);
    }
    area_cursor(box, t->selects ? (int)(o->at - o->top) : 0, 1, false);
    if (o->top + (size_t)box.rows < t->lines.v.n)
        overlay_draw_more(screen, box);
}

static void textview_move(struct overlay *o, struct app *a, enum move move)
{
    const struct textview *t = (const struct textview *)o;
    const size_t n = t->lines.v.n, page = (size_t)o->page;

    if (t->selects)
        overlay_move(o, a, move);
    else
        o->top = move_index(move, o->top, n > page ? n - page + 1 : 1, o->page);
}

static struct link selected_link(const struct textview *t)
{
    return t->selects && t->overlay.at < t->lines.v.n ? t->lines.v.data[t->overlay.at].link
                                                      : (struct link){.kind = LINK_NONE};
}

static void textview_accept(struct overlay *o, struct app *a)
{
    const struct link link = selected_link((const struct textview *)o);

    overlay_remove(a, o);
    link_follow(a, link);
}

static unsigned textview_idle(const struct overlay *o)
{
    return selected_link((const struct textview *)o).kind != LINK_NONE ? 0 : OFFER_LINK;
}

/* ---- searching in the text */

static size_t textview_n_entries(const struct overlay *o)
{
    return ((const struct textview *)o)->lines.v.n;
}

static bool textview_has(const struct overlay *o, size_t i, const char *needle)
{
    return line_has(&((const struct textview *)o)->lines, i, needle);
}

static void textview_text(const struct overlay *o, size_t i, struct strbuf *sb)
{
    lines_text(&((const struct textview *)o)->lines, i, sb);
}

static void textview_go(struct overlay *o, struct app *a UNUSED, size_t i)
{
    o->at = o->top = i;
}

static void textview_click(struct overlay *o, struct app *a, int row, int col UNUSED)
{
    const size_t before = o->at;

    if (((const struct textview *)o)->selects && overlay_entry_at(o, row, &o->at) &&
        o->at == before)
        textview_accept(o, a);
}

static void textview_done(struct overlay *o)
{
    lines_done(&((struct textview *)o)->lines);
}

static const struct overlay_ops textview_ops = {
    .mode = "TEXT",
    .context = CTX_TEXT,
    .draw = textview_draw,
    .move = textview_move,
    .accept = textview_accept,
    .n_entries = textview_n_entries,
    .entry_has = textview_has,
    .entry_go = textview_go,
    .entry_text = textview_text,
    .idle = textview_idle,
    .key = list_search_key,
    .click = textview_click,
    .done = textview_done,
};

void textview_open(struct app *a, const char *title, struct lines *lines, bool selects)
{
    struct textview *t = overlay_open(a, &textview_ops, sizeof *t);

    t->title = title;
    t->lines = *lines;
    memset(lines, 0, sizeof *lines);
    t->selects = selects;
}

void textview_point(struct app *a, const char *title, size_t line)
{
    if (textview_lines(a, title))
        a->ui.top->at = line;
}

struct lines *textview_lines(struct app *a, const char *title)
{
    for (struct overlay *o = a->ui.top; o; o = o->below)
        if (o->ops == &textview_ops && ((struct textview *)o)->title == title)
            return &((struct textview *)o)->lines;
    return NULL;
}
