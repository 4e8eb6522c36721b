/* ranks_table.c: the tables of ranks, and of the kinds of collectives in which they waited. */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/table.h"
#include "base/xalloc.h"
#include "view/breakdown/ranks.h"

static const char needs_ranks[] = "needs the traces of several ranks of one job";

static const struct table_column columns[] = {
    {"rank", .help = "number of the rank", .is_key = true, MEMBER_OF(struct rank_row, rank)},
    {"last", .help = "collectives in which it arrived last", MEMBER_OF(struct rank_row, n_last)},
    {"made_wait", "made wait", "how long the others waited for it, together", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct rank_row, made_wait_ns), .scale = PS_PER_NS},
    {"waited", .help = "how long it waited for the last one", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct rank_row, waited_ns), .scale = PS_PER_NS},
    {"clock_offset", "clock offset", "its clock less that of the lowest rank",
     .unit = VALUE_TIME_PS, MEMBER_OF(struct rank_row, clock_offset_ns), .scale = PS_PER_NS},
};

static const struct table_column heads[] = {
    {"paired", .help = "collectives that all their ranks recorded", MEMBER_OF(struct ranks, n_paired)},
    {"matched", .help = "of those, that end together", MEMBER_OF(struct ranks, n_matched)},
};

static const struct table_column kind_columns[] = {
    {"name", "collective", "name of the operation or of its kernel", .unit = VALUE_TEXT,
     .is_key = true, MEMBER_OF(struct rank_key_row, key.name)},
    {"group", .help = "group of ranks that take part", .unit = VALUE_TEXT,
     .audience = FOR_PROGRAMS, .is_key = true, MEMBER_OF(struct rank_key_row, key.group_name)},
    {"paired", .help = "that all their ranks recorded", MEMBER_OF(struct rank_key_row, n_paired)},
    {"matched", .help = "of those, that end together", MEMBER_OF(struct rank_key_row, n_matched)},
    {"waited", .help = "how long ranks waited in them, together", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct rank_key_row, waited_ns), .scale = PS_PER_NS},
};

#define OF(field) MEMBER_OF(struct collective_row, field)
static const struct table_column collective_columns[] = {
    {"name", "collective", "name of the operation or of its kernel", .unit = VALUE_TEXT,
     OF(key.name)},
    {"group", .help = "group of ranks that take part", .unit = VALUE_TEXT, OF(key.group_name)},
    {"bytes", .help = "size of its data: not known", .unit = VALUE_BYTES, .audience = FOR_PROGRAMS},
    {"step", .help = "step of the lowest rank", OF(step)},
    {"participants", "ranks", "ranks that recorded it", OF(n_ranks)},
    {"matched", .help = "1: its ranks end together", .audience = FOR_PROGRAMS, OF(is_matched)},
    {"last", .help = "rank that arrived last", OF(last_rank)},
    {"made_wait", "made wait", "how long the others waited for it, together", .unit = VALUE_TIME_PS,
     OF(made_wait_ns), .scale = PS_PER_NS},
    {"duration", .help = "from the arrival of the last rank to the end", .unit = VALUE_TIME_PS,
     OF(dur_ns), .scale = PS_PER_NS},
};
#undef OF

static struct ranks *read_ranks(struct table_rows *t)
{
    struct ranks *ranks = xcalloc(1, sizeof *ranks);

    ranks_make(t->request->profile, t->request->options->align_clocks, ranks);
    t->data = ranks;
    t->head_record = ranks;
    return ranks;
}

static bool open_ranks(struct table_rows *t, struct err *err)
{
    struct ranks *ranks = read_ranks(t);

    (void)err;
    table_set_records(t, &ranks->rows);
    if (t->n_keys < 2)
        t->needs = needs_ranks;
    return true;
}

static bool open_collectives(struct table_rows *t, struct err *err)
{
    struct ranks *ranks = read_ranks(t);

    (void)err;
    table_set_records(t, &ranks->collectives);
    if (ranks->rows.n < 2)
        t->needs = needs_ranks;
    return true;
}

static bool open_kinds(struct table_rows *t, struct err *err)
{
    struct ranks *ranks = t->data ? t->data : read_ranks(t);

    (void)err;
    table_set_records(t, &ranks->keys);
    return true;
}

static void close_ranks(struct table_rows *t)
{
    ranks_done(t->data);
    free(t->data);
}

static bool rank_subject(struct table_cursor *c, struct subject *s)
{
    const struct ranks *ranks = c->rows->data;

    *s = (struct subject){.kind = SUBJECT_RANK, .id = ranks->rows.data[c->key].rank};
    return true;
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct ranks *ranks = t->data;

    sb_addf(sb, "%" PRIu64 " collectives are on all their ranks, %" PRIu64 " of them end together\n",
            ranks->n_paired, ranks->n_matched);
}

const struct table table_collective_kinds = {
    .name = "collective_kinds", .help = "kinds of collectives, and how long ranks waited in them",
    TABLE_COLUMNS(kind_columns), .open = open_kinds, .close = close_ranks, .max_text_rows = 20,
    .rows_name = "collectives",
};

const struct table table_ranks = {
    .name = "ranks", .help = "show which ranks of a job made the others wait",
    TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .options = (const char *const[]){"align_clocks", NULL}, .open = open_ranks,
    .close = close_ranks, .subject = rank_subject, .lead = add_lead,
    .second = &table_collective_kinds, .second_key = "keys",
};

const struct table table_collectives = {
    .name = "collectives",
    .help = "list the collectives of several ranks, those with the longest waits first",
    TABLE_COLUMNS(collective_columns), .options = (const char *const[]){"align_clocks", NULL},
    .open = open_collectives, .close = close_ranks,
    .max_text_rows = 40, .rows_name = "collectives",
};
