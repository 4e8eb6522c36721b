/* memory_text.c: memory of allocators as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
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

static void put_text(struct table_writer *w, struct text text)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_text(&v, text);
    table_writer_cell(w, &v);
}

static void put_share(struct table_writer *w, int64_t bytes, int64_t of)
{
    struct table_value v = {.kind = VALUE_IS_NONE};

    value_real(&v, of > 0 ? 100 * (double)bytes / (double)of : 0);
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
    struct strbuf code = {0};

    sb_adds(sb, "OUT OF MEMORY  ");
    utf8_escape(sb, profile_text(p, a->device), intern_len(&p->strings, a->device));
    sb_adds(sb, " at ");
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
    live_code_name(&code, p, f->failure->stack, libraries);
    utf8_escape(sb, sb_text(&code), code.len);
    sb_adds(sb, "\n\n");
    sb_done(&code);
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

/* Prints when the allocation of ROW begins and ends. */
static void put_life(struct table_writer *w, const struct memory_allocator *a, const struct live_row *row)
{
    const struct memory_allocation *m = &a->allocations.data[row->allocation];

    if (!row->n_blocks || !m->begin)
        put_text(w, text_from("the start"));
    else
        put_integer(w, memory_ps(a, memory_ticks(a, m->begin)));
    if (!row->n_blocks || m->end == MEMORY_NEVER)
        put_text(w, text_from("the end"));
    else
        put_integer(w, memory_ps(a, memory_ticks(a, m->end)));
}

/* Prints live allocations at Q's instant, and the sum of unlisted ones. */
static void print_live(struct table_writer *w, const struct profile *p, const struct live_rows_request *q)
{
    const struct table_column heads[] = {
        {memory_grouping_names[q->by], .unit = VALUE_TEXT},
        {"blocks", .unit = VALUE_NUMBER},
        {"bytes", .unit = VALUE_BYTES},
        {"percent", .unit = VALUE_PERCENT, .decimals = 1},
        {"from", .unit = VALUE_TIME_PS},
        {"until", .unit = VALUE_TIME_PS},
    };
    const bool has_lives = q->by == GROUPING_BLOCK && q->allocator->has_times;
    struct live_rows live;
    int64_t sum = 0, rest = 0;
    uint64_t n_blocks = 0;

    live_rows_make(&live, p, q);
    for (size_t i = 0; i < live.rows.n; i++) {
        n_blocks += live.rows.data[i].n_blocks;
        sum = clamp_add(sum, live.rows.data[i].bytes);
        if (i >= ROWS_MAX)
            rest = clamp_add(rest, live.rows.data[i].bytes);
    }
    sb_addf(&w->out->text, ": %" PRIu64 " block%s, ", n_blocks, n_blocks == 1 ? "" : "s");
    format_memory(&w->out->text, sum);
    sb_addc(&w->out->text, '\n');
    table_writer_begin(w, heads, sizeof heads / sizeof *heads - (has_lives ? 0 : 2));
    for (size_t i = 0; i < live.rows.n && i < ROWS_MAX; i++) {
        put_text(w, live.rows.data[i].name);
        put_integer(w, (int64_t)live.rows.data[i].n_blocks);
        put_integer(w, live.rows.data[i].bytes);
        put_share(w, live.rows.data[i].bytes, sum);
        if (has_lives)
            put_life(w, q->allocator, &live.rows.data[i]);
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
static void print_growth(struct table_writer *w, const struct table_rows *t, const struct live_rows_request *q)
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
    const struct live_rows_request q = memory_request(t, a, true);
    struct strbuf *sb = &w->out->text;

    sb_addc(sb, '\n');
    utf8_escape(sb, profile_text(p, a->name), intern_len(&p->strings, a->name));
    sb_adds(sb, " of ");
    utf8_escape(sb, profile_text(p, a->device), intern_len(&p->strings, a->device));
    if (a->has_no_addresses)
        sb_addf(sb, " in step %lld", (long long)a->step);
    if (!a->has_live_set_only && a->n_events) {
        sb_adds(sb, ": peak of memory in use per interval\n");
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
    print_live(w, p, &q);
    if (a->n_before && !a->n_before_with_stack && !p->programs)
        sb_adds(sb, "to see call stacks of this memory, record from before the model is built: "
                    "torch.cuda.memory._record_memory_history()\n");
}

void memory_print_text(struct table_writer *w, const struct table_rows *t)
{
    const struct memory_data *data = t->data;
    const struct profile *now = t->request->now ? t->request->now : t->request->profile;
    const struct memory_allocator *highest = NULL;

    print_failures(&w->out->text, now, profile_memory(now), t->request->cancel);
    table_writer_rows(w, t, NULL);
    if (data->rows.n && data->rows.data[0].allocator->has_no_addresses)
        sb_adds(&w->out->text, "peak is the most in use at one time; sum over ops adds the peak of each op of the "
                               "step on all devices, as peak_bytes of the root does\n");
    for (size_t i = 0; i < data->rows.n; i++) {
        const struct memory_allocator *a = data->rows.data[i].allocator;

        if (!highest || a->failures.n > highest->failures.n ||
                  (a->failures.n == highest->failures.n && a->peak_bytes > highest->peak_bytes))
            highest = a;
    }
    if (highest)
        print_allocator(w, t, highest);
}
