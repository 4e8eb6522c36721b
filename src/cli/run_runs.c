/* run_runs.c: lists the runs of a log folder. */

#include "cli/cli.h"

#include "export/output.h"
#include "session/runs_text.h"

static const struct cancel_mark never = {NULL, 0};

/* Prints each run as soon as its steps are counted, because counting all may take long. */
static bool print_runs(struct log_runs *runs, struct err *err)
{
    struct strbuf text = {0};
    const size_t width = runs_heading(&text, runs);
    bool ok = print_text(&text, err);

    for (size_t i = 0; ok && i < runs->list.n; i++) {
        struct err ignored = {0}; /* the step count is then printed as unknown */

        run_count_steps(&runs->list.data[i], never, &ignored);
        runs_row(&text, &runs->list.data[i], width);
        ok = print_text(&text, err);
        err_done(&ignored);
    }
    return ok;
}

static bool write_runs(struct log_runs *runs, const struct output_spec *spec, const struct options *o,
                       struct err *err)
{
    const struct table_request given = {.options = o, .given = runs};
    struct stdout_sink out;

    for (size_t i = 0; i < runs->list.n; i++) {
        struct err ignored = {0};

        run_count_steps(&runs->list.data[i], never, &ignored);
        err_done(&ignored);
    }
    stdout_sink_init(&out);
    return stdout_sink_end(&out, output_make_table(spec, &table_runs, &given, &out.sink, err), err);
}

bool run_runs(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    struct log_runs runs = {.is_cut = false};
    struct output_spec spec;
    bool ok;

    if (cl->files.n != 1)
        return err_set(err, ERR_USAGE, "runs: name one folder");
    if (!output_parse(cl->options.output, &spec, err))
        return false;
    runs_find(&runs, cl->files.items[0], never);
    if (!runs.list.n)
        ok = err_set(err, ERR_INPUT, "%s: has no runs: neither captures nor event files",
                     cl->files.items[0]);
    else if (spec.output == &output_stdout && !cl->options.budget)
        ok = print_runs(&runs, err);
    else
        ok = write_runs(&runs, &spec, &cl->options, err);
    runs_done(&runs);
    output_spec_done(&spec);
    return ok;
}

void list_runs_to_choose(const struct command_line *cl)
{
    struct log_runs runs = {.is_cut = false};
    struct err ignored = {0}; /* the error that leads here is reported */

    if (cl->files.n == 1 && runs_offer(&runs, cl->files.items[0], never))
        print_runs(&runs, &ignored);
    err_done(&ignored);
    runs_done(&runs);
}
