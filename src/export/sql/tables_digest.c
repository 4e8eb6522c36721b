/* tables_digest.c: the table of what parts of digests say of single hosts: how much their times
 * spread. */
#include <math.h>
#include <stdlib.h>

#include "digest/part_in.h"
#include "export/sql/sql_table.h"

/* A record of a part. */
struct sql_spread {
    node_id node;
    strid device; /* "/host:h/device:cpu:0" */
    uint64_t count, sum_ps, min_ps, max_ps;
    uint64_t quantile_ps[3];
    double deviation_ps;
};

static const unsigned percents[] = {50, 90, 99};

enum { SPREAD_SPREAD, SPREAD_NODE, SPREAD_DEVICE, SPREAD_COUNT, SPREAD_MEAN, SPREAD_DEVIATION,
       SPREAD_MIN, SPREAD_P50, SPREAD_P90, SPREAD_P99, SPREAD_MAX };

static const struct sql_column spread_columns[] = {
    [SPREAD_SPREAD] = {"spread", "INTEGER", "number of the record"},
    [SPREAD_NODE] = {"node", "INTEGER", "in nodes"},
    [SPREAD_DEVICE] = {"device", "TEXT", "host and kind of device"},
    [SPREAD_COUNT] = {"count", "INTEGER", "executions, of all steps"},
    [SPREAD_MEAN] = {"mean_micros", "NUMERIC", "time of one, microseconds"},
    [SPREAD_DEVIATION] = {"deviation_micros", "NUMERIC", "standard deviation of these times"},
    [SPREAD_MIN] = {"min_micros", "NUMERIC", "the shortest"},
    [SPREAD_P50] = {"p50_micros", "NUMERIC", "half are not longer, to 0.8 %"},
    [SPREAD_P90] = {"p90_micros", "NUMERIC", "nine of ten are not longer, to 0.8 %"},
    [SPREAD_P99] = {"p99_micros", "NUMERIC", "99 of 100 are not longer, to 0.8 %"},
    [SPREAD_MAX] = {"max_micros", "NUMERIC", "the longest"},
};

/* The parts of a key, and what names are made of them. */
struct spread_key {
    struct strbuf parts[DIGEST_KEYS], name, device;
};

/* False where the record was not loaded (-host_regexes). */
static bool find_places(const struct profile *p, const struct strbuf *key, struct spread_key *k,
                        struct sql_spread *spread)
{
    const struct text all = {sb_text(key), (uint32_t)key->len};
    uint32_t at = 0;

    for (int i = 0; i < DIGEST_KEYS; i++)
        if (!digest_part_next(all, &at, &k->parts[i]))
            return false;
    sb_clear(&k->name);
    digest_node_name(&k->name, &k->parts[DIGEST_PROGRAM], &k->parts[DIGEST_NAME]);
    sb_clear(&k->device);
    digest_device(&k->device, &k->parts[DIGEST_HOST], &k->parts[DIGEST_KIND]);
    spread->node = profile_find(p, sb_text(&k->name), k->name.len);
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

static void take_figures(const struct digest_record *r, struct sql_spread *spread)
{
    spread->count = r->figures[DIGEST_COUNT];
    spread->sum_ps = r->figures[DIGEST_SUM];
    spread->min_ps = r->figures[DIGEST_LEAST];
    spread->max_ps = r->figures[DIGEST_MOST];
    spread->deviation_ps = deviation(r->figures);
    for (size_t i = 0; i < SQL_COUNT(percents); i++) {
        const uint64_t ps = sketch_quantile(&r->times_ps, percents[i]);

        /* The middle of a bucket may be outside of what was seen. */
        spread->quantile_ps[i] = ps < spread->min_ps   ? spread->min_ps
                                 : ps > spread->max_ps ? spread->max_ps
                                                       : ps;
    }
}

/* Appends the records of FILE, which was read before and found whole. */
static void read_part(struct sql_source *s, const struct source_file *file, struct spread_key *k)
{
    struct part_bytes bytes = {file->bytes, file->size_bytes};
    struct part_in in;
    struct err err = {0};

    part_in_init(&in, part_read_bytes, &bytes, 64 << 10);
    while (part_in_next(&in, &err) && !in.ended && !cancel_asked(s->cancel)) {
        struct sql_spread spread;

        if (!find_places(s->profile, &in.record.key, k, &spread))
            continue;
        take_figures(&in.record, &spread);
        vec_push(&s->spreads, spread);
    }
    err_done(&err); /* a file that was cut since: its end is said when all is done */
    part_in_done(&in);
}

static bool read_parts(struct sql_source *s, const struct sql_table *t)
{
    struct spread_key k = {.name = {0}};

    (void)t;
    for (size_t i = 0; i < s->profile->n_files && !s->has_spreads; i++)
        if (s->profile->files[i].bytes &&
            part_fits(s->profile->files[i].bytes, s->profile->files[i].size_bytes))
            read_part(s, &s->profile->files[i], &k);
    s->has_spreads = true;
    for (int i = 0; i < DIGEST_KEYS; i++)
        sb_done(&k.parts[i]);
    sb_done(&k.name);
    sb_done(&k.device);
    return true;
}

static uint64_t count_spreads(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->spreads.n;
}

static void set_time(struct sql_value *v, uint64_t ps)
{
    sql_set_micros(v, ps > INT64_MAX ? INT64_MAX : (int64_t)ps);
}

static void set_real(struct sql_value *v, double ps)
{
    v->kind = SQL_REAL;
    v->real = ps / (double)PS_PER_US;
}

static void spread_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct sql_spread *spread = &c->source->spreads.data[c->key];

    if (column == SPREAD_NODE)
        sql_set_integer(v, spread->node);
    else if (column == SPREAD_DEVICE)
        sql_set_string(v, c->source->profile, spread->device);
    else if (column == SPREAD_COUNT)
        sql_set_integer(v, spread->count > INT64_MAX ? INT64_MAX : (int64_t)spread->count);
    else if (!spread->count)
        return; /* no time to say anything of */
    else if (column == SPREAD_MEAN)
        set_real(v, (double)spread->sum_ps / (double)spread->count);
    else if (column == SPREAD_DEVIATION)
        set_real(v, spread->deviation_ps);
    else if (column == SPREAD_MIN)
        set_time(v, spread->min_ps);
    else if (column == SPREAD_MAX)
        set_time(v, spread->max_ps);
    else
        set_time(v, spread->quantile_ps[column - SPREAD_P50]);
}

const struct sql_table sql_table_spreads = {
    .name = "spreads", .help = "of digests: times of single executions by host",
    .columns = spread_columns, .n_columns = SQL_COUNT(spread_columns), .view = VIEW_ADVISE,
    .prepare = read_parts, .n_keys = count_spreads, .value = spread_value,
};
