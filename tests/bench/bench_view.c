/* bench_view.c: measures each kind of option change on a large profile.
 *
 *     bench_view [NODES]
 *
 * Prints the median and the worst wall-clock time, the median processor time, and the number of
 * columns allocated from the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "big_profile.h"
#include "timing.h"
#include "view/pictures/timeline.h"
#include "view/query.h"

enum { ROUNDS = 7, FIRST_ROUNDS = 5, MANY_NODES = 3000000, ROUNDS_OF_MANY = 2 };

/* Rounds of a measure, MAX at most. */
static size_t rounds_for(const struct profile *p, size_t max)
{
    return p->n_nodes > MANY_NODES ? ROUNDS_OF_MANY : max;
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
    {"scope: field", VIEW_SCOPE, "select", {"bytes,micros", "micros,params"}},
    {"scope: depth", VIEW_SCOPE, "max_depth", {"5", "8"}},
    {"scope: threshold", VIEW_SCOPE, "min_micros", {"100", "200"}},
    {"scope: show", VIEW_SCOPE, "show_name_regexes", {".*conv_1.*", ".*unit_7.*relu.*"}},
    {"scope: show, longer", VIEW_SCOPE, "show_name_regexes", {".*conv_1.*", ".*conv_12.*"}},
    {"scope: show, alternatives", VIEW_SCOPE, "show_name_regexes", {".*/(Relu|bn)_?[0-9]+.*", ".*(mean|sub)/?.*"}},
    {"scope: show, looking ahead", VIEW_SCOPE, "show_name_regexes", {"(?!grad).*unit_1.*", ".*(?=sub)s.*"}},
    {"scope: hide", VIEW_SCOPE, "hide_name_regexes", {".*gradients.*", ".*/bn/.*"}},
    {"scope: trim", VIEW_SCOPE, "trim_name_regexes", {".*unit_\\d+", ".*conv_[0-5]"}},
    {"scope: start", VIEW_SCOPE, "start_name_regexes", {".*block_3", "tower_0/.*"}},
    {"scope: range of time", VIEW_SCOPE, "time_range", {"100ms:300ms", ":500ms"}},
    {"scope: account", VIEW_SCOPE, "account_type_regexes", {"Conv.*", "MatMul.*"}},
    {"scope: device", VIEW_SCOPE, "device_regexes", {".*gpu.*", ".*cpu.*"}},
    {"scope: displayed only", VIEW_SCOPE, "account_displayed_op_only", {"true", "false"}},
    {"scope: step", VIEW_SCOPE, "step", {"0", "1"}},
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

/* For a graph that is one chain of inputs, as deep as it is large. */
static const struct change chain_changes[] = {
    {"chain: order", VIEW_GRAPH, "order_by", {"micros", "bytes"}},
    {"chain: field", VIEW_GRAPH, "select", {"bytes,micros", "micros,params"}},
    {"chain: depth", VIEW_GRAPH, "max_depth", {"5", "100000000"}},
    {"chain: threshold", VIEW_GRAPH, "min_micros", {"100", "200"}},
    {"chain: show", VIEW_GRAPH, "show_name_regexes", {".*_1.*", ".*_7.*9.*"}},
    {"chain: trim", VIEW_GRAPH, "trim_name_regexes", {".*node_\\d", ".*node_[0-5]+"}},
    {"chain: start", VIEW_GRAPH, "start_name_regexes", {".*node_5000", ".*node_300"}},
    {"chain: account", VIEW_GRAPH, "account_type_regexes", {"Conv.*", "MatMul.*"}},
    {"chain: step", VIEW_GRAPH, "step", {"0", "1"}},
};

struct times {
    double wall_ms, cpu_ms;
};

/* Runs the view and reads what a screen needs: the root's children. */
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

static void print_measure(const char *what, double *wall, double *cpu, size_t n)
{
    printf("%s\t%.3f\tms\tworst %.2f, processor %.2f", what, percentile(wall, n, 0.5),
           percentile(wall, n, 1), percentile(cpu, n, 0.5));
}

static void measure(const struct profile *p, struct query *q, const struct change *c)
{
    const size_t n = 2 * rounds_for(p, ROUNDS);
    struct options o;
    double wall[ROUNDS * 2], cpu[ROUNDS * 2];
    size_t columns;

    options_init(&o);
    o.flops = FLOPS_LOG;
    /* Warms up: trees and fresh memory do not count. */
    for (int i = 0; i < 2; i++) {
        set(&o, c->option, c->values[i]);
        run_once(q, c->view, &o);
    }
    columns = query_allocations(q);
    for (size_t i = 0; i < n; i++) {
        struct times times;

        set(&o, c->option, c->values[i % 2]);
        times = run_once(q, c->view, &o);
        wall[i] = times.wall_ms;
        cpu[i] = times.cpu_ms;
    }
    print_measure(c->name, wall, cpu, n);
    printf(", %zu columns from the heap\n", query_allocations(q) - columns);
    options_done(&o);
}

/* Uses a new query each time, with fresh trees and memory. */
static void measure_first(const struct profile *p, const char *what, enum view_id view)
{
    const size_t n = rounds_for(p, FIRST_ROUNDS);
    double wall[FIRST_ROUNDS], cpu[FIRST_ROUNDS];
    struct options o;

    options_init(&o);
    o.flops = FLOPS_LOG;
    for (size_t i = 0; i < n; i++) {
        const double start = now_ms(CLOCK_MONOTONIC), cpu_start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        struct query *q = query_new(p);

        run_once(q, view, &o);
        wall[i] = now_ms(CLOCK_MONOTONIC) - start;
        cpu[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        query_free(q);
    }
    print_measure(what, wall, cpu, n);
    putchar('\n');
    options_done(&o);
}

/* Walks every displayed row in order, as outputs and unfolded trees do. */
static void measure_walk(const struct profile *p, struct query *q)
{
    const size_t n = rounds_for(p, FIRST_ROUNDS);
    double wall[FIRST_ROUNDS], cpu[FIRST_ROUNDS];
    struct options o;

    options_init(&o);
    o.flops = FLOPS_LOG;
    o.max_depth = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        struct err err = {0};
        struct result *r = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
        const double start = now_ms(CLOCK_MONOTONIC), cpu_start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        struct result_walk w;

        result_walk_init(&w, r, 0);
        while (result_walk_next(&w))
            ;
        result_walk_done(&w);
        wall[i] = now_ms(CLOCK_MONOTONIC) - start;
        cpu[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        result_free(r);
    }
    print_measure("scope: all rows sorted", wall, cpu, n);
    putchar('\n');
    options_done(&o);
}

static void measure_tracks(const struct profile *p)
{
    const size_t n = rounds_for(p, FIRST_ROUNDS);
    double wall[FIRST_ROUNDS], cpu[FIRST_ROUNDS];
    struct options o;

    options_init(&o);
    for (size_t i = 0; i < n; i++) {
        const double start = now_ms(CLOCK_MONOTONIC), cpu_start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        struct timeline *l = timeline_new(p, &o, TIMELINE_BY_TYPE, NULL, (struct cancel_mark){0});

        wall[i] = now_ms(CLOCK_MONOTONIC) - start;
        cpu[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        timeline_free(l);
    }
    print_measure("tracks: made", wall, cpu, n);
    putchar('\n');
    options_done(&o);
}

static void measure_profile(const struct profile *p)
{
    struct query *q = query_new(p);

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        measure(p, q, &changes[i]);
    measure_walk(p, q);
    query_free(q);
}

static void measure_chain(const struct profile *p)
{
    struct query *q = query_new(p);

    for (size_t i = 0; i < sizeof chain_changes / sizeof *chain_changes; i++)
        measure(p, q, &chain_changes[i]);
    query_free(q);
}

/* Runs the measure named NAME of N; false when there is none. */
static bool measure_named(const struct profile *p, const struct change *list, size_t n,
                          const char *name)
{
    for (size_t i = 0; i < n; i++) {
        struct query *q;

        if (strcmp(list[i].name, name) != 0)
            continue;
        q = query_new(p);
        measure(p, q, &list[i]);
        query_free(q);
        return true;
    }
    return false;
}

/* Runs a single row of the table: NODES "scope: step". */
static int measure_one(uint32_t n, const char *name)
{
    const bool is_chain = strncmp(name, "chain: ", 7) == 0;
    struct profile *p = is_chain ? chain_profile(n) : big_profile(n);
    bool found = true;

    if (strcmp(name, "scope: first rows") == 0)
        measure_first(p, name, VIEW_SCOPE);
    else
        found = is_chain
                     ? measure_named(p, chain_changes, sizeof chain_changes / sizeof *chain_changes, name)
                     : measure_named(p, changes, sizeof changes / sizeof *changes, name);
    profile_free(p);
    return !found;
}

int main(int argc, char **argv)
{
    uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    struct profile *p;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 2)
        return measure_one(n, argv[2]);
    p = big_profile(n);
    measure_first(p, "scope: first rows", VIEW_SCOPE);
    measure_first(p, "graph: first rows", VIEW_GRAPH);
    measure_first(p, "op: first rows", VIEW_OP);
    measure_first(p, "code: first rows", VIEW_CODE);
    measure_tracks(p);
    measure_profile(p);
    profile_free(p);
    p = chain_profile(n);
    measure_first(p, "chain: first rows", VIEW_GRAPH);
    measure_chain(p);
    profile_free(p);
    return 0;
}
