/* report_summary.c: the loaded files as JSON (formats-trace.md section 10). */
#include <string.h>

#include "activity/memory_steps.h"
#include "activity/verdict.h"
#include "export/sinks/answer.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "export/tables/table_writer.h"
#include "session/report.h"

static void add_counts(struct strbuf *sb, const char *key, const struct profile *p,
                       const struct event_count *counts, uint32_t n)
{
    member_open(sb, key, '{');
    for (uint32_t i = 0; i < n; i++) {
        sb_adds(sb, i ? "," : "");
        json_add_string(sb, profile_text(p, counts[i].name),
                        intern_len(&p->strings, counts[i].name));
        sb_addc(sb, ':');
        sb_add_int(sb, (int64_t)counts[i].n);
    }
    sb_addc(sb, '}');
}

/* True when an earlier mark has the same step. */
static bool is_repeated(const struct recorder *r, uint32_t i)
{
    return i > 0 && r->steps[i].step == r->steps[i - 1].step;
}

static void add_steps(struct strbuf *sb, const struct recorder *r)
{
    member_open(sb, "steps", '[');
    for (uint32_t i = 0; i < r->n_steps; i++) {
        if (is_repeated(r, i))
            continue;
        sb_adds(sb, i ? "," : "");
        sb_add_int(sb, r->steps[i].step);
    }
    sb_adds(sb, !r->n_steps ? "0" : "");
    sb_addc(sb, ']');
}

static void add_repairs(struct strbuf *sb, const struct recorder *r)
{
    member_open(sb, "repairs", '{');
    for (int i = 0; i < REPAIR_COUNT; i++)
        if (r->repairs[i])
            member_integer(sb, repair_key((enum repair)i), (int64_t)r->repairs[i]);
    sb_addc(sb, '}');
}

