/* summary_text.c: the summary page. */
#include "tui/panes/pane.h"

#include "base/utf8.h"
#include "session/summary/summary.h"
#include "tui/app.h"
#include "tui/dialogs/textview.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"

enum { LABEL_AT = 2, VALUE_AT = 40 };

static const char title[] = "Summary";

static void put(struct lines *l, enum role role, const struct strbuf *text, int cols)
{
    struct strbuf escaped = {0};

    utf8_escape(&escaped, sb_text(text), text->len);
    lines_fit(l, role, sb_text(&escaped), escaped.len, cols);
    sb_done(&escaped);
}

static void put_verdict(struct lines *l, const char *verdict, int cols)
{
    struct strbuf text = {0};

    sb_adds(&text, verdict);
    lines_next(l);
    put(l, ROLE_TITLE, &text, cols);
    lines_next(l);
    sb_done(&text);
}

static void put_all(struct lines *l, const struct summary *s, int cols)
{
    if (s->verdict)
        put_verdict(l, s->verdict, cols);
    for (size_t i = 0; i < s->n; i++) {
        const struct summary_line *line = &s->lines[i];

        if (!i || strcmp(line->section, s->lines[i - 1].section) != 0) {
            if (i)
                lines_next(l);
            lines_next(l);
            lines_puts(l, ROLE_TITLE, line->section);
        }
        lines_next(l);
        lines_tab(l, LABEL_AT);
        put(l, ROLE_DIM, &line->label, VALUE_AT - 1);
        lines_tab(l, VALUE_AT);
        put(l, ROLE_TEXT, &line->value, cols);
        if (line->node != NODE_NONE)
            lines_link(l, (struct link){.kind = LINK_NODE, .node = line->node});
    }
}

/* Adds the progress of loading. */
static void put_loading(struct app *a, struct lines *l)
{
    struct strbuf text = {0};

    if (!a->doc.loader.is_part)
        return;
    load_text(a, &text);
    lines_next(l);
    lines_puts(l, ROLE_NOTE, sb_text(&text));
    lines_next(l);
    sb_done(&text);
}

void summary_open(struct app *a)
{
    struct lines l = {0};

    lines_next(&l);
    lines_puts(&l, ROLE_DIM, "\u2026");
    textview_open(a, title, &l, true);
    task_request(a, TASK_SUMMARY);
}

void summary_show(struct app *a, const struct summary *s)
{
    struct lines *l = textview_lines(a, title);

    if (!l)
        return;
    lines_clear(l);
    put_loading(a, l);
    put_all(l, s, a->ui.canvas.cols - 6);
}

void summary_renew(struct app *a)
{
    if (textview_lines(a, title))
        task_request(a, TASK_SUMMARY);
}
