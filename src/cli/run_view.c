/* run_view.c: commands on a loaded profile: views, reports, the brief, SQL. */

#include <stdlib.h>
#include <string.h>

#include "activity/table_compared.h"
#include "base/regex/regexes.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "export/finding_out.h"
#include "export/sql/sql_query.h"
#include "flops/flops.h"
#include "load/load.h"
#include "model/profile_kind.h"
#include "session/brief/brief.h"
#include "session/brief/compared.h"
#include "session/first_options.h"
#include "session/report.h"
#include "view/advise/advise.h"
#include "view/delta.h"
#include "view/explain/explain.h"

/* Notes that COMMAND (or NULL) leaves out: a brief has its own line on time outside of steps. */
static unsigned omitted_note_kinds(const struct command *command)
{
    return command && command->kind == COMMAND_BRIEF ? 1U << NOTE_OUTSIDE : 0;
}

static bool is_json(const struct command_line *cl)
{
    return strcmp(cl->options.output, "json") == 0;
}

/* With -output json, adds the notes on S, and on the result R if it is not NULL, to the answer in
 * OUT, unless CL is quiet. */
static void add_notes(struct stdout_sink *out, const struct session *s, const struct result *r,
                      const struct command_line *cl)
{
    const bool is_brief = cl->command->kind == COMMAND_BRIEF;
    const int64_t budget = cl->options.budget;
    struct notes notes = {0};
    struct strbuf why = {0};

    if (cl->quiet || !is_json(cl))
        return;
    notes_add_all(&notes, &s->profile->notes, "");
    if (r)
        notes_add_all(&notes, &r->notes, "");
    if (r && explain_empty(r, &why))
        note_add_kind(&notes, NOTE_EMPTY, "%s", sb_text(&why));
    stdout_sink_add_notes(out, &notes, omitted_note_kinds(cl->command),
                          is_brief && !budget ? BRIEF_JSON_BYTES : budget);
    notes_done(&notes);
    sb_done(&why);
}

struct session *open_session(struct command_line *cl, struct err *err)
{
    struct load_progress progress = {0};
    struct progress_line *line = progress_start(&progress, cl->quiet);
    struct session *s = session_open(&cl->options, (const char *const *)cl->files.items,
                                     cl->files.n, &progress, cl->cancel, err);

    progress_stop(line);
    if (s) {
        if (!cl->command || !cl->command->table)
            kind_options(&cl->options, &cl->given, s->profile->kind);
        if (cl->command && cl->command->kind == COMMAND_VIEW && cl->command->view == VIEW_OP)
            list_options(&cl->options, &cl->given);
        report_notes(&s->profile->notes, omitted_note_kinds(cl->command), cl->quiet);
    } else if (err->kind == ERR_USAGE) {
        list_runs_to_choose(cl);
    }
    return s;
}

static void report_why_empty(const struct result *r, bool quiet)
{
    struct strbuf why = {0};

    if (!quiet && explain_empty(r, &why))
        report_line("%s", sb_text(&why));
    sb_done(&why);
}

/* Prints a note on the share of operations whose counts are known. */
static void report_coverage(struct result *r, bool quiet)
{
    struct err ignored = {0}; /* a malformed -bind was reported before */
    const struct flops *flops;
    struct strbuf line = {0};

    if (quiet || result_compares(r) || !field_in(r->options.select, METRIC_FLOAT_OPS))
        return;
    flops = result_flops(r, &ignored);
    if (flops) {
        flops_coverage(flops, &line);
        report_line("%s", sb_text(&line));
    }
    err_done(&ignored);
    sb_done(&line);
}

/* The view command of CL on S. */
struct view_run {
    struct session *s;
    const struct command_line *cl;
    const struct output_spec *spec;
};

/* Exactly one of R and ADVICE is given. */
static bool write_result(const struct view_run *run, struct result *r, const struct advice *advice,
                         struct err *err)
{
    struct stdout_sink out;
    const struct output_request request = {.spec = run->spec, .result = r, .query = run->s->query,
                                           .advice = advice, .inputs = run->s->profile,
                                           .cancel = run->cl->cancel, .standard_out = &out.sink};
    bool ok;

