/* report.c: standard error: one line each, `tfprof: ...`. */
#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/utf8.h"

/* Prints BEFORE and BEHIND as they are, and the formatted text escaped, as one line. */
static void write_line(const char *before, const char *behind, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void write_line(const char *before, const char *behind, const char *format, va_list args)
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

void report_line(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line("tfprof: ", "\n", format, args);
    va_end(args);
}

bool stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO);
}

void report_progress(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line("\r\033[Ktfprof: ", "", format, args);
    va_end(args);
}

void report_progress_end(void)
{
    fputs("\r\033[K", stderr);
}

int report_error(const struct err *err)
{
    if (err->kind != ERR_CANCELLED && *err_text(err))
        report_line("%s", err_text(err));
    return err_status(err->kind);
}

void report_notes(const struct notes *notes, size_t first, bool quiet)
{
    for (size_t i = first; !quiet && i < notes->n; i++)
        report_line("%s", notes->lines[i]);
}
