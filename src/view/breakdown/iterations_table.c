/* iterations_table.c: the tables of the iterations of an LLM server, and of their phases. */
#include <stdlib.h>

#include "activity/table.h"
#include "base/satmath.h"
#include "base/xalloc.h"

/* INT64_MIN: unknown. */
struct iteration_row {
    int64_t rank, wall_ns, kv_tokens;
    const struct iteration *of;
};

struct phase_row {
    enum iteration_phase phase;
    int64_t n_iterations, requests, context_tokens, generation_tokens;
    int64_t accelerator_ns, busy_ns;
};

struct iterations_data {
    VEC(struct iteration_row) rows;
    VEC(struct phase_row) phases;
    struct strbuf needs;
};

enum { ROW_NUMBER = 1, ROW_STEP, ROW_NAME, ROW_PHASE, ROW_CONTEXT_REQUESTS, ROW_GENERATION_REQUESTS,
       ROW_CONTEXT_TOKENS, ROW_GENERATION_TOKENS, ROW_BATCH_SIZE = 10, ROW_LAUNCHES, ROW_SPAN = 13,
       ROW_BUSY, ROW_ACCELERATOR, ROW_PLACED };
enum { PHASE_ROW_NAME, PHASE_ROW_RATE = 7 };

#define OF(field) MEMBER_OF(struct iteration_row, field)
static const struct table_column columns[] = {
    {"rank", .help = "number of the rank", .is_key = true, OF(rank)},
    [ROW_NUMBER] = {"iteration", .help = "number within the rank", .is_key = true},
    [ROW_STEP] = {"step", .help = "its step, when iterations are steps"},
    [ROW_NAME] = {"name", .help = "annotation that marks it", .unit = VALUE_TEXT,
                  .audience = FOR_PROGRAMS},
    [ROW_PHASE] = {"phase", .help = "prefill, mixed, decode or idle, by its requests",
                   .unit = VALUE_TEXT},
    [ROW_CONTEXT_REQUESTS] = {"context_requests", "prefills", .help = "requests with context tokens"},
    [ROW_GENERATION_REQUESTS] = {"generation_requests", "decodes", .help = "requests with generated tokens"},
    [ROW_CONTEXT_TOKENS] = {"context_tokens", "context", .help = "query tokens of requests with context tokens"},
    [ROW_GENERATION_TOKENS] = {"generation_tokens", "generated", .help = "query tokens of requests with generated tokens"},
    {"kv_tokens", "cached", .help = "key and value tokens of all requests", OF(kv_tokens)},
    [ROW_BATCH_SIZE] = {"batch_size", "batch", .help = "batch size of its graphs"},
    [ROW_LAUNCHES] = {"graph_launches", "graphs", .help = "graphs that it replayed"},
    {"wall", .help = "duration of its annotation", .unit = VALUE_TIME_PS, .scale = PS_PER_NS,
     OF(wall_ns)},
    [ROW_SPAN] = {"span", .help = "from the start of its first kernel to the last end",
                  .unit = VALUE_TIME_PS},
    [ROW_BUSY] = {"busy", .help = "time with any of its kernels", .unit = VALUE_TIME_PS},
    [ROW_ACCELERATOR] = {"accelerator", .help = "sum of the durations of its kernels",
                         .unit = VALUE_TIME_PS},
    [ROW_PLACED] = {"placed_accelerator", "placed", "time in kernels of graph replays that are joined with a capture",
                    .unit = VALUE_TIME_PS},
};
#undef OF

#define OF(field) MEMBER_OF(struct phase_row, field)
static const struct table_column phase_columns[] = {
    [PHASE_ROW_NAME] = {"phase", .help = "prefill, mixed, decode or idle", .unit = VALUE_TEXT,
                        .is_key = true},
    {"iterations", .help = "how many", OF(n_iterations)},
    {"requests", .help = "number of iterations", OF(requests)},
    {"context_tokens", "context", .help = "query tokens of prefills", OF(context_tokens)},
    {"generation_tokens", "generated", .help = "query tokens of decodes", OF(generation_tokens)},
    {"accelerator", .help = "sum of the durations of their kernels", .unit = VALUE_TIME_PS,
     .scale = PS_PER_NS, OF(accelerator_ns)},
    {"busy", .help = "time with any of their kernels", .unit = VALUE_TIME_PS, .scale = PS_PER_NS,
     OF(busy_ns)},
    [PHASE_ROW_RATE] = {"tokens_per_second", "tokens/s", "tokens per second of busy time",
                        .unit = VALUE_REAL, .decimals = 1},
};
#undef OF

