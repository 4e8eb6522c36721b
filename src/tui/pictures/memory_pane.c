/* memory_pane.c: draws memory in use over time and moves the cursor in it. */
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "tui/commands/action.h"
#include "tui/commands/cmd.h"
#include "tui/pictures/picture.h"

enum {
    DOTS = 4,          /* a braille cell has 2 x 4 dots */
    SLICES_PER_CELL = 2,
    SCALE_COLS = 9,    /* width of the scale */
    PLOT_ROWS_MIN = 4,
    FIGURE_COLS = 10, SHARE_COLS = 8, TIME_COLS = 11,
};

static int plot_cols(const struct ui *ui)
{
    return ui->layout.tree.cols > SCALE_COLS + 2 ? ui->layout.tree.cols - SCALE_COLS - 1 : 1;
}

/* A third of the pane. */
static int plot_rows(const struct ui *ui)
{
    const int third = ui->layout.tree.rows / 3;

    return third > PLOT_ROWS_MIN ? third : PLOT_ROWS_MIN;
}

static bool same_question(const struct memory_question *x, const struct memory_question *y)
{
    return x->step == y->step && x->curve == y->curve && x->n_slices == y->n_slices &&
           x->at == y->at && x->by == y->by;
}

/* What the picture is to be of. */
static struct memory_question question_now(const struct app *a)
{
    const struct memory_pane *p = &a->ui.memory;

    return (struct memory_question){.step = a->doc.result->options.step, .curve = p->curve,
                                    .n_slices = plot_cols(&a->ui) * SLICES_PER_CELL,
                                    .at = p->at, .by = p->by};
}

static bool has_curve(const struct ui *ui)
{
    return ui->memory.picture && ui->memory.picture->n_curves;
}

static bool fits(const struct doc *doc)
{
    return doc->result->profile->allocations.lists.n > 0 || doc->result->profile->memory;
}

/* ---- drawing */

static void add_time(const struct app *a, struct strbuf *sb, int64_t at_ticks)
{
    const struct memory_picture *m = a->ui.memory.picture;

    format_time(sb, clock_ps_between(a->doc.result->profile->clock, m->begin_ticks, at_ticks));
}

/* Why memory ran out, in one line. */
static void add_verdict(struct strbuf *text, const struct memory_picture *m, const char *device)
{
    const struct failure_facts *f = &m->failure;

    sb_addf(text, "OUT OF MEMORY  %s at ", device);
    format_time(text, m->failure_ps);
    if (f->failure->requested_bytes != MEMORY_UNKNOWN) {
        sb_adds(text, "  requested ");
        format_memory(text, f->failure->requested_bytes);
    }
    sb_addf(text, ": %s", failure_reason_text(f->reason));
    if (f->reason == FAILED_BY_CAPACITY) {
        sb_adds(text, ", short by ");
        format_memory(text, f->short_bytes);
    }
}

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.heads);
    const struct profile *profile = a->doc.result->profile;
    const struct memory_picture *m = a->ui.memory.picture;
    struct strbuf text = {0}, fit = {0}, name = {0};

    utf8_escape(&name, profile_text(profile, m->curve.allocator),
                intern_len(&profile->strings, m->curve.allocator));
    if (m->has_failure) {
        add_verdict(&text, m, profile_text(profile, m->curve.device));
    } else {
        sb_addf(&text, "MEMORY  step %lld  %s  peak ", (long long)m->curve.step, sb_text(&name));
        format_memory(&text, m->curve.peak_bytes);
        sb_adds(&text, " at ");
        add_time(a, &text, m->peak_ticks);
    }
    if (profile->allocations.lists.n) {
        sb_adds(&text, "  (sum over ops ");
        format_memory(&text, m->sum_of_peaks);
        sb_adds(&text, ")");
    }
    if (m->n_curves > 1)
        sb_addf(&text, "  allocator %zu of %zu", m->curve_at + 1, m->n_curves);
    text_cut_end(&fit, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_HEADER);
    sb_done(&text);
    sb_done(&fit);
    sb_done(&name);
}

