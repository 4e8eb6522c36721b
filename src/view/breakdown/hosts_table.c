/* hosts_table.c: the table of hosts: which took longer than the others, and in which node. */
#include <stdlib.h>

#include "activity/table.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/breakdown/hosts.h"

static const struct table_column columns[] = {
    {"host", .help = "name of the host, or rank", .absent = "(no name)", .unit = VALUE_TEXT,
     .is_key = true},
    {"time", .help = "time of all executions on its devices", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct host_row, time_ps)},
    {"percent", "of median", "difference from the median, in percent of it", .unit = VALUE_PERCENT,
     .decimals = 2, .is_signed = true},
    {"node", "most above in", "node that exceeds the median of the hosts most", .unit = VALUE_TEXT,
     .omits_unknown = true},
    {"excess", "by", "by how much it does", .unit = VALUE_TIME_PS, .omits_unknown = true},
};

static const struct table_column heads[] = {
    {"hosts", .help = "how many", MEMBER_OF(struct hosts, rows.n)},
    {"median", .help = "median of their times", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct hosts, median_ps)},
};

static bool open_hosts(struct table_rows *t, struct err *err)
{
    struct hosts *hosts = xcalloc(1, sizeof *hosts);

    (void)err;
    hosts_make(t->request->profile, hosts);
    t->data = hosts;
    t->head_record = hosts;
    table_set_records(t, &hosts->rows);
    if (t->n_keys < 2)
        t->needs = "needs a run of several hosts";
    return true;
}

static void close_hosts(struct table_rows *t)
{
    hosts_done(t->data);
    free(t->data);
}

static void host_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct hosts *hosts = c->rows->data;
    const struct host_row *row = &hosts->rows.data[c->key];

    if (column == 0)
        value_text(v, intern_string(&hosts->names, row->name));
    else if (column == 2)
        value_real(v, hosts_percent(hosts, row->time_ps));
    else if (row->node == NODE_NONE)
        return;
    else if (column == 3)
        value_name(v, c->profile, c->profile->name[row->node]);
    else
        value_integer(v, row->excess_ps);
}

static bool host_subject(struct table_cursor *c, struct subject *s)
{
    const struct hosts *hosts = c->rows->data;

    *s = (struct subject){.kind = SUBJECT_HOST,
                          .name = intern_string(&hosts->names, hosts->rows.data[c->key].name)};
    return true;
}

static void add_host(struct strbuf *sb, const struct hosts *hosts, const char *which,
                     const struct host_row *row)
{
    const struct text name = intern_string(&hosts->names, row->name);

    sb_adds(sb, which);
    if (name.len)
        utf8_escape(sb, name.bytes, name.len);
    else
        sb_adds(sb, columns[0].absent);
    sb_addf(sb, ", %+.2f%%", hosts_percent(hosts, row->time_ps));
}

static void add_lead(struct strbuf *sb, const struct table_rows *t)
{
    const struct hosts *hosts = t->data;

    sb_addf(sb, "%zu hosts: median ", hosts->rows.n);
    format_time(sb, hosts->median_ps);
    add_host(sb, hosts, "; worst ", &hosts->rows.data[0]);
    add_host(sb, hosts, "; best ", &hosts->rows.data[hosts->rows.n - 1]);
    sb_addc(sb, '\n');
}

const struct table table_hosts = {
    .name = "hosts", .help = "show which hosts took longer than the others, and where",
    .sql_name = "host_times", TABLE_COLUMNS(columns), TABLE_HEADS(heads), .open = open_hosts,
    .close = close_hosts, .value = host_value, .subject = host_subject, .lead = add_lead,
};
