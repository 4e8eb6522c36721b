/* hosts_table.c: the table of hosts: their work, and stragglers among them. */
#include <stdlib.h>
#include <string.h>

#include "activity/stragglers.h"
#include "activity/table.h"
#include "base/compare.h"
#include "base/nth_value.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "model/host.h"
#include "model/profile.h"
#include "view/breakdown/table_selection.h"

struct host_time {
    strid name;        /* in hosts.names */
    int64_t time_ps;   /* over all executions on its devices in all steps */
    int64_t excess_ps; /* of `node`, above the median of its hosts; 0: not above */
    node_id node;      /* node with the largest excess */
};

struct host_times {
    struct intern names;
    VEC(struct host_time) rows; /* by descending time, then name */
};

struct hosts_walk {
    const struct profile *p;
    struct host_times *hosts;
    VEC(uint32_t) row_of_name; /* by strid of hosts->names: row + 1 */
    struct exec_lists lists;
    /* Of the current node: */
    VEC(int64_t) time_ps;  /* by row */
    VEC(uint32_t) touched; /* rows with a time for the current node */
    VEC(int64_t) sorted;
};

static uint32_t row_of(struct hosts_walk *w, strid device)
{
    const struct intern *strings = &w->p->strings;
    const struct text host = host_of_device(intern_string(strings, device));
    strid name;

    name = intern_put(&w->hosts->names, host.bytes, host.len);
    if (name >= w->row_of_name.n)
        vec_resize_zero(&w->row_of_name, (size_t)name + 1);
    if (!w->row_of_name.data[name]) {
        vec_push(&w->hosts->rows, ((struct host_time){.name = name, .node = NODE_NONE}));
        vec_push(&w->time_ps, 0);
        w->row_of_name.data[name] = (uint32_t)w->hosts->rows.n;
    }
    return w->row_of_name.data[name] - 1;
}

static void add_times(struct hosts_walk *w, node_id node)
{
    struct exec_walk walk = profile_execs(w->p, node);
    struct exec e;

    if (profile_is_async(w->p, node))
        return;
    while (exec_next(&walk, &e)) {
        profile_exec_lists(w->p, &e, &w->lists);
        for (size_t i = 0; i < w->lists.times.n; i++) {
            const struct exec_time *t = &w->lists.times.data[i];
            const uint32_t row = row_of(w, t->device);
            bool saturated = false;
            const int64_t ps = clock_ps(w->p->clock, t->dur_ticks, &saturated);

            if (ps <= 0)
                continue;
            if (!w->time_ps.data[row])
                vec_push(&w->touched, row);
            w->time_ps.data[row] = clamp_add(w->time_ps.data[row], ps);
        }
    }
}

/* Adds the node's times to its hosts, and compares them with the median. */
static void finish_node(struct hosts_walk *w, node_id node)
{
    int64_t median_ps;

    w->sorted.n = 0;
    for (size_t i = 0; i < w->touched.n; i++)
        vec_push(&w->sorted, w->time_ps.data[w->touched.data[i]]);
    if (!w->sorted.n)
        return;
    median_ps = nth_value(w->sorted.data, w->sorted.n, (w->sorted.n - 1) / 2);
    for (size_t i = 0; i < w->touched.n; i++) {
        const uint32_t at = w->touched.data[i];
        struct host_time *row = &w->hosts->rows.data[at];
        const int64_t ps = w->time_ps.data[at];

        row->time_ps = clamp_add(row->time_ps, ps);
        if (ps - median_ps > row->excess_ps) {
            row->excess_ps = ps - median_ps;
            row->node = node;
        }
        w->time_ps.data[at] = 0;
    }
    w->touched.n = 0;
}

COMPARE_WITH(by_time, struct host_time, struct intern,
             DOWN(time_ps) || THEN(intern_compare(with, a->name, b->name)))

/* Computes HOSTS for the hosts in device names (model/host.h). */
static void host_times_make(const struct profile *p, struct host_times *hosts)
{
    struct hosts_walk w = {.p = p, .hosts = hosts};

    memset(hosts, 0, sizeof *hosts);
    intern_init(&hosts->names);
    for (node_id node = 0; node < p->n_nodes; node++) {
        add_times(&w, node);
        finish_node(&w, node);
    }
    vec_sort_arg(&hosts->rows, by_time, &hosts->names);
    EACH(vec_done, &w.row_of_name, &w.time_ps, &w.touched, &w.sorted);
    exec_lists_done(&w.lists);
}

