/* advice_out.c: advice as a list, as text and as JSON. */
#include "export/advice_out.h"

#include <string.h>

#include "activity/verdict.h"
#include "base/utf8.h"
#include "export/finding_out.h"
#include "export/sinks/answer.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "export/tables/table_writer.h"
#include "model/format.h"

/* Appends "tfprof breakdown FILE". */
static void add_evidence(struct strbuf *sb, const struct advice *a, const struct advice_finding *f)
{
    const char *command = f->checker->command ? f->checker->command : "summary";

    if (strcmp(f->checker->id, "late") == 0)
        sb_adds(sb, a->verdict->evidence); /* "ranks" or "hosts" */
    else
        sb_addf(sb, "tfprof %s FILE", command);
}

/* ---- text */

static void add_text(struct strbuf *sb, const struct advice *a, const struct advice_finding *f)
{
    enum { GAIN_COLS = 10 };
    struct strbuf gain = {0}, evidence = {0};

    if (f->report->gain_ps)
        format_time_apart(&gain, f->report->gain_ps);
    else
        sb_adds(&gain, "--");
    sb_pad(sb, ' ', gain.len < GAIN_COLS ? GAIN_COLS - gain.len : 0);
    sb_addf(sb, "%s  ", sb_text(&gain));
    for (size_t i = 0; i < f->report->n_lines; i++) {
        if (i)
            sb_pad(sb, ' ', GAIN_COLS + 2);
        utf8_escape(sb, f->report->lines[i].bytes, f->report->lines[i].len);
        if (!i) {
            add_evidence(&evidence, a, f);
            sb_adds(sb, "  (");
            utf8_escape(sb, sb_text(&evidence), evidence.len);
            sb_addc(sb, ')');
        }
        sb_addc(sb, '\n');
    }
    EACH(sb_done, &gain, &evidence);
}

static void add_verdict(struct strbuf *sb, void *context, uint64_t returned UNUSED,
                        uint64_t total UNUSED)
{
    const struct advice *a = context;

    if (a->verdict->text) {
        utf8_escape(sb, a->verdict->text, strlen(a->verdict->text));
        sb_adds(sb, "\n\n");
    }
}

bool advice_write_list(const struct advice *a, struct sink *s, struct err *err)
{
    const struct options *o = a->inputs ? a->inputs->options : NULL;
    struct answer answer = {.separator = "", .head = add_verdict, .omitted = answer_omitted_text, .end = "",
                            .context = (void *)(uintptr_t)a};
    struct strbuf lines = {0}, sb = {0};
    VEC(size_t) ends = {0};
    bool ok;

    for (size_t i = 0; i < a->n_findings; i++) {
        add_text(&lines, a, &a->findings[i]);
        vec_push(&ends, lines.len);
        vec_push(&answer.records, ((struct budget_record){.weight = a->findings[i].report->gain_ps,
                                                          .parent = RECORD_NONE}));
    }
    for (size_t i = 0; i < ends.n; i++) {
        const size_t from = i ? ends.data[i - 1] : 0;

        vec_push(&answer.pieces, ((struct text){lines.data + from, (uint32_t)(ends.data[i] - from)}));
    }
    if (!a->n_findings)
        answer.tail = (struct text){"nothing to advise\n", 18};
    ok = answer_fit(&sb, &answer, o ? o->budget : 0, o ? o->top : 0, err) &&
         s->write(s, sb_text(&sb), sb.len, err);
    answer_done(&answer);
    vec_done(&ends);
    EACH(sb_done, &lines, &sb);
    return ok;
}

/* ---- json */

static void add_value(struct strbuf *sb, const struct advice_finding *f)
{
    if (!f->report->value_unit) {
        sb_adds(sb, ",\"value\":null");
        return;
    }
    sb_addf(sb, ",\"value\":{\"name\":\"%s\",\"number\":%.1f,\"unit\":\"%s\"}", f->checker->id,
            f->report->value, f->report->value_unit);
}

