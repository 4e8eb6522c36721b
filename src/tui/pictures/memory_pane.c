/* memory_pane.c: moves in the memory chart, and computes it. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "model/memory_records.h"
#include "tui/action.h"
#include "tui/panes/picture.h"
#include "tui/pictures/actions.h"
#include "tui/pictures/memory_draw.h"

static bool same_request(const struct memory_request *x, const struct memory_request *y)
{
    return x->step == y->step && x->allocator == y->allocator && x->n_slices == y->n_slices &&
           x->at == y->at && x->since == y->since && x->by == y->by;
}

/* The parameters of the picture to display. */
static struct memory_request request_now(const struct app *a)
{
    const struct memory_pane *p = &a->ui.memory;

    return (struct memory_request){.step = a->doc.result->options.step, .allocator = p->allocator,
                                    .n_slices = memory_plot_cols(&a->ui) * MEMORY_SLICES_PER_CELL,
                                    .at = p->at, .since = p->since, .by = p->by};
}

static bool fits(const struct doc *doc)
{
    return profile_has_memory(doc->session->now);
}

/* Appends "365.18MB in use at 1.72sec, 100.0% of the peak, 215 rows". */
static void status(struct app *a, struct strbuf *sb)
{
    const struct memory_picture *m = a->ui.memory.picture;

    if (!memory_has_curve(&a->ui))
        return;
    format_spaced(sb, UNIT_BYTES, m->at_bytes);
    sb_adds(sb, " in use");
    if (memory_has_plot(&a->ui)) {
        sb_adds(sb, " at ");
        memory_add_time(m, sb, memory_position(m->allocator, m->at));
    }
    if (m->allocator->peak_bytes > 0)
        sb_addf(sb, ", %.1f%% of the peak", 100 * (double)m->at_bytes / (double)m->allocator->peak_bytes);
    sb_addf(sb, "; by %s %zu row%s", memory_grouping_names[m->request.by], memory_n_rows(&a->ui),
            memory_n_rows(&a->ui) == 1 ? "" : "s");
}

/* ---- moving */

/* Row of the pane with the first row below the heading. */
static int first_row(const struct ui *ui)
{
    return memory_heading_row(ui) + 1;
}

static void move(struct app *a, enum move move)
{
    struct memory_pane *p = &a->ui.memory;

    if (memory_n_rows(&a->ui))
        p->row = move_index(move, p->row, memory_n_rows(&a->ui),
                            a->ui.layout.tree.rows - first_row(&a->ui));
}

/* Moves to the slice of column COL with more memory in use. */
static void go_to_column(struct app *a, int col)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const int last = m->request.n_slices / MEMORY_SLICES_PER_CELL - 1;
    const int at = (col < 0 ? 0 : col > last ? last : col) * MEMORY_SLICES_PER_CELL;

    a->ui.memory.at = at + (m->slices[at + 1].most_bytes > m->slices[at].most_bytes);
    picture_renew(a);
}

/* The displayed slice, or the one chosen by keys while the picture is computed. */
static int slice_now(const struct ui *ui)
{
    return ui->memory.at >= 0 ? ui->memory.at : ui->memory.picture->slice;
}

static void side(struct app *a, int direction)
{
    if (memory_has_plot(&a->ui))
        go_to_column(a, slice_now(&a->ui) / MEMORY_SLICES_PER_CELL + direction);
}

/* The node of the largest allocation of row I; NODE_NONE. */
static node_id node_of_row(const struct app *a, size_t i)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const struct profile *p = a->doc.session->now;
    const struct live_row *row = &m->rows.rows.data[i];
    uint32_t id = NODE_NONE;

    if (row->n_blocks)
        id = profile_memory(p)->sites[m->allocator->allocations.data[row->allocation].site].id;
    return id == NODE_NONE ? NODE_NONE : profile_node_of_part(p, id);
}

/* Shows the node of the row in the tree; of a group that of its largest allocation. */
static void open_row(struct app *a)
{
    const struct memory_pane *p = &a->ui.memory;
    node_id node;

    if (!p->picture || p->shows_segments || p->picture->base || p->row >= p->picture->rows.rows.n)
        return;
    node = node_of_row(a, p->row);
    if (node == NODE_NONE) {
        app_print(a, ROLE_DIM, "no row of the tree allocated this");
        return;
    }
    a->ui.picture = NULL;
    app_go_node(a, node);
}

static void click(struct app *a, int row, int col)
{
    struct memory_pane *p = &a->ui.memory;
    const int top = memory_plot_top(&a->ui), first = first_row(&a->ui);

    if (!memory_has_curve(&a->ui))
        return;
    if (row >= top && row < top + memory_plot_rows(&a->ui)) {
        go_to_column(a, col - MEMORY_SCALE_COLS);
    } else if (row >= first && p->top + (size_t)(row - first) < memory_n_rows(&a->ui)) {
        const size_t at = p->top + (size_t)(row - first);

        if (at == p->row)
            open_row(a);
        p->row = at;
    }
}

void cmd_memory_peak(struct app *a, int arg UNUSED)
{
    a->ui.memory.at = MEMORY_AT_PEAK;
    picture_renew(a);
}

