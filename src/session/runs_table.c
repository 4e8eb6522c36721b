/* runs_table.c: the table of the runs of a log folder. */
#include "session/runs_text.h"

static const struct table_column columns[] = {
    {"path", .help = "as it can be typed", .unit = VALUE_TEXT, .is_key = true,
     MEMBER_OF(struct log_run, path)},
    {"steps", .help = "number of steps; 0 of a graph alone"},
    {"bytes", .help = "size of its files", .unit = VALUE_BYTES,
     MEMBER_OF(struct log_run, size_bytes)},
    {"date", .help = "when it changed", .unit = VALUE_TEXT},
};

static bool open_runs(struct table_rows *t, struct err *err)
{
    const struct log_runs *runs = t->request->given;

    (void)err;
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
    .name = "runs", .help = "list the runs of a log folder, to name one of them",
    TABLE_COLUMNS(columns), .open = open_runs, .value = run_value,
};