    stdout_sink_init(&out);
    ok = output_fits(run->spec->output, r ? r->view_id : VIEW_ADVISE, r, err) &&
         output_make(&request, err);
    if (ok)
        add_notes(&out, run->s, r, run->cl);
    return stdout_sink_end(&out, ok, err);
}

static bool run_advise(const struct view_run *run, struct err *err)
{
    struct session *s = run->s;
    const struct options *o = &run->cl->options;
    const struct cancel_mark cancel = run->cl->cancel;
    const struct command_inputs inputs = {s->now, (const char *const *)s->files.items, s->files.n, o};
    struct advice *advice = advise_run(s->profile, s->query, o, false, cancel, err);
    struct findings causes;
    bool ok = advice && findings_make(&causes, s->profile, true, cancel, err);

    if (ok) {
        findings_add_advice(&causes, advice, true);
        advice->inputs = &inputs;
        advice->causes = &causes;
        ok = write_result(run, NULL, advice, err);
        findings_done(&causes);
    }
    advice_free(advice);
    return ok;
}

/* Writes the comparison R with the findings of both sides. */
static bool write_compared(const struct view_run *run, struct result *r, struct err *err)
{
    struct findings base = {0}, now = {0};
    struct strbuf text = {0}, json = {0};
    struct compared compared;
    bool ok = findings_make(&base, run->s->base, false, run->cl->cancel, err) &&
              findings_make(&now, run->s->now, false, run->cl->cancel, err);

    if (ok) {
        compared_make(&compared, run->s, r->options.diff_base, r, &base, &now);
        compared_text(&text, &compared);
        sb_adds(&json, ",\"compared\":");
        compared_json(&json, &compared);
        r->lead = &(struct result_lead){"diff", sb_text(&text), sb_text(&json)};
        ok = write_result(run, r, NULL, err);
        r->lead = NULL;
    }
    EACH(findings_done, &base, &now);
    EACH(sb_done, &text, &json);
    return ok;
}

static bool run_query(const struct view_run *run, enum view_id view, struct err *err)
{
    struct options suited = run->cl->options;
    struct result *r;
    bool ok;

    output_adjust_options(run->spec->output, &suited);
    r = query_run(run->s->query, view, &suited, run->cl->cancel, err);
    ok = r &&
         (run->cl->command->kind == COMMAND_DIFF ? write_compared(run, r, err)
                                                 : write_result(run, r, NULL, err)) &&
         load_check(run->s->profile, err);
    if (r) {
        report_notes(&r->notes, 0, run->cl->quiet);
        report_coverage(r, run->cl->quiet);
        report_why_empty(r, run->cl->quiet);
    }
    result_free(r);
    return ok;
}

/* Reports on one profile reject a comparison; the summary then shows the current profile. */
static bool describes_one_run(const struct session *s, const struct command_line *cl,
                              struct err *err)
{
    const struct command *command = cl->command;

    if (command->kind == COMMAND_TABLE && options_compare_steps(&cl->options))
        return err_set(err, ERR_USAGE, "%s: does not compare steps: remove -diff_step", command->name);
    return !s->comparison || command->kind == COMMAND_SUMMARY ||
           (command->table && (command->table->compares || table_is_comparable(command->table))) ||
           err_set(err, ERR_USAGE, "%s: does not compare: remove -diff_base", command->name);
}

/* Bit mask of the metrics that O refers to. */
static uint32_t referenced_metrics(const struct options *o)
{
    field_set named = o->select & (FIELD_BIT(METRIC_COUNT) - 1);

    if (options_order_metric(o) < METRIC_COUNT)
        named |= FIELD_BIT(options_order_metric(o));
    for (int m = 0; m < METRIC_COUNT; m++)
        named |= o->min[m] > 0 ? FIELD_BIT(m) : 0;
    return (uint32_t)named;
}