/* Number of dots of N_ROWS cells that SLICE fills; at least one if memory is in use. */
static int dots_of(const struct memory_picture *m, int slice, int n_rows)
{
    const int64_t bytes = m->slices[slice].most_bytes;
    const int dots = n_rows * DOTS;
    int filled;

    if (bytes <= 0 || m->curve.peak_bytes <= 0)
        return 0;
    filled = (int)((double)bytes / (double)m->curve.peak_bytes * dots + 0.5);
    return filled < 1 ? 1 : filled > dots ? dots : filled;
}

/* The braille pattern of two bars that fill LEFT and RIGHT dots of a cell from below (Unicode,
 * chapter 21.1: dots 7 3 2 1 on the left, 8 6 5 4 on the right). */
static uint32_t braille(int left, int right)
{
    static const uint32_t lefts[] = {0, 0x40, 0x44, 0x46, 0x47};
    static const uint32_t rights[] = {0, 0x80, 0xa0, 0xb0, 0xb8};

    return 0x2800 + lefts[left] + rights[right];
}

static int clamp_dots(int dots)
{
    return dots < 0 ? 0 : dots > DOTS ? DOTS : dots;
}

static void draw_plot(struct ui *ui, struct area where, int n_rows)
{
    const struct memory_picture *m = ui->memory.picture;
    const int n_cols = m->asked.n_slices / SLICES_PER_CELL, at = m->at / SLICES_PER_CELL;
    struct strbuf most = {0};

    for (int col = 0; col < n_cols; col++) {
        const int left = dots_of(m, SLICES_PER_CELL * col, n_rows);
        const int right = dots_of(m, SLICES_PER_CELL * col + 1, n_rows);

        for (int row = 0; row < n_rows; row++) {
            const int below = (n_rows - 1 - row) * DOTS;

            area_fill(where, row, SCALE_COLS + col, 1,
                      braille(clamp_dots(left - below), clamp_dots(right - below)),
                      col == at ? ROLE_CURSOR : ui->tree.dim ? ROLE_DIM : ROLE_BAR);
        }
    }
    format_memory(&most, m->curve.peak_bytes);
    area_put(where, 0, 0, sb_text(&most), most.len, ROLE_DIM);
    area_puts(where, n_rows - 1, 0, "0", ROLE_DIM);
    area_puts(where, n_rows, SCALE_COLS + m->peak_at / SLICES_PER_CELL, "\u25b2", ROLE_NOTE);
    sb_done(&most);
}

/* Draws the times of both ends below the plot where the peak mark leaves room. */
static void draw_axis(struct app *a, struct area where, int row)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const int peak = SCALE_COLS + m->peak_at / SLICES_PER_CELL;
    struct strbuf end = {0};
    int col;

    add_time(a, &end, m->end_ticks);
    col = where.cols - 1 - text_cols(sb_text(&end), end.len);
    if (peak > SCALE_COLS + 2)
        area_puts(where, row, SCALE_COLS, "0s", ROLE_DIM);
    if (peak < col - 1)
        area_put(where, row, col, sb_text(&end), end.len, ROLE_DIM);
    sb_done(&end);
}

static void draw_right_aligned(struct area where, int row, int end, struct strbuf *text,
                               enum role role)
{
    area_put(where, row, end - text_cols(sb_text(text), text->len), sb_text(text), text->len, role);
    sb_clear(text);
}

