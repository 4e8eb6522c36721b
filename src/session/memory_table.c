/* memory_table.c: the table of allocators: their memory in use over time, and what is live at the peak. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/json_text.h"
#include "export/tables/table_writer.h"
#include "model/format.h"
#include "session/report.h"
#include "view/build/frame_name.h"
#include "view/by_step/step_times.h"
#include "view/hidden_frames.h"
#include "view/pictures/memory_picture.h"

enum { ROWS_MAX = 20, SLICES = 20, BAR_COLS = 50 };

/* Picoseconds from the first event of C to AT_TICKS. */
static int64_t since_begin_ps(const struct memory *m, const struct memory_curve *c,
                              const struct profile *p, int64_t at_ticks)
{
    return clock_ps_between(p->clock, memory_events(m, c)[0].at_ticks, at_ticks);
}

static int64_t length_ps(const struct memory *m, const struct memory_curve *c,
                         const struct profile *p)
{
    return since_begin_ps(m, c, p, memory_events(m, c)[c->n - 1].at_ticks);
}

static int64_t peak_ps(const struct memory *m, const struct memory_curve *c,
                       const struct profile *p)
{
    return since_begin_ps(m, c, p, memory_events(m, c)[c->peak].at_ticks);
}

/* ---- the table */

struct memory_data {
    struct memory memory;
    int64_t *sums; /* heap, by curve: of the peaks of all ops of its step */
};

#define OF(field) MEMBER_OF(struct memory_curve, field)
enum { CURVE_AT = 4, CURVE_LENGTH, CURVE_SUM };
static const struct table_column columns[] = {
    {"device", .help = "the device", .unit = VALUE_TEXT, .is_key = true, OF(device)},
    {"allocator", .help = "its allocator", .unit = VALUE_TEXT, .is_key = true, OF(allocator)},
    {"step", .help = "number of the step", .is_key = true, OF(step)},
    {"peak_bytes", "peak", "most in use at one time", .unit = VALUE_BYTES, OF(peak_bytes)},
    [CURVE_AT] = {"peak_at_us", "at", "when, since the first record", .unit = VALUE_TIME_PS},
    [CURVE_LENGTH] = {"length_us", "of", "time from the first to the last record",
                      .unit = VALUE_TIME_PS},
    [CURVE_SUM] = {"sum_over_ops_bytes", "sum over ops", "peaks of all ops of the step",
                   .unit = VALUE_BYTES},
};
#undef OF

static void sum_peaks(struct memory_data *data, const struct profile *p)
{
    const struct memory_curve *c = data->memory.curves.data;

    data->sums = xcalloc(data->memory.curves.n + 1, sizeof *data->sums);
    for (size_t i = 0; i < data->memory.curves.n; i++)
        data->sums[i] = i && c[i - 1].step == c[i].step ? data->sums[i - 1]
                                                        : memory_sum_of_peaks(p, c[i].step);
}

static bool open_memory(struct table_rows *t, struct err *err)
{
    const struct profile *p = t->request->profile;
    const struct options *o = t->request->options;
    struct step_times times = {.profile = NULL};
    struct memory_data *data;
    int64_t step;

    if (!step_choose(&times, p, "step", &o->step_value, o->rank, t->request->cancel, &step, err))
        return false;
    step_times_done(&times);
    data = xcalloc(1, sizeof *data);
    memory_make(&data->memory, p, step);
    sum_peaks(data, p);
    t->data = data;
    table_set_records(t, &data->memory.curves);
    if (!t->n_keys)
        t->needs = p->allocations.lists.n
                       ? "this step has no allocation records"
                       : "needs RunMetadata with allocation records (-run_meta_path)";
    return true;
}

static void close_memory(struct table_rows *t)
{
    struct memory_data *data = t->data;

    memory_done(&data->memory);
    free(data->sums);
    free(data);
}

static void curve_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct memory_data *data = c->rows->data;
    const struct memory *m = &data->memory;
    const struct memory_curve *curve = &m->curves.data[c->key];

    if (column == CURVE_AT)
        value_integer(v, peak_ps(m, curve, c->profile));
    else if (column == CURVE_LENGTH)
        value_integer(v, length_ps(m, curve, c->profile));
    else
        value_integer(v, data->sums[c->key]);
}

/* ---- text */

static void put_integer(struct table_writer *w, int64_t integer)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_integer(&v, integer);
    table_writer_cell(w, &v);
}

static void put_share(struct table_writer *w, int64_t bytes, int64_t of)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_real(&v, of > 0 ? 100 * (double)bytes / (double)of : 0);
    table_writer_cell(w, &v);
}

static void put_name(struct table_writer *w, const struct profile *p, strid id)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_name(&v, p, id);
    table_writer_cell(w, &v);
}

static void put_word(struct table_writer *w, const char *word)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_word(&v, word);
    table_writer_cell(w, &v);
}

