/* report_hosts.c: which hosts took longer than the others for the same work, as text or JSON. */
#include <string.h>

#include "base/utf8.h"
#include "export/json_text.h"
#include "model/format.h"
#include "session/report.h"
#include "view/anatomy/hosts.h"

static struct text name_of(const struct hosts *hosts, const struct host_row *row)
{
    return intern_string(&hosts->names, row->name);
}

static void print_json(struct strbuf *sb, const struct profile *p, const struct hosts *hosts)
{
    sb_adds(sb, "{\"tfprof\":1,\"view\":\"hosts\"");
    report_integer(sb, "hosts", (int64_t)hosts->rows.n);
    report_time(sb, "median", hosts->median_ps / PS_PER_NS);
    sb_adds(sb, ",\"rows\":[");
    for (size_t i = 0; i < hosts->rows.n; i++) {
        const struct host_row *row = &hosts->rows.data[i];
        const struct text name = name_of(hosts, row);

        sb_adds(sb, i ? ",\n{" : "\n{");
        report_key(sb, "host");
        json_add_string(sb, name.bytes, name.len);
        report_time(sb, "time", row->time_ps / PS_PER_NS);
        report_key(sb, "percent");
        sb_addf(sb, "%.2f", hosts_percent(hosts, row->time_ps));
        if (row->node != NODE_NONE) {
            report_string(sb, "node", p, p->name[row->node]);
            report_time(sb, "excess", row->excess_ps / PS_PER_NS);
        }
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}

static void add_name(struct strbuf *sb, struct text name)
{
    if (name.len)
        utf8_escape(sb, name.bytes, name.len);
    else
        sb_adds(sb, "(no name)");
}

static void print_first_line(struct strbuf *sb, const struct hosts *hosts)
{
    const struct host_row *worst = &hosts->rows.data[0];
    const struct host_row *best = &hosts->rows.data[hosts->rows.n - 1];

    sb_addf(sb, "%zu hosts: median ", hosts->rows.n);
    format_time(sb, hosts->median_ps);
    sb_adds(sb, "; worst ");
    add_name(sb, name_of(hosts, worst));
    sb_addf(sb, ", %+.2f%%; best ", hosts_percent(hosts, worst->time_ps));
    add_name(sb, name_of(hosts, best));
    sb_addf(sb, ", %+.2f%%\n", hosts_percent(hosts, best->time_ps));
}

static void print_rows(struct strbuf *sb, const struct profile *p, const struct hosts *hosts)
{
    struct report_table t = {.n_columns = 5, .n_left = 1};
    struct strbuf text = {0};

    report_cell(&t, "host");
    report_cell(&t, "time");
    report_cell(&t, "of median");
    report_cell(&t, "most above");
    report_cell(&t, "in");
    for (size_t i = 0; i < hosts->rows.n; i++) {
        const struct host_row *row = &hosts->rows.data[i];

        sb_clear(&text);
        add_name(&text, name_of(hosts, row));
        report_cell(&t, sb_text(&text));
        report_time_cell(&t, row->time_ps / PS_PER_NS);
        sb_clear(&text);
        sb_addf(&text, "%+.2f%%", hosts_percent(hosts, row->time_ps));
        report_cell(&t, sb_text(&text));
        report_time_cell(&t, row->excess_ps / PS_PER_NS);
        report_cell(&t, row->node == NODE_NONE ? "-" : profile_text(p, p->name[row->node]));
    }
    report_table_end(&t, sb);
    sb_done(&text);
}

bool report_hosts(struct strbuf *sb, const struct profile *p, bool is_json, struct err *err)
{
    struct hosts hosts;

    hosts_make(p, &hosts);
    if (hosts.rows.n < 2) {
        hosts_done(&hosts);
        return err_set(err, ERR_INPUT, "hosts: needs a run of several hosts");
    }
    if (is_json) {
        print_json(sb, p, &hosts);
    } else {
        print_first_line(sb, &hosts);
        print_rows(sb, p, &hosts);
    }
    hosts_done(&hosts);
    return true;
}