static void host_times_done(struct host_times *hosts)
{
    intern_done(&hosts->names);
    vec_done(&hosts->rows);
}

/* INT64_MIN: unknown. */
struct host_line {
    strid name; /* in hosts_data.names */
    bool is_rank;
    int64_t rank; /* of a rank: its number */
    int64_t work_ps, communication_ps, waited_ps, made_wait_ps, n_last, excess_ps;
    node_id node; /* node with the largest excess over the median of the hosts; NODE_NONE */
};

struct hosts_data {
    struct intern names;
    VEC(struct host_line) rows;
    int64_t n_matched, median_ps;
    char *culprit; /* heap; NULL: none */
    char *delay;   /* effect of the culprit, as text; heap; NULL */
};

enum { ROW_HOST, ROW_NODE = 6, ROW_SHARE = 8 };

#define OF(field) MEMBER_OF(struct host_line, field)
static const struct table_column columns[] = {
    [ROW_HOST] = {"host", .help = "name of the host, or rank", .absent = "(no name)",
                  .unit = VALUE_TEXT, .is_key = true},
    {"work", .help = "time of its devices without communication", .unit = VALUE_TIME_PS,
     OF(work_ps), .adds_up = true, .is_compared = true},
    {"communication", .help = "time of its devices in collectives", .unit = VALUE_TIME_PS,
     OF(communication_ps), .adds_up = true, .is_compared = true},
    {"waited", .help = "time in which it waited in collectives for the last to arrive", .unit = VALUE_TIME_PS,
     OF(waited_ps), .adds_up = true, .is_compared = true},
    {"made_wait", "delayed", "sum of the times that others waited for it", .unit = VALUE_TIME_PS,
     OF(made_wait_ps), .adds_up = true, .is_compared = true},
    {"last", .help = "collectives in which it arrived last", OF(n_last), .adds_up = true},
    [ROW_NODE] = {"node", "slowest node", "node that exceeds the median of the hosts by the largest time",
                  .unit = VALUE_TEXT, .omits_unknown = true},
    {"excess", "by", "time by which that node exceeds the median", .unit = VALUE_TIME_PS, .omits_unknown = true,
     OF(excess_ps)},
    [ROW_SHARE] = {"percent", "of median", "work: difference from the median, in percent of it",
                   .unit = VALUE_PERCENT, .decimals = 2, .is_signed = true,
                   .audience = FOR_PEOPLE},
};
#undef OF

static const struct table_column heads[] = {
    {"hosts", .help = "how many", MEMBER_OF(struct hosts_data, rows.n)},
    {"matched", .help = "collectives that were compared", MEMBER_OF(struct hosts_data, n_matched)},
    {"culprit", .help = "the worst straggler", .unit = VALUE_TEXT,
     MEMBER_OF(struct hosts_data, culprit)},
};

static char *copy_text(struct text text)
{
    return xmemdupz(text.bytes, text.len);
}

static void add_stragglers(struct hosts_data *d, const struct stragglers *s)
{
    char buffer[HOST_OF_RANK_BYTES];

    vec_each(const struct straggler_row, row, &s->rows) {
        const struct text name = straggler_name(s, row, buffer);

        vec_push(&d->rows, ((struct host_line){
                               .name = intern_put(&d->names, name.bytes, name.len),
                               .is_rank = s->by_rank && row->rank >= 0,
                               .rank = row->rank,
                               .work_ps = row->work_ps,
                               .communication_ps = row->communication_ps,
                               .waited_ps = row->waited_ps,
                               .made_wait_ps = row->made_wait_ps,
                               .n_last = (int64_t)row->n_last,
                               .excess_ps = INT64_MIN,
                               .node = NODE_NONE}));
    }
    d->n_matched = (int64_t)s->n_matched;
    d->median_ps = stragglers_median_work(s);
    if (s->culprit >= 0) {
        const struct straggler_row *row = &s->rows.data[s->culprit];
        struct strbuf sb = {0};

        d->culprit = copy_text(straggler_name(s, row, buffer));
        stragglers_add_delay(&sb, s);
        sb_adds(&sb, " (own work ");
        format_time_apart(&sb, row->work_ps);
        sb_adds(&sb, ", median ");
        format_time_apart(&sb, d->median_ps);
        sb_addc(&sb, ')');
        d->delay = sb_take(&sb);
    }
}

