/* delta.c: comparison of rows: on which sides a row exists, and which rows differ enough to be
 * displayed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/satmath.h"
#include "base/strbuf.h"
#include "view/build/hidden_frames.h"
#include "view/delta.h"
#include "view/stages.h"

enum { BOTH = SIDE_NOW | SIDE_BASE };

bool delta_is_wanted(const struct query_run *run)
{
    return run_compares(run);
}

static uint8_t sides_of_members(const struct query_run *run, row_id row)
{
    const struct tree *t = run->c->tree;
    const uint8_t *accounted = COLUMN(run->c->node_accounted, uint8_t);
    uint8_t sides = 0;

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++)
        if (accounted[t->members[i]] || !run->view->is_multi)
            sides |= run->comparison->sides[t->members[i]];
    /* Only rows of single nodes can be marked as moved. */
    return run->view->is_multi ? sides & BOTH : sides;
}

/* A row exists on the sides on which one of its nodes or a row below it exists. */
void delta_sides(const struct query_run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *kept = COLUMN(c->kept, uint8_t);
    uint8_t *sides;

    c->sides = column_new(run->pool, t->n_rows, sizeof *sides);
    sides = c->sides->data;
    if (!run->comparison) { /* comparison of two steps of one profile */
        memset(sides, BOTH | SIDE_SAME_NAME, t->n_rows);
        return;
    }
    for (row_id row = 0; row < t->n_rows; row++)
        sides[row] = kept[row] ? sides_of_members(run, row) : 0;
    for (row_id row = t->n_rows; row-- > 1;)
        if (run->view->kept == KEPT_WITH_DESCENDANTS || tree_n_repeats(t, t->parent[row]))
            sides[t->parent[row]] |= sides[row];
    sides[0] = BOTH;
}

static const double CHANGED = 0.01, CHANGED_MUCH = 0.1;

enum change delta_change(struct delta d)
{
    const double change = d.base > 0 ? (double)d.delta / (double)d.base : d.delta > 0;

    if (change >= CHANGED)
        return change >= CHANGED_MUCH ? CHANGE_GREW_MUCH : CHANGE_GREW;
    if (change <= -CHANGED)
        return change <= -CHANGED_MUCH ? CHANGE_SHRANK_MUCH : CHANGE_SHRANK;
    return CHANGE_NONE;
}

char delta_mark(uint8_t sides)
{
    if ((sides & BOTH) != BOTH)
        return (sides & BOTH) == SIDE_NOW ? '+' : (sides & BOTH) == SIDE_BASE ? '-' : ' ';
    return (sides & (SIDE_MOVED | SIDE_SAME_NAME)) == SIDE_MOVED ? '~' : ' ';
}

struct delta delta_of(const struct result *r, enum metric_id m, row_id row)
{
    const bool own = r->view->is_list && row;

    return delta_between(own ? r->base_self[m][row] : r->base_total[m][row],
                         own ? r->self[m][row] : r->total[m][row]);
}

struct delta delta_between(int64_t base, int64_t now)
{
    return (struct delta){base, now, clamp_sub(now, base)};
}

double delta_percent(struct delta d)
{
    return 100.0 * (double)d.delta / fabs((double)d.base);
}

bool delta_hides_all(const struct result *r)
{
    const enum metric_id m = options_compared_metric(&r->options);
    const int64_t min = metric_of_named(m, r->options.min_delta > 0 ? r->options.min_delta : 0);
    int64_t size;

    if (!result_compares(r) || r->view->is_list || r->n_shown || !memchr(r->why, WHY_DELTA, r->tree->n_rows))
        return false;
    size = delta_of(r, m, 0).delta;
    return (size < 0 ? clamp_neg(size) : size) < (min ? min : 1);
}

bool delta_is_noise(const struct result *r, row_id row)
{
    const uint8_t verdict = r->noise.verdicts && row ? r->noise.verdicts[row] : SAMPLES_UNKNOWN;

    return verdict == SAMPLES_WITHIN || verdict == SAMPLES_SIGNS;
}