static void draw_row(struct app *a, struct area where, int row, size_t i)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const struct memory_row *r = &m->rows.data[i];
    const int name_cols = where.cols - 2 - FIGURE_COLS - SHARE_COLS - 2 * TIME_COLS;
    struct strbuf name = {0}, text = {0}, fit = {0};

    memory_row_name(&name, a->doc.result->profile, r);
    utf8_escape(&text, sb_text(&name), name.len);
    text_cut_middle(&fit, sb_text(&text), text.len, name_cols);
    area_put(where, row, 2, sb_text(&fit), fit.len, ROLE_TEXT);
    sb_clear(&text);
    format_memory(&text, r->bytes);
    draw_right_aligned(where, row, 2 + name_cols + FIGURE_COLS, &text, ROLE_NUMBER);
    sb_addf(&text, "%.1f%%", m->at_bytes ? 100 * (double)r->bytes / (double)m->at_bytes : 0.0);
    draw_right_aligned(where, row, 2 + name_cols + FIGURE_COLS + SHARE_COLS, &text, ROLE_BAR);
    if (r->n_nodes == 1) {
        add_time(a, &text, r->from_ticks);
        draw_right_aligned(where, row, where.cols - TIME_COLS, &text, ROLE_NUMBER);
        if (r->to_ticks == INT64_MAX)
            sb_adds(&text, "the end");
        else
            add_time(a, &text, r->to_ticks);
        draw_right_aligned(where, row, where.cols, &text, ROLE_NUMBER);
    } else {
        sb_addf(&text, "%zu nodes", r->n_nodes);
        draw_right_aligned(where, row, where.cols, &text, ROLE_DIM);
    }
    if (i == a->ui.memory.row) {
        area_paint(where, row, 0, where.cols, a->ui.focus == PANE_TREE ? ROLE_CURSOR
                   : ROLE_CURSOR_BLURRED);
        area_puts(where, row, 0, ">", a->ui.focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED);
        area_cursor(where, row, 0, false);
    }
    sb_done(&name);
    sb_done(&text);
    sb_done(&fit);
}

static void draw_rows(struct app *a, struct area where)
{
    struct memory_pane *p = &a->ui.memory;
    const struct memory_picture *m = p->picture;
    struct strbuf text = {0};

    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    sb_adds(&text, "LIVE AT ");
    add_time(a, &text, m->at_ticks);
    sb_addf(&text, " by %s  ", memory_group_names[m->asked.by]);
    format_memory(&text, m->at_bytes);
    area_put(where, 0, 1, sb_text(&text), text.len, ROLE_HEADER);
    sb_clear(&text);
    sb_adds(&text, "from      until");
    draw_right_aligned(where, 0, where.cols, &text, ROLE_HEADER);
    p->top = scroll_to(p->top, p->row, m->rows.n, where.rows - 1);
    for (int row = 1; row < where.rows && p->top + (size_t)row - 1 < m->rows.n; row++)
        draw_row(a, where, row, p->top + (size_t)row - 1);
    sb_done(&text);
}

static void draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    const int n_rows = plot_rows(&a->ui);

    if (!has_curve(&a->ui)) {
        area_puts(where, 1, 2, a->ui.memory.picture
                  ? "this step has no allocation records: ] goes on"
                                                 : "adding allocations ...", ROLE_TITLE);
        return;
    }
    draw_head(a);
    draw_plot(&a->ui, where, n_rows);
    draw_axis(a, where, n_rows);
    draw_rows(a, area_sub(where, n_rows + 1, 0, where.rows - n_rows - 1, where.cols));
}

/* Appends "365.18MB in use at 1.72sec, 100.0% of the peak, 215 rows". */
static void status(struct app *a, struct strbuf *sb)
{
    const struct memory_picture *m = a->ui.memory.picture;

    if (!has_curve(&a->ui))
        return;
    format_memory(sb, m->at_bytes);
    sb_adds(sb, " in use at ");
    add_time(a, sb, m->at_ticks);
    if (m->curve.peak_bytes > 0)
        sb_addf(sb, ", %.1f%% of the peak", 100 * (double)m->at_bytes / (double)m->curve.peak_bytes);
    sb_addf(sb, "; by %s %zu row%s", memory_group_names[m->asked.by], m->rows.n,
            m->rows.n == 1 ? "" : "s");
}

/* ---- moving */

static void move(struct app *a, enum move move)
{
    struct memory_pane *p = &a->ui.memory;

    if (p->picture && p->picture->rows.n)
        p->row = move_index(move, p->row, p->picture->rows.n,
                            a->ui.layout.tree.rows - plot_rows(&a->ui) - 2);
}

/* Moves to the slice of column COL with more memory in use. */
static void go_to_column(struct app *a, int col)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const int last = m->asked.n_slices / SLICES_PER_CELL - 1;
    const int at = (col < 0 ? 0 : col > last ? last : col) * SLICES_PER_CELL;

    a->ui.memory.at = at + (m->slices[at + 1].most_bytes > m->slices[at].most_bytes);
    picture_renew(a);
}

