/* bench_export.c: measures the outputs of a loaded profile: walking, sorting and formatting rows;
 * for one output also writing and syncing.
 *
 *     bench_export PROFILE OUTFILE ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "export/output.h"
#include "fixtures/load_with.h"
#include "timing.h"

enum { MAX_ROUNDS = 100 };

struct export {
    const char *output;
    enum view_id view;
    const char *select;
};

static const char all_fields[] = "bytes,peak_bytes,residual_bytes,output_bytes,micros,params,float_ops,"
                                 "device,op_types,occurrence,input_shapes";

static const struct export exports[] = {
    {"file", VIEW_SCOPE, all_fields},        {"file", VIEW_SCOPE, "micros,bytes"},
    {"json", VIEW_SCOPE, all_fields},        {"csv", VIEW_SCOPE, all_fields},
    {"html", VIEW_SCOPE, "micros,bytes"},    {"svg", VIEW_SCOPE, "micros"},
    {"dot", VIEW_GRAPH, "micros"},
    {"folded", VIEW_CODE, "cpu_micros"},     {"pprof", VIEW_CODE, "micros"},
    {"timeline", VIEW_SCOPE, "micros"},      {"proto", VIEW_SCOPE, "micros,bytes"},
    {"profile", VIEW_SCOPE, "micros,bytes"},
};

static _Noreturn void give_up(const struct err *err)
{
    fprintf(stderr, "bench_export: %s\n", err_text(err));
    exit(1);
}

static void set(struct options *o, const char *option, const char *value)
{
    struct err err = {0};

    if (!option_set(o, option_find(option), value, &err))
        give_up(&err);
}

/* A sink that only counts, because disks vary too much. */
struct counter {
    struct sink sink;
    size_t bytes;
};

static bool count_bytes(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    (void)bytes;
    (void)err;
    ((struct counter *)s)->bytes += len;
    return true;
}

struct measure {
    struct query *query;
    const struct export *export;
    struct output_spec spec; /* with a file, or NULL to count bytes only */
    struct counter counter;
};

/* Uses a new result each time, so that siblings are sorted again. */
static double write_once(struct measure *m)
{
    struct options o;
    struct err err = {0};
    struct result *r;
    double start, took;

    options_init(&o);
    set(&o, "select", m->export->select);
    set(&o, "max_depth", "100000000");
    set(&o, "step", "0");
    r = query_run(m->query, m->export->view, &o, (struct cancel_mark){0}, &err);
    if (!r)
        give_up(&err);
    m->counter = (struct counter){.sink = {.write = count_bytes}};
    start = now_ms(CLOCK_MONOTONIC);
    if (m->spec.outfile ? !output_make(&(struct output_request){.spec = &m->spec, .result = r,
                                                                .query = m->query}, &err)
                        : !m->spec.output->write(r, &m->counter.sink, &err))
        give_up(&err);
    took = now_ms(CLOCK_MONOTONIC) - start;
    result_free(r);
    options_done(&o);
    return took;
}

static size_t size_of(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        perror(path);
        exit(1);
    }
    return (size_t)st.st_size;
}

/* PATH may be NULL. */
static void measure(struct query *q, const struct export *e, const char *path, int rounds)
{
    static const char *const names[] = {"scope", "graph", "op", "code"};
    struct measure m = {.query = q, .export = e};
    double took_ms[MAX_ROUNDS], median_ms;
    struct strbuf what = {0};
    size_t bytes;

    m.spec.output = output_find(e->output);
    m.spec.outfile = path ? xstrdup(path) : NULL;
    for (int i = 0; i < rounds; i++)
        took_ms[i] = write_once(&m);
    median_ms = percentile(took_ms, (size_t)rounds, 0.5);
    bytes = path ? size_of(path) : m.counter.bytes;
    sb_addf(&what, "export %s of %s%s%s", e->output, names[e->view],
            e->select == all_fields ? ", all fields" : "", path ? ", to disk" : "");
    printf("%s\t%.1f\tms\n%s\t%.1f\tMB/s\n", sb_text(&what), median_ms, sb_text(&what),
           (double)bytes / 1e3 / median_ms);
    if (path)
        remove(path);
    output_spec_done(&m.spec);
    sb_done(&what);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct profile *p;
    struct query *q;
    const int rounds = argc == 4 ? atoi(argv[3]) : 0;

    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fputs("usage: bench_export PROFILE OUTFILE ROUNDS\n", stderr);
        return 2;
    }
    p = load_with(SETTINGS("profile_path", argv[1]), NULL, &err);
    if (!p)
        give_up(&err);
    q = query_new(p);
    measure(q, &exports[0], argv[2], rounds);
    for (size_t i = 0; i < sizeof exports / sizeof *exports; i++)
        measure(q, &exports[i], NULL, rounds);
    query_free(q);
    profile_free(p);
    return 0;
}
