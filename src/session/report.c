/* report.c: reports about the profile as a whole, its graph replays (formats-trace.md section
 * 11) and its threads. */
#include "session/report.h"

#include <stdlib.h>
#include <string.h>

#include "activity/table.h"
#include "activity/work.h"
#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/sinks/answer.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "session/summary/summary.h"
#include "view/counts.h"

/* Sums over the devices of a trace. */
struct device_sums {
    int64_t busy_ps; /* sum over devices of their busy time */
    uint32_t n_devices;
};

/* Length of the union of DEVICE's work; 0: none. */
static int64_t busy_of(const struct selection *sel, uint32_t device)
{
    struct work_reader reader;
    int64_t busy_ps = 0, end_ps = INT64_MIN;

    work_begin(&reader, sel, device);
    while (work_next(&reader)) {
        const int64_t from_ps = reader.work.start_ps > end_ps ? reader.work.start_ps : end_ps;

        if (reader.work.end_ps <= end_ps)
            continue;
        end_ps = reader.work.end_ps;
        busy_ps = clamp_add(busy_ps, end_ps - from_ps);
    }
    work_end(&reader);
    return busy_ps;
}

static struct device_sums sum_devices(const struct profile *p, const struct recorder *r)
{
    const struct cancel_mark never = {NULL, 0};
    struct device_sums sums = {0};
    struct selection sel;

    selection_open_all(&sel, p, never);
    while (r->has_event_host && selection_next(&sel))
        for (uint32_t i = 0; i < sel.s->devices.n; i++) {
            const bool is_ours = sel.devices[i] && sel.s->devices.data[i].is_accelerator &&
                                 sel.s->devices.data[i].host == r->event_host;
            const int64_t busy_ps = is_ours ? busy_of(&sel, i) : 0;

            sums.busy_ps = clamp_add(sums.busy_ps, busy_ps);
            sums.n_devices += busy_ps > 0;
        }
    selection_done(&sel);
    return sums;
}

static void add_device(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const struct device_sums s = sum_devices(p, r);

    member_open(sb, "device", '{');
    member_integer(sb, "count", s.n_devices);
    report_time(sb, "sum", r->accelerator_ns);
    report_time(sb, "busy", s.busy_ps / PS_PER_NS);
    report_time(sb, "no_recorded_launch", r->unlaunched_ns);
    report_time(sb, "outside_steps", r->outside_accelerator_ns);
    sb_addc(sb, '}');
}

/* Ties keep the order of the file. */
COMPARE_POINTERS(by_wait, struct thread_time, DOWN(wait_ns) || THEN(COMPARE(a, b)))

static void add_thread(struct strbuf *sb, const struct profile *p, const struct thread_time *t)
{
    struct strbuf name = {0};

    sb_add(&name, profile_text(p, t->process), intern_len(&p->strings, t->process));
    sb_addc(&name, '/');
    sb_add(&name, profile_text(p, t->thread), intern_len(&p->strings, t->thread));
    member_key(sb, "thread");
    json_add_string(sb, name.data, name.len);
    member_name(sb, "name", p, t->name);
    report_time(sb, "cpu", t->cpu_ns);
    report_time(sb, "wait", t->wait_ns);
    sb_done(&name);
}

