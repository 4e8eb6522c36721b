/* dispatches.c: joins executions of programs with the host calls that dispatched them. */
#include "load/xplane/run.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"

strid dispatch_key(struct loader *l, struct span name, bool is_function)
{
    struct strbuf key = {0};
    strid id;

    if (!name.len)
        return STRID_EMPTY;
    sb_adds(&key, is_function ? "jit" : "");
    for (size_t i = 0; i < name.len; i++) {
        const uint8_t c = name.bytes[i];

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            sb_addc(&key, (char)c);
    }
    id = builder_str(l->builder, sb_text(&key), key.len);
    sb_done(&key);
    return id;
}

/* ---- dispatches */

struct dispatch {
    strid key;
    int64_t at_ps;
};

typedef VEC(struct dispatch) dispatch_list;

/* Sorts an enclosing call first. */
COMPARE_CHAIN(by_line, struct run_dispatch, UP(line) || UP(start_ps) || DOWN(end_ps) || UP(executes))

COMPARE_BY_TWO(by_key, struct dispatch, key, at_ps)

/* Keeps the outermost executing calls of HOST.  Each has its own name, or that of the innermost
 * call around it. */
static void find_dispatches(struct run_host *host, dispatch_list *found)
{
    VEC(const struct run_dispatch *) around = {0};
    const struct run_dispatch *last = NULL;

    found->n = 0;
    vec_sort(&host->dispatches, by_line);
    vec_each(const struct run_dispatch, d, &host->dispatches) {
        while (around.n && (around.data[around.n - 1]->line != d->line ||
                            around.data[around.n - 1]->end_ps < d->end_ps))
            around.n--;
        if (!d->executes) {
            vec_push(&around, d);
            continue;
        }
        if (last && last->line == d->line && d->end_ps <= last->end_ps)
            continue;
        last = d;
        vec_push(found, ((struct dispatch){
                            d->name == STRID_EMPTY && around.n ? around.data[around.n - 1]->name
                                                               : d->name,
                            d->start_ps}));
    }
    vec_done(&around);
    vec_sort(found, by_key);
}

/* ---- runs */

struct program_run {
    uint32_t host;
    strid key;
    uint64_t program;
    int64_t order; /* index among the runs of its program */
    struct run_of_program *run;
};

typedef VEC(struct program_run) program_runs;

COMPARE_CHAIN(by_order, struct program_run, UP(host) || UP(key) || UP(program) || UP(order))

COMPARE_BY(by_start, struct program_run, run->start_ps)

static void find_runs(struct run *r, struct loader *l, program_runs *runs)
{
    for (size_t i = 0; i < r->runs.n; i++) {
        struct run_of_program *run = &r->runs.data[i];
        const uint32_t host = r->devices.data[run->device].host;
        const struct run_program *program;
        struct text name;

        if (!run->id || !r->hosts.data[host].dispatches.n)
            continue;
        program = run_program(r, host, run->program, false);
        if (!program || !program->name)
            continue;
        name = intern_string(&builder_profile(l->builder)->strings, program->name);
        vec_push(runs, ((struct program_run){
                           host, dispatch_key(l, (struct span){(const uint8_t *)name.bytes, name.len},
                                        false),
                           run->program, (int64_t)run->id, run}));
    }
}

static bool is_same_run(const struct program_run *a, const struct program_run *b)
{
    return a->program == b->program && a->order == b->order;
}

/* Joins N runs of one key, in order, with its N_DISPATCHES.  Runs with one id on several devices
 * share a dispatch.  No run begins before its dispatch, which gives the number of dispatches before
 * the capture. */
static void join_runs(const struct program_run *runs, size_t n, const struct dispatch *d,
                      size_t n_dispatches)
{
    size_t before = 0, at = 0;

    for (size_t i = 0; i < n; i++) {
        size_t begun = 0;

        LOWER_BOUND(begun, n_dispatches, k, d[k].at_ps <= runs[i].run->start_ps);
        at += i && !is_same_run(&runs[i - 1], &runs[i]);
        if (at >= begun && at - begun + 1 > before)
            before = at - begun + 1;
    }
    at = 0;
    for (size_t i = 0; i < n; i++) {
        at += i && !is_same_run(&runs[i - 1], &runs[i]);
        runs[i].run->cause_ps = at < before ? INT64_MIN : d[at - before].at_ps;
    }
}

static size_t end_of_key(const program_runs *runs, size_t from)
{
    size_t to = from;

    while (to < runs->n && runs->data[to].key == runs->data[from].key &&
           runs->data[to].host == runs->data[from].host)
        to++;
    return to;
}

/* Joins the runs of one host from FROM on; returns the first run of the next host. */
static size_t join_host(struct run *r, program_runs *runs, size_t from, dispatch_list *found)
{
    const uint32_t host = runs->data[from].host;
    size_t d = 0;

    find_dispatches(&r->hosts.data[host], found);
    for (size_t to; from < runs->n && runs->data[from].host == host; from = to) {
        size_t end;

        to = end_of_key(runs, from);
        if (runs->data[from].program != runs->data[to - 1].program)
            qsort(runs->data + from, to - from, sizeof *runs->data, by_start);
        while (d < found->n && found->data[d].key < runs->data[from].key)
            d++;
        for (end = d; end < found->n && found->data[end].key == runs->data[from].key;)
            end++;
        if (end > d)
            join_runs(runs->data + from, to - from, found->data + d, end - d);
    }
    return from;
}

void dispatches_find(struct run *r, struct loader *l)
{
    program_runs runs = {0};
    dispatch_list found = {0};

    for (size_t i = 0; i < r->runs.n; i++)
        r->runs.data[i].cause_ps = r->runs.data[i].start_ps;
    find_runs(r, l, &runs);
    vec_sort(&runs, by_order);
    for (size_t from = 0; from < runs.n;)
        from = join_host(r, &runs, from, &found);
    EACH(vec_done, &runs, &found);
}
