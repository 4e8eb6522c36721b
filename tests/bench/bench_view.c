/* bench_view.c: how long each kind of option change takes on a large profile.
 *
 *     bench_view [NODES]
 *
 * One line a measure: name, median and worst milliseconds on the clock, the
 * median of processor time, columns taken from the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "big_profile.h"
#include "view/query.h"

enum { ROUNDS = 7 };

static double now_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The options that a measure alternates between. */
struct change {
    const char *name;
    enum view_id view;
    const char *option;
    const char *values[2];
};

static const struct change changes[] = {
    {"scope: order", VIEW_SCOPE, "order_by", {"micros", "bytes"}},
    {"scope: depth", VIEW_SCOPE, "max_depth", {"5", "8"}},
    {"scope: threshold", VIEW_SCOPE, "min_micros", {"100", "200"}},
    {"scope: field", VIEW_SCOPE, "select", {"bytes,micros", "micros,params"}},
    {"scope: new step", VIEW_SCOPE, "step", {"0", "1"}},
    {"scope: show", VIEW_SCOPE, "show_name_regexes", {".*conv_1.*", ".*unit_7.*relu.*"}},
    {"scope: show, longer", VIEW_SCOPE, "show_name_regexes", {".*conv_1.*", ".*conv_12.*"}},
    {"scope: hide", VIEW_SCOPE, "hide_name_regexes", {".*gradients.*", ".*/bn/.*"}},
    {"scope: trim", VIEW_SCOPE, "trim_name_regexes", {".*unit_\\d+", ".*conv_[0-5]"}},
    {"scope: start", VIEW_SCOPE, "start_name_regexes", {".*block_3", "tower_0/.*"}},
    {"scope: account", VIEW_SCOPE, "account_type_regexes", {"Conv.*", "MatMul.*"}},
    {"scope: displayed only", VIEW_SCOPE, "account_displayed_op_only", {"true", "false"}},
    {"graph: order", VIEW_GRAPH, "order_by", {"micros", "bytes"}},
    {"graph: depth", VIEW_GRAPH, "max_depth", {"5", "100000000"}},
    {"graph: show", VIEW_GRAPH, "show_name_regexes", {".*conv_1.*", ".*unit_7.*relu.*"}},
    {"graph: account", VIEW_GRAPH, "account_type_regexes", {"Conv.*", "MatMul.*"}},
    {"op: order", VIEW_OP, "order_by", {"micros", "bytes"}},
    {"op: account", VIEW_OP, "account_type_regexes", {"Conv.*", "MatMul.*"}},
    {"code: order", VIEW_CODE, "order_by", {"micros", "bytes"}},
    {"code: show", VIEW_CODE, "show_name_regexes", {".*file_9.*", ".*file_1.*"}},
    {"code: account", VIEW_CODE, "account_type_regexes", {"Conv.*", "MatMul.*"}},
};

struct times {
    double wall_ms, cpu_ms;
};

/* Runs the view and looks at what a screen would: the root's children. */
static struct times run_once(struct query *q, enum view_id view, const struct options *o)
{
    struct err err = {0};
    double start = now_ms(CLOCK_MONOTONIC), cpu_start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    struct result *r = query_run(q, view, o, (struct cancel_mark){0}, &err);
    uint32_t n;
    struct times times;

    if (!r) {
        fprintf(stderr, "%s\n", err_text(&err));
        exit(1);
    }
    result_children(r, 0, &n);
    times.wall_ms = now_ms(CLOCK_MONOTONIC) - start;
    times.cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    result_free(r);
    return times;
}

static void set(struct options *o, const char *option, const char *value)
{
    struct err err = {0};

    if (!option_set(o, option_find(option), value, &err)) {
        fprintf(stderr, "%s\n", err_text(&err));
        exit(1);
    }
}

static void measure(struct query *q, const struct change *c)
{
    struct options o;
    double wall[ROUNDS * 2], cpu[ROUNDS * 2];
    size_t columns;

    options_init(&o);
    o.flops = FLOPS_LOG;
    /* Both once before, so that trees and fresh memory do not count. */
    for (int i = 0; i < 2; i++) {
        set(&o, c->option, c->values[i]);
        run_once(q, c->view, &o);
    }
    columns = query_allocations(q);
    for (int i = 0; i < ROUNDS * 2; i++) {
        struct times times;

        set(&o, c->option, c->values[i % 2]);
        times = run_once(q, c->view, &o);
        wall[i] = times.wall_ms;
        cpu[i] = times.cpu_ms;
    }
    qsort(wall, ROUNDS * 2, sizeof *wall, by_value);
    qsort(cpu, ROUNDS * 2, sizeof *cpu, by_value);
    printf("%-24s %9.2f ms  worst %9.2f  cpu %9.2f  %zu columns\n", c->name, wall[ROUNDS],
           wall[ROUNDS * 2 - 1], cpu[ROUNDS], query_allocations(q) - columns);
    options_done(&o);
}

static void measure_first(const struct profile *p, const char *name, enum view_id view)
{
    struct options o;
    struct query *q = query_new(p);
    struct times times;

    options_init(&o);
    o.flops = FLOPS_LOG;
    times = run_once(q, view, &o);
    printf("%-24s %9.2f ms  cpu %9.2f\n", name, times.wall_ms, times.cpu_ms);
    options_done(&o);
    query_free(q);
}

int main(int argc, char **argv)
{
    uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    double start = now_ms(CLOCK_MONOTONIC);
    struct profile *p = big_profile(n);
    struct query *q;

    printf("%u nodes, %zu strings, made in %.0f ms\n", p->n_nodes, p->strings.n, now_ms(CLOCK_MONOTONIC) - start);
    measure_first(p, "scope: first rows", VIEW_SCOPE);
    measure_first(p, "graph: first rows", VIEW_GRAPH);
    measure_first(p, "op: first rows", VIEW_OP);
    measure_first(p, "code: first rows", VIEW_CODE);
    q = query_new(p);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        measure(q, &changes[i]);
    query_free(q);
    profile_free(p);
    p = chain_profile(n);
    measure_first(p, "chain: first rows", VIEW_GRAPH);
    profile_free(p);
    return 0;
}
