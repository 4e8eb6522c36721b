/* memory_draw.c: draws memory in use over time, and live memory at an instant. */
#include "tui/pictures/memory_draw.h"

#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "base/utf8.h"
#include "model/format.h"
#include "tui/panes/picture.h"
#include "view/build/hidden_frames.h"

enum { DOTS = 4, /* a braille cell has 2 x 4 dots */
       PLOT_ROWS_MIN = 4, FIGURE_COLS = 10, SHARE_COLS = 8, TIME_COLS = 11, PAIR_COLS = 12 };

size_t memory_n_rows(const struct ui *ui)
{
    const struct memory_picture *m = ui->memory.picture;

    return !m                          ? 0
           : ui->memory.shows_segments ? m->segments.n
           : m->base                   ? m->pairs.n
                                       : m->rows.rows.n;
}

int memory_plot_cols(const struct ui *ui)
{
    return ui->layout.tree.cols > MEMORY_SCALE_COLS + 2 ? ui->layout.tree.cols - MEMORY_SCALE_COLS - 1 : 1;
}

bool memory_has_curve(const struct ui *ui)
{
    return ui->memory.picture && ui->memory.picture->allocator;
}

int memory_plot_top(const struct ui *ui)
{
    enum { INFO_ROWS = 4, ROWS_LEAST = 18 };

    return memory_has_curve(ui) && ui->memory.picture->n_failures && ui->layout.tree.rows >= ROWS_LEAST
               ? INFO_ROWS
               : 0;
}

bool memory_has_plot(const struct ui *ui)
{
    return memory_has_curve(ui) && !ui->memory.picture->allocator->has_live_set_only;
}

/* A third of the pane. */
int memory_plot_rows(const struct ui *ui)
{
    const int third = (ui->layout.tree.rows - memory_plot_top(ui)) / 3;

    return !memory_has_plot(ui) ? 0 : third > PLOT_ROWS_MIN ? third : PLOT_ROWS_MIN;
}

int memory_heading_row(const struct ui *ui)
{
    return memory_has_plot(ui) ? memory_plot_top(ui) + memory_plot_rows(ui) + 1 : 0;
}

void memory_add_time(const struct memory_picture *m, struct strbuf *sb, int64_t position)
{
    if (m->allocator->has_times)
        format_spaced(sb, UNIT_TIME_PS, memory_ps(m->allocator, position));
    else
        sb_addf(sb, "event %" PRId64, position);
}

static void add_place(struct strbuf *text, const struct profile *p, const struct failure_facts *f)
{
    struct hidden_frames libraries;
    const struct frame *line;

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    line = innermost_own_frame(&libraries, profile_stack(p, f->failure->stack));
    if (line) {
        sb_adds(text, " at ");
        frame_name(text, p, line, false);
    }
    hidden_frames_done(&libraries);
}

static void add_reason(struct strbuf *text, const struct failure_facts *f)
{
    sb_adds(text, failure_reason_text(f->reason));
    if (f->reason == FAILED_BY_CAPACITY) {
        sb_adds(text, ", short by ");
        format_spaced(text, UNIT_BYTES, f->short_bytes);
    }
}

/* Appends "OUT OF MEMORY 2 of 3 requested 67.11 MB at train.py:31:step /gpu:0 at 2.19 ms", the most
 * important parts first. WITH_REASON: why it failed, after the size. */
static void add_failure(struct strbuf *text, const struct profile *p, const struct memory_picture *m,
                        bool with_reason)
{
    sb_adds(text, "OUT OF MEMORY");
    if (m->n_failures > 1)
        sb_addf(text, " %zu of %zu", m->failure_at + 1, m->n_failures);
    if (m->failure.failure->requested_bytes != MEMORY_UNKNOWN) {
        sb_adds(text, with_reason ? "  " : "  requested ");
        format_spaced(text, UNIT_BYTES, m->failure.failure->requested_bytes);
    }
    if (with_reason) {
        sb_adds(text, ": ");
        add_reason(text, &m->failure);
        sb_addc(text, ' ');
    }
    add_place(text, p, &m->failure);
    sb_addf(text, "  %s at ", profile_text(p, m->allocator->device));
    memory_add_time(m, text, memory_position(m->allocator, m->failure.failure->event + 1));
}

