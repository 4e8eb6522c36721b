/* memory_table.c: the table of allocators: memory in use over time, live memory at an instant. */
#include "session/memory_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "model/programs.h"
#include "model/recorder.h"
#include "view/step_times.h"

/* ---- instants */

/* Returns the instant that TEXT names, or that of ABSENT if TEXT is NULL. */
static uint32_t instant_of(const struct memory_allocator *a, const char *text, const char *absent)
{
    uint32_t at = 0;

    memory_instant(a, text ? text : absent, &at);
    return at;
}

struct live_rows_request memory_request(const struct table_rows *t, const struct memory_allocator *a,
                                     bool for_people)
{
    const struct options *o = t->request->options;
    const bool is_compared = t->request->base != NULL;
    struct live_rows_request q = {.allocator = a, .by = (enum memory_grouping)o->group};

    if (q.by == GROUPING_DEFAULT)
        q.by = is_compared && !a->has_no_addresses ? GROUPING_STACK
               : for_people                        ? GROUPING_SCOPE
                                                   : GROUPING_NODE;
    q.at = instant_of(a, o->at, is_compared ? "end" : "peak");
    q.since = instant_of(a, o->since, "start");
    if (!o->at && !time_range_is_all(o->time_range))
        q.at = memory_instant_at(a, o->time_range.to_ps);
    if (!o->since && o->time_range.from_ps)
        q.since = memory_instant_at(a, o->time_range.from_ps);
    return q;
}

static bool check_instants(const struct options *o, struct err *err)
{
    const struct memory_allocator none = {.ticks_per_us = 1};
    uint32_t at;

    if (o->at && !memory_instant(&none, o->at, &at))
        return err_set(err, ERR_USAGE, "-at: '%s' is not start, peak, end, oom, event:N or a time such "
                                       "as 1.5ms", o->at);
    return !o->since || memory_instant(&none, o->since, &at) ||
           err_set(err, ERR_USAGE, "-since: '%s' is not start, peak, end, oom, event:N or a time such as "
                                   "1.5ms", o->since);
}

/* The profile whose allocators are listed: with a baseline, the one that is compared with it. */
static const struct profile *listed_profile(const struct table_rows *t)
{
    return t->request->now ? t->request->now : t->request->profile;
}

static bool has_segments(const struct memory_log *log)
{
    for (size_t i = 0; i < log->allocators.n; i++)
        if (log->allocators.data[i].has_segments)
            return true;
    return false;
}

/* ---- the table */

#define OF(field) MEMBER_OF(struct memory_row_record, field)
enum { ROW_STEP = 2 };
static const struct table_column columns[] = {
    {"device", .help = "the device", .unit = VALUE_TEXT, .is_key = true, OF(device)},
    {"allocator", .help = "its allocator", .unit = VALUE_TEXT, .is_key = true, OF(name)},
    [ROW_STEP] = {"step", .help = "number of the step, or all", .is_key = true},
    {"start_bytes", "start", "bytes in use before the first event", .unit = VALUE_BYTES, OF(start_bytes)},
    {"peak_bytes", "peak", "peak of memory in use", .unit = VALUE_BYTES, OF(peak_bytes)},
    {"peak_at_us", "at", "time of the peak since the first record", .unit = VALUE_TIME_PS, OF(peak_ps)},
    {"length_us", "of", "time from the first to the last record", .unit = VALUE_TIME_PS, OF(length_ps)},
    {"end_bytes", "end", "bytes in use after the last event", .unit = VALUE_BYTES, OF(end_bytes)},
    {"reserved_peak_bytes", "reserved", "peak of reserved memory", .unit = VALUE_BYTES,
     OF(reserved_peak_bytes)},
    {"cached_bytes", "cached", "free bytes in empty segments at the end", .unit = VALUE_BYTES,
     OF(cached_bytes)},
    {"fragmented_bytes", "fragmented", "free bytes in other segments at the end", .unit = VALUE_BYTES,
     OF(fragmented_bytes)},
    {"capacity_bytes", "capacity", "capacity", .unit = VALUE_BYTES, OF(capacity_bytes)},
    {"sum_over_ops_bytes", "sum over ops", "sum of the peaks of all ops of the step", .unit = VALUE_BYTES,
     OF(sum_over_ops_bytes)},
};
#undef OF

