/* kernels_table.c: the table of kernels and their launch configurations. */
#include <stdlib.h>

#include "activity/kernels.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/breakdown/table_selection.h"

enum { ROW_NAME, ROW_KERNEL, ROW_OP, ROW_RANK, ROW_DEVICE, ROW_STREAM, ROW_GRID, ROW_BLOCK,
       ROW_OCCUPANCY = 10, ROW_PERCENT = 13 };

#define OF(field) MEMBER_OF(struct kernel_row, field)
#define TIME(field) .unit = VALUE_TIME_PS, OF(field)
static const struct table_column columns[] = {
    [ROW_NAME] = {"name", "kernel", "short name of the kernel, copy or memset", .unit = VALUE_TEXT,
                  .is_key = true},
    [ROW_KERNEL] = {"kernel", .help = "its full name", .unit = VALUE_TEXT,
                    .audience = FOR_PROGRAMS, .is_key = true, OF(key.kernel)},
    [ROW_OP] = {"op", .help = "operator or instruction that launched it", .unit = VALUE_TEXT,
                .is_key = true, .is_aside = true},
    [ROW_RANK] = {"rank", .help = "number of the rank", .is_key = true, .is_aside = true, OF(rank)},
    [ROW_DEVICE] = {"device", .help = "the accelerator", .unit = VALUE_TEXT, .is_key = true,
                    .is_location = true, .is_aside = true, OF(key.device)},
    [ROW_STREAM] = {"stream", .help = "stream of the device", .unit = VALUE_TEXT, .is_key = true,
                    .is_location = true, .is_aside = true},
    [ROW_GRID] = {"grid", .help = "blocks of a launch", .absent = "--", .unit = VALUE_TEXT,
                  .is_key = true, .is_aside = true},
    [ROW_BLOCK] = {"block", .help = "threads of a block", .absent = "--", .unit = VALUE_TEXT,
                   .is_key = true, .is_aside = true},
    {"registers", "regs", "registers of a thread", "--", .is_key = true, .is_aside = true,
     OF(key.registers)},
    {"shared_memory", "shared", "shared memory of a block", "--", VALUE_BYTES, .is_key = true,
     .is_aside = true, OF(key.shared_memory)},
    [ROW_OCCUPANCY] = {"occupancy", "occ", "estimated occupancy, percent", "--", VALUE_PERCENT,
                       .is_aside = true},
    {"calls", .help = "number of executions", OF(calls), .adds_up = true},
    {"total", .help = "sum of their durations", TIME(total_ps), .adds_up = true,
     .is_compared = true},
    [ROW_PERCENT] = {"percent", "%", "share of the sum of all rows", .unit = VALUE_PERCENT,
                     .decimals = 2},
    {"avg", .help = "mean duration", TIME(avg_ps)},
    {"min", .help = "the shortest", TIME(min_ps)},
    {"median", .help = "median", TIME(median_ps)},
    {"max", .help = "the longest", TIME(max_ps)},
};
#undef TIME
#undef OF

static const struct table_column heads[] = {
    {"devices", .help = "devices with work", MEMBER_OF(struct kernels, n_devices)},
    {"sum", .help = "total of all rows", .unit = VALUE_TIME_PS, MEMBER_OF(struct kernels, sum_ps)},
};

/* Hides ranks if there are none; several ranks or devices are not aside. */
static void place_columns(struct table_rows *t, const struct kernels *k)
{
    bool has_rank = false;

    for (size_t i = 0; i < k->rows.n; i++) {
        has_rank |= k->rows.data[i].rank >= 0;
        if (k->rows.data[i].rank != k->rows.data[0].rank)
            t->not_aside |= UINT64_C(1) << ROW_RANK;
        if (k->rows.data[i].key.device != k->rows.data[0].key.device)
            t->not_aside |= UINT64_C(1) << ROW_DEVICE;
    }
    if (!has_rank)
        t->hidden_from_people |= UINT64_C(1) << ROW_RANK;
}

static bool open_kernels(struct table_rows *t, struct err *err)
{
    struct kernels *k;
    struct selection sel;
    bool made;

    if (!table_select(&sel, t->request, err))
        return false;
    k = xcalloc(1, sizeof *k);
    made = kernels_make(k, &sel, t->request->options->kernels == KERNELS_AS_ROWS, err);
    selection_done(&sel);
    if (!made) {
        free(k);
        return false;
    }
    t->data = k;
    t->head_record = k;
    table_set_records(t, &k->rows);
    place_columns(t, k);
    if (!k->has_work)
        t->needs = profile_needs_work(t->request->profile);
    return true;
}

static void close_kernels(struct table_rows *t)
{
    kernels_done(t->data);
    free(t->data);
}

static void set_stream(struct table_cursor *c, uint32_t track, struct table_value *v)
{
    const struct event_track *t;

    if (track == TRACK_NONE)
        return;
    t = &c->profile->events->tracks.data[track];
    if (t->name != STRID_EMPTY) {
        value_name(v, c->profile, t->name);
        return;
    }
    sb_clear(&c->text);
    sb_addf(&c->text, "%u", t->thread);
    value_scratch(v, c);
}

/* A text of the table; unknown where it is empty. */
static void set_text(const struct table_cursor *c, strid id, struct table_value *v)
{
    const struct kernels *k = c->rows->data;

    if (intern_len(&k->texts, id))
        value_text(v, intern_string(&k->texts, id));
}

static void kernel_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct kernel_row *row = table_record(c);

    if (column == ROW_NAME)
        set_text(c, row->name, v);
    else if (column == ROW_OP && row->key.op == STRID_EMPTY)
        value_word(v, "(no recorded launch)");
    else if (column == ROW_OP)
        value_name(v, c->profile, row->key.op);
    else if (column == ROW_STREAM)
        set_stream(c, row->key.track, v);
    else if (column == ROW_GRID || column == ROW_BLOCK)
        set_text(c, column == ROW_GRID ? row->key.grid : row->key.block, v);
    else if (column == ROW_PERCENT)
        value_real(v, (double)row->percent_hundredths / 100);
    else if (column == ROW_OCCUPANCY && row->occupancy > 0)
        value_real(v, row->occupancy);
}

static bool kernel_subject(struct table_cursor *c, struct subject *s)
{
    const struct kernel_row *row = table_record(c);

    *s = (struct subject){.kind = SUBJECT_NODE, .id = row->node};
    return row->node != NODE_NONE;
}

const struct table table_kernels = {
    .of = TABLE_OF_WORK,
    .name = "kernels",
    .help = "list kernels by launch configuration, longest first",
    TABLE_COLUMNS(columns), TABLE_HEADS(heads),
    .options = (const char *const[]){"top", "order_by", NULL}, .open = open_kernels, .close = close_kernels,
    .value = kernel_value, .subject = kernel_subject, .max_text_rows = 40, .rows_name = "kernels",
};
