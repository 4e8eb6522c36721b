/* main_cli.c: program arguments and the one-shot commands. */
#include "cli/main_cli.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/system/signals.h"
#include "base/system/user_locale.h"
#include "cli/report.h"
#include "session/config.h"
#include "session/rename_rules.h"

static bool wants_json(const struct command_line *cl)
{
    return strcmp(cl->options.output, "json") == 0;
}

static bool run_help(struct command_line *cl, const struct cli_context *in, struct err *err)
{
    return wants_json(cl) ? print_help_json(err) : print_help(cl->help_topic, in->screen, err);
}

static bool run_version(struct command_line *cl, const struct cli_context *in, struct err *err)
{
    return (wants_json(cl) ? print_version_json : print_version)(&in->sandbox, err);
}

static bool run_once(struct command_line *cl, const struct cli_context *in UNUSED, struct err *err)
{
    const bool reads = cl->command->kind != COMMAND_SQL || strcmp(cl->statement, ".schema") != 0;
    struct session *s = reads ? open_session(cl, err) : NULL;
    const bool ok = (s || !reads) && run_on_session(s, cl, err);

    session_close(s);
    return ok;
}

static bool run_diff(struct command_line *cl, const struct cli_context *in, struct err *err)
{
    return set_baseline(cl, err) && run_once(cl, in, err);
}

/* By command_kind; NULL: not a command of the program. */
static command_runner *const runners[COMMAND_KIND_COUNT] = {
    [COMMAND_VIEW] = run_once, [COMMAND_TABLE] = run_once, [COMMAND_SUMMARY] = run_once,
    [COMMAND_BRIEF] = run_once, [COMMAND_DIFF] = run_diff, [COMMAND_RUNS] = run_runs,
    [COMMAND_CHECK] = run_check, [COMMAND_REPORT] = run_notes, [COMMAND_SQL] = run_once,
    [COMMAND_DIGEST] = run_digest, [COMMAND_MERGE] = run_merge, [COMMAND_SHELL] = run_shell, [COMMAND_HELP] = run_help,
    [COMMAND_VERSION] = run_version,
};

/* Loads the rename rules that were saved for the folder of the files. */
static void load_folder_renames(struct command_line *cl)
{
    struct notes notes = {0};

    rename_rules_apply(&cl->options, &cl->files, &notes);
    report_notes(&notes, 0, cl->quiet);
    notes_done(&notes);
}

/* Arguments have priority over the config file and can disable it.  They are therefore parsed
 * twice: alone, then over the options of the config file. */
static bool parse(struct command_line *cl, int argc, const char *const *argv, struct err *err)
{
    struct notes notes = {0};
    struct words given = {0};
    struct options configured;
    bool ok;

    if (!command_line_parse(cl, argc, argv, AT_PROGRAM, NULL, err))
        return false;
    if (cl->no_config)
        return true;
    options_init(&configured);
    config_read(&configured, &given, NULL, NULL, &notes);
    report_notes(&notes, 0, cl->quiet);
    notes_done(&notes);
    command_line_done(cl);
    ok = command_line_parse(cl, argc, argv, AT_PROGRAM, &configured, err);
    for (size_t i = 0; ok && i < given.n; i++)
        words_add(&cl->given, given.items[i]);
    if (ok && !option_was_given(&cl->given, "rename"))
        load_folder_renames(cl);
    words_done(&given);
    options_done(&configured);
    return ok;
}

static int run_screen(struct command_line *cl, const struct screen *screen, struct err *err)
{
    int signal_number = 0;
    const int status = screen->run(cl, &signal_number, err);

    report_error(err);
    if (signal_number)
        signal_die(signal_number);
    return status;
}

/* The prompt has no time limit; a signal ends other commands, too. */
static bool run_command(struct command_line *cl, const struct cli_context *in, struct err *err)
{
    const int64_t seconds = cl->command->kind == COMMAND_SHELL ? 0 : cl->options.time_limit;
    bool ok;

    cl->cancel = time_limit_begin(seconds);
    ok = runners[cl->command->kind](cl, in, err);
    if (!ok && time_limit_passed()) {
        err_done(err);
        *err = (struct err){.kind = ERR_NONE};
        err_set(err, ERR_INPUT, "time limit of %" PRId64 " s exceeded", seconds);
    }
    return ok;
}

static int run(struct command_line *cl, const struct screen *screen, struct err *err)
{
    const bool screen_fits = screen && isatty(STDOUT_FILENO);
    struct cli_context in = {.screen = screen};

    if (!cl->command && (!screen_fits || cl->plain))
        cl->command = command_find(cl->plain && screen_fits ? "shell" : "scope", AT_PROGRAM);
    cl->secure = confine_is_secure();
    in.sandbox = confine(cl);
    if (!cl->command)
        return run_screen(cl, screen, err);
    return run_command(cl, &in, err) ? 0 : report_error(err);
}

int cli_main(int argc, char **argv, const struct screen *screen)
{
    struct command_line cl;
    struct err err = {0};
    int status;

    user_locale_set();
    if (!parse(&cl, argc - 1, (const char *const *)argv + 1, &err)) {
        status = report_error(&err);
    } else {
        status = run(&cl, screen, &err);
        command_line_done(&cl);
    }
    err_done(&err);
    return status;
}