static void add_finding(struct strbuf *sb, const struct advice *a, const struct advice_finding *f)
{
    const struct advice_report *r = f->report;
    struct strbuf evidence = {0};

    sb_adds(sb, "{\"id\":");
    json_add_string(sb, f->id, strlen(f->id));
    member_string(sb, "checker", f->checker->name);
    member_string(sb, "severity", f->severity);
    sb_adds(sb, ",\"claim\":");
    json_add_string(sb, r->lines[0].bytes, r->lines[0].len);
    add_value(sb, f);
    member_micros(sb, "gain_micros", r->gain_ps);
    sb_adds(sb, ",\"rows\":[");
    for (size_t i = 0; i < r->n_rows; i++) {
        sb_adds(sb, i ? "," : "");
        json_add_string(sb, r->rows[i], strlen(r->rows[i]));
    }
    sb_addc(sb, ']');
    member_string(sb, "source", r->source);
    add_evidence(&evidence, a, f);
    member_string(sb, "evidence", sb_text(&evidence));
    sb_addc(sb, '}');
    sb_done(&evidence);
}

struct advice_json {
    const struct advice *advice;
    struct strbuf rows; /* rows of all findings */
};

static void add_head(struct strbuf *sb, void *context, uint64_t returned, uint64_t total)
{
    const struct advice_json *of = context;

    json_add_head(sb, "advise", "\"value\":\"us\",\"percent\":\"%\",\"gain_micros\":\"us\",\"lost\":\"us\","
                                "\"share\":\"1\",\"count\":\"1\"", returned, total);
    sb_adds(sb, ",\"verdict\":");
    json_add_record(sb, verdict_columns, VERDICT_COLUMNS, of->advice->verdict, NULL);
    sb_adds(sb, returned ? ",\"rows\":[\n" : ",\"rows\":[");
}

static size_t count_causes(const struct advice *a)
{
    return a->causes ? a->causes->list.n : 0;
}

/* Appends the first N causes after the rows. */
static void add_causes(struct strbuf *sb, const struct advice *a, size_t n)
{
    sb_adds(sb, "],\"findings\":[");
    for (size_t i = 0; i < n; i++) {
        sb_adds(sb, i ? ",\n" : "\n");
        finding_add_json(sb, a->inputs, &a->causes->list.data[i]);
    }
    sb_addc(sb, ']');
    if (n < count_causes(a))
        sb_addf(sb, ",\"findings_omitted\":%zu", count_causes(a) - n);
}

/* Fits the rows, followed by as many causes as the budget allows. */
static bool fit_causes(struct strbuf *sb, struct answer *answer, const struct advice *a,
                       const struct options *o, struct err *err)
{
    struct strbuf causes = {0};
    bool ok = false;

    for (size_t n = count_causes(a) + 1; n-- > 0 && !ok;) {
        err_done(err);
        *err = (struct err){.kind = ERR_NONE};
        sb_clear(&causes);
        add_causes(&causes, a, n);
        answer->tail = (struct text){sb_text(&causes), (uint32_t)causes.len};
        ok = answer_fit(sb, answer, o ? o->budget : 0, o ? o->top : 0, err);
    }
    sb_done(&causes);
    return ok;
}

bool advice_write_json(const struct advice *a, struct sink *s, struct err *err)
{
    const struct options *o = a->inputs ? a->inputs->options : NULL;
    struct advice_json of = {.advice = a};
    struct answer answer = {.separator = ",\n", .head = add_head, .omitted = answer_omitted_json,
                            .end = "}\n", .context = &of};
    struct strbuf sb = {0};
    bool ok;

    for (size_t i = 0; i < a->n_findings; i++) {
        add_finding(&of.rows, a, &a->findings[i]);
        sb_addc(&of.rows, '\n');
    }
    answer_add_lines(&answer, (struct text){sb_text(&of.rows), (uint32_t)of.rows.len}, ',');
    for (size_t i = 0; i < a->n_findings; i++)
        vec_push(&answer.records, ((struct budget_record){.weight = a->findings[i].report->gain_ps,
                                                          .parent = RECORD_NONE}));
    ok = fit_causes(&sb, &answer, a, o, err) && s->write(s, sb_text(&sb), sb.len, err);
    answer_done(&answer);
    EACH(sb_done, &of.rows, &sb);
    return ok;
}
