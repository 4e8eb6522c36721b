/* tables_digest.c: the table of spreads: times on single hosts, from digest parts. */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "digest/part_in.h"
#include "export/tables/table_list.h"

/* A record of a part. */
struct spread {
    node_id node;
    strid device; /* "/host:h/device:cpu:0" */
    uint64_t count, sum_ps, min_ps, max_ps;
    uint64_t quantile_ps[3];
    double deviation_ps;
};

typedef VEC(struct spread) spread_list;

static const unsigned percents[] = {50, 90, 99};

enum { SPREAD_SPREAD, SPREAD_NODE, SPREAD_DEVICE, SPREAD_COUNT, SPREAD_MEAN, SPREAD_DEVIATION,
       SPREAD_MIN, SPREAD_P50, SPREAD_P90, SPREAD_P99, SPREAD_MAX };

static const struct table_column spread_columns[] = {
    [SPREAD_SPREAD] = {"spread", .help = "number of the record"},
    [SPREAD_NODE] = {"node", .help = "node: in nodes", MEMBER_OF(struct spread, node)},
    [SPREAD_DEVICE] = {"device", .help = "host and kind of device", .unit = VALUE_TEXT,
                       MEMBER_OF(struct spread, device)},
    [SPREAD_COUNT] = {"count", .help = "executions in all steps", MEMBER_OF(struct spread, count)},
    [SPREAD_MEAN] = {"mean_micros", .help = "mean time of an execution, microseconds", .unit = VALUE_TIME_PS},
    [SPREAD_DEVIATION] = {"deviation_micros", .help = "standard deviation of the times of executions", .unit = VALUE_TIME_PS},
    [SPREAD_MIN] = {"min_micros", .help = "time of the shortest execution", .unit = VALUE_TIME_PS},
    [SPREAD_P50] = {"p50_micros", .help = "median of the times, accurate to 0.8 %", .unit = VALUE_TIME_PS},
    [SPREAD_P90] = {"p90_micros", .help = "90th percentile of the times, accurate to 0.8 %", .unit = VALUE_TIME_PS},
    [SPREAD_P99] = {"p99_micros", .help = "99th percentile of the times, accurate to 0.8 %", .unit = VALUE_TIME_PS},
    [SPREAD_MAX] = {"max_micros", .help = "time of the longest execution", .unit = VALUE_TIME_PS},
};

/* A decoded key with its names. */
struct spread_key {
    struct digest_parts parts;
    struct strbuf name, device;
    node_id node; /* node with this name */
    struct budget budget;
};

/* False if the record was not loaded (-host_regexes, or the budget was exceeded). */
static bool find_names(const struct profile *p, const struct part_in *in, struct spread_key *k,
                       struct spread *spread)
{
    if (!digest_parts_read(&k->parts, &in->record.key, &in->ends, &k->budget))
        return false;
    if (k->parts.first <= DIGEST_NAME) {
        sb_clear(&k->name);
        digest_node_name(&k->name, &k->parts.text[DIGEST_PROGRAM], &k->parts.text[DIGEST_NAME]);
        k->node = profile_find(p, sb_text(&k->name), k->name.len);
    }
    sb_clear(&k->device);
    digest_device(&k->device, &k->parts.text[DIGEST_HOST], &k->parts.text[DIGEST_KIND]);
    spread->node = k->node;
    spread->device = intern_find(&p->strings, sb_text(&k->device), k->device.len);
    return spread->node != NODE_NONE && spread->device != STRID_NONE;
}

static double deviation(const uint64_t *figures)
{
    const long double n = (long double)figures[DIGEST_COUNT];
    const long double mean = n > 0 ? (long double)figures[DIGEST_SUM] / n : 0;
    const long double squares = (long double)figures[DIGEST_SQUARES_HIGH] * 0x1p64L +
                                (long double)figures[DIGEST_SQUARES_LOW];
    const long double variance = n > 0 ? squares / n - mean * mean : 0;

    return variance > 0 ? (double)sqrtl(variance) : 0;
}

static void set_figures(const struct digest_record *r, struct spread *spread)
{
    spread->count = r->figures[DIGEST_COUNT];
    spread->sum_ps = r->figures[DIGEST_SUM];
    spread->min_ps = r->figures[DIGEST_LEAST];
    spread->max_ps = r->figures[DIGEST_MOST];
    spread->deviation_ps = deviation(r->figures);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        const uint64_t ps = sketch_quantile(&r->times_ps, percents[i]);

        /* The middle of a bucket may lie outside of [min, max]. */
        spread->quantile_ps[i] = ps < spread->min_ps   ? spread->min_ps
                                 : ps > spread->max_ps ? spread->max_ps
                                                       : ps;
    }
}

/* Appends the records of FILE, which was valid when it was loaded. */
static void read_part(const struct table_request *q, spread_list *spreads, const struct source_file *file, struct spread_key *k)
{
    struct part_bytes bytes = {file->bytes, file->size_bytes};
    struct part_in in;
    struct err err = {0};

    part_in_init(&in, part_read_bytes, &bytes, 64 << 10);
    while (part_in_next(&in, &err) && !in.ended && !cancel_asked(q->cancel)) {
        struct spread spread;

        if (!find_names(q->profile, &in, k, &spread))
            continue;
        set_figures(&in.record, &spread);
        vec_push(spreads, spread);
    }
    err_done(&err); /* the file changed after loading: reported at the end of the program */
    part_in_done(&in);
}

static bool open_spreads(struct table_rows *t, struct err *err UNUSED)
{
    const struct profile *p = t->request->profile;
    spread_list *spreads = xcalloc(1, sizeof *spreads);
    struct spread_key k = {.node = NODE_NONE};

    k.budget = digest_parts_budget(profile_input_bytes(p), t->request->cancel);
    for (size_t i = 0; i < p->n_files; i++)
        if (p->files[i].bytes && part_fits(p->files[i].bytes, p->files[i].size_bytes))
            read_part(t->request, spreads, &p->files[i], &k);
    digest_parts_done(&k.parts);
    EACH(sb_done, &k.name, &k.device);
    t->data = spreads;
    table_set_records(t, spreads);
    return true;
}

static void close_spreads(struct table_rows *t)
{
    spread_list *spreads = t->data;

    vec_done(spreads);
    free(spreads);
}

static void set_time(struct table_value *v, uint64_t ps)
{
    value_integer(v, ps > INT64_MAX ? INT64_MAX : (int64_t)ps);
}

/* Times are unknown when nothing ran. */
static void spread_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const spread_list *spreads = c->rows->data;
    const struct spread *spread = &spreads->data[c->key];

    if (!spread->count)
        return;
    if (column == SPREAD_MEAN)
        value_real(v, (double)spread->sum_ps / (double)spread->count);
    else if (column == SPREAD_DEVIATION)
        value_real(v, spread->deviation_ps);
    else if (column == SPREAD_MIN)
        set_time(v, spread->min_ps);
    else if (column == SPREAD_MAX)
        set_time(v, spread->max_ps);
    else
        set_time(v, spread->quantile_ps[column - SPREAD_P50]);
}

const struct table table_spreads = {
    .name = "spreads", .help = "digests: times of single executions by host",
    TABLE_COLUMNS(spread_columns), .has_key_column = true, .open = open_spreads,
    .close = close_spreads, .value = spread_value,
};