static void add_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const struct thread_time **threads = xcalloc(r->n_thread_times + 1, sizeof *threads);

    for (uint32_t i = 0; i < r->n_thread_times; i++)
        threads[i] = &r->thread_times[i];
    qsort(threads, r->n_thread_times, sizeof *threads, by_wait);
    member_open(sb, "cpu_threads", '[');
    for (uint32_t i = 0; i < r->n_thread_times; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_thread(sb, p, threads[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    free(threads);
}

void report_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const int64_t wait_ns = recorder_wait_ns(r);

    add_device(sb, p, r);
    report_time(sb, "cpu_work", r->cpu_ns - wait_ns);
    report_time(sb, "cpu_wait", wait_ns);
    member_open(sb, "wait", '{');
    for (int i = WAIT_NONE + 1; i < WAIT_KINDS; i++)
        report_time(sb, wait_key((enum wait_kind)i), r->wait_ns[i]);
    sb_addc(sb, '}');
    add_threads(sb, p, r);
}

static void add_capture(struct strbuf *sb, const struct graph_capture *c)
{
    member_string(sb, "path", c->path);
    member_number(sb, "rank", c->rank);
    member_number(sb, "batch_size", c->batch_size);
    member_string(sb, "mode", c->mode);
    member_number(sb, "graphs", c->n_graphs);
    member_number(sb, "launches", c->n_launches);
    member_flag(sb, "used", c->is_used);
}

static void add_row(struct strbuf *sb, const struct profile *p, const struct graph_row *r)
{
    const bool joined = r->reason == JOIN_FITS;

    member_string(sb, "path", r->path);
    member_number(sb, "rank", r->rank < 0 ? INT64_MIN : r->rank);
    member_name(sb, "launch", p, r->launch);
    member_number(sb, "batch_size", r->batch_size);
    member_string(sb, "capture", joined ? p->graphs->captures[r->capture].path : NULL);
    member_number(sb, "graph", joined ? (int64_t)r->graph : INT64_MIN);
    member_string(sb, "how", joined ? join_how_word((enum join_how)r->how) : NULL);
    member_string(sb, "reason", join_reason_word((enum join_reason)r->reason));
    member_integer(sb, "replays", (int64_t)r->n_replays);
    member_integer(sb, "work", (int64_t)r->n_works);
    member_integer(sb, "placed", (int64_t)r->n_placed);
    member_integer(sb, "equal", (int64_t)r->n_equal);
    report_time(sb, "accelerator", r->accelerator_ns);
    report_time(sb, "placed_accelerator", r->placed_ns);
}

static void add_totals(struct strbuf *sb, const struct graph_totals *t)
{
    member_integer(sb, "replays", (int64_t)t->n_replays);
    member_integer(sb, "joined", (int64_t)t->n_joined);
    member_integer(sb, "refused", (int64_t)(t->n_replays - t->n_joined));
    member_integer(sb, "work", (int64_t)t->n_works);
    member_integer(sb, "placed", (int64_t)t->n_placed);
    member_integer(sb, "ambiguous", (int64_t)t->n_ambiguous);
    member_integer(sb, "unmatched", (int64_t)t->n_unmatched);
    report_time(sb, "accelerator", t->accelerator_ns);
    report_time(sb, "placed_accelerator", t->placed_ns);
}

void report_graphs(struct strbuf *sb, const struct profile *p)
{
    const struct graph_replays none = {0}, *g = p->graphs ? p->graphs : &none;
    const struct graph_totals totals = graph_totals_of(g);

    if (!profile_recorders(p).is_torch)
        return;
    member_open(sb, "graphs", '{');
    add_totals(sb, &totals);
    member_open(sb, "captures", '[');
    for (uint32_t i = 0; i < g->n_captures; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_capture(sb, &g->captures[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    member_open(sb, "rows", '[');
    for (uint32_t i = 0; i < g->n_rows; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_row(sb, p, &g->rows[i]);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}");
}

/* ---- JSON */

void report_time(struct strbuf *sb, const char *key, int64_t ns)
{
    member_micros(sb, key, clamp_mul(ns, PS_PER_NS));
}

/* ---- commands */

/* Compares the profiles as the scope view does. */
static bool add_comparison(struct summary *summary, struct session *s, const struct options *o,
                           struct err *err)
{
    const struct cancel_mark never = {NULL, 0};
    struct result *r = s->comparison ? query_run(s->query, VIEW_SCOPE, o, never, err) : NULL;

    if (r)
        summary_comparison(summary, r);
    result_free(r);
    return r || !s->comparison;
}

static bool summary_text(struct strbuf *sb, struct session *s, const struct options *o,
                         struct err *err)
{
    const struct profile *p = s->now;
    const struct cancel_mark never = {NULL, 0};
    struct counts *counts = counts_new(p, o);
    const struct flops *flops = counts_get(counts, never, err);

    bool ok = flops != NULL;

    if (flops) {
        struct summary *summary = summary_new(p, flops, o);

        ok = add_comparison(summary, s, o, err);
        summary_print(sb, summary);
        summary_free(summary);
    }
    counts_unref(counts);
    return ok;
}

/* Prints the summary as text or JSON. */
static bool make_summary(struct sink *out, struct session *s, const struct output_spec *spec,
                         const struct options *o, struct err *err)
{
    const bool is_json = strcmp(spec->output->name, "json") == 0;
    struct strbuf text = {0}, whole = {0};
    bool ok;

    if (spec->outfile || (!is_json && strcmp(spec->output->name, "stdout") != 0))
        return err_set(err, ERR_USAGE,
                       "-output: this command prints text or json to standard output");
    if (is_json)
        ok = report_summary_json(&text, s->now, o->budget, err);
    else
        ok = summary_text(&whole, s, o, err) && answer_keep_lines(&text, &whole, o->budget, err);
    ok = ok && out->write(out, sb_text(&text), text.len, err);
    EACH(sb_done, &text, &whole);
    return ok;
}

bool report_make(struct sink *out, struct session *s, const struct command *command,
                 const struct options *o, struct err *err)
{
    const struct table_request request = {.profile = s->profile, .options = o, .query = s->query,
                                          .now = s->now, .base = s->base};
    struct output_spec spec;
    bool ok;

    if (!output_parse(o->output, &spec, err))
        return false;
    ok = output_supports_budget(&spec, o, err) &&
         (command->table ? output_make_table(&spec, command->table, &request, out, err)
                        : make_summary(out, s, &spec, o, err));
    output_spec_done(&spec);
    return ok;
}
