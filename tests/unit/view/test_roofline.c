/* test_roofline.c: points of the roofline plot equal plain sums of the sample by type; order, axes
 * and roofs follow their definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/load_with.h"
#include "model/attr.h"
#include "view/pictures/roofline.h"

/* The sum of METRIC over the nodes of type OP. */
static int64_t sum_of(const struct figures *f, enum metric_id metric, strid op)
{
    int64_t sum = 0;
    bool saturated = false;

    for (node_id node = 0; node < f->profile->n_nodes; node++)
        if (f->profile->op[node] == op)
            sum += metric_self(f, metric, node, &saturated);
    assert_false(saturated);
    return sum;
}

static const struct roofline_point *find(const struct roofline *l, strid op)
{
    const struct roofline_point *found = NULL;

    for (size_t i = 0; i < l->points.n; i++)
        if (l->points.data[i].op == op) {
            assert_null(found);
            found = &l->points.data[i];
        }
    return found;
}

static void assert_point(const struct roofline *l, const struct roofline_point *p, double flops,
                         double bytes, double seconds)
{
    const double peak = (double)l->roofs.flops.per_second,
                 bandwidth = (double)l->roofs.bytes.per_second;
    const double roof = fmin(peak, bandwidth * flops / bytes);

    assert_non_null(p);
    assert_int_equal(p->float_ops, (int64_t)flops);
    assert_int_equal(p->bytes_accessed, (int64_t)bytes);
    assert_true(fabs((double)p->flops_per_second - flops / seconds) <= 1);
    assert_true(fabs((double)p->bytes_per_second - bytes / seconds) <= 1);
    assert_true(p->x >= l->x.from && p->x <= l->x.to && p->y >= l->y.from && p->y <= l->y.to);
    if (flops == 0) {
        const double y = log10(bytes / seconds) + l->x.from;

        assert_true(p->x == l->x.from);
        assert_true(fabs(fmin(fmax(y, l->y.from), l->y.to) - p->y) < 1e-9);
        return;
    }
    assert_true(fabs(pow(10, p->x) / (flops / bytes) - 1) < 1e-9);
    assert_true(fabs(pow(10, p->y) / (flops / seconds) - 1) < 1e-9);
    assert_true(fabs(pow(10, roofline_roof(l, p->x)) / roof - 1) < 1e-9);
    assert_true(fabs((double)p->roof_percent / MILLION - 100 * flops / seconds / roof) < 1e-3);
    assert_int_equal(p->bound, flops / seconds / roof < 0.1 ? BOUND_LATENCY
                               : peak <= bandwidth * flops / bytes ? BOUND_COMPUTE
                                                                   : BOUND_MEMORY);
}

/* Compares all types of P whose name begins with PART with the points of L. */
static void compare(const struct profile *p, const struct roofline *l, const char *part)
{
    int64_t *tensor_bytes = tensor_bytes_new(p);
    const struct figures f = {.profile = p, .static_float_ops = p->static_float_ops,
                              .tensor_bytes = tensor_bytes, .rank = RANK_AVERAGE, .step = -1};
    uint8_t *seen = calloc(p->strings.n, 1);
    size_t n = 0, n_rateless = 0, n_above = 0;
    int64_t all_ps = 0;

    for (node_id node = 0; node < p->n_nodes; node++) {
        const strid op = p->op[node];
        int64_t flops, bytes, ps;

        if (seen[op] || strncmp(profile_text(p, op), part, strlen(part)) != 0)
            continue;
        seen[op] = 1;
        flops = sum_of(&f, METRIC_FLOAT_OPS, op);
        bytes = sum_of(&f, METRIC_BYTES_ACCESSED, op);
        ps = sum_of(&f, METRIC_MICROS, op);
        all_ps += ps;
        if (bytes > 0 && ps > 0)
            assert_point(l, find(l, op), (double)flops, (double)bytes, (double)ps / 1e12);
        else
            assert_null(find(l, op));
        n += bytes > 0 && ps > 0;
        n_rateless += !(bytes > 0 && ps > 0);
    }
    assert_true(n > 0);
    assert_int_equal(l->points.n, n);
    assert_int_equal(l->n_rateless, n_rateless);
    assert_int_equal(l->all_ps, all_ps);
    for (size_t i = 0; i < l->points.n; i++)
        n_above += l->points.data[i].roof_percent > 100 * MILLION;
    assert_int_equal(l->n_above, n_above);
    free(tensor_bytes);
    free(seen);
}

static void assert_orders(const struct roofline *l)
{
    const struct roofline_point *points = l->points.data;

    assert_int_equal(l->by_intensity.n, l->points.n);
    assert_int_equal(l->by_rate.n, l->points.n);
    for (size_t i = 1; i < l->points.n; i++) {
        assert_true(points[i - 1].micros_ps >= points[i].micros_ps);
        assert_true(points[l->by_intensity.data[i - 1]].x <= points[l->by_intensity.data[i]].x);
        assert_true(points[l->by_rate.data[i - 1]].y >= points[l->by_rate.data[i]].y);
    }
}

static void points_are_sums_of_types(void **state)
{
    /* PART: the prefix of the type names that pass the filter, at any depth. */
    static const struct {
        enum view_id view;
        const char *depth, *option, *value, *part;
    } cases[] = {
        {VIEW_OP, "1000000", NULL, NULL, ""},
        {VIEW_SCOPE, "1000000", NULL, NULL, ""},
        {VIEW_SCOPE, "1", NULL, NULL, ""},
        {VIEW_GRAPH, "1000000", "account_type_regexes", "Conv2D.*", "Conv2D"},
        {VIEW_OP, "1000000", "show_name_regexes", "Avg.*", "Avg"},
        {VIEW_OP, "1", "show_name_regexes", "Avg.*", "Avg"},
        {VIEW_SCOPE, "1000000", "peak_flops", "1T", ""},
        {VIEW_SCOPE, "1000000", "peak_bandwidth", "1T", ""},
    };
    const char *top = getenv("top_srcdir");
    struct strbuf sample = {0};
    struct err err = {0};
    struct profile *p;
    struct query *q;

    (void)state;
    sb_addf(&sample, "%s/data/resnet32.pb.gz", top ? top : ".");
    p = load_with(SETTINGS("profile_path", sb_text(&sample)), NULL, &err);
    sb_done(&sample);
    assert_non_null(p);
    q = query_new(p);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options o;
        struct result *r;
        struct roofline *l;

        set_options(&o, SETTINGS("max_depth", cases[i].depth, cases[i].option, cases[i].value));
        r = query_run(q, cases[i].view, &o, (struct cancel_mark){0}, &err);
        assert_non_null(r);
        l = roofline_new(r, (struct cancel_mark){0});
        assert_non_null(l);
        compare(p, l, cases[i].part);
        assert_orders(l);
        roofline_free(l);
        result_free(r);
        options_done(&o);
    }
    query_free(q);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_sums_of_types),
    };

    return cmocka_run_group_tests_name("tests/unit/view/test_roofline", tests, NULL, NULL);
}
