/* report_ranks.c: who made the other ranks of a job wait, as text or JSON. */
#include <inttypes.h>

#include "session/report.h"
#include "view/anatomy/ranks.h"

static void add_key(struct strbuf *sb, const struct profile *p, const struct rank_key_row *key)
{
    report_string(sb, "name", p, key->key.name);
    report_string(sb, "group", p, key->key.group_name);
    report_integer(sb, "paired", (int64_t)key->n_paired);
    report_integer(sb, "matched", (int64_t)key->n_matched);
    report_time(sb, "waited", key->waited_ns);
}

static void print_json(struct strbuf *sb, const struct profile *p, const struct ranks *ranks)
{
    sb_adds(sb, "{\"tfprof\":1,\"view\":\"ranks\"");
    report_integer(sb, "paired", (int64_t)ranks->n_paired);
    report_integer(sb, "matched", (int64_t)ranks->n_matched);
    sb_adds(sb, ",\"rows\":[");
    for (size_t i = 0; i < ranks->rows.n; i++) {
        const struct rank_row *row = &ranks->rows.data[i];

        sb_adds(sb, i ? ",\n{" : "\n{");
        report_integer(sb, "rank", row->rank);
        report_integer(sb, "last", (int64_t)row->n_last);
        report_time(sb, "made_wait", row->made_wait_ns);
        report_time(sb, "waited", row->waited_ns);
        report_time(sb, "clock_offset", row->clock_offset_ns);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "],\"keys\":[");
    for (size_t i = 0; i < ranks->keys.n; i++) {
        sb_adds(sb, i ? ",\n{" : "\n{");
        add_key(sb, p, &ranks->keys.data[i]);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}

static void integer_cell(struct report_table *t, int64_t number)
{
    struct strbuf text = {0};

    sb_add_int(&text, number);
    report_cell(t, sb_text(&text));
    sb_done(&text);
}

static void print_rows(struct strbuf *sb, const struct ranks *ranks)
{
    struct report_table t = {.n_columns = 5};

    report_cell(&t, "rank");
    report_cell(&t, "last");
    report_cell(&t, "made wait");
    report_cell(&t, "waited");
    report_cell(&t, "clock offset");
    for (size_t i = 0; i < ranks->rows.n; i++) {
        const struct rank_row *row = &ranks->rows.data[i];

        integer_cell(&t, row->rank);
        integer_cell(&t, (int64_t)row->n_last);
        report_time_cell(&t, row->made_wait_ns);
        report_time_cell(&t, row->waited_ns);
        report_time_cell(&t, row->clock_offset_ns);
    }
    report_table_end(&t, sb);
}

static void print_keys(struct strbuf *sb, const struct profile *p, const struct ranks *ranks)
{
    enum { KEYS_MAX = 20 };
    struct report_table t = {.n_columns = 4, .n_left = 1};

    report_cell(&t, "collective");
    report_cell(&t, "paired");
    report_cell(&t, "matched");
    report_cell(&t, "waited");
    for (size_t i = 0; i < ranks->keys.n && i < KEYS_MAX; i++) {
        const struct rank_key_row *key = &ranks->keys.data[i];

        report_cell(&t, profile_text(p, key->key.name));
        integer_cell(&t, (int64_t)key->n_paired);
        integer_cell(&t, (int64_t)key->n_matched);
        report_time_cell(&t, key->waited_ns);
    }
    report_table_end(&t, sb);
    if (ranks->keys.n > KEYS_MAX)
        sb_addf(sb, "and %zu more collectives\n", ranks->keys.n - KEYS_MAX);
}

bool report_ranks(struct strbuf *sb, const struct profile *p, const struct options *o, bool is_json,
                  struct err *err)
{
    struct ranks ranks;

    ranks_make(p, o->align_clocks, &ranks);
    if (ranks.rows.n < 2) {
        ranks_done(&ranks);
        return err_set(err, ERR_INPUT, "ranks: needs the traces of several ranks of one job");
    }
    if (is_json) {
        print_json(sb, p, &ranks);
    } else {
        sb_addf(sb,
                "%" PRIu64 " collectives are on all their ranks, %" PRIu64 " of them end together\n",
                ranks.n_paired, ranks.n_matched);
        print_rows(sb, &ranks);
        print_keys(sb, p, &ranks);
    }
    ranks_done(&ranks);
    return true;
}
