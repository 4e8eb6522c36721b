/* trace_load.c: loads a trace file into the profile. */
#include "load/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/trace/trace_build.h"
#include "base/regex/regexes.h"
#include "load/xplane/run_folder.h"
#include "model/format.h"

/* ---- format detection */

static bool skip_to_value(struct json_in *in)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};

    if (in->end - in->at >= 3 && memcmp(in->at, mark, sizeof mark) == 0)
        in->at += sizeof mark;
    return json_blanks(in);
}

/* Accepts an event as the first element, an empty object, or no element. */
static bool fits_array(struct json_in *in)
{
    struct trace_event e;

    in->at++;
    if (!json_blanks(in))
        return false;
    if (*in->at == ']')
        return true;
    return *in->at == '{' && event_read(in, &e) && (e.is_empty || e.phase.type == JSON_STRING);
}

/* Searches for the key as plain text, because it may be beyond the available head of the file. */
static bool fits_object(struct json_in *in)
{
    struct json_value key, value;

    if (!json_open(in))
        return false;
    while (json_key(in, &key)) {
        if (json_is(key, "traceEvents", 11))
            return *in->at == '[';
        if (!json_value(in, &value))
            return false;
    }
    return false;
}

static bool fits_trace(struct span bytes, struct evidence *e)
{
    struct json_in in = {.at = bytes.bytes, .end = bytes.bytes + bytes.len};

    if (e || !bytes.len || !skip_to_value(&in))
        return false;
    return *in.at == '[' ? fits_array(&in) : *in.at == '{' && fits_object(&in);
}

/* ---- notes on a file */

static void count_phases(struct trace_log *log, struct recorder *r)
{
    struct profile *p = builder_profile(log->builder);
    const strid none = builder_str(log->builder, "(none)", 6);

    r->n_events = log->n_events;
    memcpy(r->repairs, log->repairs, sizeof r->repairs);
    r->phases = arena_calloc(&p->arena, sizeof log->n_phases / sizeof *log->n_phases + 1,
                             sizeof *r->phases);
    for (unsigned i = 0; i < sizeof log->n_phases / sizeof *log->n_phases; i++) {
        const char name = (char)i;

        if (log->n_phases[i])
            r->phases[r->n_phases++] =
                (struct event_count){builder_str(log->builder, &name, 1), log->n_phases[i]};
    }
    if (log->n_phaseless)
        r->phases[r->n_phases++] = (struct event_count){none, log->n_phaseless};
    r->categories = arena_calloc(&p->arena, log->categories.n + 1, sizeof *r->categories);
    vec_each(const struct trace_category, c, &log->categories) {
        if (c->n_slices)
            r->categories[r->n_categories++] =
                (struct event_count){c->name ? c->name : none, c->n_slices};
    }
}

/* Appends a description of repairs; nothing if there were none. */
static void describe_repairs(const struct trace_log *log, struct strbuf *sb)
{
    const char *between = "";

    for (int i = 0; i < REPAIR_COUNT; i++) {
        const uint64_t n = log->repairs[i];

        if (!n || i == REPAIR_TRUNCATED)
            continue;
        sb_addf(sb, "%s%" PRIu64 " %s", between, n, repair_words((enum repair)i, n));
        if (i != REPAIR_BEGIN_WITHOUT_END && i != REPAIR_GZIP_TRUNCATED)
            sb_addf(sb, n == 1 ? " at offset %" PRIu64 : " (first at offset %" PRIu64 ")",
                    log->first_at[i]);
        between = ", ";
    }
    if (log->repairs[REPAIR_TRUNCATED])
        sb_addf(sb, "%sthe file ends within %s at offset %" PRIu64, *between ? "; " : "",
                log->is_cut_within ? "an event" : "the list of events", log->cut_at);
}

