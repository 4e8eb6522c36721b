/* brief_json.c: a brief as JSON. */
#include <inttypes.h>
#include <string.h>

#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "model/format.h"
#include "model/memory_log.h"
#include "model/profile_kind.h"
#include "session/brief/brief_parts.h"

/* Appends "0.031" for 31 tenths of a percent. */
static void add_share(struct strbuf *sb, const char *key, int64_t tenths)
{
    member_key(sb, key);
    sb_addf(sb, "%" PRId64 ".%03" PRId64, tenths / 1000, tenths % 1000);
}

/* ---- parts */

static void add_unknown(struct strbuf *sb, const char *key, const char *option)
{
    member_open(sb, key, '{');
    member_string(sb, "status", "not recorded");
    member_string(sb, "option", option);
    sb_addc(sb, '}');
}

static void add_inputs(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    member_open(sb, "inputs", '{');
    member_integer(sb, "count", (int64_t)b->p->n_files);
    member_open(sb, "rows", '[');
    for (size_t i = 0; i < plan->n_inputs; i++) {
        sb_adds(sb, i ? ",{" : "{");
        member_string(sb, "path", b->p->files[i].path);
        member_string(sb, "format", b->p->files[i].format);
        member_integer(sb, "bytes", (int64_t)b->p->files[i].file_size_bytes);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}");
}

static void add_system(struct strbuf *sb, const struct brief *b)
{
    const struct brief_counts n = brief_count(b);

    member_open(sb, "system", '{');
    member_string(sb, "framework", profile_framework(b->p));
    member_integer(sb, "hosts", (int64_t)n.n_hosts);
    member_integer(sb, "ranks", (int64_t)n.n_ranks);
    member_integer(sb, "devices", (int64_t)n.n_devices);
    member_known_name(sb, "device", b->p, n.n_devices ? b->verdict.rows.data[0].model_name : STRID_EMPTY);
    sb_addc(sb, '}');
}

static void add_steps(struct strbuf *sb, const struct brief *b)
{
    const size_t n = b->findings.steps.n;
    int64_t range_ps[3];
    size_t slowest;

    if (!brief_has_time(b)) {
        add_unknown(sb, "steps", brief_option(b, UNKNOWN_STEPS));
        return;
    }
    slowest = step_range(&b->findings, range_ps);
    member_open(sb, "steps", '{');
    member_integer(sb, "count", (int64_t)n);
    member_integer(sb, "first", b->findings.steps.data[0].number);
    member_integer(sb, "last", b->findings.steps.data[n - 1].number);
    member_micros(sb, "median", range_ps[0]);
    member_micros(sb, "min", range_ps[1]);
    member_micros(sb, "max", range_ps[2]);
    member_integer(sb, "slowest", b->findings.steps.data[slowest].number);
    member_micros(sb, "total", b->findings.total_ps);
    sb_addc(sb, '}');
}

static void add_anatomy(struct strbuf *sb, const struct brief *b)
{
    if (b->verdict.span_ps <= 0) {
        add_unknown(sb, "anatomy", brief_option(b, UNKNOWN_ANATOMY));
        return;
    }
    member_open(sb, "anatomy", '{');
    member_micros(sb, "span", b->verdict.span_ps);
    for (int i = 0; i < BRIEF_SHARES; i++) {
        member_open(sb, brief_share_names[i], '{');
        member_micros(sb, "time", brief_share_ps(b, i));
        add_share(sb, "share", brief_tenths(brief_share_ps(b, i), b->verdict.span_ps));
        sb_addc(sb, '}');
    }
    sb_addc(sb, '}');
}

static void add_verdict(struct strbuf *sb, const struct brief *b)
{
    struct strbuf text = {0};

    brief_add_verdict(&text, b);
    member_open(sb, "verdict", '{');
    member_string(sb, "id", brief_verdict_id(b));
    member_string(sb, "class", b->verdict.verdict_class == VERDICT_NONE ? NULL : b->verdict.name);
    member_key(sb, "text");
    json_add_string(sb, sb_text(&text), text.len);
    sb_addc(sb, '}');
    sb_done(&text);
}

