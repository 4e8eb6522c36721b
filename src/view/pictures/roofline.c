/* roofline.c: operation types as points of a roofline plot. */
#include "view/pictures/roofline.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/pictures/matching_nodes.h"

/* ---- sums */

struct type_sums {
    int64_t micros_ps, float_ops, bytes_accessed;
    int64_t most_ps; /* time of `node` */
    node_id node;
    bool passes; /* at least one of its nodes passes the filters */
};

static void add_node(struct type_sums *s, node_id node, const struct roof_figures *f)
{
    const int64_t ps = f->micros_ps[node];

    if (!s->passes || ps > s->most_ps) {
        s->node = node;
        s->most_ps = ps;
    }
    s->passes = true;
    s->micros_ps = clamp_add(s->micros_ps, ps);
    s->float_ops = clamp_add(s->float_ops, f->float_ops[node]);
    s->bytes_accessed = clamp_add(s->bytes_accessed, f->bytes_accessed[node]);
}

/* [strings.n] sums by type; the caller frees the array. */
static struct type_sums *sum_types(struct result *r, const struct roof_figures *f)
{
    const struct profile *p = r->profile;
    struct type_sums *sums = xcalloc(p->strings.n, sizeof *sums);
    uint8_t *passing = matching_nodes(r);

    for (node_id node = 0; node < p->n_nodes; node++)
        if (passing[node])
            add_node(&sums[p->op[node]], node, f);
    free(passing);
    return sums;
}

/* ---- points */

static void add_point(struct roofline *l, strid op, const struct type_sums *s)
{
    struct roofline_point p = {.op = op, .node = s->node, .micros_ps = s->micros_ps,
                               .float_ops = s->float_ops, .bytes_accessed = s->bytes_accessed};

    p.flops_per_second = metric_ratio(METRIC_FLOPS_PER_SECOND, s->float_ops, s->micros_ps);
    p.bytes_per_second = metric_ratio(METRIC_BYTES_PER_SECOND, s->bytes_accessed, s->micros_ps);
    p.intensity = metric_ratio(METRIC_INTENSITY, s->float_ops, s->bytes_accessed);
    p.roof_percent = roofs_percent(&l->roofs, p.flops_per_second, p.bytes_per_second);
    p.bound = roofs_bound(&l->roofs, p.flops_per_second, p.bytes_per_second);
    l->n_above += roofs_excess(&l->roofs, p.flops_per_second, p.bytes_per_second) != NULL;
    vec_push(&l->points, p);
}

COMPARE_CHAIN(by_time, struct roofline_point, DOWN(micros_ps) || UP(op))

COMPARE_WITH(by_intensity, uint32_t, struct roofline_point,
             THEN(COMPARE(with[*a].x, with[*b].x)) || THEN(COMPARE(*a, *b)))

COMPARE_WITH(by_rate, uint32_t, struct roofline_point,
             THEN(COMPARE(with[*b].y, with[*a].y)) || THEN(COMPARE(*a, *b)))

static void drop_shortest(struct roofline *l)
{
    vec_sort(&l->points, by_time);
    if (l->points.n > ROOFLINE_POINTS_MAX) {
        l->n_left_out = (uint32_t)(l->points.n - ROOFLINE_POINTS_MAX);
        l->points.n = ROOFLINE_POINTS_MAX;
    }
}

static void order_points(struct roofline *l)
{
    for (uint32_t i = 0; i < l->points.n; i++) {
        vec_push(&l->by_intensity, i);
        vec_push(&l->by_rate, i);
    }
    vec_sort_arg(&l->by_intensity, by_intensity, l->points.data);
    vec_sort_arg(&l->by_rate, by_rate, l->points.data);
}

/* ---- axes */

static void widen(struct roofline_axis *axis, double log)
{
    const int below = (int)floor(log), above = (int)ceil(log);

    KEEP_MIN(axis->from, below);
    KEEP_MAX(axis->to, above);
}

