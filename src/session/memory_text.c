/* memory_text.c: memory of allocators as text. */
#include <stdlib.h>
#include <string.h>

#include "model/format.h"
#include "session/memory_table.h"
#include "view/build/hidden_frames.h"

enum { ROWS_MAX = 20, SLICES = 20, BAR_COLS = 50 };


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

/* Appends TEXT right-aligned, and empties it. */
static void put_right(struct strbuf *sb, struct strbuf *text)
{
    enum { COLS = 10 };

    sb_pad(sb, ' ', text->len < COLS ? COLS - text->len : 0);
    sb_adds(sb, sb_text(text));
    sb_clear(text);
}

/* Prints bars: the maximum in use in each of SLICES equal parts of the time of C. */
static void print_slices(struct strbuf *sb, const struct profile *p, const struct memory *m,
                         const struct memory_curve *c)
{
    const struct memory_event *events = memory_events(m, c);
    const int64_t length = memory_length_ps(m, c, p);
    struct strbuf text = {0};
    int64_t in_use = 0;
    size_t at = 0;

    for (int slice = 0; slice < SLICES; slice++) {
        const int64_t end = slice + 1 < SLICES ? length / SLICES * (slice + 1) : length;
        int64_t most = in_use;

        for (; at < c->n && memory_since_begin_ps(m, c, p, events[at].at_ticks) <= end; at++) {
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
        put_integer(w, memory_since_begin_ps(m, c, p, l->from_ticks));
        if (l->to_ticks == INT64_MAX)
            put_word(w, "the end");
        else
            put_integer(w, memory_since_begin_ps(m, c, p, l->to_ticks));
    }
    table_writer_end(w);
    if (live->n > ROWS_MAX)
        sb_addf(&w->out->text, "and %zu more\n", live->n - ROWS_MAX);
    hidden_frames_done(&libraries);
    sb_done(&line);
}

/* RunMetadata has a curve only for the allocator with the highest peak. */
static void print_curve(struct table_writer *w, const struct table_rows *t)
{
    const struct memory_data *data = t->data;
    const struct profile *p = t->request->profile;
    const struct memory *m = &data->memory;
    const struct memory_curve *c = memory_highest(m);
    struct strbuf *sb = &w->out->text;
    memory_live_list live = {0};

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

/* ---- allocators of the log */

static void add_bytes(struct strbuf *sb, const char *before, int64_t bytes)
{
    sb_adds(sb, before);
    if (bytes == MEMORY_UNKNOWN)
        sb_adds(sb, "unknown");
    else
        format_memory(sb, bytes);
}

static void print_failure(struct strbuf *sb, const struct profile *p, const struct memory_allocator *a,
                          const struct failure_facts *f, struct hidden_frames *libraries)
{
    sb_addf(sb, "OUT OF MEMORY  %s at ", profile_text(p, a->device));
    if (a->has_times)
        format_time(sb, memory_ps(a, memory_ticks(a, f->failure->event + 1)));
    else
        sb_addf(sb, "event %u", f->failure->event);
    add_bytes(sb, "  requested ", f->failure->requested_bytes);
    sb_addf(sb, ": %s", f->reason == FAILED_BY_CAPACITY ? "short by " : failure_reason_text(f->reason));
    if (f->reason == FAILED_BY_CAPACITY) {
        format_memory(sb, f->short_bytes);
        sb_addf(sb, ": %s", failure_reason_text(f->reason));
    }
    add_bytes(sb, "\n               in use ", f->in_use_bytes);
    add_bytes(sb, " of ", f->reserved_bytes);
    sb_adds(sb, " reserved; free inside segments");
    add_bytes(sb, f->free_bytes == MEMORY_UNKNOWN || f->is_exact ? " " : " at most ", f->free_bytes);
    add_bytes(sb, ", largest block ", f->largest_free_bytes);
    add_bytes(sb, "; device free ", f->failure->device_free_bytes);
    sb_adds(sb, "  ");
    live_code_name(sb, p, f->failure->stack, libraries);
    sb_adds(sb, "\n\n");
}

static void print_failures(struct strbuf *sb, const struct profile *p, const struct memory_log *log,
                           struct cancel_mark cancel)
{
    struct hidden_frames libraries;

    hidden_frames_init(&libraries, p, LIBRARY_FRAMES);
    for (size_t i = 0; log && i < log->allocators.n; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];
        struct failure_facts *facts = failure_facts_of(a, cancel);

        for (size_t k = 0; k < a->failures.n; k++)
            print_failure(sb, p, a, &facts[k], &libraries);
        free(facts);
    }
    hidden_frames_done(&libraries);
}

/* Prints bars: the maximum in use in each of SLICES equal parts of the events of A. */
static void print_parts(struct strbuf *sb, const struct memory_allocator *a)
{
    const int64_t length = a->has_times ? memory_ticks(a, a->n_events) : a->n_events;
    struct strbuf text = {0};
    int64_t in_use = a->start_bytes;
    size_t at = 0;

    for (int slice = 0; slice < SLICES; slice++) {
        const int64_t end = slice + 1 < SLICES ? length / SLICES * (slice + 1) : length;
        int64_t most = in_use;

        for (; at < a->points.n; at++) {
            const uint32_t event = a->points.data[at].event;

            if ((a->has_times ? memory_ticks(a, event + 1) : event) > end)
                break;
            in_use = a->points.data[at].in_use_bytes;
            most = in_use > most ? in_use : most;
        }
        if (a->has_times)
            format_time(&text, memory_ps(a, end));
        else
            sb_addf(&text, "event %lld", (long long)end);
        put_right(sb, &text);
        format_memory(&text, most);
        put_right(sb, &text);
        if (most > 0 && a->peak_bytes > 0) {
            sb_adds(sb, "  ");
            sb_pad(sb, '#', (size_t)((double)most / (double)a->peak_bytes * BAR_COLS + 0.5));
        }
        sb_addc(sb, '\n');
    }
    sb_done(&text);
}

static void put_text(struct table_writer *w, struct text text)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_text(&v, text);
    table_writer_cell(w, &v);
}