static void add_thousands(struct strbuf *sb, uint64_t n)
{
    char digits[24];
    const int len = snprintf(digits, sizeof digits, "%" PRIu64, n);

    for (int i = 0; i < len; i++) {
        sb_adds(sb, i && (len - i) % 3 == 0 ? "," : "");
        sb_addc(sb, digits[i]);
    }
}

bool note_trace_repairs(struct loader *l, const struct trace_log *log, struct err *err)
{
    struct strbuf text = {0};
    bool ok = log->n_events > 0;

    describe_repairs(log, &text);
    if (!ok) {
        err_set(err, ERR_INPUT, "%s: no events%s%s", l->path, text.len ? ": " : "", sb_text(&text));
    } else if (text.len) {
        sb_adds(&text, ": ");
        add_thousands(&text, log->n_events);
        sb_adds(&text, log->n_events == 1 ? " event read" : " events read");
        note_add_kind(&builder_profile(l->builder)->notes, NOTE_REPAIR,
                      "%s: %s", l->path, sb_text(&text));
    }
    sb_done(&text);
    return ok;
}

static void add_steps(struct trace_build *b)
{
    for (size_t i = 0; i < b->steps.n; i++)
        builder_add_step(b->builder, b->steps.data[i].step);
    if (!b->steps.n)
        builder_add_step(b->builder, 0);
}

static const char *const format_texts[] = {
    [DIALECT_GENERIC] = "trace", [DIALECT_KINETO] = "trace, PyTorch",
    [DIALECT_XPROF] = "trace, XProf", [DIALECT_TF_TIMELINE] = "trace, TensorFlow timeline",
    [DIALECT_ONNXRUNTIME] = "trace, ONNX Runtime", [DIALECT_NSYS] = "nsys export",
};

/* Adds a note on events outside all steps, which averages exclude. */
static void note_outside_steps(struct loader *l, const struct recorder *r)
{
    struct strbuf text = {0};

    if (!r->outside_cpu_ns && !r->outside_accelerator_ns)
        return;
    format_time(&text, clamp_mul(r->outside_cpu_ns, PS_PER_NS));
    sb_adds(&text, " cpu, ");
    format_time(&text, clamp_mul(r->outside_accelerator_ns, PS_PER_NS));
    note_add_kind(&builder_profile(l->builder)->notes, NOTE_OUTSIDE,
                  "%s: outside steps: %s accelerator (-step outside)",
             l->path, sb_text(&text));
    sb_done(&text);
}

/* Adds a note that the capture from which XProf made the trace has more data. */
static void note_capture(struct loader *l, const struct trace_log *log, enum dialect dialect)
{
    enum { XPROF_EVENTS_MAX = 1000000 };
    struct notes *notes = &builder_profile(l->builder)->notes;
    uint64_t n_events = 0; /* except metadata events */

    if (dialect != DIALECT_XPROF)
        return;
    for (size_t i = 0; i < sizeof log->n_phases / sizeof *log->n_phases; i++)
        n_events += i == 'M' ? 0 : log->n_phases[i];
    if (n_events == XPROF_EVENTS_MAX)
        note_add(notes, "%s: exactly 1,000,000 events, the limit of its writer: the rest is only "
                        "in the .xplane.pb file", l->path);
    if (run_folder_is_of_captures(l->path))
        note_add(notes, "%s: the capture (.xplane.pb) next to it has more data", l->path);
}

/* True if the backward pass is moved below the forward pass.  A comparison leaves it in place by
 * default, because rows are paired by their recorded names. */
static bool moves_backward(const struct options *o)
{
    return o->backward == BACKWARD_FORWARD || (o->backward == BACKWARD_DEFAULT && !o->diff_base);
}