/* Sets X of points with FLOPs and bytes, and the range that contains these points and the ridge. */
static void set_x(struct roofline *l)
{
    const double flops = (double)l->roofs.flops.per_second,
                 bytes = (double)l->roofs.bytes.per_second;
    const bool has_ridge = flops > 0 && bytes > 0;

    l->x = (struct roofline_axis){INT_MAX, INT_MIN};
    if (has_ridge)
        widen(&l->x, log10(flops / bytes));
    for (size_t i = 0; i < l->points.n; i++) {
        struct roofline_point *p = &l->points.data[i];

        if (!p->float_ops || !p->bytes_accessed)
            continue;
        p->x = log10((double)p->float_ops / (double)p->bytes_accessed);
        widen(&l->x, p->x);
    }
    if (l->x.to < l->x.from)
        widen(&l->x, 0);
    l->x.to += l->x.to == l->x.from;
}

/* Sets Y, and X of points at an edge. The vertical range contains points with FLOPs and bytes, and
 * those with at least 1 % of the time; others are moved to its end. */
static void set_y(struct roofline *l)
{
    struct roofline_axis of_all = {INT_MAX, INT_MIN};

    l->y = of_all;
    for (size_t i = 0; i < l->points.n; i++) {
        struct roofline_point *p = &l->points.data[i];
        const double seconds = (double)p->micros_ps / (double)PS_PER_SECOND;
        const bool is_inside = p->float_ops && p->bytes_accessed;

        if (!is_inside)
            p->x = p->float_ops ? l->x.to : l->x.from;
        p->y = p->float_ops ? log10((double)p->float_ops / seconds)
                            : log10((double)p->bytes_accessed / seconds) + p->x;
        widen(is_inside || p->micros_ps >= l->all_ps / 100 ? &l->y : &of_all, p->y);
    }
    if (l->y.to < l->y.from)
        l->y = of_all;
    if (l->roofs.flops.per_second > 0)
        widen(&l->y, log10((double)l->roofs.flops.per_second));
    l->y.to += l->y.to == l->y.from;
    for (size_t i = 0; i < l->points.n; i++)
        l->points.data[i].y = fmin(fmax(l->points.data[i].y, l->y.from), l->y.to);
}

/* ---- the roofline */

static void add_types(struct roofline *l, const struct type_sums *sums, size_t n)
{
    for (strid op = 0; op < n; op++) {
        const struct type_sums *s = &sums[op];

        if (!s->passes)
            continue;
        l->all_ps = clamp_add(l->all_ps, s->micros_ps);
        if (s->micros_ps > 0 && s->float_ops >= 0 && s->bytes_accessed >= 0 &&
            (s->float_ops || s->bytes_accessed))
            add_point(l, op, s);
        else
            l->n_rateless++;
    }
}

/* Time metric that rates are computed with: accelerator time for peaks of accelerators; all time
 * for measured roofs and without accelerators. */
static enum metric_id time_below(const struct roofs *roofs, const struct profile *p)
{
    const bool is_measured =
        roofs->flops.source == ROOF_MEASURED || roofs->bytes.source == ROOF_MEASURED;

    return !is_measured && p->kind == PROFILE_DEVICE ? METRIC_ACCELERATOR_MICROS : METRIC_MICROS;
}

struct roofline *roofline_new(struct result *r, struct cancel_mark cancel)
{
    const struct roofs roofs = result_roofs(r);
    struct roofline *l;
    struct type_sums *sums;
    struct roof_figures f = {
        .float_ops = result_node_figures(r, METRIC_FLOAT_OPS),
        .bytes_accessed = result_node_figures(r, METRIC_BYTES_ACCESSED),
        .micros_ps = result_node_figures(r, time_below(&roofs, r->profile))};

    if (cancel_asked(cancel))
        return NULL;
    l = xcalloc(1, sizeof *l);
    l->roofs = roofs;
    sums = sum_types(r, &f);
    add_types(l, sums, r->profile->strings.n);
    free(sums);
    drop_shortest(l);
    if (l->points.n) {
        set_x(l);
        set_y(l);
    }
    order_points(l);
    return l;
}

void roofline_free(struct roofline *l)
{
    if (!l)
        return;
    EACH(vec_done, &l->points, &l->by_intensity, &l->by_rate);
    free(l);
}

double roofline_roof(const struct roofline *l, double x)
{
    const double flops = (double)l->roofs.flops.per_second,
                 bytes = (double)l->roofs.bytes.per_second;
    const double slope = bytes > 0 ? log10(bytes) + x : INFINITY,
                 ceiling = flops > 0 ? log10(flops) : INFINITY;

    return slope < ceiling ? slope : ceiling;
}