static void add_row(struct memory_data *data, const struct memory_allocator *a)
{
    const bool has_times = !a->has_live_set_only && a->has_times;

    vec_push(&data->rows, ((struct memory_row_record){
                 .allocator = a, .device = a->device, .name = a->name,
                 .start_bytes = memory_figure(a, MEMORY_START),
                 .peak_bytes = memory_figure(a, MEMORY_PEAK),
                 .end_bytes = memory_figure(a, MEMORY_END),
                 .reserved_peak_bytes = memory_figure(a, MEMORY_RESERVED),
                 .cached_bytes = memory_figure(a, MEMORY_CACHED),
                 .fragmented_bytes = memory_figure(a, MEMORY_FRAGMENTED),
                 .capacity_bytes = a->capacity_bytes,
                 .peak_ps = has_times ? memory_ps(a, memory_ticks(a, a->peak)) : INT64_MIN,
                 .length_ps = has_times ? memory_ps(a, memory_ticks(a, a->n_events)) : INT64_MIN,
                 .sum_over_ops_bytes = INT64_MIN}));
}

/* True when the events of FILE are of RANK; those of a file without a rank are of all. */
static bool is_of_rank(const struct profile *p, uint32_t file, int64_t rank)
{
    array_each(const struct recorder, r, p->recorders, p->n_recorders)
        if (r->file == file && rank >= 0 && r->rank >= 0)
            return r->rank == rank;
    return true;
}

/* True when REGEXES match the device of A: that of its name where it is one of a host, as the
 * "GPU_3_bfc" of "/host:h" is "/host:h/device:GPU:3". */
static bool is_of_device(const struct profile *p, const struct memory_allocator *a,
                         const struct regexes *regexes)
{
    struct strbuf device = {0};
    char kind[4];
    unsigned number;
    bool matches;

    sb_add(&device, profile_text(p, a->device), intern_len(&p->strings, a->device));
    if (strncmp(sb_text(&device), "/host:", 6) == 0 && !strstr(sb_text(&device), "/device:") &&
        sscanf(profile_text(p, a->name), "%3[GTPU]_%6u_", kind, &number) == 2)
        sb_addf(&device, "/device:%s:%u", kind, number);
    matches = regexes_match(regexes, sb_text(&device), device.len) >= 0;
    sb_done(&device);
    return matches;
}

/* Adds the allocators of P that are of the rank of O and match DEVICES; of RunMetadata those of
 * STEP, of all steps if it is negative. */
static void add_rows(struct memory_data *data, const struct profile *p, int64_t step,
                     const struct options *o, const struct regexes *devices)
{
    const struct memory_log *log = profile_memory(p);

    for (size_t i = 0; log && i < log->allocators.n; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];
        struct memory_row_record *row;

        if ((a->has_no_addresses && step >= 0 && a->step != step) || !is_of_rank(p, a->file, o->rank) ||
            !is_of_device(p, a, devices))
            continue;
        add_row(data, a);
        row = &data->rows.data[data->rows.n - 1];
        if (a->has_no_addresses)
            row->sum_over_ops_bytes = data->rows.n > 1 && row[-1].allocator->step == a->step
                                          ? row[-1].sum_over_ops_bytes
                                          : memory_sum_of_peaks(p, a->step);
    }
}

/* Hides columns that are unknown in all rows from text output. */
static void hide_unknown(struct table_rows *t)
{
    const struct memory_data *data = t->data;

    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        bool is_known = columns[c].member != MEMBER_INT64;

        for (size_t i = 0; i < data->rows.n && !is_known; i++) {
            int64_t value;

            memcpy(&value, (const char *)&data->rows.data[i] + columns[c].offset, sizeof value);
            is_known = value != INT64_MIN;
        }
        if (!is_known)
            t->hidden_from_people |= UINT64_C(1) << c;
    }
}

