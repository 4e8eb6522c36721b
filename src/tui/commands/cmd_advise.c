/* cmd_advise.c: the reports of the checkers with the nodes concerned. */
#include "base/utf8.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/textview.h"
#include "tui/places.h"

enum { MARKS_MAX = 50 };

/* The distinct lines of a section with their counts. */
struct said {
    struct intern texts;
    VEC(size_t) n_times;
};

static void gather_lines(struct said *said, const struct checker_advice *section)
{
    intern_init(&said->texts);
    for (size_t i = 0; i < section->n_reports; i++)
        for (size_t k = 0; k < section->reports[i].n_lines; k++) {
            const struct advice_line *line = &section->reports[i].lines[k];
            const size_t at = intern_put(&said->texts, line->shown ? line->shown : line->bytes,
                                         line->shown ? line->shown_len : line->len);

            while (said->n_times.n <= at)
                vec_push(&said->n_times, 0);
            said->n_times.data[at]++;
        }
}

static void add_section(struct app *a, struct lines *l, const struct checker_advice *section)
{
    struct said said = {.n_times = {0}};

    if (l->v.n)
        lines_next(l);
    lines_next(l);
    lines_puts(l, ROLE_TITLE, section->checker->name);
    lines_tab(l, 30);
    lines_puts(l, ROLE_DIM, section->checker->help);
    gather_lines(&said, section);
    for (size_t i = 0; i < said.n_times.n; i++) {
        struct strbuf text = {0};

        if (!said.n_times.data[i])
            continue;

        utf8_escape(&text, intern_text(&said.texts, (strid)i), intern_len(&said.texts, (strid)i));
        if (said.n_times.data[i] > 1)
            sb_addf(&text, " (%zu times)", said.n_times.data[i]);
        lines_paragraph(l, ROLE_TEXT, a->ui.canvas.cols - 8, sb_text(&text));
        sb_done(&text);
    }
    intern_done(&said.texts);
    vec_done(&said.n_times);
    if (!section->n_reports)
        lines_field(l, "", ROLE_DIM, "nothing to advise");
}

/* Lists the nodes concerned. Enter goes to one. */
static void add_marks(struct app *a, struct lines *l)
{
    const struct profile *p = a->doc.result->profile;

    for (size_t i = 0; i < a->doc.advice->n_marks && i < MARKS_MAX; i++) {
        const struct advice_mark *mark = &a->doc.advice->marks[i];
        struct strbuf name = {0};

        if (!i) {
            lines_next(l);
            lines_next(l);
            lines_puts(l, ROLE_TITLE, "nodes concerned (Enter goes there)");
        }
        utf8_escape(&name, profile_text(p, p->name[mark->node]),
                    intern_len(&p->strings, p->name[mark->node]));
        lines_next(l);
        lines_putf(l, ROLE_TEXT, "%s  ", sb_text(&name));
        lines_puts(l, ROLE_NOTE, mark->text);
        lines_link(l, (struct link){.kind = LINK_NODE, .node = mark->node});
        sb_done(&name);
    }
    if (a->doc.advice->n_marks > MARKS_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", a->doc.advice->n_marks - MARKS_MAX);
}

void cmd_advise(struct app *a, int arg)
{
    struct lines l = {0};

    (void)arg;
    for (size_t i = 0; i < a->doc.advice->n_sections; i++)
        add_section(a, &l, &a->doc.advice->sections[i]);
    add_marks(a, &l);
    textview_open(a, "Advice", &l, true);
}

/* Marks are in node order, rows in tree order. */
void cmd_advice_step(struct app *a, int direction)
{
    const struct tree *t = a->doc.result->tree;
    const row_id here = app_row(a);
    row_id best = ROW_NONE;

    for (size_t i = 0; i < a->doc.advice->n_marks; i++) {
        const row_id row = t->row_of_node[a->doc.advice->marks[i].node];

        if (row == ROW_NONE || row == here || a->doc.result->why[row] != WHY_SHOWN)
            continue;
        if (direction > 0 ? row > here && (best == ROW_NONE || row < best)
                          : row < here && (best == ROW_NONE || row > best))
            best = row;
    }
    if (best == ROW_NONE) {
        app_print(a, ROLE_NOTE, "no row with advice %s this one",
                  direction > 0 ? "after" : "before");
        return;
    }
    places_jump(a);
    app_go(a, best);
}