static void side(struct app *a, int direction)
{
    const struct memory_picture *m = a->ui.memory.picture;

    if (has_curve(&a->ui))
        go_to_column(a, m->at / SLICES_PER_CELL + direction);
}

/* Shows the node of the row in the tree; of a group its largest node. */
static void open_row(struct app *a)
{
    const struct memory_pane *p = &a->ui.memory;

    if (!p->picture || p->row >= p->picture->rows.n)
        return;
    a->ui.picture = NULL;
    app_go_node(a, profile_whole(a->doc.session->profile, p->picture->rows.data[p->row].node));
}

static void click(struct app *a, int row, int col)
{
    struct memory_pane *p = &a->ui.memory;
    const int first = plot_rows(&a->ui) + 2;

    if (!has_curve(&a->ui))
        return;
    if (row < plot_rows(&a->ui)) {
        go_to_column(a, col - SCALE_COLS);
    } else if (row >= first && p->top + (size_t)(row - first) < p->picture->rows.n) {
        const size_t at = p->top + (size_t)(row - first);

        if (at == p->row)
            open_row(a);
        p->row = at;
    }
}

void cmd_memory_peak(struct app *a, int arg)
{
    (void)arg;
    a->ui.memory.at = MEMORY_AT_PEAK;
    picture_renew(a);
}

void cmd_memory_group(struct app *a, int arg)
{
    (void)arg;
    a->ui.memory.by = (enum memory_group)((a->ui.memory.by + 1) % MEMORY_GROUP_COUNT);
    a->ui.memory.row = a->ui.memory.top = 0;
    picture_renew(a);
}

void cmd_memory_allocator(struct app *a, int arg)
{
    const struct memory_picture *m = a->ui.memory.picture;

    (void)arg;
    if (!m || m->n_curves < 2)
        app_print(a, ROLE_DIM, "there is one allocator only");
    else
        a->ui.memory.curve = (m->curve_at + 1) % m->n_curves;
    picture_renew(a);
}

/* ---- computing it */

struct memory_asked {
    struct memory_question question;
    struct memory_source *kept; /* of the displayed picture, which may be freed meanwhile */
};

static bool is_stale(const struct app *a)
{
    const struct memory_question now = question_now(a);

    return !a->ui.memory.picture || !same_question(&now, &a->ui.memory.picture->asked);
}

static void *ask(const struct app *a)
{
    struct memory_asked *asked = xcalloc(1, sizeof *asked);

    asked->question = question_now(a);
    if (a->ui.memory.picture)
        asked->kept = memory_source_ref(a->ui.memory.picture->source);
    return asked;
}

static void asked_free(void *asked)
{
    memory_source_unref(((struct memory_asked *)asked)->kept);
    free(asked);
}

static void *make(const struct picture_job *job, struct cancel_mark cancel)
{
    const struct memory_asked *asked = job->asked;

    return memory_picture_new(job->question.profile, &asked->question, asked->kept, cancel);
}

static void made_free(void *made)
{
    memory_picture_free(made);
}

static bool is_same(const struct app *a, const struct picture_job *job)
{
    const struct memory_question now = question_now(a);

    return same_question(&((const struct memory_asked *)job->asked)->question, &now);
}

static void take(struct app *a, const struct picture_job *job)
{
    struct memory_pane *p = &a->ui.memory;

    memory_picture_free(p->picture);
    p->picture = job->made;
    if (p->row >= p->picture->rows.n)
        p->row = 0;
}

static void forget(struct ui *ui)
{
    memory_picture_free(ui->memory.picture);
    ui->memory.picture = NULL;
}

const struct picture_ops memory_picture = {
    .pane = {"memory", CTX_MEMORY, draw, move, open_row, click},
    .fits = fits,
    .status = status,
    .side = side,
    .forget = forget,
    .is_stale = is_stale,
    .ask = ask,
    .asked_free = asked_free,
    .make = make,
    .made_free = made_free,
    .is_same = is_same,
    .take = take,
};