static void add_figure(struct strbuf *sb, const struct brief *b, int64_t base, int64_t value)
{
    const bool is_time = metrics[b->metric].unit == UNIT_TIME_PS;

    member_open(sb, metrics[b->metric].name, '{');
    if (b->session->base) {
        compared_figure_json(sb, (struct compared_figure){base, value}, is_time);
    } else if (is_time) {
        member_micros(sb, "self", value);
        member_integer(sb, "self_ps", value);
    } else {
        member_integer(sb, "self", value);
    }
    sb_addc(sb, '}');
}

static void add_top(struct strbuf *sb, const struct brief *b, const struct brief_top *top, size_t n)
{
    int64_t rest = top->sum, rest_base = top->base_sum;

    member_open(sb, view_names[top->view], '{');
    add_figure(sb, b, top->base_sum, top->sum);
    member_open(sb, "rows", '[');
    for (size_t i = 0; i < n; i++) {
        const struct brief_row *row = &top->rows.data[i];

        sb_adds(sb, i ? ",{" : "{");
        member_string(sb, "path", row->name);
        if (row->frame && row->frame->lineno != LINE_NONE) {
            member_name(sb, "file", b->p, row->frame->file);
            member_integer(sb, "line", row->frame->lineno);
        }
        add_figure(sb, b, row->base, row->value);
        sb_addc(sb, '}');
        rest = clamp_sub(rest, row->value);
        rest_base = clamp_sub(rest_base, row->base);
    }
    sb_addc(sb, ']');
    if (n < top->n_rows) {
        member_open(sb, "omitted", '{');
        member_integer(sb, "rows", (int64_t)(top->n_rows - n));
        add_figure(sb, b, rest_base, rest);
        sb_addc(sb, '}');
    }
    sb_addc(sb, '}');
}

static void add_memory(struct strbuf *sb, const struct brief *b)
{
    const struct memory_allocator *m = b->highest;

    if (!m) {
        add_unknown(sb, "memory", brief_option(b, UNKNOWN_MEMORY));
        return;
    }
    member_open(sb, "memory", '{');
    member_number(sb, "peak", m->has_live_set_only ? INT64_MIN : m->peak_bytes);
    if (m->has_live_set_only)
        member_integer(sb, "live", m->end_bytes);
    member_known_name(sb, "device", b->p, m->device);
    member_number(sb, "capacity", m->capacity_bytes == MEMORY_UNKNOWN ? INT64_MIN : m->capacity_bytes);
    sb_addc(sb, '}');
}

static void add_flops(struct strbuf *sb, const struct brief *b)
{
    const int64_t busy_ps = b->verdict.span_ps - b->verdict.idle_ps;
    double rate;

    if (b->float_ops == INT64_MIN) {
        add_unknown(sb, "flops", brief_option(b, UNKNOWN_FLOPS));
        return;
    }
    member_open(sb, "flops", '{');
    member_integer(sb, "flops", b->float_ops);
    if (busy_ps > 0) {
        rate = (double)b->float_ops * 1e12 / (double)busy_ps;
        member_key(sb, "per_second");
        sb_addf(sb, "%.0f", rate);
    }
    member_number(sb, "peak", b->peak_flops.source == ROOF_UNKNOWN ? INT64_MIN : b->peak_flops.per_second);
    member_string(sb, "source", roofs_source(b->peak_flops.source));
    if (roofs_source(b->peak_flops.source)) {
        add_share(sb, "share", brief_flops_tenths(b, busy_ps));
        add_share(sb, "mfu", brief_flops_tenths(b, b->verdict.span_ps));
    }
    sb_addc(sb, '}');
}

