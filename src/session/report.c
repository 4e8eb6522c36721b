/* report.c: reports about the profile as a whole. */
#include "session/report.h"

#include <string.h>

#include "activity/table.h"
#include "export/sinks/answer.h"
#include "export/sinks/json_members.h"
#include "model/format.h"
#include "session/summary/summary.h"
#include "view/counts.h"

/* ---- JSON */

void report_time(struct strbuf *sb, const char *key, int64_t ns)
{
    member_key(sb, key);
    format_micros(sb, clamp_mul(ns, PS_PER_NS));
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