static void add_figure(struct strbuf *text, const char *before, int64_t bytes, const char *after)
{
    if (bytes == MEMORY_UNKNOWN)
        return;
    sb_adds(text, text->len ? before : "");
    format_spaced(text, UNIT_BYTES, bytes);
    sb_adds(text, after);
}

/* Writes TEXT to at most N_ROWS rows from ROW on, broken between words, and empties it. */
static void put_info(struct area where, int row, int n_rows, struct strbuf *text)
{
    struct strbuf safe = {0}, fit = {0};
    const char *rest;

    utf8_escape(&safe, sb_text(text), text->len);
    rest = sb_text(&safe);
    for (int i = 0; i < n_rows && *rest; i++) {
        const size_t len = strlen(rest);
        size_t n = len;

        while (i + 1 < n_rows && n && text_cols(rest, n) > where.cols - 2)
            for (n--; n && rest[n] != ' ';)
                n--;
        n = n ? n : len;
        sb_clear(&fit);
        text_cut_end(&fit, rest, n, where.cols - 2);
        area_put(where, row + i, 1, sb_text(&fit), fit.len, ROLE_TEXT);
        rest += n + (rest[n] == ' ');
    }
    sb_clear(text);
    EACH(sb_done, &safe, &fit);
}

static void draw_info(struct app *a, struct area where)
{
    const struct failure_facts *f = &a->ui.memory.picture->failure;
    struct strbuf text = {0};

    add_reason(&text, f);
    put_info(where, 0, 2, &text);
    add_figure(&text, "", f->in_use_bytes, " in use");
    add_figure(&text, " of ", f->reserved_bytes, " reserved");
    add_figure(&text, "; device free ", f->failure->device_free_bytes, "");
    put_info(where, 2, 1, &text);
    add_figure(&text, "", f->free_bytes, " free inside segments");
    add_figure(&text, ", largest block ", f->largest_free_bytes, "");
    put_info(where, 3, 1, &text);
    sb_done(&text);
}

/* Appends "peak 365.18 MB at 1.72 s". */
static void add_peak(struct strbuf *text, const struct memory_picture *m)
{
    if (m->allocator->has_live_set_only) {
        sb_adds(text, "  live ");
        format_spaced(text, UNIT_BYTES, m->allocator->end_bytes);
        return;
    }
    sb_adds(text, "  peak ");
    format_spaced(text, UNIT_BYTES, m->allocator->peak_bytes);
    sb_adds(text, " at ");
    memory_add_time(m, text, memory_position(m->allocator, m->allocator->peak));
}

/* Appends what the lines of the plot are, with their highest values. */
static void add_legend(struct strbuf *text, const struct memory_picture *m)
{
    const int64_t capacity = m->allocator->capacity_bytes;

    if (m->allocator->reserved_peak_bytes > 0 && !m->n_failures)
        add_figure(text, "  - reserved ", m->allocator->reserved_peak_bytes, "");
    if (m->base)
        add_figure(text, "  ~ baseline ", memory_most_bytes(m->base), "");
    if (capacity > 0)
        add_figure(text, "  capacity ", capacity, "");
}

static void draw_head(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.heads);
    const struct profile *profile = a->doc.session->now;
    const struct memory_picture *m = a->ui.memory.picture;
    struct strbuf text = {0}, fit = {0}, name = {0};

    if (!m->allocator->has_no_addresses && intern_len(&profile->strings, m->allocator->device)) {
        utf8_escape(&name, profile_text(profile, m->allocator->device),
                    intern_len(&profile->strings, m->allocator->device));
        sb_adds(&name, "  ");
    }
    utf8_escape(&name, profile_text(profile, m->allocator->name),
                intern_len(&profile->strings, m->allocator->name));
    if (m->n_failures) {
        add_failure(&text, profile, m, !memory_plot_top(&a->ui));
    } else {
        sb_adds(&text, "MEMORY  ");
        if (m->allocator->has_no_addresses)
            sb_addf(&text, "step %" PRId64 "  ", m->allocator->step);
        sb_adds(&text, sb_text(&name));
        add_peak(&text, m);
    }
    add_legend(&text, m);
    if (m->sum_of_peaks != MEMORY_UNKNOWN) {
        sb_adds(&text, "  (sum over ops ");
        format_spaced(&text, UNIT_BYTES, m->sum_of_peaks);
        sb_adds(&text, ")");
    }
    if (m->n_allocators > 1)
        sb_addf(&text, "  allocator %zu of %zu", m->allocator_at + 1, m->n_allocators);
    text_cut_words(&fit, sb_text(&text), text.len, where.cols - 1);
    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    area_put(where, 0, 1, sb_text(&fit), fit.len, ROLE_HEADER);
    EACH(sb_done, &text, &fit, &name);
}