static bool run_view(struct session *s, const struct command_line *cl, struct err *err)
{
    const struct options *options = &cl->options;
    const enum view_id view =
        cl->command->kind == COMMAND_DIFF ? (enum view_id)options->view : cl->command->view;
    struct output_spec spec;
    const struct view_run run = {s, cl, &spec};
    bool ok;

    if (cl->command->view == VIEW_ADVISE && !describes_one_run(s, cl, err))
        return false;
    if (!profile_check_metrics(s->profile, referenced_metrics(options), err) ||
        !output_parse(options->output, &spec, err))
        return false;
    if (!output_supports_budget(&spec, options, err) ||
        !output_fits(spec.output, view, NULL, err)) {
        output_spec_done(&spec);
        return false;
    }
    if (options->viz && !cl->quiet)
        report_line("-viz has no effect");
    ok = view == VIEW_ADVISE ? run_advise(&run, err) : run_query(&run, view, err);
    output_spec_done(&spec);
    return ok;
}

bool set_baseline(struct command_line *cl, struct err *err)
{
    struct strbuf base = {0};

    if (cl->files.n != 2 || cl->options.diff_base)
        return err_set(err, ERR_USAGE, "diff: name two profiles: tfprof diff BASELINE NOW");
    regexes_append(&base, cl->files.items[0], strlen(cl->files.items[0]));
    free(cl->options.diff_base);
    cl->options.diff_base = sb_take(&base);
    free(cl->files.items[0]);
    cl->files.items[0] = cl->files.items[1];
    cl->files.n = 1;
    if (!option_was_given(&cl->given, "order_by")) {
        cl->options.order_by = ORDER_DELTA_ABS;
        words_add(&cl->given, "order_by");
    }
    if (!cl->options.top && !cl->options.budget)
        cl->options.top = 20;
    return true;
}

static bool write_brief(struct sink *out, struct session *s, const struct command_line *cl,
                        struct err *err)
{
    const struct options *o = &cl->options;
    struct strbuf text = {0};
    bool ok;

    if (!is_json(cl) && strcmp(o->output, "stdout") != 0)
        return err_set(err, ERR_USAGE, "brief: prints text or json to standard output");
    ok = brief_make(&text, s, o, is_json(cl), o->budget, cl->cancel, err) &&
         out->write(out, sb_text(&text), text.len, err);
    sb_done(&text);
    return ok;
}

/* Prints the brief or another report. */
static bool run_report(struct session *s, const struct command_line *cl, struct err *err)
{
    struct stdout_sink out;
    bool ok;

    stdout_sink_init(&out);
    ok = cl->command->kind == COMMAND_BRIEF
             ? write_brief(&out.sink, s, cl, err)
             : describes_one_run(s, cl, err) &&
                   report_make(&out.sink, s, cl->command, &cl->options, err);
    if (ok)
        add_notes(&out, s, NULL, cl);
    return stdout_sink_end(&out, ok, err);
}

static bool run_sql(struct session *s, const struct command_line *cl, struct err *err)
{
    const struct options *options = &cl->options;
    struct stdout_sink out;
    struct output_spec spec;
    struct sql_request request = {.profile = s ? s->profile : NULL, .query = s ? s->query : NULL,
                                  .options = options, .statement = cl->statement, .spec = &spec,
                                  .cancel = cl->cancel, .standard_out = &out.sink};
    bool ok;

    if (s && s->comparison)
        return err_set(err, ERR_USAGE,
                       "sql: reads one profile: remove -diff_base, or write each profile with -output "
                       "sqlite and join the files");
    if (!output_parse(options->output, &spec, err))
        return false;
    stdout_sink_init(&out);
    ok = output_supports_budget(&spec, options, err) && sql_query_run(&request, err);
    ok = stdout_sink_end(&out, ok, err) && (!s || load_check(s->profile, err));
    output_spec_done(&spec);
    return ok;
}

bool run_on_session(struct session *s, const struct command_line *cl, struct err *err)
{
    switch (cl->command->kind) {
    case COMMAND_VIEW:
    case COMMAND_DIFF:
        return run_view(s, cl, err);
    case COMMAND_SQL:
        return run_sql(s, cl, err);
    default:
        return run_report(s, cl, err);
    }
}
