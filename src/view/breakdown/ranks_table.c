/* ranks_table.c: the tables of ranks, of collectives, and of their kinds. */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/stragglers.h"
#include "activity/table.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/breakdown/table_selection.h"

static const char needs_ranks[] = "needs the traces of several ranks of one job";

struct ranks_data {
    struct stragglers s;
    int64_t culprit; /* number of the rank; INT64_MIN: none */
};

#define OF(field) MEMBER_OF(struct straggler_row, field)
static const struct table_column columns[] = {
    {"rank", .help = "number of the rank", .is_key = true, OF(rank)},
    {"last", .help = "collectives in which it arrived last", OF(n_last), .adds_up = true},
    {"made_wait", "delayed", "sum of the times that others waited for it", .unit = VALUE_TIME_PS,
     OF(made_wait_ps), .adds_up = true, .is_compared = true},
    {"waited", .help = "time in which it waited for the last to arrive", .unit = VALUE_TIME_PS,
     OF(waited_ps), .adds_up = true, .is_compared = true},
    {"clock_offset", "clock offset", "offset of its clock from that of the lowest rank",
     .unit = VALUE_TIME_PS, OF(clock_offset_ps)},
    {"work", .help = "computing and exposed copies of its devices", .unit = VALUE_TIME_PS,
     OF(work_ps), .adds_up = true, .is_compared = true},
};
#undef OF

static const struct table_column heads[] = {
    {"paired", .help = "collectives that all their ranks recorded",
     MEMBER_OF(struct ranks_data, s.n_paired)},
    {"matched", .help = "number of them that end together", MEMBER_OF(struct ranks_data, s.n_matched)},
    {"culprit", .help = "the worst straggler",
     MEMBER_OF(struct ranks_data, culprit)},
};

enum { KIND_LAST = 7, COLLECTIVE_LAST = 6, COLLECTIVE_BANDWIDTH = 9 };

#define OF(field) MEMBER_OF(struct collective_kind_row, field)
static const struct table_column kind_columns[] = {
    {"name", "collective", "name of the operation or of its kernel", .unit = VALUE_TEXT,
     .is_key = true, OF(key.name)},
    {"group", .help = "group of ranks that take part", .unit = VALUE_TEXT,
     .audience = FOR_PROGRAMS, .is_key = true, OF(key.group_name)},
    {"paired", .help = "collectives that all their ranks recorded", OF(n_paired)},
    {"matched", .help = "number of them that end together", OF(n_matched)},
    {"waited", .help = "sum of the times that ranks waited in them", .unit = VALUE_TIME_PS,
     OF(waited_ps), .is_compared = true},
    {"bytes", .help = "input of a rank, if equal in all ranks", .unit = VALUE_BYTES,
     .audience = FOR_PROGRAMS, OF(bytes)},
    {"step", .help = "step with the longest waits", OF(step)},
    [KIND_LAST] = {"last", .help = "rank that arrived last there"},
    {"made_wait", "delayed", "time that others waited for it there", .unit = VALUE_TIME_PS,
     OF(made_wait_ps), .is_compared = true},
};
#undef OF

#define OF(field) MEMBER_OF(struct collective_row, field)
static const struct table_column collective_columns[] = {
    {"name", "collective", "name of the operation or of its kernel", .unit = VALUE_TEXT,
     OF(key.name)},
    {"group", .help = "group of ranks that take part", .unit = VALUE_TEXT, OF(key.group_name)},
    {"bytes", .help = "input of a rank", .unit = VALUE_BYTES, OF(bytes)},
    {"step", .help = "step of the lowest rank", OF(step)},
    {"participants", "by", "number of ranks or devices that recorded it", OF(n_participants)},
    {"matched", .help = "1: compared, because its ranks end together", .audience = FOR_PROGRAMS,
     OF(is_matched)},
    [COLLECTIVE_LAST] = {"last", .help = "rank that arrived last"},
    {"made_wait", "delayed", "sum of the times that others waited for it", .unit = VALUE_TIME_PS,
     OF(made_wait_ps)},
    {"duration", .help = "from the last arrival to the end", .unit = VALUE_TIME_PS,
     OF(dur_ps)},
    [COLLECTIVE_BANDWIDTH] = {"gb_per_s", "GB/s", .help = "input bytes divided by the duration, GB/s", .unit = VALUE_REAL,
                              .decimals = 3},
};
#undef OF

static const struct stragglers *stragglers_of(const struct table_rows *t)
{
    const struct ranks_data *d = t->data;

    return &d->s;
}

static bool read_ranks(struct table_rows *t, struct err *err)
{
    struct selection sel;
    struct ranks_data *d;

    if (!table_select(&sel, t->request, err))
        return false;
    d = xcalloc(1, sizeof *d);
    stragglers_make(&d->s, &sel, t->request->options->align_clocks);
    selection_done(&sel);
    d->culprit = d->s.culprit < 0 ? INT64_MIN : d->s.rows.data[d->s.culprit].rank;
    t->data = d;
    t->head_record = d;
    return selection_is_whole(&sel, err);
}

