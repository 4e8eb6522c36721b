/* summary_text.c: the summary page. */
#include "tui/summary_text.h"

#include "base/utf8.h"
#include "session/summary.h"

enum { LABEL_AT = 2, VALUE_AT = 40 };

static void put(struct lines *l, enum role role, const struct strbuf *text, int cols)
{
    struct strbuf escaped = {0};

    utf8_escape(&escaped, sb_text(text), text->len);
    lines_fit(l, role, sb_text(&escaped), escaped.len, cols);
    sb_done(&escaped);
}

void summary_lines(struct app *a, struct lines *l)
{
    struct err err = {0};
    const struct flops *flops = result_flops(a->result, &err);
    struct summary *s = summary_new(a->result->profile, flops);
    const int cols = a->canvas.cols - 6;

    err_done(&err); /* without counts the summary says what was recorded */
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
    summary_free(s);
}