/* Uses outside of all steps have step null. */
static void add_memory(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    struct memory_steps m;

    memory_steps_make(&m, p, r);
    member_open(sb, "memory", '[');
    vec_each(const struct memory_use, use, &m.uses) {
        sb_adds(sb, use > m.uses.data ? ",{" : "{");
        member_name(sb, "device", p, use->device);
        if (use->step == STEP_OUTSIDE || !r->n_steps)
            member_null(sb, "step");
        else
            member_integer(sb, "step", use->step);
        member_integer(sb, "peak_bytes", use->peak_bytes);
        member_integer(sb, "end_bytes", use->end_bytes);
        member_integer(sb, "reserved_bytes", use->reserved_bytes);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    memory_steps_done(&m);
}

static void add_errors(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    member_open(sb, "errors", '[');
    for (uint32_t i = 0; i < r->n_errors; i++) {
        sb_adds(sb, i ? "," : "");
        json_add_string(sb, profile_text(p, r->errors[i]),
                        intern_len(&p->strings, r->errors[i]));
    }
    sb_addc(sb, ']');
}

static void add_backward(struct strbuf *sb, const struct recorder *r)
{
    member_open(sb, "backward", '{');
    report_time(sb, "placed", r->backward.pass_ns[PASS_PLACED]);
    report_time(sb, "unplaced", r->backward.pass_ns[PASS_UNPLACED]);
    report_time(sb, "recompute", r->backward.pass_ns[PASS_RECOMPUTED]);
    report_time(sb, "with_line", r->backward.with_line_ns);
    sb_addc(sb, '}');
}

static void add_recorder(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    member_string(sb, "dialect", dialect_name((enum dialect)r->dialect));
    member_integer(sb, "events", (int64_t)r->n_events);
    add_counts(sb, "phases", p, r->phases, r->n_phases);
    add_counts(sb, "categories", p, r->categories, r->n_categories);
    if (r->rank < 0)
        member_null(sb, "rank");
    else
        member_integer(sb, "rank", r->rank);
    add_steps(sb, r);
    add_repairs(sb, r);
    member_open(sb, "outside", '{');
    report_time(sb, "cpu", r->outside_cpu_ns);
    report_time(sb, "accelerator", r->outside_accelerator_ns);
    sb_addc(sb, '}');
    member_integer(sb, "unlaunched", (int64_t)r->n_unlaunched);
    member_integer(sb, "partial_overlaps", (int64_t)r->n_partial_overlaps);
    member_integer(sb, "threads", r->n_threads);
    report_time(sb, "cpu", r->cpu_ns);
    report_time(sb, "accelerator", r->accelerator_ns);
    report_threads(sb, p, r);
    add_memory(sb, p, r);
    add_errors(sb, p, r);
    add_backward(sb, r);
}

/* Adds the value of F. The caller writes the brackets of lists and objects. */
static void add_value(struct strbuf *sb, const struct profile *p, const struct file_fact *f)
{
    static const char *const parts[] = {"tensors", "params", "bytes"};

    if (f->kind == FACT_MEMBER || f->kind == FACT_MEMBER_COUNT || f->kind == FACT_TENSORS) {
        json_add_string(sb, profile_text(p, f->name), intern_len(&p->strings, f->name));
        sb_addc(sb, ':');
    }
    if (f->kind == FACT_FLAG) {
        sb_adds(sb, f->number[0] ? "true" : "false");
    } else if (f->kind == FACT_NUMBER || f->kind == FACT_MEMBER_COUNT) {
        sb_add_int(sb, f->number[0]);
    } else if (f->kind == FACT_TENSORS) {
        sb_addc(sb, '{');
        for (size_t i = 0; i < 3; i++)
            member_integer(sb, parts[i], f->number[i]);
        sb_addc(sb, '}');
    } else {
        json_add_string(sb, profile_text(p, f->text), intern_len(&p->strings, f->text));
    }
}

/* Adds the facts that file I states. */
static void add_facts(struct strbuf *sb, const struct profile *p, size_t i)
{
    for (uint32_t k = 0, end; k < p->n_file_facts; k = end) {
        const struct file_fact *f = &p->file_facts[k];
        const bool is_one = f->kind == FACT_NUMBER || f->kind == FACT_TEXT || f->kind == FACT_FLAG;

        for (end = k + 1; !is_one && end < p->n_file_facts && p->file_facts[end].file == f->file &&
                          strcmp(p->file_facts[end].key, f->key) == 0;)
            end++;
        if (f->file != i)
            continue;
        member_key(sb, f->key);
        if (!is_one)
            sb_addc(sb, f->kind == FACT_ITEM ? '[' : '{');
        for (uint32_t m = k; m < end; m++) {
            sb_adds(sb, m > k ? "," : "");
            if (p->file_facts[m].kind != FACT_EMPTY)
                add_value(sb, p, &p->file_facts[m]);
        }
        if (!is_one)
            sb_addc(sb, f->kind == FACT_ITEM ? ']' : '}');
    }
}

static void add_samples(struct strbuf *sb, const struct profile *p, const struct sample_file *f)
{
    member_integer(sb, "samples", (int64_t)f->n_samples);
    member_open(sb, "sample_types", '[');
    for (uint32_t i = 0; i < f->n_types; i++) {
        sb_adds(sb, i ? ",{" : "{");
        member_name(sb, "type", p, f->types[i].type);
        member_name(sb, "unit", p, f->types[i].unit);
        member_integer(sb, "total", f->types[i].total);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    member_name(sb, "default_type", p, f->types[f->standard].type);
    if (f->live >= 0) {
        member_name(sb, "live_type", p, f->types[f->live].type);
    } else {
        member_null(sb, "live_type");
    }
}

/* Adds one object: file I, or the N-th trace R in it. */
static void add_file(struct strbuf *sb, const struct profile *p, size_t i, uint32_t n,
                     const struct recorder *r)
{
    sb_adds(sb, i || n ? ",\n{" : "\n{");
    member_string(sb, "path", p->files[i].path);
    member_string(sb, "format", p->files[i].format);
    add_facts(sb, p, i);
    if (r && r->pid)
        member_integer(sb, "pid", r->pid);
    if (r && r->process)
        member_name(sb, "process", p, r->process);
    if (r)
        add_recorder(sb, p, r);
    for (size_t k = 0; k < p->sample_files.n; k++)
        if (p->sample_files.data[k].file == i)
            add_samples(sb, p, &p->sample_files.data[k]);
    sb_addc(sb, '}');
}

/* Adds the verdict if the profile has events. */
static void add_verdict(struct strbuf *sb, const struct profile *p)
{
    const struct selection_request all = {.step = STEP_ALL, .rank = RANK_ALL};
    struct verdict verdict;

    if (!p->events ||
        !verdict_make(&verdict, p, &all, false, (struct cancel_mark){NULL, 0}, NULL))
        return;
    member_key(sb, "verdict");
    json_add_record(sb, verdict_columns, VERDICT_COLUMNS, &verdict, p);
    verdict_done(&verdict);
}

static void add_head(struct strbuf *sb, void *context UNUSED, uint64_t returned, uint64_t total)
{
    json_add_head(sb, "summary", "\"bytes\":\"B\",\"cpu\":\"us\",\"accelerator\":\"us\",\"events\":\"1\"", returned,
                  total);
    sb_adds(sb, returned ? ",\"files\":[\n" : ",\"files\":[");
}

bool report_summary_json(struct strbuf *sb, const struct profile *p, int64_t budget, struct err *err)
{
    struct answer a = {.separator = ",\n", .head = add_head, .omitted = answer_omitted_json, .end = "}\n"};
    struct strbuf files = {0}, tail = {0};
    bool ok;

    for (size_t i = 0; i < p->n_files; i++) {
        uint32_t n = 0;

        for (uint32_t k = 0; k < p->n_recorders; k++)
            if (p->recorders[k].file == i)
                add_file(&files, p, i, n++, &p->recorders[k]);
        if (!n)
            add_file(&files, p, i, 0, NULL);
    }
    sb_addc(&tail, ']');
    add_verdict(&tail, p);
    report_graphs(&tail, p);
    answer_add_lines(&a, (struct text){sb_text(&files), (uint32_t)files.len}, ',');
    a.tail = (struct text){tail.data, (uint32_t)tail.len};
    ok = answer_fit(sb, &a, budget, 0, err);
    answer_done(&a);
    EACH(sb_done, &files, &tail);
    return ok;
}