const char *delta_match(const struct result *r, row_id row)
{
    const node_id node = r->view->is_multi ? NODE_NONE : tree_node(r->tree, row);
    const struct comparison *c = r->comparison;

    if (!c || node == NODE_NONE || c->base_of[node] == NODE_NONE || c->now_of[node] == NODE_NONE)
        return NULL;
    return match_reasons[c->pairs.reason[node]];
}

const char *delta_confidence(const struct result *r, row_id row)
{
    return delta_match(r, row)
               ? match_confidences[r->comparison->pairs.confidence[tree_node(r->tree, row)]] : NULL;
}

/* Appends the name of ROW with the baseline's frame. */
static void add_base_name(struct strbuf *path, const struct result *r, row_id row,
                          const struct frame *frame)
{
    sb_adds(path, path->len ? ";" : "");
    frame_name(path, r->comparison->pairs.base, frame, r->options.trace_text);
    if (r->tree->is_gradient[row] && frame->lineno != LINE_NONE)
        sb_adds(path, GRADIENT_SUFFIX);
}

/* Baseline frame paired with the frame of ROW below NOW; FRAME_NONE: none. *NOW becomes ROW's
 * frame. */
static frame_id base_frame_of(const struct result *r, row_id row, frame_id *now)
{
    const struct comparison *c = r->comparison;
    const struct frame *frame = r->tree->frame[row];

    *now = frame && !r->tree->n_folded[row] ? frames_find(&c->now_frames, *now, frame) : FRAME_NONE;
    return *now == FRAME_NONE ? FRAME_NONE : c->now_frames.rows.data[*now].partner;
}

const char *delta_code_match(const struct result *r, row_id row, struct strbuf *path)
{
    const struct comparison *c = r->comparison;
    VEC(row_id) chain = {0};
    frame_id now = FRAME_ROOT;
    bool differs = false;

    if (!c || !row || (r->sides[row] & BOTH) != BOTH)
        return NULL;
    for (row_id at = row; at; at = r->tree->parent[at])
        vec_push(&chain, at);
    for (size_t i = chain.n; i-- > 0;) {
        const frame_id base = base_frame_of(r, chain.data[i], &now);

        if (base == FRAME_NONE)
            break;
        differs |= c->base_frames.rows.data[base].frame->lineno != c->now_frames.rows.data[now].frame->lineno;
        if (!i || r->why[chain.data[i]] == WHY_SHOWN)
            add_base_name(path, r, chain.data[i], c->base_frames.rows.data[base].frame);
    }
    vec_done(&chain);
    return match_reasons[differs ? MATCH_LINES : MATCH_NAME];
}

bool delta_is_uncertain(const struct result *r, row_id row)
{
    return delta_confidence(r, row) == match_confidences[MATCH_LOW];
}

const char *delta_moved_from(const struct result *r, row_id row, struct text *name)
{
    const node_id node = r->view->is_multi ? NODE_NONE : tree_node(r->tree, row);
    const struct comparison *c = r->comparison;
    const struct profile *base;
    strid id;

    if (!delta_match(r, row) || !(c->sides[node] & SIDE_MOVED))
        return NULL;
    base = c->pairs.base;
    id = base->name[c->base_of[node]];
    *name = intern_string(&base->strings, id);
    return match_reasons[c->pairs.reason[node]];
}

/* ---- which rows differ enough */

/* Marks rows whose self figure or total of FIGURE differs. */
static void mark_figure(const struct query_run *run, int metric, uint8_t *differs, size_t from,
                        size_t to)
{
    struct column *const *const by_row[] = {run->c->self, run->c->total};

    for (int i = 0; i < (run->view->is_list ? 1 : 2); i++) {
        const int64_t *now = COLUMN(by_row[i][metric], const int64_t);
        const int64_t *base = COLUMN(by_row[i][FIGURE_BASE + metric], const int64_t);

        for (size_t row = from; row < to; row++)
            differs[row - from] |= now[row] != base[row];
    }
}