void cmd_memory_failure(struct app *a, int direction)
{
    const struct memory_picture *m = a->ui.memory.picture;
    const size_t n = m ? m->n_failures : 0;
    size_t at = n ? m->failure_at : 0;

    if (!n) {
        app_print(a, ROLE_DIM, "no allocation failed");
        return;
    }
    if (m->is_at_failure && (direction < 0 ? at > 0 : at + 1 < n))
        at = direction < 0 ? at - 1 : at + 1;
    a->ui.memory.at = MEMORY_AT_FAILURE - (int)(n - 1 - at);
    picture_renew(a);
}

/* Begins a range at the displayed instant, or ends it. */
void cmd_memory_range(struct app *a, int arg UNUSED)
{
    struct memory_pane *p = &a->ui.memory;

    if (!memory_has_plot(&a->ui))
        return;
    p->since = p->since < 0 ? slice_now(&a->ui) : -1;
    p->shows_segments = false;
    picture_renew(a);
}

void cmd_memory_segments(struct app *a, int arg UNUSED)
{
    struct memory_pane *p = &a->ui.memory;

    if (!p->picture || !p->picture->segments.n) {
        app_print(a, ROLE_DIM, "segments are not recorded");
        return;
    }
    p->shows_segments = !p->shows_segments;
    p->row = p->top = 0;
}

/* False if all allocations of the log are one group BY. */
static bool grouping_divides(const struct memory_log *log, enum memory_grouping by)
{
    for (uint32_t i = 0; log && i < log->n_sites; i++)
        if (by == GROUPING_CATEGORY   ? log->sites[i].category != STRID_EMPTY
            : by == GROUPING_METADATA ? log->sites[i].metadata != STRID_EMPTY
            : by == GROUPING_STREAM   ? log->sites[i].stream != 0
                                      : true)
            return true;
    return false;
}

/* The grouping after the displayed one, without those with a single group. */
static enum memory_grouping next_grouping(const struct app *a)
{
    static const enum memory_grouping order[] = {
        GROUPING_SCOPE, GROUPING_TYPE, GROUPING_CODE, GROUPING_NODE, GROUPING_STACK, GROUPING_SIZE,
        GROUPING_CATEGORY, GROUPING_STREAM, GROUPING_METADATA, GROUPING_BLOCK, GROUPING_SCOPE};
    const struct profile *p = a->doc.session->now;
    size_t i = 0;

    while (order[i] != a->ui.memory.by)
        i++;
    for (i++; order[i] != GROUPING_SCOPE; i++)
        if (order[i] == GROUPING_STACK ? p->has_stacks : grouping_divides(profile_memory(p), order[i]))
            break;
    return order[i];
}

void cmd_memory_group(struct app *a, int arg UNUSED)
{
    a->ui.memory.by = next_grouping(a);
    a->ui.memory.row = a->ui.memory.top = 0;
    picture_renew(a);
}

void cmd_memory_allocator(struct app *a, int arg UNUSED)
{
    const struct memory_picture *m = a->ui.memory.picture;

    if (!m || m->n_allocators < 2)
        app_print(a, ROLE_DIM, "there is only one allocator");
    else
        a->ui.memory.allocator = (m->allocator_at + 1) % m->n_allocators;
    picture_renew(a);
}

/* ---- computing it */

struct memory_parameters {
    struct memory_request request;
    struct memory_source *kept; /* source of the displayed picture; a reference, since the
                                 * picture may be freed */
};

static bool is_stale(const struct app *a)
{
    const struct memory_request now = request_now(a);

    return !a->ui.memory.picture || !same_request(&now, &a->ui.memory.picture->request);
}

static void *new_parameters(const struct app *a)
{
    struct memory_parameters *parameters = xcalloc(1, sizeof *parameters);

    parameters->request = request_now(a);
    if (a->ui.memory.picture)
        parameters->kept = memory_source_ref(a->ui.memory.picture->source);
    return parameters;
}

static void free_parameters(void *parameters)
{
    memory_source_unref(((struct memory_parameters *)parameters)->kept);
    free(parameters);
}

static void *make(const struct picture_job *job, struct cancel_mark cancel)
{
    const struct memory_parameters *parameters = job->parameters;

    return memory_picture_new(job->request.now, job->request.base, &parameters->request, parameters->kept, cancel);
}

static void made_free(void *made)
{
    memory_picture_free(made);
}

static bool is_same(const struct app *a, const struct picture_job *job)
{
    const struct memory_request now = request_now(a);

    return same_request(&((const struct memory_parameters *)job->parameters)->request, &now);
}

static void take(struct app *a, const struct picture_job *job)
{
    struct memory_pane *p = &a->ui.memory;

    memory_picture_free(p->picture);
    p->picture = job->made;
    p->shows_segments &= p->picture->segments.n > 0;
    if (p->row >= memory_n_rows(&a->ui))
        p->row = 0;
}

static void forget(struct ui *ui)
{
    memory_picture_free(ui->memory.picture);
    ui->memory.picture = NULL;
}

const struct picture_ops memory_picture = {
    .pane = {"memory", CTX_MEMORY, memory_draw, move, open_row, click},
    .fits = fits,
    .status = status,
    .side = side,
    .forget = forget,
    .is_stale = is_stale,
    .new_parameters = new_parameters,
    .free_parameters = free_parameters,
    .make = make,
    .made_free = made_free,
    .is_same = is_same,
    .take = take,
};