/* Number of dots in N_ROWS cells for BYTES; at least one if BYTES > 0. */
static int dots_of(const struct memory_picture *m, int64_t bytes, int n_rows)
{
    const int dots = n_rows * DOTS;
    int filled;

    if (bytes <= 0 || m->top_bytes <= 0)
        return 0;
    filled = (int)((double)bytes / (double)m->top_bytes * dots + 0.5);
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

/* Draws a column of the plot: memory in use, reserved memory and the baseline as lines, and memory
 * from before recording in another shade. */
static void draw_column(struct ui *ui, struct area where, int col, int n_rows)
{
    const struct memory_picture *m = ui->memory.picture;
    const struct memory_slice *slice = &m->slices[MEMORY_SLICES_PER_CELL * col];
    const int left = dots_of(m, slice[0].most_bytes, n_rows);
    const int right = dots_of(m, slice[1].most_bytes, n_rows);
    const int reserved = dots_of(m, slice[1].reserved_bytes, n_rows);
    const int before = dots_of(m, slice[0].before_bytes, n_rows);
    const int base = dots_of(m, slice[0].base_bytes, n_rows);
    const bool is_at = col == m->slice / MEMORY_SLICES_PER_CELL;

    for (int row = 0; row < n_rows; row++) {
        const int below = (n_rows - 1 - row) * DOTS;
        const enum role role = is_at ? ROLE_CURSOR
                               : ui->tree.dim || before >= below + DOTS ? ROLE_DIM
                                                                        : ROLE_BAR;

        if (base > below && base <= below + DOTS)
            area_fill(where, row, MEMORY_SCALE_COLS + col, 1, '~', is_at ? ROLE_CURSOR : ROLE_NOTE);
        else if (reserved > below && reserved <= below + DOTS && left <= below && right <= below)
            area_fill(where, row, MEMORY_SCALE_COLS + col, 1, '-', is_at ? ROLE_CURSOR : ROLE_DIM);
        else
            area_fill(where, row, MEMORY_SCALE_COLS + col, 1,
                      braille(clamp_dots(left - below), clamp_dots(right - below)), role);
    }
}

static void draw_plot(struct ui *ui, struct area where, int n_rows)
{
    const struct memory_picture *m = ui->memory.picture;
    struct strbuf most = {0};

    for (int col = 0; col < m->request.n_slices / MEMORY_SLICES_PER_CELL; col++)
        draw_column(ui, where, col, n_rows);
    format_spaced(&most, UNIT_BYTES, m->top_bytes);
    area_put(where, 0, 0, sb_text(&most), most.len, ROLE_DIM);
    area_puts(where, n_rows - 1, 0, "0", ROLE_DIM);
    if (m->request.since >= 0)
        area_puts(where, n_rows, MEMORY_SCALE_COLS + m->request.since / MEMORY_SLICES_PER_CELL, "[", ROLE_NOTE);
    area_puts(where, n_rows, MEMORY_SCALE_COLS + m->peak_slice / MEMORY_SLICES_PER_CELL, "\u25b2", ROLE_NOTE);
    sb_done(&most);
}

/* Draws the times of both ends below the plot where the peak mark leaves room. */
static void draw_axis(struct app *a, struct area where, int row)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const int peak = MEMORY_SCALE_COLS + m->peak_slice / MEMORY_SLICES_PER_CELL;
    struct strbuf end = {0};
    int col;

    memory_add_time(m, &end, m->end);
    col = where.cols - 1 - text_cols(sb_text(&end), end.len);
    if (peak > MEMORY_SCALE_COLS + 2)
        area_puts(where, row, MEMORY_SCALE_COLS, "0 s", ROLE_DIM);
    if (peak < col - 1)
        area_put(where, row, col, sb_text(&end), end.len, ROLE_DIM);
    sb_done(&end);
}

