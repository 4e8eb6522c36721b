/* runs_text.c: runs of a log folder as text. */
#include "session/runs_text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "model/format.h"
#include "session/words.h"

void run_name(struct strbuf *sb, const struct log_run *run, const char *folder)
{
    static const char plugins[] = "plugins/profile/";
    const size_t len = strlen(folder), before = sb->len;
    const char *name = strncmp(run->path, folder, len) == 0 ? run->path + len : run->path;
    const char *inner;

    name += strspn(name, "/");
    inner = strstr(name, plugins);
    if (inner && (inner == name || inner[-1] == '/')) {
        sb_add(sb, name, (size_t)(inner - name));
        name = inner + sizeof plugins - 1;
    }
    sb_adds(sb, name);
    sb_adds(sb, sb->len == before ? "." : "");
}

/* Appends when RUN changed: "2026-11-04 10:00", local time. */
static void run_date(struct strbuf *sb, const struct log_run *run)
{
    const time_t changed = (time_t)run->changed_s;
    char date[32] = "";
    struct tm tm;

    if (localtime_r(&changed, &tm))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &tm);
    sb_adds(sb, date);
}

void run_facts(struct strbuf *sb, const struct log_run *run)
{
    struct strbuf steps = {0}, size = {0};

    if (run->n_steps == RUN_STEPS_NONE)
        sb_adds(&steps, "-");
    else if (run->n_steps == 0)
        sb_adds(&steps, "graph alone");
    else if (run->n_steps > 0)
        sb_addf(&steps, "%" PRId64 " step%s", run->n_steps, run->n_steps == 1 ? "" : "s");
    format_value(&size, UNIT_BYTES, (int64_t)run->size_bytes);
    sb_addf(sb, "%11s  %10s  ", sb_text(&steps), sb_text(&size));
    run_date(sb, run);
    EACH(sb_done, &steps, &size);
}

size_t runs_heading(struct strbuf *sb, const struct log_runs *runs)
{
    struct strbuf path = {0};
    size_t width = strlen("RUN");

    for (size_t i = 0; i < runs->list.n; i++) {
        sb_clear(&path);
        words_quote(&path, runs->list.data[i].path);
        width = path.len > width ? path.len : width;
    }
    sb_addf(sb, "%-*s  %11s  %10s  CHANGED\n", (int)width, "RUN", "STEPS", "SIZE");
    sb_done(&path);
    return width;
}

void runs_row(struct strbuf *sb, const struct log_run *run, size_t width)
{
    struct strbuf path = {0};

    words_quote(&path, run->path);
    sb_addf(sb, "%-*s  ", (int)width, sb_text(&path));
    run_facts(sb, run);
    sb_addc(sb, '\n');
    sb_done(&path);
}

/* ---- the table of the runs of a log folder */

static const struct table_column columns[] = {
    {"path", .help = "path, quoted for a shell", .unit = VALUE_TEXT, .is_key = true,
     MEMBER_OF(struct log_run, path)},
    {"steps", .help = "number of steps; 0: only a graph"},
    {"bytes", .help = "size of its files", .unit = VALUE_BYTES,
     MEMBER_OF(struct log_run, size_bytes)},
    {"date", .help = "time of the last change", .unit = VALUE_TEXT},
};

static bool open_runs(struct table_rows *t, struct err *err UNUSED)
{
    const struct log_runs *runs = t->request->given;

    table_set_records(t, &runs->list);
    return true;
}

static void run_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct log_runs *runs = c->rows->request->given;
    const struct log_run *run = &runs->list.data[c->key];

    if (column == 1) {
        if (run->n_steps >= 0)
            value_integer(v, run->n_steps);
        return;
    }
    sb_clear(&c->text);
    run_date(&c->text, run);
    value_scratch(v, c);
}

const struct table table_runs = {
    .name = "runs", .help = "list the runs of a log folder",
    TABLE_COLUMNS(columns), .open = open_runs, .value = run_value,
};