/* Prints live allocations at Q's instant, and the sum of unlisted ones. */
static void print_live(struct table_writer *w, const struct profile *p, const struct live_question *q)
{
    const struct table_column heads[] = {
        {memory_grouping_names[q->by], .unit = VALUE_TEXT},
        {"blocks", .unit = VALUE_NUMBER},
        {"bytes", .unit = VALUE_BYTES},
        {"percent", .unit = VALUE_PERCENT, .decimals = 1},
    };
    struct live_rows live;
    int64_t sum = 0, rest = 0;

    live_rows_make(&live, p, q);
    for (size_t i = 0; i < live.rows.n; i++) {
        sum = clamp_add(sum, live.rows.data[i].bytes);
        if (i >= ROWS_MAX)
            rest = clamp_add(rest, live.rows.data[i].bytes);
    }
    table_writer_begin(w, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < live.rows.n && i < ROWS_MAX; i++) {
        put_text(w, live.rows.data[i].name);
        put_integer(w, (int64_t)live.rows.data[i].n_blocks);
        put_integer(w, live.rows.data[i].bytes);
        put_share(w, live.rows.data[i].bytes, sum);
    }
    table_writer_end(w);
    if (live.rows.n > ROWS_MAX) {
        sb_addf(&w->out->text, "and %zu more, ", live.rows.n - ROWS_MAX);
        format_memory(&w->out->text, rest);
        sb_addc(&w->out->text, '\n');
    }
    live_rows_done(&live);
}

/* Prints allocations that grew or shrank since the baseline. */
static void print_growth(struct table_writer *w, const struct table_rows *t, const struct live_question *q)
{
    const struct table_column heads[] = {
        {memory_grouping_names[q->by], .unit = VALUE_TEXT},
        {"base", .unit = VALUE_BYTES},
        {"now", .unit = VALUE_BYTES},
        {"delta", .unit = VALUE_BYTES, .is_signed = true},
        {"blocks", .unit = VALUE_NUMBER, .is_signed = true},
    };
    struct memory_growth g;

    memory_growth_make(&g, t, q);
    sb_adds(&w->out->text, "growth of live memory since the base: ");
    format_memory(&w->out->text, clamp_sub(g.bytes, g.base_bytes));
    sb_addc(&w->out->text, '\n');
    table_writer_begin(w, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < g.pairs.n && i < ROWS_MAX; i++) {
        const struct live_pair *pair = &g.pairs.data[i];

        put_text(w, pair->name);
        put_integer(w, pair->base_bytes);
        put_integer(w, pair->bytes);
        put_integer(w, clamp_sub(pair->bytes, pair->base_bytes));
        put_integer(w, (int64_t)(pair->n_blocks - pair->n_base_blocks));
    }
    table_writer_end(w);
    if (g.pairs.n > ROWS_MAX)
        sb_addf(&w->out->text, "and %zu more\n", g.pairs.n - ROWS_MAX);
    memory_growth_done(&g);
}

static void print_allocator(struct table_writer *w, const struct table_rows *t,
                            const struct memory_allocator *a)
{
    const struct profile *p = t->request->now ? t->request->now : t->request->profile;
    const struct live_question q = memory_question(t, a, true);
    struct strbuf *sb = &w->out->text;

    sb_addf(sb, "\n%s of %s", profile_text(p, a->name), profile_text(p, a->device));
    if (!a->has_live_set_only) {
        sb_adds(sb, ": most in use in each part of the time\n");
        print_parts(sb, a);
    } else {
        sb_addc(sb, '\n');
    }
    if (t->request->base) {
        print_growth(w, t, &q);
        return;
    }
    sb_adds(sb, "\nlive at ");
    if (a->has_live_set_only || q.at == a->n_events)
        sb_adds(sb, "the end");
    else if (q.at == a->peak)
        sb_adds(sb, "its peak");
    else
        sb_addf(sb, "event %lld", (long long)q.at - 1);
    sb_adds(sb, "\n");
    print_live(w, p, &q);
    if (a->n_before && !a->n_before_with_stack)
        sb_adds(sb, "to see call stacks of this memory, record from before the model is built: "
                    "torch.cuda.memory._record_memory_history()\n");
}

void memory_print_text(struct table_writer *w, const struct table_rows *t)
{
    const struct memory_data *data = t->data;
    const struct profile *now = t->request->now ? t->request->now : t->request->profile;
    const struct memory_allocator *highest = NULL;

    print_failures(&w->out->text, now, now->memory, t->request->cancel);
    table_writer_rows(w, t, NULL);
    if (memory_highest(&data->memory))
        print_curve(w, t);
    for (size_t i = 0; i < data->rows.n; i++) {
        const struct memory_allocator *a = data->rows.data[i].logged;

        if (a && (!highest || a->failures.n > highest->failures.n ||
                  (a->failures.n == highest->failures.n && a->peak_bytes > highest->peak_bytes)))
            highest = a;
    }
    if (highest)
        print_allocator(w, t, highest);
}
