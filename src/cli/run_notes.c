/* run_notes.c: the command report: notes made on the screen, as a document. */
#include "cli/cli.h"

#include <stdlib.h>

#include "cli/report.h"
#include "export/output.h"
#include "session/row_notes.h"

/* Parses the output; stdout and file write Markdown. */
static bool parse(const struct options *o, struct output_spec *spec, struct err *err)
{
    if (!output_parse(o->output, spec, err))
        return false;
    if (spec->output == output_find("stdout") || spec->output == output_find("file"))
        spec->output = output_find("markdown");
    if (spec->output->write_notes)
        return true;
    err_set(err, ERR_USAGE, "-output %s: report has stdout, file, json, markdown and html",
            spec->output->name);
    output_spec_done(spec);
    return false;
}

static bool write_notes(const struct note_report *report, const struct output_spec *spec,
                        const struct session *s, struct err *err)
{
    struct stdout_sink out;
    const struct output_request request = {.spec = spec, .notes = report, .inputs = s->profile,
                                           .standard_out = &out.sink};

    stdout_sink_init(&out);
    return stdout_sink_end(&out, output_make(&request, err), err);
}

/* Loads the notes on the profile that CL names; without a state folder there are none. */
static void load_notes(struct row_notes *n, const struct command_line *cl)
{
    char *dir = cl->no_state ? NULL : state_dir();
    struct strbuf name = {0};
    struct notes notes = {0};

    state_name_for_command(&name, cl);
    row_notes_load(n, dir, sb_text(&name), &notes);
    if (!n->v.n)
        note_add(&notes, "there are no notes on these files: ; on the screen writes one");
    report_notes(&notes, 0, cl->quiet);
    notes_done(&notes);
    sb_done(&name);
    free(dir);
}

static bool report(struct session *s, const struct command_line *cl,
                   const struct output_spec *spec, struct err *err)
{
    static const struct cancel_mark never = {NULL, 0};
    struct result *r = query_run(s->query, VIEW_SCOPE, &cl->options, never, err);
    struct row_notes notes = {0};
    struct words summary = {0};
    struct strbuf command = {0};
    bool ok = r != NULL;

    if (r) {
        row_notes_summary(&summary, r);
        load_notes(&notes, cl);
        session_print_command(&command, s, VIEW_SCOPE, &cl->options);
        ok = write_notes(&(struct note_report){sb_text(&command), notes.v.data, notes.v.n,
                                               (const char *const *)summary.items, summary.n},
                         spec, s, err);
    }
    sb_done(&command);
    words_done(&summary);
    row_notes_done(&notes);
    result_free(r);
    return ok;
}

bool run_notes(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    struct output_spec spec;
    struct session *s;
    bool ok;

    if (!parse(&cl->options, &spec, err))
        return false;
    s = open_session(cl, err);
    ok = s && report(s, cl, &spec, err);
    session_close(s);
    output_spec_done(&spec);
    return ok;
}
