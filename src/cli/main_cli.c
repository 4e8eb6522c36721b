/* main_cli.c: program arguments and the one-shot commands. */
#include "cli/main_cli.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/run_view.h"
#include "cli/say.h"
#include "cli/stdout_sink.h"
#include "config.h"

static bool print(struct strbuf *text, struct err *err)
{
    struct stdout_sink out;
    bool ok;

    stdout_sink_init(&out);
    ok = out.sink.write(&out.sink, text->data, text->len, err) && stdout_sink_flush(&out, err);
    stdout_sink_done(&out);
    return ok;
}

static bool run_help(struct command_line *cl, struct err *err)
{
    struct strbuf text = {0};
    const bool ok = help_text(&text, cl->help_topic, err) && print(&text, err);

    sb_done(&text);
    return ok;
}

static bool run_version(struct command_line *cl, struct err *err)
{
    struct strbuf text = {0};
    bool ok;

    (void)cl;
    sb_adds(&text, PACKAGE_NAME " " PACKAGE_VERSION "\n");
    ok = print(&text, err);
    sb_done(&text);
    return ok;
}

static bool run_once(struct command_line *cl, struct err *err)
{
    struct session *s = open_session(cl, err);
    const bool ok = s && run_view(s, cl->command, &cl->options, cl->quiet, err);

    session_close(s);
    return ok;
}

/* By command_kind; NULL: not a command of the program. */
static bool (*const runners[COMMAND_KIND_COUNT])(struct command_line *, struct err *) = {
    [COMMAND_VIEW] = run_once,
    [COMMAND_HELP] = run_help,
    [COMMAND_VERSION] = run_version,
};

int cli_main(int argc, char **argv, screen_main *screen)
{
    struct command_line cl;
    struct err err = {0};
    int status = 0;

    if (!command_line_parse(&cl, argc - 1, (const char *const *)argv + 1, AT_PROGRAM, NULL, &err)) {
        status = say_error(&err);
        err_done(&err);
        return status;
    }
    if (!cl.command && screen && isatty(STDOUT_FILENO)) {
        status = screen(&cl);
    } else {
        if (!cl.command)
            cl.command = command_find("scope", AT_PROGRAM);
        if (!runners[cl.command->kind](&cl, &err))
            status = say_error(&err);
    }
    err_done(&err);
    command_line_done(&cl);
    return status;
}