static bool open_ranks(struct table_rows *t, struct err *err)
{
    if (!read_ranks(t, err))
        return false;
    table_set_records(t, &stragglers_of(t)->rows);
    if (!stragglers_of(t)->by_rank)
        t->needs = profile_needs(t->request->profile, needs_ranks);
    return true;
}

static bool open_collectives(struct table_rows *t, struct err *err)
{
    if (!read_ranks(t, err))
        return false;
    table_set_records(t, &stragglers_of(t)->collectives);
    if (stragglers_of(t)->rows.n < 2)
        t->needs = "needs the traces of several ranks, or the captures of several hosts";
    else if (!stragglers_of(t)->collectives.n)
        t->needs = "no collective was recorded by all of its ranks or hosts";
    return true;
}

static bool open_kinds(struct table_rows *t, struct err *err)
{
    if (!t->data && !read_ranks(t, err))
        return false;
    table_set_records(t, &stragglers_of(t)->kinds);
    return true;
}

/* Sets the rank of row LAST, or the name of its host. */
static void set_last(struct table_cursor *c, int64_t last, struct table_value *v)
{
    const struct stragglers *s = stragglers_of(c->rows);
    const struct straggler_row *row = last < 0 ? NULL : &s->rows.data[last];

    if (row && s->by_rank && row->rank >= 0)
        value_integer(v, row->rank);
    else if (row)
        value_string(v, c->profile, row->host);
}

static void kind_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    if (column == KIND_LAST)
        set_last(c, ((const struct collective_kind_row *)table_record(c))->last, v);
}

static void collective_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct collective_row *row = table_record(c);

    if (column == COLLECTIVE_LAST)
        set_last(c, row->last, v);
    else if (row->bytes != INT64_MIN && row->dur_ps > 0)
        value_real(v, 1e3 * (double)row->bytes / (double)row->dur_ps);
}

static void close_ranks(struct table_rows *t)
{
    struct ranks_data *d = t->data;

    stragglers_done(&d->s);
    free(d);
}

static bool rank_subject(struct table_cursor *c, struct subject *s)
{
    *s = (struct subject){.kind = SUBJECT_RANK, .has_rank = true,
                          .rank = stragglers_of(c->rows)->rows.data[c->key].rank};
    return true;
}

/* The rank or host that arrived last. */
static bool last_subject(struct table_cursor *c, struct subject *subject)
{
    const struct stragglers *s = stragglers_of(c->rows);
    const int64_t last = s->collectives.data[c->key].last;
    const struct straggler_row *row = last < 0 ? NULL : &s->rows.data[last];

    if (!row)
        return false;
    *subject = s->by_rank && row->rank >= 0
                   ? (struct subject){.kind = SUBJECT_RANK, .has_rank = true, .rank = row->rank}
                   : (struct subject){.kind = SUBJECT_HOST,
                                      .name = intern_string(&c->profile->strings, row->host)};
    return subject->kind == SUBJECT_RANK || subject->name.len;
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct stragglers *s = stragglers_of(t);

    if (s->culprit >= 0) {
        sb_addf(sb, "rank %" PRId64 " ", s->rows.data[s->culprit].rank);
        stragglers_add_delay(sb, s);
        sb_addc(sb, '\n');
    }
    sb_addf(sb, "%" PRIu64 " collectives were recorded by all their ranks, %" PRIu64 " of them end together\n",
            s->n_paired, s->n_matched);
    if (s->n_unpaired)
        sb_addf(sb, "%" PRIu64 " records of collectives are left out: their ranks have different numbers of them\n",
                s->n_unpaired);
}

const struct table table_collective_kinds = {
    .name = "collective_kinds", .help = "kinds of collectives, with waiting times of ranks",
    TABLE_COLUMNS(kind_columns), .open = open_kinds, .close = close_ranks,
    .value = kind_value, .max_text_rows = 20,
    .rows_name = "collectives",
};

const struct table table_ranks = {
    .of = TABLE_OF_RANKS,
    .name = "ranks", .help = "show which ranks of a job are stragglers",
    TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .options = (const char *const[]){"align_clocks", NULL}, .open = open_ranks,
    .close = close_ranks, .subject = rank_subject, .lead = add_lead,
    .second = &table_collective_kinds, .second_key = "keys",
};

const struct table table_collectives = {
    .of = TABLE_OF_RANKS,
    .name = "collectives",
    .help = "list collectives of several ranks, longest waits first",
    TABLE_COLUMNS(collective_columns), .options = (const char *const[]){"align_clocks", NULL},
    .open = open_collectives, .close = close_ranks, .value = collective_value,
    .subject = last_subject,
    .max_text_rows = 40, .rows_name = "collectives",
};