/* Appends TEXT, filled with blanks on its left, and empties it. */
static void put_right(struct strbuf *sb, struct strbuf *text)
{
    enum { COLS = 10 };

    sb_pad(sb, ' ', text->len < COLS ? COLS - text->len : 0);
    sb_adds(sb, sb_text(text));
    sb_clear(text);
}

/* The most in use in each of SLICES parts of the time of C, as bars. */
static void print_slices(struct strbuf *sb, const struct profile *p, const struct memory *m,
                         const struct memory_curve *c)
{
    const struct memory_event *events = memory_events(m, c);
    const int64_t length = length_ps(m, c, p);
    struct strbuf text = {0};
    int64_t in_use = 0;
    size_t at = 0;

    for (int slice = 0; slice < SLICES; slice++) {
        const int64_t end = slice + 1 < SLICES ? length / SLICES * (slice + 1) : length;
        int64_t most = in_use;

        for (; at < c->n && since_begin_ps(m, c, p, events[at].at_ticks) <= end; at++) {
            in_use = events[at].in_use_bytes;
            most = in_use > most ? in_use : most;
        }
        format_time(&text, end);
        put_right(sb, &text);
        format_memory(&text, most);
        put_right(sb, &text);
        if (most > 0) {
            sb_adds(sb, "  ");
            sb_pad(sb, '#', (size_t)((double)most / (double)c->peak_bytes * BAR_COLS + 0.5));
        }
        sb_addc(sb, '\n');
    }
    sb_done(&text);
}

static void print_groups(struct table_writer *w, const struct profile *p,
                         const memory_live_list *live, enum memory_group by, int64_t peak_bytes)
{
    const struct table_column heads[] = {
        {memory_group_names[by], .unit = VALUE_TEXT},
        {"nodes", .unit = VALUE_NUMBER},
        {"bytes", .unit = VALUE_BYTES},
        {"of peak", .unit = VALUE_PERCENT, .decimals = 1},
    };
    memory_row_list groups = {0};
    struct strbuf name = {0};

    memory_rows(&groups, p, live, by);
    table_writer_begin(w, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < groups.n && i < ROWS_MAX; i++) {
        sb_clear(&name);
        memory_row_name(&name, p, &groups.data[i]);
        put_word(w, sb_text(&name));
        put_integer(w, (int64_t)groups.data[i].n_nodes);
        put_integer(w, groups.data[i].bytes);
        put_share(w, groups.data[i].bytes, peak_bytes);
    }
    table_writer_end(w);
    if (groups.n > ROWS_MAX)
        sb_addf(&w->out->text, "and %zu more\n", groups.n - ROWS_MAX);
    sb_addc(&w->out->text, '\n');
    sb_done(&name);
    vec_done(&groups);
}

static void print_nodes(struct table_writer *w, const struct profile *p, const struct memory *m,
                        const struct memory_curve *c, const memory_live_list *live)
{
    enum { CODE = 2 };
    struct table_column heads[] = {
        {"node", .unit = VALUE_TEXT},
        {"type", .unit = VALUE_TEXT},
        [CODE] = {"code", .unit = VALUE_TEXT, .absent = ""},
        {"bytes", .unit = VALUE_BYTES},
        {"of peak", .unit = VALUE_PERCENT, .decimals = 1},
        {"from", .unit = VALUE_TIME_PS},
        {"until", .unit = VALUE_TIME_PS},
    };
    const size_t n = sizeof heads / sizeof *heads;
    struct hidden_frames libraries;
    struct strbuf line = {0};

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    if (!p->has_stacks)
        memmove(&heads[CODE], &heads[CODE + 1], (n - CODE - 1) * sizeof *heads);
    table_writer_begin(w, heads, p->has_stacks ? n : n - 1);
    for (size_t i = 0; i < live->n && i < ROWS_MAX; i++) {
        const struct memory_live *l = &live->data[i];
        const struct frame *frame = memory_line(p, l->node, &libraries);

        put_name(w, p, p->name[l->node]);
        put_name(w, p, p->op[l->node]);
        sb_clear(&line);
        if (frame)
            frame_name(&line, p, frame, false);
        if (p->has_stacks)
            put_word(w, sb_text(&line));
        put_integer(w, l->bytes);
        put_share(w, l->bytes, c->peak_bytes);
        put_integer(w, since_begin_ps(m, c, p, l->from_ticks));
        if (l->to_ticks == INT64_MAX)
            put_word(w, "the end");
        else
            put_integer(w, since_begin_ps(m, c, p, l->to_ticks));
    }
    table_writer_end(w);
    if (live->n > ROWS_MAX)
        sb_addf(&w->out->text, "and %zu more\n", live->n - ROWS_MAX);
    hidden_frames_done(&libraries);
    sb_done(&line);
}