static void add_missing(struct strbuf *sb, const struct brief *b)
{
    member_open(sb, "missing", '[');
    for (size_t i = 0; i < b->missing.n; i++) {
        sb_adds(sb, i ? ",{" : "{");
        member_string(sb, "what", b->missing.data[i].what);
        member_string(sb, "option", b->missing.data[i].option);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
}

/* ---- the JSON object */

static int64_t count_records(const struct brief_plan *plan)
{
    return (int64_t)(plan->n_findings + plan->n_inputs + plan->n_top[0] + plan->n_top[1] + plan->n_top[2]);
}

static int64_t count_all(const struct brief *b)
{
    return (int64_t)(b->findings.list.n + b->p->n_files + b->top[0].n_rows + b->top[1].n_rows +
                     b->top[2].n_rows);
}

static void add_omitted(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    bool any = plan->n_findings < b->findings.list.n || plan->n_inputs < b->p->n_files;

    for (int i = 0; i < BRIEF_PARTS; i++)
        any |= !plan->parts[i];
    if (!any)
        return;
    member_open(sb, "omitted", '{');
    member_open(sb, "parts", '[');
    for (int i = 0; i < BRIEF_PARTS; i++)
        if (!plan->parts[i])
            sb_addf(sb, "%s\"%s\"", sb->data[sb->len - 1] == '[' ? "" : ",", brief_part_names[i]);
    sb_addc(sb, ']');
    member_integer(sb, "findings", (int64_t)(b->findings.list.n - plan->n_findings));
    member_integer(sb, "inputs", (int64_t)(b->p->n_files - plan->n_inputs));
    sb_addc(sb, '}');
}

static void add_head(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    const int64_t n = count_records(plan), all = count_all(b);

    sb_adds(sb, "{\"tfprof\":2,\"view\":\"brief\",\"units\":{\"bytes\":\"B\",\"lost\":\"us\",\"share\":\"1\","
                "\"time\":\"us\",\"median\":\"us\",\"min\":\"us\",\"max\":\"us\",\"total\":\"us\",\"span\":"
                "\"us\",\"peak\":\"B\",\"count\":\"1\",\"rank\":\"1\",\"step\":\"1\",\"line\":\"1\",\"flops\":\"1\",\"mfu\":\"1\","
                "\"per_second\":\"1/s\"");
    if (b->metric < METRIC_COUNT)
        sb_addf(sb, ",\"%s\":\"%s\"", metrics[b->metric].name,
                metrics[b->metric].unit == UNIT_TIME_PS ? "us" : "1");
    sb_addf(sb, "},\"returned\":%" PRId64 ",\"total\":%" PRId64 ",\"truncated\":%s", n, all,
            n < all ? "true" : "false");
}

void brief_json(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    add_head(sb, b, plan);
    add_inputs(sb, b, plan);
    if (plan->parts[PART_SYSTEM])
        add_system(sb, b);
    add_steps(sb, b);
    if (b->compared.base_path) {
        member_key(sb, "compared");
        compared_json(sb, &b->compared);
    }
    if (plan->parts[PART_ANATOMY])
        add_anatomy(sb, b);
    add_verdict(sb, b);
    member_open(sb, "findings", '[');
    for (size_t i = 0; i < plan->n_findings; i++) {
        sb_adds(sb, i ? "," : "");
        finding_add_json(sb, &b->inputs, &b->findings.list.data[i]);
    }
    sb_addc(sb, ']');
    member_open(sb, "top", '{');
    for (int i = 0; i < BRIEF_VIEWS; i++)
        if (b->top[i].rows.n)
            add_top(sb, b, &b->top[i], plan->n_top[i]);
    sb_addc(sb, '}');
    if (plan->parts[PART_MEMORY])
        add_memory(sb, b);
    if (plan->parts[PART_FLOPS])
        add_flops(sb, b);
    if (plan->parts[PART_MISSING])
        add_missing(sb, b);
    member_open(sb, "next", '[');
    for (size_t i = 0; i < 3; i++) {
        sb_adds(sb, i ? "," : "");
        json_add_string(sb, b->next[i], strlen(b->next[i]));
    }
    sb_addc(sb, ']');
    add_omitted(sb, b, plan);
    sb_adds(sb, "}\n");
}
