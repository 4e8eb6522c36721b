/* advice_out.c: advice as a list, as text and as JSON. */
#include "export/advice_out.h"

#include <string.h>

#include "activity/verdict.h"
#include "base/utf8.h"
#include "export/sinks/escape.h"
#include "export/sinks/outbuf.h"
#include "export/tables/table_writer.h"
#include "model/format.h"

/* "tfprof breakdown FILE". */
static void add_evidence(struct strbuf *sb, const struct advice *a, const struct advice_finding *f)
{
    const char *command = f->checker->command ? f->checker->command : "summary";

    if (strcmp(f->checker->id, "late") == 0)
        sb_adds(sb, a->verdict->evidence); /* ranks or hosts */
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
    sb_done(&gain);
    sb_done(&evidence);
}

void advice_add_list(struct strbuf *sb, const struct advice *a)
{
    if (a->verdict->text) {
        utf8_escape(sb, a->verdict->text, strlen(a->verdict->text));
        sb_adds(sb, "\n\n");
    }
    for (size_t i = 0; i < a->n_findings; i++)
        add_text(sb, a, &a->findings[i]);
    if (!a->n_findings)
        sb_adds(sb, "nothing to advise\n");
}

/* ---- json */

static void add_string(struct strbuf *sb, const char *key, const char *text)
{
    sb_addf(sb, ",\"%s\":", key);
    if (text)
        json_add_string(sb, text, strlen(text));
    else
        sb_adds(sb, "null");
}

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

    sb_adds(sb, "\n{\"id\":");
    json_add_string(sb, f->id, strlen(f->id));
    add_string(sb, "checker", f->checker->name);
    add_string(sb, "severity", f->severity);
    sb_adds(sb, ",\"claim\":");
    json_add_string(sb, r->lines[0].bytes, r->lines[0].len);
    add_value(sb, f);
    sb_adds(sb, ",\"gain_micros\":");
    format_micros(sb, r->gain_ps);
    sb_adds(sb, ",\"rows\":[");
    for (size_t i = 0; i < r->n_rows; i++) {
        sb_adds(sb, i ? "," : "");
        json_add_string(sb, r->rows[i], strlen(r->rows[i]));
    }
    sb_addc(sb, ']');
    add_string(sb, "source", r->source);
    add_evidence(&evidence, a, f);
    add_string(sb, "evidence", sb_text(&evidence));
    sb_addc(sb, '}');
    sb_done(&evidence);
}

bool advice_write_json(const struct advice *a, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_adds(&out.text, "{\"tfprof\":1,\"view\":\"advise\",\"verdict\":");
    json_add_record(&out.text, verdict_columns, VERDICT_COLUMNS, a->verdict, NULL);
    sb_adds(&out.text, ",\"rows\":[");
    for (size_t i = 0; i < a->n_findings; i++) {
        sb_adds(&out.text, i ? "," : "");
        add_finding(&out.text, a, &a->findings[i]);
    }
    sb_adds(&out.text, "]}\n");
    return outbuf_end(&out);
}
