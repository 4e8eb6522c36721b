/* report.c: standard error: one line each, `tfprof: ...`. */
#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/utf8.h"

/* Prints BEFORE and BEHIND as they are, and the formatted text escaped, as one line. */
static void say_line(const char *before, const char *behind, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void say_line(const char *before, const char *behind, const char *format, va_list args)
{
    struct strbuf raw = {0}, line = {0};

    sb_vaddf(&raw, format, args);
    sb_adds(&line, before);
    utf8_escape(&line, sb_text(&raw), raw.len);
    sb_adds(&line, behind);
    fwrite(line.data, 1, line.len, stderr); /* stderr is unbuffered: one write for each line */
    sb_done(&raw);
    sb_done(&line);
}

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_line("tfprof: ", "\n", format, args);
    va_end(args);
}

bool say_on_terminal(void)
{
    return isatty(STDERR_FILENO);
}

void say_progress(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_line("\r\033[Ktfprof: ", "", format, args);
    va_end(args);
}

void say_progress_end(void)
{
    fputs("\r\033[K", stderr);
}

int say_error(const struct err *err)
{
    if (err->kind != ERR_CANCELLED && *err_text(err))
        say("%s", err_text(err));
    return err_status(err->kind);
}

void say_notes(const struct notes *notes, size_t first, bool quiet)
{
    for (size_t i = first; !quiet && i < notes->n; i++)
        say("%s", notes->lines[i]);
}
