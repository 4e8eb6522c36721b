/* run_check.c: the command check: applies rules, prints a report, sets the status. */

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "export/output.h"
#include "session/check/check.h"

static bool write_rules(struct command_line *cl, struct err *err)
{
    struct session *s = open_session(cl, err);
    struct strbuf text = {0};
    const bool ok =
        s && check_write_budget(&text, s, &cl->options, err) && print_text(&text, err);

    sb_done(&text);
    session_close(s);
    return ok;
}

static bool write_report(const struct check_report *report, const struct session *s,
                         const struct options *o, struct err *err)
{
    const struct table_request given = {.profile = s->profile, .options = o, .given = report};
    struct output_spec spec;
    struct stdout_sink out;
    bool ok;

    if (!output_parse(o->output, &spec, err))
        return false;
    stdout_sink_init(&out);
    ok = output_supports_budget(&spec, o, err) &&
         (spec.output->write_check
              ? output_make(&(struct output_request){.spec = &spec, .check = report,
                                                     .inputs = s->profile,
                                                     .standard_out = &out.sink},
                            err)
              : output_make_table(&spec, &table_check, &given, &out.sink, err));
    ok = stdout_sink_end(&out, ok, err);
    output_spec_done(&spec);
    return ok;
}

/* False with ERR (usage) when the output has no writer of check reports. */
static bool output_supports_report(const struct options *o, struct err *err)
{
    struct output_spec spec;
    bool ok = output_parse(o->output, &spec, err);

    if (!ok)
        return false;
    ok = spec.output->write_check || spec.output->table || spec.output == &output_none ||
         err_set(err, ERR_USAGE,
                 "-output %s: check has stdout, file, csv, tsv, json, html, junit, github and markdown",
                 spec.output->name);
    output_spec_done(&spec);
    return ok;
}

static bool status_of_report(const struct check_report *report, struct err *err)
{
    if (report->n[CHECK_ERROR])
        return err_set(err, ERR_USAGE, "%s: %zu of %zu rules cannot be evaluated",
                       report->file, report->n[CHECK_ERROR], report->items.n);
    return !report->n[CHECK_BROKEN] ||
           err_set(err, ERR_INPUT, "%s: %zu of %zu rules broken", report->file,
                   report->n[CHECK_BROKEN], report->items.n);
}

static void remove_first_word(struct words *words)
{
    free(words->items[0]);
    memmove(words->items, words->items + 1, --words->n * sizeof *words->items);
}

bool run_check(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    struct check_report report = {0};
    struct rule_file budget = {0};
    struct session *s;
    bool ok;

    if (cl->init)
        return write_rules(cl, err);
    if (!cl->files.n)
        return err_set(err, ERR_USAGE, "check: name a file of rules; check -init writes one");
    if (!output_supports_report(&cl->options, err) ||
        !budget_read(&budget, cl->files.items[0], err))
        return false;
    remove_first_word(&cl->files);
    s = open_session(cl, err);
    ok = s && check_run(&report, &budget, s, &cl->options, (struct cancel_mark){NULL, 0}, err) &&
         write_report(&report, s, &cl->options, err) && status_of_report(&report, err);
    check_report_done(&report);
    budget_done(&budget);
    session_close(s);
    return ok;
}
