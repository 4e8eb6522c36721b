/* shell.c: the line prompt `tfprof> ` and scripts on a pipe. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/cli.h"
#include "cli/report.h"

struct shell {
    struct session *session;
    struct options options; /* as changed by `set` */
    const struct command_line *program;
    const struct cli_context *context;
    bool interactive;
    bool quit;
    struct cancel_mark cancel; /* of the current line */
    size_t line_number;
    struct err first_error; /* of a script, with --keep-going */
};

enum { NAME_COLS = 28 };

/* Prints all options in table order, as the original does for an empty line; an output is printed
 * as TYPE: with its keys. */
static bool print_options(const struct options *o, struct err *err)
{
    struct strbuf text = {0};

    array_each(const struct option, opt, option_table, option_table_n) {
        if (opt->stands_for || opt->stages == STAGE_LOAD)
            continue;
        sb_addf(&text, "-%-*s", NAME_COLS - 1, opt->name);
        option_print(&text, o, opt);
        sb_adds(&text, opt->kind == OPT_OUTPUT && !strchr(o->output, ':') ? ":" : "");
        sb_addc(&text, '\n');
    }
    return print_text(&text, err);
}

/* ---- commands, by kind */

static bool run_set(struct shell *sh, struct command_line *cl, struct err *err UNUSED)
{
    options_done(&sh->options);
    options_copy(&sh->options, &cl->options);
    return true;
}

static bool run_on_profile(struct shell *sh, struct command_line *cl, struct err *err)
{
    cl->quiet = sh->program->quiet;
    cl->cancel = sh->cancel;
    return run_on_session(sh->session, cl, err);
}

static bool run_quit(struct shell *sh, struct command_line *cl UNUSED, struct err *err UNUSED)
{
    sh->quit = true;
    return true;
}

static bool run_help_line(struct shell *sh, struct command_line *cl, struct err *err)
{
    return print_help(cl->help_topic, sh->context->screen, err);
}

static bool run_version_line(struct shell *sh, struct command_line *cl UNUSED, struct err *err)
{
    return print_version(&sh->context->sandbox, err);
}

static bool (*const runners[COMMAND_KIND_COUNT])(struct shell *, struct command_line *,
                                                 struct err *) = {
    [COMMAND_VIEW] = run_on_profile,    [COMMAND_SET] = run_set,
    [COMMAND_HELP] = run_help_line,     [COMMAND_VERSION] = run_version_line,
    [COMMAND_QUIT] = run_quit,          [COMMAND_SUMMARY] = run_on_profile,
    [COMMAND_TABLE] = run_on_profile,   [COMMAND_SQL] = run_on_profile,
};

/* ---- lines */

static bool run_line(struct shell *sh, const char *line, struct err *err)
{
    struct command_line cl;
    bool ok;

    if (!line[strspn(line, " \t\r")])
        return print_options(&sh->options, err);
    if (!command_line_parse_text(&cl, line, AT_PROMPT, &sh->options, err))
        return false;
    ok = !cl.command || runners[cl.command->kind](sh, &cl, err);
    command_line_done(&cl);
    return ok;
}

/* At a terminal an error is printed and the prompt continues.  In a script the error ends it, or
 * with --keep-going sets the exit status. */
static bool after_error(struct shell *sh, struct err *err)
{
    if (sh->interactive) {
        if (err->kind == ERR_CANCELLED)
            report_line("cancelled");
        report_error(err);
        err_done(err);
        return true;
    }
    err_prefix(err, "line %zu", sh->line_number);
    if (!sh->program->keep_going)
        return false;
    report_error(err);
    if (sh->first_error.kind == ERR_NONE)
        sh->first_error.kind = err->kind;
    err_done(err);
    return true;
}

static void report_and_clear(const struct shell *sh, struct notes *notes)
{
    report_notes(notes, 0, sh->program->quiet);
    notes_done(notes);
}

static bool run_typed(struct shell *sh, struct err *err)
{
    struct notes notes = {0};
    struct prompt *pr = prompt_new(sh->session->profile, sh->program->no_state, &notes);
    const char *line;
    bool ok = true;

    report_and_clear(sh, &notes);
    while (ok && !sh->quit && (line = prompt_line(pr, &sh->cancel, &notes))) {
        report_and_clear(sh, &notes);
        ok = run_line(sh, line, err) || after_error(sh, err);
    }
    prompt_free(pr);
    return ok;
}

static bool run_script(struct shell *sh, struct err *err)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len = 0;
    bool ok = true;

    while (ok && !sh->quit && (len = getline(&line, &capacity, stdin)) >= 0) {
        sh->line_number++;
        if (strlen(line) != (size_t)len) {
            ok = err_set(err, ERR_USAGE, "a NUL byte") || after_error(sh, err);
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        ok = run_line(sh, line, err) || after_error(sh, err);
    }
    if (len < 0 && !feof(stdin) && !ferror(stdin))
        xalloc_fail();
    free(line);
    return ok;
}

bool run_shell(struct command_line *cl, const struct cli_context *in, struct err *err)
{
    struct shell sh = {
        .program = cl,
        .context = in,
        .interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
    };
    bool ok;

    sh.session = open_session(cl, err);
    if (!sh.session)
        return false;
    options_copy(&sh.options, &cl->options);
    ok = sh.interactive ? run_typed(&sh, err) : run_script(&sh, err);
    options_done(&sh.options);
    session_close(sh.session);
    if (ok && sh.first_error.kind != ERR_NONE) {
        *err = sh.first_error;
        return false;
    }
    return ok;
}