/* Fills rows from executions, by descending time. */
static void add_host_times(struct hosts_data *d, const struct profile *p)
{
    VEC(int64_t) sorted = {0};
    struct host_times times;

    d->rows.n = 0;
    host_times_make(p, &times);
    for (size_t i = 0; i < times.rows.n; i++) {
        const struct host_time *row = &times.rows.data[i];
        const struct text name = intern_string(&times.names, row->name);

        vec_push(&d->rows, ((struct host_line){
                               .name = intern_put(&d->names, name.bytes, name.len),
                               .work_ps = row->time_ps,
                               .communication_ps = INT64_MIN,
                               .waited_ps = INT64_MIN,
                               .made_wait_ps = INT64_MIN,
                               .n_last = INT64_MIN,
                               .excess_ps = row->node == NODE_NONE ? INT64_MIN : row->excess_ps,
                               .node = row->node}));
        vec_push(&sorted, row->time_ps);
    }
    if (sorted.n)
        d->median_ps = nth_value(sorted.data, sorted.n, (sorted.n - 1) / 2);
    vec_done(&sorted);
    host_times_done(&times);
}

#define BIT(column) (UINT64_C(1) << (column))

static bool open_hosts(struct table_rows *t, struct err *err)
{
    struct hosts_data *d;
    struct stragglers s;
    struct selection sel;

    if (!table_select(&sel, t->request, err))
        return false;
    d = xcalloc(1, sizeof *d);
    intern_init(&d->names);
    stragglers_make(&s, &sel, t->request->options->align_clocks);
    selection_done(&sel);
    add_stragglers(d, &s);
    stragglers_done(&s);
    if (d->rows.n < 2)
        add_host_times(d, t->request->profile);
    else
        t->hidden_from_people = BIT(ROW_NODE) | BIT(ROW_NODE + 1);
    t->data = d;
    t->head_record = d;
    table_set_records(t, &d->rows);
    if (t->n_keys < 2)
        t->needs = "needs a run of several hosts";
    return selection_is_whole(&sel, err);
}

static void close_hosts(struct table_rows *t)
{
    struct hosts_data *d = t->data;

    intern_done(&d->names);
    vec_done(&d->rows);
    EACH(free, d->culprit, d->delay, d);
}

static double percent_of(const struct hosts_data *d, const struct host_line *row)
{
    return d->median_ps
               ? 100.0 * (double)(row->work_ps - d->median_ps) / (double)d->median_ps
               : 0.0;
}

static void host_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct hosts_data *d = c->rows->data;
    const struct host_line *row = table_record(c);

    if (column == ROW_HOST)
        value_text(v, intern_string(&d->names, row->name));
    else if (column == ROW_SHARE)
        value_real(v, percent_of(d, row));
    else if (column == ROW_NODE && row->node != NODE_NONE)
        value_name(v, c->profile, c->profile->name[row->node]);
}

static bool host_subject(struct table_cursor *c, struct subject *s)
{
    const struct hosts_data *d = c->rows->data;
    const struct host_line *row = table_record(c);

    *s = (struct subject){.kind = row->is_rank ? SUBJECT_RANK : SUBJECT_HOST,
                          .has_rank = row->is_rank,
                          .rank = row->rank,
                          .name = intern_string(&d->names, row->name)};
    return true;
}

static void add_host(struct strbuf *sb, const struct hosts_data *d, const char *which,
                     const struct host_line *row)
{
    const struct text name = intern_string(&d->names, row->name);

    sb_adds(sb, which);
    if (name.len)
        utf8_escape(sb, name.bytes, name.len);
    else
        sb_adds(sb, columns[ROW_HOST].absent);
    sb_addf(sb, ", %+.2f%%", percent_of(d, row));
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct hosts_data *d = t->data;
    const struct host_line *most = d->rows.data, *least = d->rows.data;

    if (d->culprit) {
        utf8_escape(sb, d->culprit, strlen(d->culprit));
        sb_addf(sb, " %s\n", d->delay);
        return;
    }
    vec_each(const struct host_line, row, &d->rows) {
        most = row->work_ps > most->work_ps ? row : most;
        least = row->work_ps <= least->work_ps ? row : least;
    }
    sb_addf(sb, "%zu hosts: median ", d->rows.n);
    format_time(sb, d->median_ps);
    add_host(sb, d, "; worst ", most);
    add_host(sb, d, "; best ", least);
    sb_addc(sb, '\n');
}

const struct table table_hosts = {
    .name = "hosts", .help = "show which hosts delay others, and their work",
    .sql_name = "host_times", TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .options = (const char *const[]){"align_clocks", NULL}, .open = open_hosts,
    .close = close_hosts, .value = host_value, .subject = host_subject, .lead = add_lead,
};