static void print_text(struct table_writer *w, const struct table_rows *t)
{
    const struct memory_data *data = t->data;
    const struct profile *p = t->request->profile;
    const struct memory *m = &data->memory;
    const struct memory_curve *c = memory_highest(m);
    struct strbuf *sb = &w->out->text;
    memory_live_list live = {0};

    table_writer_rows(w, t, NULL);
    sb_adds(sb, "peak is the most in use at one time; sum over ops adds the peak of each op of the "
                "step on all devices, as peak_bytes of the root does\n");
    memory_live_at(m, c, c->peak, &live);
    sb_addf(sb, "\nstep %lld, %s of %s: most in use in each part of the time\n", (long long)c->step,
            profile_text(p, c->allocator), profile_text(p, c->device));
    print_slices(sb, p, m, c);
    sb_addf(sb, "\nlive at its peak: %zu nodes, ", live.n);
    format_memory(sb, c->peak_bytes);
    sb_addc(sb, '\n');
    print_groups(w, p, &live, MEMORY_BY_SCOPE, c->peak_bytes);
    print_groups(w, p, &live, MEMORY_BY_TYPE, c->peak_bytes);
    if (p->has_stacks)
        print_groups(w, p, &live, MEMORY_BY_CODE, c->peak_bytes);
    print_nodes(w, p, m, c, &live);
    vec_done(&live);
}

/* ---- JSON */

static void add_time_us(struct strbuf *sb, const char *key, int64_t ps)
{
    report_key(sb, key);
    format_micros(sb, ps);
}

static void add_live(struct strbuf *sb, const struct profile *p, const struct memory *m,
                     const struct memory_curve *c)
{
    memory_live_list live = {0};
    struct hidden_frames libraries;
    struct strbuf line = {0};

    memory_live_at(m, c, c->peak, &live);
    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    report_key(sb, "live");
    sb_addc(sb, '[');
    for (size_t i = 0; i < live.n; i++) {
        const struct memory_live *l = &live.data[i];

        sb_adds(sb, i ? ",\n{" : "\n{");
        report_string(sb, "name", p, p->name[l->node]);
        report_string(sb, "type", p, p->op[l->node]);
        if (memory_line(p, l->node, &libraries)) {
            sb_clear(&line);
            frame_name(&line, p, memory_line(p, l->node, &libraries), false);
            report_key(sb, "code");
            json_add_string(sb, sb_text(&line), line.len);
        }
        report_integer(sb, "bytes", l->bytes);
        add_time_us(sb, "from_us", since_begin_ps(m, c, p, l->from_ticks));
        if (l->to_ticks != INT64_MAX)
            add_time_us(sb, "until_us", since_begin_ps(m, c, p, l->to_ticks));
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    hidden_frames_done(&libraries);
    sb_done(&line);
    vec_done(&live);
}

static void add_curve(struct strbuf *sb, const struct profile *p, const struct memory *m,
                      const struct memory_curve *c, int64_t sum_of_peaks)
{
    const struct memory_event *events = memory_events(m, c);

    report_integer(sb, "step", c->step);
    report_string(sb, "device", p, c->device);
    report_string(sb, "allocator", p, c->allocator);
    report_integer(sb, "peak_bytes", c->peak_bytes);
    add_time_us(sb, "peak_at_us", peak_ps(m, c, p));
    add_time_us(sb, "length_us", length_ps(m, c, p));
    report_integer(sb, "sum_over_ops_bytes", sum_of_peaks);
    report_key(sb, "in_use");
    sb_addc(sb, '[');
    for (size_t i = 0; i < c->n; i++) {
        sb_adds(sb, i ? "," : "");
        sb_addc(sb, '[');
        format_micros(sb, since_begin_ps(m, c, p, events[i].at_ticks));
        sb_addc(sb, ',');
        sb_add_int(sb, events[i].in_use_bytes);
        sb_addc(sb, ']');
    }
    sb_addc(sb, ']');
    add_live(sb, p, m, c);
}

static void print_json(struct strbuf *sb, const struct table_rows *t)
{
    const struct memory_data *data = t->data;
    const struct memory *m = &data->memory;

    sb_adds(sb, "{\"tfprof\":1,\"view\":\"memory\",\"allocators\":[");
    for (size_t i = 0; i < m->curves.n; i++) {
        sb_adds(sb, i ? ",\n{" : "\n{");
        add_curve(sb, t->request->profile, m, &m->curves.data[i], data->sums[i]);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}

static bool write_document(struct table_writer *w, const struct table_rows *t)
{
    if (w->format == &table_json)
        print_json(&w->out->text, t);
    else if (w->format == &table_text)
        print_text(w, t);
    else
        return false;
    return true;
}

const struct table table_memory = {
    .name = "memory", .help = "show memory in use over time, and what is live at the peak",
    .sql_name = "allocators", TABLE_COLUMNS(columns), .open = open_memory, .close = close_memory,
    .value = curve_value, .document = write_document,
};