/* Returns why there is no allocator, and what would record one; DATA owns the text. */
static const char *explain_missing(struct memory_data *data, const struct profile *p)
{
    if (p->sample_files.n) {
        const struct sample_file *f = &p->sample_files.data[0];

        sb_adds(&data->needs, "no sample type in bytes:");
        for (uint32_t i = 0; i < f->n_types; i++)
            sb_addf(&data->needs, "%s %s/%s", i ? "," : "", profile_text(p, f->types[i].type),
                    profile_text(p, f->types[i].unit));
        return sb_text(&data->needs);
    }
    if (p->n_recorders)
        return profile_needs_memory(p);
    if (p->programs && p->programs->n_devices)
        return "no allocator events: the allocator of this run does not report them; "
               "jax.profiler.save_device_memory_profile() writes what is live";
    if (p->programs)
        return "the programs have no buffer assignment: read *_after_optimizations.hlo.pb "
               "(XLA_FLAGS=--xla_dump_to=FOLDER --xla_dump_hlo_as_proto)";
    if (p->memory)
        return "the memory snapshot has neither events nor segments: call "
               "torch.cuda.memory._record_memory_history() before the model is built";
    return p->records
               ? "this step has no allocation records"
               : profile_needs(p, "needs RunMetadata with allocation records (-run_meta_path, "
                                  "trace_level=FULL_TRACE), a memory snapshot, a heap profile, or a "
                                  "trace or capture with allocations");
}

static bool open_memory(struct table_rows *t, struct err *err)
{
    const struct profile *p = t->request->profile;
    const struct options *o = t->request->options;
    const struct profile *now = listed_profile(t);
    struct step_times times = {.profile = NULL};
    struct regexes *devices;
    struct memory_data *data;
    int64_t step;

    if (!check_instants(o, err) ||
        !step_choose(&times, p, "step", &o->step_value, o->rank, t->request->cancel, &step, err))
        return false;
    step_times_done(&times);
    if (o->segments && profile_has_memory(now) && !has_segments(profile_memory(now)))
        return err_set(err, ERR_USAGE, "-segments: %s has no segments", now->files[now->n_files - 1].path);
    devices = regexes_new(o->device_regexes, err);
    if (!devices)
        return false;
    data = xcalloc(1, sizeof *data);
    add_rows(data, now, step, o, devices);
    regexes_free(devices);
    t->data = data;
    table_set_records(t, &data->rows);
    hide_unknown(t);
    if (!t->n_keys)
        t->needs = profile_has_memory(now) && profile_memory(now)->allocators.n
                       ? "the selected devices, ranks and steps have no allocator" : explain_missing(data, now);
    return true;
}

static void close_memory(struct table_rows *t)
{
    struct memory_data *data = t->data;

    vec_done(&data->rows);
    sb_done(&data->needs);
    free(data);
}

static void step_value(struct table_cursor *c, size_t column UNUSED, struct table_value *v)
{
    const struct memory_data *data = c->rows->data;
    const int64_t step = data->rows.data[c->key].allocator->step;

    if (step == STEP_ALL)
        value_word(v, "all");
    else
        value_integer(v, step);
}

static bool write_document(struct table_writer *w, const struct table_rows *t)
{
    if (w->format == &table_json)
        memory_print_json(&w->out->text, t);
    else if (w->format == &table_text)
        memory_print_text(w, t);
    else
        return false;
    return true;
}

const struct table table_memory = {
    .name = "memory", .help = "show memory over time, and what is live at the peak",
    .sql_name = "allocators", TABLE_COLUMNS(columns),
    .options = (const char *const[]){"at", "since", "group", "points", "segments", NULL},
    .compares = true, .open = open_memory, .close = close_memory, .value = step_value, .document = write_document,
};

/* ---- live memory of an allocator and of a base */

static int64_t sum_of(const struct live_rows *live)
{
    int64_t sum = 0;

    for (size_t i = 0; i < live->rows.n; i++)
        sum = clamp_add(sum, live->rows.data[i].bytes);
    return sum;
}

void memory_growth_make(struct memory_growth *g, const struct table_rows *t,
                        const struct live_rows_request *q)
{
    static const struct memory_allocator nothing = {.ticks_per_us = 1};
    const struct profile *base = t->request->base;
    const struct memory_allocator *b = memory_find_base(t->request->now, q->allocator, base);
    struct live_rows_request base_q = memory_request(t, b ? b : &nothing, false);

    *g = (struct memory_growth){.bytes = 0};
    base_q.by = q->by;
    live_rows_make(&g->now, t->request->now, q);
    if (b)
        live_rows_make(&g->base, base, &base_q);
    else
        intern_init(&g->base.names);
    live_rows_compare(&g->pairs, &g->now, &g->base);
    g->bytes = sum_of(&g->now);
    g->base_bytes = sum_of(&g->base);
}

void memory_growth_done(struct memory_growth *g)
{
    vec_done(&g->pairs);
    EACH(live_rows_done, &g->now, &g->base);
}