static void draw_cursor(struct app *a, struct area where, int row, size_t i)
{
    if (i == a->ui.memory.row) {
        area_paint(where, row, 0, where.cols, a->ui.focus == PANE_TREE ? ROLE_CURSOR
                   : ROLE_CURSOR_BLURRED);
        area_puts(where, row, 0, ">", a->ui.focus == PANE_TREE ? ROLE_CURSOR : ROLE_CURSOR_BLURRED);
        area_cursor(where, row, 0, false);
    }
}

static void draw_name(struct area where, int row, struct text name, int cols)
{
    struct strbuf safe = {0}, fit = {0};

    utf8_escape(&safe, name.bytes, name.len);
    text_cut_middle(&fit, sb_text(&safe), safe.len, cols);
    area_put(where, row, 2, sb_text(&fit), fit.len, ROLE_TEXT);
    EACH(sb_done, &safe, &fit);
}

/* Draws when M was allocated and when it is freed. */
static void draw_life(struct area where, int row, const struct memory_picture *picture,
                      const struct memory_allocation *m)
{
    struct strbuf text = {0};

    if (m->begin)
        memory_add_time(picture, &text, memory_position(picture->allocator, m->begin));
    else
        sb_adds(&text, "before");
    area_put_before(where, row, where.cols - TIME_COLS, &text, ROLE_NUMBER);
    if (m->end == MEMORY_NEVER)
        sb_adds(&text, "the end");
    else
        memory_add_time(picture, &text, memory_position(picture->allocator, m->end));
    area_put_before(where, row, where.cols, &text, ROLE_NUMBER);
    sb_done(&text);
}

static void add_growth(struct strbuf *text, int64_t bytes)
{
    sb_adds(text, bytes > 0 ? "+" : "");
    format_spaced(text, UNIT_BYTES, bytes);
}

static void draw_row(struct app *a, struct area where, int row, size_t i)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const struct live_row *r = &m->rows.rows.data[i];
    const int name_cols = where.cols - 2 - FIGURE_COLS - SHARE_COLS - 2 * TIME_COLS;
    struct strbuf text = {0};

    draw_name(where, row, r->name, name_cols);
    format_spaced(&text, UNIT_BYTES, r->bytes);
    area_put_before(where, row, 2 + name_cols + FIGURE_COLS, &text, ROLE_NUMBER);
    sb_addf(&text, "%.1f%%", m->rows_bytes ? 100 * (double)r->bytes / (double)m->rows_bytes : 0.0);
    area_put_before(where, row, 2 + name_cols + FIGURE_COLS + SHARE_COLS, &text, ROLE_BAR);
    if (r->n_blocks == 1 && memory_has_plot(&a->ui)) {
        draw_life(where, row, m, &m->allocator->allocations.data[r->allocation]);
    } else if (r->n_blocks) {
        sb_addf(&text, "%" PRIu64 " block%s", r->n_blocks, r->n_blocks == 1 ? "" : "s");
        area_put_before(where, row, where.cols, &text, ROLE_DIM);
    }
    draw_cursor(a, where, row, i);
    sb_done(&text);
}

/* Draws a group in both profiles. */
static void draw_pair(struct app *a, struct area where, int row, size_t i)
{
    const struct live_pair *pair = &a->ui.memory.picture->pairs.data[i];
    const int64_t figures[] = {pair->base_bytes, pair->bytes};
    struct strbuf text = {0};

    draw_name(where, row, pair->name, where.cols - 2 - 3 * PAIR_COLS);
    for (int k = 0; k < (int)(sizeof figures / sizeof *figures); k++) {
        format_spaced(&text, UNIT_BYTES, figures[k]);
        area_put_before(where, row, where.cols - PAIR_COLS * (2 - k), &text, ROLE_NUMBER);
    }
    add_growth(&text, clamp_sub(pair->bytes, pair->base_bytes));
    area_put_before(where, row, where.cols, &text,
                       pair->bytes > pair->base_bytes ? ROLE_NOTE : ROLE_NUMBER);
    draw_cursor(a, where, row, i);
    sb_done(&text);
}