static void add_to_phase(struct phase_row *row, const struct iteration *it)
{
    const struct iteration_side *context = &it->counts.context, *generation = &it->counts.generation;

    row->n_iterations++;
    row->requests = clamp_add(row->requests, context->requests + generation->requests);
    row->context_tokens = clamp_add(row->context_tokens, context->tokens);
    row->generation_tokens = clamp_add(row->generation_tokens, generation->tokens);
    row->accelerator_ns = clamp_add(row->accelerator_ns, it->accelerator_ns);
    row->busy_ns = clamp_add(row->busy_ns, it->busy_ns);
}

static void read_iterations(struct iterations_data *d, const struct profile *p)
{
    struct phase_row phases[PHASE_COUNT] = {{0}};

    array_each(const struct recorder, r, p->recorders, p->n_recorders) {
        array_each(const struct iteration, it, r->iterations, r->n_iterations) {
            vec_push(&d->rows, ((struct iteration_row){r->rank < 0 ? INT64_MIN : r->rank,
                                                       it->end_ns - it->start_ns,
                                                       iteration_kv_tokens(&it->counts), it}));
            add_to_phase(&phases[iteration_phase_of(&it->counts)], it);
        }
    }
    for (unsigned i = 0; i < PHASE_COUNT; i++) {
        phases[i].phase = (enum iteration_phase)i;
        if (phases[i].n_iterations)
            vec_push(&d->phases, phases[i]);
    }
    if (!d->rows.n)
        sb_addf(&d->needs, "no iteration marks in %s: vLLM, SGLang and ATOM write them",
                p->n_files ? p->files[0].path : "the profile");
}

static bool open_iterations(struct table_rows *t, struct err *err UNUSED)
{
    struct iterations_data *d = xcalloc(1, sizeof *d);

    read_iterations(d, t->request->profile);
    t->data = d;
    table_set_records(t, &d->rows);
    if (!d->rows.n)
        t->needs = sb_text(&d->needs);
    return true;
}

static bool open_phases(struct table_rows *t, struct err *err)
{
    struct iterations_data *d;

    if (!t->data && !open_iterations(t, err))
        return false;
    d = t->data;
    table_set_records(t, &d->phases);
    return true;
}

static void close_iterations(struct table_rows *t)
{
    struct iterations_data *d = t->data;

    EACH(vec_done, &d->rows, &d->phases);
    sb_done(&d->needs);
    free(d);
}

static void set_time(struct table_value *v, int64_t ns)
{
    value_integer(v, clamp_mul(ns, PS_PER_NS));
}

/* Sets the figures of the iteration itself. */
static void iteration_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct iteration_row *row = table_record(c);
    const struct iteration *it = row->of;
    const int64_t numbers[] = {
        [ROW_NUMBER] = it->number,
        [ROW_STEP] = it->step,
        [ROW_CONTEXT_REQUESTS] = it->counts.context.requests,
        [ROW_GENERATION_REQUESTS] = it->counts.generation.requests,
        [ROW_CONTEXT_TOKENS] = it->counts.context.tokens,
        [ROW_GENERATION_TOKENS] = it->counts.generation.tokens,
        [ROW_BATCH_SIZE] = it->batch_size,
        [ROW_LAUNCHES] = it->n_replays,
    };

    if (column == ROW_NAME)
        value_name(v, c->profile, it->name);
    else if (column == ROW_PHASE)
        value_word(v, iteration_phase_name(iteration_phase_of(&it->counts)));
    else if (column >= ROW_SPAN)
        set_time(v, column == ROW_SPAN          ? it->span_ns
                    : column == ROW_BUSY        ? it->busy_ns
                    : column == ROW_ACCELERATOR ? it->accelerator_ns
                                                : it->placed_ns);
    else if (numbers[column] != INT64_MIN)
        value_integer(v, numbers[column]);
}

static bool iteration_subject(struct table_cursor *c, struct subject *s)
{
    const struct iteration_row *row = table_record(c);

    *s = (struct subject){.kind = SUBJECT_STEP, .id = row->of->step, .has_rank = row->rank >= 0,
                          .rank = row->rank};
    return row->of->step >= 0;
}

static void phase_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct phase_row *row = table_record(c);

    if (column == PHASE_ROW_NAME)
        value_word(v, iteration_phase_name(row->phase));
    else if (row->busy_ns > 0)
        value_real(v, 1e9 * ((double)row->context_tokens + (double)row->generation_tokens) /
                          (double)row->busy_ns);
}

const struct table table_iteration_phases = {
    .name = "iteration_phases", .help = "phases of an LLM server's iterations, and their tokens",
    TABLE_COLUMNS(phase_columns), .open = open_phases, .close = close_iterations,
    .value = phase_value,
};

const struct table table_iterations = {
    .of = TABLE_OF_ITERATIONS,
    .name = "iterations", .help = "list iterations of an LLM server, and their phases",
    TABLE_COLUMNS(columns), .open = open_iterations, .close = close_iterations,
    .value = iteration_value, .subject = iteration_subject, .second = &table_iteration_phases, .second_key = "phases",
    .max_text_rows = 200, .rows_name = "iterations",
};
