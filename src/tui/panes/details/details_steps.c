/* details_steps.c: a figure of a row at each step. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/format.h"
#include "render/sparkline.h"
#include "view/step_times.h"

/* LISTED_MOST: maximum number of listed steps. */
enum { LISTED_MOST = 12, VALUE_COLS = 10, STEP_COLS = 6, LEAST_COLS = 8 };

struct row_steps {
    const struct result *r;
    const struct by_step *b;
    int64_t *values; /* [b->n_points] */
    struct step_spread spread;
};

static int64_t step_of(const struct row_steps *s, uint32_t point)
{
    return s->b->profile->steps[by_step_first(s->b, point)];
}

/* Appends "3", or "40-49" for joined steps. */
static void add_steps(struct strbuf *sb, const struct row_steps *s, uint32_t point)
{
    const uint32_t end = by_step_first(s->b, point + 1);

    sb_addf(sb, "%" PRId64, step_of(s, point));
    if (end - by_step_first(s->b, point) > 1)
        sb_addf(sb, "-%" PRId64, s->b->profile->steps[end - 1]);
    else
        step_add_name(sb, s->b->profile, step_of(s, point));
}

static void add_value(struct strbuf *sb, const struct row_steps *s, double value)
{
    format_spaced(sb, metrics[s->b->metric].unit, (int64_t)value);
}

static void add_spread(struct lines *l, const struct row_steps *s)
{
    const double worst = (double)s->values[s->spread.worst];
    struct strbuf text = {0}, median = {0}, deviation = {0}, steps = {0};
    int cols;

    sb_addf(&text, "%s by step ", metrics[s->b->metric].name);
    cols = l->cols - (int)text.len;
    lines_next(l);
    lines_puts(l, ROLE_HEADER, sb_text(&text));
    sb_clear(&text);
    sparkline_add(&text, s->values, s->b->n_points, (size_t)(cols > LEAST_COLS ? cols : LEAST_COLS));
    lines_puts(l, ROLE_BAR, sb_text(&text));
    sb_clear(&text);
    add_value(&median, s, s->spread.median);
    add_value(&deviation, s, s->spread.deviation);
    lines_field(l, "median", ROLE_NUMBER, "%s  MAD %s", sb_text(&median), sb_text(&deviation));
    add_value(&text, s, worst);
    add_steps(&steps, s, s->spread.worst);
    lines_field(l, "worst", ROLE_NUMBER, "%s  step %s", sb_text(&text), sb_text(&steps));
    if (s->spread.median > 0)
        lines_add_item(l, ROLE_DIM, LABEL_COLS, "%.2fx median", worst / s->spread.median);
    EACH(sb_done, &text, &median, &deviation, &steps);
}

static void add_point(struct lines *l, const struct row_steps *s, uint32_t point)
{
    const int64_t now = s->r->options.step;
    const bool is_displayed = now >= step_of(s, point) &&
                      (point + 1 == s->b->n_points || now < step_of(s, point + 1));
    const bool far = step_spread_is_outlier(&s->spread, s->values[point]);
    struct strbuf steps = {0}, value = {0};

    add_steps(&steps, s, point);
    add_value(&value, s, (double)s->values[point]);
    lines_next(l);
    lines_putf(l, is_displayed ? ROLE_TITLE : ROLE_DIM, "%c step %-*s", is_displayed ? '>' : ' ',
               STEP_COLS,
               sb_text(&steps));
    lines_right(l, ROLE_NUMBER, VALUE_COLS, sb_text(&value));
    if (far)
        lines_puts(l, ROLE_HOT, " !");
    EACH(sb_done, &steps, &value);
}

static double distance(const struct row_steps *s, uint32_t point)
{
    return fabs((double)s->values[point] - s->spread.median);
}

/* Marks the LISTED_MOST points furthest from the median; ties go to the first. */
static void choose_far(const struct row_steps *s, bool *listed)
{
    uint32_t furthest[LISTED_MOST], n = 0;

    for (uint32_t i = 0; i < s->b->n_points; i++) {
        uint32_t at = n < LISTED_MOST ? n++ : LISTED_MOST;

        for (; at > 0 && distance(s, furthest[at - 1]) < distance(s, i); at--)
            if (at < LISTED_MOST)
                furthest[at] = furthest[at - 1];
        if (at < LISTED_MOST)
            furthest[at] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        listed[furthest[i]] = true;
}

static void add_points(struct lines *l, const struct row_steps *s)
{
    const uint32_t n = s->b->n_points;
    bool *listed = xcalloc(n, sizeof *listed);

    choose_far(s, listed);
    lines_next(l);
    lines_putf(l, ROLE_HEADER, "steps by %s", metrics[s->b->metric].name);
    for (uint32_t i = 0; i < n; i++)
        if (listed[i])
            add_point(l, s, i);
    if (n > LISTED_MOST)
        lines_field(l, "", ROLE_DIM, "and %" PRIu32 " nearer to the median", n - LISTED_MOST);
    free(listed);
}

/* False if there is nothing to report. */
static bool begin(struct row_steps *s, const struct result *r, row_id row)
{
    const struct by_step *b = &r->by_step;
    double *scratch;

    *s = (struct row_steps){.r = r, .b = b};
    if (!b->values || result_is_unknown(r, (int)b->metric))
        return false;
    s->values = xcalloc(b->n_points, sizeof *s->values);
    scratch = xcalloc(b->n_points, sizeof *scratch);
    for (uint32_t i = 0; i < b->n_points; i++)
        s->values[i] = by_step_value(b, i, row);
    s->spread = step_spread_of(s->values, b->n_points, scratch);
    free(scratch);
    return s->values[s->spread.worst] > 0;
}

void details_steps(struct lines *l, const struct result *r, row_id row)
{
    struct row_steps s;

    if (begin(&s, r, row))
        add_spread(l, &s);
    free(s.values);
}

void details_step_list(struct lines *l, const struct result *r, row_id row)
{
    struct row_steps s;

    if (begin(&s, r, row))
        add_points(l, &s);
    free(s.values);
}
