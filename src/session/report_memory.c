/* report_memory.c: memory in use over time and what is live at the peak, as text or JSON. */
#include "export/json_text.h"
#include "model/format.h"
#include "session/report.h"
#include "view/build/frame_name.h"
#include "view/by_step/step_times.h"
#include "view/hidden_frames.h"
#include "view/pictures/memory_picture.h"

enum { ROWS_MAX = 20, SLICES = 20, BAR_COLS = 50 };

static struct text text_of(const struct profile *p, strid id)
{
    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

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

/* ---- text */

static void memory_cell(struct report_table *t, int64_t bytes)
{
    struct strbuf text = {0};

    format_memory(&text, bytes);
    report_cell(t, sb_text(&text));
    sb_done(&text);
}

static void time_cell(struct report_table *t, int64_t ps)
{
    struct strbuf text = {0};

    format_time(&text, ps);
    report_cell(t, sb_text(&text));
    sb_done(&text);
}

static void share_cell(struct report_table *t, int64_t bytes, int64_t of)
{
    struct strbuf text = {0};

    sb_addf(&text, "%.1f%%", of > 0 ? 100 * (double)bytes / (double)of : 0.0);
    report_cell(t, sb_text(&text));
    sb_done(&text);
}

static void text_cell(struct report_table *t, struct text text)
{
    struct strbuf copy = {0};

    sb_add(&copy, text.bytes, text.len);
    report_cell(t, sb_text(&copy));
    sb_done(&copy);
}

static void line_cell(struct report_table *t, const struct profile *p, const struct frame *line)
{
    struct strbuf text = {0};

    if (line)
        frame_name(&text, p, line, false);
    report_cell(t, sb_text(&text));
    sb_done(&text);
}

static void print_curves(struct strbuf *sb, const struct profile *p, const struct memory *m)
{
    static const char *const heads[] = {"device", "allocator", "step", "peak",
                                        "at",     "of",        "sum over ops"};
    struct report_table t = {.n_columns = sizeof heads / sizeof *heads, .n_left = 2};
    int64_t sum = 0;

    for (size_t i = 0; i < t.n_columns; i++)
        report_cell(&t, heads[i]);
    for (size_t i = 0; i < m->curves.n; i++) {
        const struct memory_curve *c = &m->curves.data[i];
        struct strbuf step = {0};

        report_cell(&t, profile_text(p, c->device));
        report_cell(&t, profile_text(p, c->allocator));
        sb_add_int(&step, c->step);
        report_cell(&t, sb_text(&step));
        sb_done(&step);
        memory_cell(&t, c->peak_bytes);
        time_cell(&t, peak_ps(m, c, p));
        time_cell(&t, length_ps(m, c, p));
        if (!i || c[-1].step != c->step)
            sum = memory_sum_of_peaks(p, c->step);
        memory_cell(&t, sum);
    }
    report_table_end(&t, sb);
    sb_adds(sb, "peak is the most in use at one time; sum over ops adds the peak of each op of the "
                "step on all devices, as peak_bytes of the root does\n");
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

static void print_groups(struct strbuf *sb, const struct profile *p, const memory_live_list *live,
                         enum memory_group by, int64_t peak_bytes)
{
    struct report_table t = {.n_columns = 4, .n_left = 1};
    memory_row_list groups = {0};

    memory_rows(&groups, p, live, by);
    report_cell(&t, memory_group_names[by]);
    report_cell(&t, "nodes");
    report_cell(&t, "bytes");
    report_cell(&t, "of peak");
    for (size_t i = 0; i < groups.n && i < ROWS_MAX; i++) {
        struct strbuf n = {0};

        memory_row_name(&n, p, &groups.data[i]);
        report_cell(&t, sb_text(&n));
        sb_clear(&n);
        sb_addf(&n, "%zu", groups.data[i].n_nodes);
        report_cell(&t, sb_text(&n));
        sb_done(&n);
        memory_cell(&t, groups.data[i].bytes);
        share_cell(&t, groups.data[i].bytes, peak_bytes);
    }
    report_table_end(&t, sb);
    if (groups.n > ROWS_MAX)
        sb_addf(sb, "and %zu more\n", groups.n - ROWS_MAX);
    vec_done(&groups);
}

static void print_nodes(struct strbuf *sb, const struct profile *p, const struct memory *m,
                        const struct memory_curve *c, const memory_live_list *live)
{
    static const char *const heads[] = {"node",    "type", "code", "bytes",
                                        "of peak", "from", "until"};
    enum { CODE = 2, N_HEADS = sizeof heads / sizeof *heads };
    struct report_table t = {.n_columns = N_HEADS - !p->has_trace, .n_left = 2 + p->has_trace};
    struct hidden_frames libraries;

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    for (size_t i = 0; i < N_HEADS; i++)
        if (i != CODE || p->has_trace)
            report_cell(&t, heads[i]);
    for (size_t i = 0; i < live->n && i < ROWS_MAX; i++) {
        const struct memory_live *l = &live->data[i];

        text_cell(&t, text_of(p, p->name[l->node]));
        text_cell(&t, text_of(p, p->op[l->node]));
        if (p->has_trace)
            line_cell(&t, p, memory_line(p, l->node, &libraries));
        memory_cell(&t, l->bytes);
        share_cell(&t, l->bytes, c->peak_bytes);
        time_cell(&t, since_begin_ps(m, c, p, l->from_ticks));
        if (l->to_ticks == INT64_MAX)
            report_cell(&t, "the end");
        else
            time_cell(&t, since_begin_ps(m, c, p, l->to_ticks));
    }
    hidden_frames_done(&libraries);
    report_table_end(&t, sb);
    if (live->n > ROWS_MAX)
        sb_addf(sb, "and %zu more\n", live->n - ROWS_MAX);
}

static void print_text(struct strbuf *sb, const struct profile *p, const struct memory *m)
{
    const struct memory_curve *c = memory_highest(m);
    memory_live_list live = {0};

    print_curves(sb, p, m);
    memory_live_at(m, c, c->peak, &live);
    sb_addf(sb, "\nstep %lld, %s of %s: most in use in each part of the time\n", (long long)c->step,
            profile_text(p, c->allocator), profile_text(p, c->device));
    print_slices(sb, p, m, c);
    sb_addf(sb, "\nlive at its peak: %zu nodes, ", live.n);
    format_memory(sb, c->peak_bytes);
    sb_adds(sb, "\n");
    print_groups(sb, p, &live, MEMORY_BY_SCOPE, c->peak_bytes);
    sb_addc(sb, '\n');
    print_groups(sb, p, &live, MEMORY_BY_TYPE, c->peak_bytes);
    sb_addc(sb, '\n');
    if (p->has_trace) {
        print_groups(sb, p, &live, MEMORY_BY_CODE, c->peak_bytes);
        sb_addc(sb, '\n');
    }
    print_nodes(sb, p, m, c, &live);
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

static void print_json(struct strbuf *sb, const struct profile *p, const struct memory *m)
{
    int64_t sum = 0;

    sb_adds(sb, "{\"tfprof\":1,\"view\":\"memory\",\"allocators\":[");
    for (size_t i = 0; i < m->curves.n; i++) {
        const struct memory_curve *c = &m->curves.data[i];

        if (!i || c[-1].step != c->step)
            sum = memory_sum_of_peaks(p, c->step);
        sb_adds(sb, i ? ",\n{" : "\n{");
        add_curve(sb, p, m, c, sum);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}\n");
}

bool report_memory(struct strbuf *sb, const struct profile *p, const struct options *o,
                   bool is_json, struct err *err)
{
    struct step_times times = {.profile = NULL};
    struct memory m;
    int64_t step;

    if (!step_choose(&times, p, "step", o->step, o->rank, (struct cancel_mark){0}, &step, err))
        return false;
    step_times_done(&times);
    memory_make(&m, p, step);
    if (!m.curves.n) {
        memory_done(&m);
        return err_set(err, ERR_INPUT,
                       p->allocations.lists.n
                           ? "memory: this step has no allocation records"
                           : "memory: needs RunMetadata with allocation records (-run_meta_path)");
    }
    (is_json ? print_json : print_text)(sb, p, &m);
    memory_done(&m);
    return true;
}