enum { ROWS_AT_ONCE = 4096 };

static void test_any(const struct query_run *run, uint8_t *test, size_t from, size_t to)
{
    const field_set need = run->options->select | FIELD_BIT(options_compared_metric(run->options));
    const uint8_t *sides = COLUMN(run->c->sides, const uint8_t);
    uint8_t differs[ROWS_AT_ONCE];

    for (size_t row = from; row < to; row++)
        differs[row - from] = delta_mark(sides[row]) != ' ';
    for (int m = 0; m < METRIC_COUNT; m++)
        if (field_in(need, m))
            mark_figure(run, m, differs, from, to);
    for (size_t row = from; row < to; row++)
        test[row] = differs[row - from] ? test[row] : WHY_DELTA;
}

static void test_thresholds(const struct query_run *run, uint8_t *test, size_t from, size_t to)
{
    const struct options *o = run->options;
    const enum metric_id m = options_compared_metric(o);
    struct column *const *const by_row = run->view->is_list ? run->c->self : run->c->total;
    const int64_t *now = COLUMN(by_row[m], const int64_t);
    const int64_t *base = COLUMN(by_row[FIGURE_BASE + m], const int64_t);
    const int64_t min = metric_of_named(m, o->min_delta > 0 ? o->min_delta : 0);

    for (size_t row = from; row < to; row++) {
        const struct delta d = delta_between(base[row], now[row]);
        const int64_t size = d.delta < 0 ? clamp_neg(d.delta) : d.delta;
        const double share = (double)(d.base < 0 ? clamp_neg(d.base) : d.base) / 100.0;

        if (size < min)
            test[row] = WHY_DELTA;
        else if ((double)size < share * (double)o->min_percent)
            test[row] = WHY_PERCENT;
    }
}

void delta_test(const struct query_run *run, uint8_t *test, size_t from, size_t to)
{
    for (size_t at = from; at < to; at += ROWS_AT_ONCE) {
        const size_t end = to - at < ROWS_AT_ONCE ? to : at + ROWS_AT_ONCE;

        test_thresholds(run, test, at, end);
        if (run->options->min_delta == MIN_DELTA_ANY)
            test_any(run, test, at, end);
    }
}

/* ---- what was matched */

static const double UNCERTAIN_PERCENT = 1;

struct share {
    uint32_t n; /* number of nodes */
    double part, whole; /* figures of these nodes and of all nodes */
};

static struct share unmatched(const struct query_run *run, int figure, unsigned side)
{
    const uint8_t *sides = run->comparison->sides;
    const int64_t *values =
        COLUMN(run->nodes[FIGURES_OF_ROWS].figures[figure], const int64_t);
    struct share s = {.n = 0};

    for (node_id node = 0; node < run->profile->n_nodes; node++) {
        const bool alone = (sides[node] & BOTH) == side;

        s.n += alone;
        s.whole += values ? (double)values[node] : 0;
        s.part += values && alone ? (double)values[node] : 0;
    }
    return s;
}

static double percent_of(struct share s)
{
    return s.whole != 0 ? 100 * s.part / s.whole : 0;
}

static void note_noise(const struct query_run *run, struct result *r)
{
    const struct noise *noise = &run->c->noise_shape;

    if (!run->options->significant)
        return;
    if (run->c->noise)
        note_add(&r->notes,
                 "-significant: %" PRIu32 " steps of the baseline, %" PRIu32 " of now; %" PRIu32
                 " of %" PRIu32 " rows differ, about %.1f would by chance",
                 noise->n_base_steps, noise->n_now_steps, noise->n_significant, noise->n_tested,
                 noise->n_expected);
    else
        note_add(&r->notes, "-significant: %s has a single step, so its noise is unknown",
                 noise->n_base_steps < 2 ? "the baseline" : "now");
}

