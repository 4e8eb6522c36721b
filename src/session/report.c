/* report.c: what commands print that are about the profile as a whole. */
#include "session/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/json_text.h"
#include "export/output.h"
#include "model/format.h"
#include "session/summary/summary.h"
#include "view/counts.h"

/* ---- JSON */

void report_key(struct strbuf *sb, const char *key)
{
    const char last = sb->len ? sb->data[sb->len - 1] : '{';

    if (last != '{' && last != '[')
        sb_addc(sb, ',');
    sb_addf(sb, "\"%s\":", key);
}

void report_integer(struct strbuf *sb, const char *key, int64_t value)
{
    report_key(sb, key);
    sb_add_int(sb, value);
}

void report_time(struct strbuf *sb, const char *key, int64_t ns)
{
    report_key(sb, key);
    format_micros(sb, clamp_mul(ns, PS_PER_NS));
}

void report_string(struct strbuf *sb, const char *key, const struct profile *p, strid id)
{
    report_key(sb, key);
    json_add_string(sb, profile_text(p, id), intern_len(&p->strings, id));
}

/* ---- tables */

void report_cell(struct report_table *t, const char *text)
{
    struct strbuf escaped = {0};

    utf8_escape(&escaped, text, strlen(text));
    vec_push(&t->cells, sb_take(&escaped));
}

void report_time_cell(struct report_table *t, int64_t ns)
{
    struct strbuf text = {0};

    format_time(&text, clamp_mul(ns, PS_PER_NS));
    vec_push(&t->cells, sb_take(&text));
}

void report_table_end(struct report_table *t, struct strbuf *sb)
{
    size_t *width = xcalloc(t->n_columns, sizeof *width);

    for (size_t i = 0; i < t->cells.n; i++)
        if (strlen(t->cells.data[i]) > width[i % t->n_columns])
            width[i % t->n_columns] = strlen(t->cells.data[i]);
    for (size_t i = 0; i < t->cells.n; i++) {
        const size_t column = i % t->n_columns, len = strlen(t->cells.data[i]);
        const size_t pad = width[column] - len;

        if (column)
            sb_adds(sb, "  ");
        if (column >= t->n_left)
            sb_pad(sb, ' ', pad);
        sb_adds(sb, t->cells.data[i]);
        if (column + 1 == t->n_columns)
            sb_addc(sb, '\n');
        else if (column < t->n_left)
            sb_pad(sb, ' ', pad);
        free(t->cells.data[i]);
    }
    vec_done(&t->cells);
    free(width);
}

/* ---- commands */

/* What is compared is compared as in the scope view. */
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
        struct summary *summary = summary_new(p, flops);

        ok = add_comparison(summary, s, o, err);
        summary_print(sb, summary);
        summary_free(summary);
    }
    counts_unref(counts);
    return ok;
}

/* Is JSON wanted?  False with ERR when something else than that or text is. */
static bool read_output(const struct options *o, bool *is_json, struct err *err)
{
    struct output_spec spec;
    bool ok;

    if (!output_parse(o->output, &spec, err))
        return false;
    *is_json = strcmp(spec.output->name, "json") == 0;
    ok = *is_json || strcmp(spec.output->name, "stdout") == 0;
    if (!ok || spec.outfile)
        ok = err_set(err, ERR_USAGE, "-output: this command prints text or json to standard output");
    output_spec_done(&spec);
    return ok;
}

bool report_make(struct strbuf *sb, struct session *s, enum command_kind command,
                 const struct options *o, struct err *err)
{
    bool is_json;

    if (!read_output(o, &is_json, err))
        return false;
    if (command == COMMAND_ANATOMY)
        return report_anatomy(sb, s->profile, o, is_json, err);
    if (command == COMMAND_HOSTS)
        return report_hosts(sb, s->profile, is_json, err);
    if (command == COMMAND_RANKS)
        return report_ranks(sb, s->profile, o, is_json, err);
    if (command == COMMAND_MEMORY)
        return report_memory(sb, s->profile, o, is_json, err);
    if (!is_json)
        return summary_text(sb, s, o, err);
    report_summary_json(sb, s->now);
    return true;
}
