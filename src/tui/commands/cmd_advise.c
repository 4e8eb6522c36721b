/* cmd_advise.c: the reports of the checkers with the nodes concerned. */
#include <string.h>

#include "base/utf8.h"
#include "model/format.h"
#include "tui/action.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/textview.h"
#include "tui/places.h"

enum { MARKS_MAX = 50 };

static const char advice_title[] = "Advice";

/* The distinct lines of a section with their counts. */
struct repeated_lines {
    struct intern texts;
    VEC(size_t) n_times;
};

static void gather_lines(struct repeated_lines *lines, const struct checker_advice *section)
{
    intern_init(&lines->texts);
    for (size_t i = 0; i < section->n_reports; i++)
        for (size_t k = 0; k < section->reports[i].n_lines; k++) {
            const struct advice_line *line = &section->reports[i].lines[k];
            const size_t at = intern_put(&lines->texts, line->shown ? line->shown : line->bytes,
                                         line->shown ? line->shown_len : line->len);

            while (lines->n_times.n <= at)
                vec_push(&lines->n_times, 0);
            lines->n_times.data[at]++;
        }
}

/* Appends the line TEXT of a report from column COL on. */
static void add_line(const struct app *a, struct lines *l, enum role role, int col, const char *text,
                     size_t len)
{
    struct strbuf escaped = {0}, spaced = {0};

    utf8_escape(&escaped, text, len);
    format_spaced_text(&spaced, sb_text(&escaped));
    lines_wrapped(l, role, col, a->ui.canvas.cols - 8, sb_text(&spaced));
    EACH(sb_done, &escaped, &spaced);
}

static void add_section(struct app *a, struct lines *l, const struct checker_advice *section)
{
    struct repeated_lines lines = {.n_times = {0}};

    if (l->v.n)
        lines_next(l);
    lines_next(l);
    lines_puts(l, ROLE_TITLE, section->checker->name);
    lines_wrapped(l, ROLE_DIM, 30, a->ui.canvas.cols - 8, section->checker->help);
    gather_lines(&lines, section);
    for (size_t i = 0; i < lines.n_times.n; i++) {
        struct strbuf text = {0};

        if (!lines.n_times.data[i])
            continue;

        sb_add(&text, intern_text(&lines.texts, (strid)i), intern_len(&lines.texts, (strid)i));
        if (lines.n_times.data[i] > 1)
            sb_addf(&text, " (%zu times)", lines.n_times.data[i]);
        lines_next(l);
        add_line(a, l, ROLE_TEXT, 0, sb_text(&text), text.len);
        sb_done(&text);
    }
    intern_done(&lines.texts);
    vec_done(&lines.n_times);
    if (!section->n_reports)
        lines_field(l, "", ROLE_DIM, "nothing to advise");
}

/* Target of FINDING's lines: its first row that is a node, else the table or text with its
 * evidence. */
static struct link finding_link(const struct profile *p, const struct advice_finding *finding)
{
    const struct advice_report *report = finding->report;
    const char *command = finding->checker->command ? finding->checker->command : "summary";

    for (size_t i = 0; i < report->n_rows; i++) {
        const node_id node = profile_find(p, report->rows[i], strlen(report->rows[i]));

        if (node != NODE_NONE)
            return (struct link){.kind = LINK_NODE, .node = node};
    }
    if (!action_find(command))
        command = "summary";
    return (struct link){.kind = LINK_ACTION, .action = action_find(command)->name};
}

/* Adds a finding with its possible gain; Enter on its lines goes to its target. */
static void add_finding(struct app *a, struct lines *l, const struct advice_finding *finding)
{
    enum { GAIN_COLS = 12 };
    const struct advice_report *report = finding->report;
    const size_t first = l->v.n;
    struct strbuf text = {0};

    if (report->gain_ps)
        format_spaced(&text, UNIT_TIME_PS, report->gain_ps);
    else
        sb_adds(&text, "--");
    for (size_t i = 0; i < report->n_lines; i++) {
        lines_next(l);
        lines_puts(l, ROLE_TEXT, i ? "" : sb_text(&text));
        add_line(a, l, i ? ROLE_DIM : ROLE_TEXT, GAIN_COLS, report->lines[i].bytes,
                 report->lines[i].len);
    }
    for (size_t i = first; i < l->v.n; i++)
        l->v.data[i].link = finding_link(a->doc.result->profile, finding);
    sb_done(&text);
}

static void add_findings(struct app *a, struct lines *l)
{
    const struct advice *advice = a->doc.advice;

    lines_field(l, "", ROLE_DIM, "maximum gain; Enter goes to the subject");
    for (size_t i = 0; i < advice->n_findings; i++)
        add_finding(a, l, &advice->findings[i]);
    if (!advice->n_findings)
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

void cmd_advise(struct app *a, int arg UNUSED)
{
    struct lines l = {0};

    if (a->doc.advice->is_list)
        add_findings(a, &l);
    for (size_t i = 0; i < a->doc.advice->n_sections && !a->doc.advice->is_list; i++)
        add_section(a, &l, &a->doc.advice->sections[i]);
    add_marks(a, &l);
    textview_open(a, advice_title, &l, true);
    if (a->doc.advice->is_list)
        textview_point(a, advice_title, 1);
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