/* Appends N with digit groups: "1,072". */
static void add_count(struct strbuf *sb, uint32_t n)
{
    uint32_t unit = 1;

    while (n / unit >= 1000)
        unit *= 1000;
    sb_addf(sb, "%" PRIu32, n / unit);
    for (; unit > 1; unit /= 1000)
        sb_addf(sb, ",%03" PRIu32, n % unit / (unit / 1000));
}

/* Notes pairs of low confidence if they have at least a hundredth of the compared figure. */
static void note_uncertain(const struct query_run *run, struct result *r, enum metric_id m)
{
    const struct pairs *pairs = &run->comparison->pairs;
    const int64_t *values = COLUMN(run->nodes[FIGURES_OF_ROWS].figures[m], const int64_t);
    struct share s = {.n = 0};
    struct strbuf line = {0};

    for (node_id node = 0; node < pairs->now->n_nodes; node++) {
        const bool is_low = pairs->reason[node] && pairs->confidence[node] == MATCH_LOW;

        s.n += is_low;
        s.whole += values ? (double)values[node] : 0;
        s.part += values && is_low ? (double)values[node] : 0;
    }
    if (!s.n || percent_of(s) < UNCERTAIN_PERCENT)
        return;
    add_count(&line, s.n);
    note_add(&r->notes, "%s pair%s uncertain (%.1f%% of %s); x on a row shows why", sb_text(&line),
             s.n == 1 ? " is" : "s are", percent_of(s), metrics[m].name);
    sb_done(&line);
}

static void add_reasons(struct strbuf *line, const struct pairs *pairs, const uint32_t *n)
{
    const char *before = " (";

    for (int reason = MATCH_NAME; reason < MATCH_REASONS; reason++)
        if (n[reason]) {
            sb_adds(line, before);
            add_count(line, n[reason]);
            if (reason == MATCH_RENAME && pairs->rules.n > 1)
                sb_addf(line, " by %zu renames", pairs->rules.n);
            else
                sb_addf(line, " by %s", match_reasons[reason]);
            if (reason == MATCH_RENAME && pairs->rules.n == 1)
                sb_addf(line, " %s", pairs->rules.data[0].words);
            before = ", ";
        }
    sb_adds(line, *before == ',' ? ")" : "");
}

static void note_pairs(const struct query_run *run, struct result *r)
{
    const struct pairs *pairs = &run->comparison->pairs;
    const enum metric_id m = options_compared_metric(run->options);
    const struct share gone = unmatched(run, FIGURE_BASE + (int)m, SIDE_BASE);
    const struct share added = unmatched(run, (int)m, SIDE_NOW);
    uint32_t n[MATCH_REASONS] = {0}, n_matched = 0;
    struct strbuf line = {0};

    for (node_id node = 0; node < pairs->now->n_nodes; node++) {
        n[pairs->reason[node]]++;
        n_matched += pairs->base_of[node] != NODE_NONE;
    }
    if (!gone.n && !added.n && n[MATCH_NAME] == pairs->now->n_nodes)
        return;
    add_count(&line, n_matched);
    sb_adds(&line, " of ");
    add_count(&line, pairs->base->n_nodes);
    sb_adds(&line, " nodes matched");
    add_reasons(&line, pairs, n);
    sb_adds(&line, "; ");
    add_count(&line, gone.n);
    sb_addf(&line, " have vanished (%.1f%% of %s), ", percent_of(gone), metrics[m].name);
    add_count(&line, added.n);
    note_add_kind(&r->notes, NOTE_MATCHING,
                  "%s are new (%.1f%%)", sb_text(&line), percent_of(added));
    sb_done(&line);
    note_uncertain(run, r, m);
}

void delta_note(const struct query_run *run, struct result *r)
{
    note_noise(run, r);
    if (run->comparison)
        note_pairs(run, r);
}