static void draw_segment(struct app *a, struct area where, int row, size_t i)
{
    const struct profile *p = a->doc.session->now;
    const struct memory_segment *g = a->ui.memory.picture->segments.data[i];
    const int64_t figures[] = {g->bytes, clamp_add(g->allocated_bytes, g->pending_bytes), g->rounding_bytes,
                               g->inactive_bytes, g->largest_free_bytes};
    struct strbuf text = {0};

    sb_addf(&text, "0x%" PRIx64 " %s", g->address, profile_text(p, g->type));
    area_put(where, row, 2, sb_text(&text), text.len, ROLE_TEXT);
    sb_clear(&text);
    for (int k = 0; k < (int)(sizeof figures / sizeof *figures); k++) {
        format_spaced(&text, UNIT_BYTES, figures[k]);
        area_put_before(where, row, where.cols - FIGURE_COLS * (4 - k), &text, ROLE_NUMBER);
    }
    draw_cursor(a, where, row, i);
    sb_done(&text);
}

/* Appends "LIVE AT 1.72sec by scope 365.18MB". */
static void add_rows_head(struct app *a, struct strbuf *text)
{
    const struct memory_picture *m = a->ui.memory.picture;

    if (a->ui.memory.shows_segments) {
        sb_addf(text, "%zu SEGMENTS AT THE END", m->segments.n);
        return;
    }
    if (m->request.since >= 0) {
        sb_adds(text, "NEW SINCE ");
        memory_add_time(m, text, memory_position(m->allocator, m->since - 1));
        sb_adds(text, ", ");
    }
    sb_adds(text, m->is_at_failure ? "LIVE AT FAILURE, " : memory_has_plot(&a->ui) ? "LIVE AT " : "LIVE");
    if (memory_has_plot(&a->ui))
        memory_add_time(m, text, memory_position(m->allocator, m->at));
    sb_addf(text, " by %s  ", memory_grouping_names[m->request.by]);
    format_spaced(text, UNIT_BYTES, m->rows_bytes);
}

static void draw_rows(struct app *a, struct area where)
{
    struct memory_pane *p = &a->ui.memory;
    struct strbuf text = {0};

    area_fill(where, 0, 0, where.cols, ' ', ROLE_HEADER);
    add_rows_head(a, &text);
    area_put(where, 0, 1, sb_text(&text), text.len, ROLE_HEADER);
    sb_clear(&text);
    sb_adds(&text, p->shows_segments  ? "     BYTES      USED   ROUNDED      FREE   LARGEST"
                   : p->picture->base ? "BASELINE         NOW       DELTA"
                   : memory_has_plot(&a->ui) ? "from      until"
                                             : "");
    area_put_before(where, 0, where.cols, &text, ROLE_HEADER);
    if (p->picture->base && !memory_n_rows(&a->ui))
        area_puts(where, 1, 2, "no group differs from the baseline", ROLE_DIM);
    p->top = scroll_to(p->top, p->row, memory_n_rows(&a->ui), where.rows - 1);
    for (int row = 1; row < where.rows && p->top + (size_t)row - 1 < memory_n_rows(&a->ui); row++)
        (p->shows_segments  ? draw_segment
         : p->picture->base ? draw_pair
                            : draw_row)(a, where, row, p->top + (size_t)row - 1);
    sb_done(&text);
}

void memory_draw(struct app *a)
{
    struct area where = layout_area(&a->ui.canvas, a->ui.layout.tree);
    const int n_rows = memory_plot_rows(&a->ui), heading = memory_heading_row(&a->ui);

    if (!memory_has_curve(&a->ui)) {
        area_puts(where, 1, 2, a->ui.memory.picture
                  ? "this step has no allocation records: ] shows the next step"
                                                 : "adding allocations ...", ROLE_TITLE);
        return;
    }
    draw_head(a);
    if (memory_plot_top(&a->ui))
        draw_info(a, where);
    if (memory_has_plot(&a->ui)) {
        const int top = memory_plot_top(&a->ui);
        const struct area plot = area_sub(where, top, 0, where.rows - top, where.cols);

        draw_plot(&a->ui, plot, n_rows);
        draw_axis(a, plot, n_rows);
    }
    draw_rows(a, area_sub(where, heading, 0, where.rows - heading, where.cols));
}