/* Builds nodes and executions from the log. */
static bool build(struct loader *l, struct trace_log *log, struct err *err)
{
    struct trace_build b = {.l = l,
                            .log = log,
                            .builder = l->builder,
                            .recording = log->recording,
                            .kernel_rows = l->request->options->kernels == KERNELS_AS_ROWS,
                            .moves_backward = moves_backward(l->request->options)};
    bool ok;

    b.dialect = dialect_of(log);
    log->recording->dialect = (uint8_t)b.dialect;
    note_capture(l, log, b.dialect);
    builder_profile(l->builder)->files[l->file].format = format_texts[b.dialect];
    trace_paths_init(&b);
    if (b.dialect == DIALECT_NSYS) {
        b.step_regexes = regexes_new(l->request->options->nvtx_steps, err);
        if (!b.step_regexes) {
            trace_paths_done(&b);
            err_prefix(err, "-nvtx_steps");
            return false;
        }
    }
    if (!graphs_begin(&b, err)) {
        trace_paths_done(&b);
        regexes_free(b.step_regexes);
        return false;
    }
    trace_kinds(&b);
    session_begin(&b);
    trace_steps(&b);
    log->recording->has_allocations = log->memories.n > 0;
    log->recording->has_tensors = log->tensors.n > 0;
    log->recording->has_samples = log->samples.n > 0;
    ok = trace_rank_steps(&b, err);
    if (ok) {
        trace_events_begin(&b);
        if (b.dialect == DIALECT_TF_TIMELINE) {
            trace_timeline(&b);
        } else {
            trace_tracks(&b);
            trace_flows(&b);
            trace_allocators(&b);
            trace_async(&b);
            trace_samples(&b);
        }
        trace_work(&b);
        session_finish(&b);
        flush_segments(&b);
        add_steps(&b);
        note_outside_steps(l, b.recording);
        builder_profile(l->builder)->has_stacks = true;
        builder_profile(l->builder)->has_runtime = true;
    }
    if (ok && b.n_deep)
        note_add(&builder_profile(l->builder)->notes,
                 "%s: %" PRIu64 " calls are nested so deeply that their row names would take more "
                 "than 64 times the file: shown below %s", l->path, b.n_deep, DEEP_CALLS);
    graphs_end(&b);
    free(b.kinds);
    regexes_free(b.step_regexes);
    trace_paths_done(&b);
    return ok;
}

bool trace_build_log(struct loader *l, struct trace_log *log, struct err *err)
{
    count_phases(log, log->recording);
    return build(l, log, err);
}

static bool load_trace(struct loader *l, struct err *err)
{
    struct recorder *recording = builder_recorder(l->builder, l->file);
    struct trace_log log;
    bool ok, is_wanted = true;

    builder_profile(l->builder)->clock.tick_ps = PS_PER_NS;
    trace_log_init(&log, l->builder, recording);
    ok = trace_read(&log, l, err);
    ok = ok && graphs_set_turn(l, &log, err);
    if (ok && l->turn != TURN_TAKEN) {
        builder_profile(l->builder)->n_recorders--;
        is_wanted = false;
    }
    ok = ok && (!is_wanted || trace_ranks(l, &is_wanted, err));
    if (ok && is_wanted) {
        trace_repair(&log, REPAIR_GZIP_TRUNCATED,
                     builder_profile(l->builder)->files[l->file].fault != NULL, 0);
        ok = note_trace_repairs(l, &log, err);
    }
    if (ok && is_wanted) {
        count_phases(&log, recording);
        ok = build(l, &log, err);
    }
    trace_log_done(&log);
    return ok;
}

const struct format_row format_trace = {
    .name = "trace",
    .help = "traces of PyTorch (torch.profiler, export_chrome_trace()), JAX, XProf, ONNX Runtime "
            "(SessionOptions.enable_profiling), TensorFlow's timeline, and any other in the Trace Event format (*.pt.trace.json.gz, "
            "trace.json.gz); several are the ranks of a job",
    .binary_name = "trace",
    .contents = CONTAINS_STEPS,
    .load_order = 90,
    .detect_order = 3, /* before formats that accept nearly any bytes */
    .fits = fits_trace,
    .load = load_trace,
    .load_end = replays_end_load,
    .loads_while_unpacking = true,
    .loads_parts = true,
    .takes_damaged = true,
};
