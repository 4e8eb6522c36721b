/* report.c: standard error: one line each, `tfprof: ...`. */
#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/xalloc.h"

/* Prints BEFORE and BEHIND unchanged and the formatted text escaped, as one line. */
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

/* The id in KINDS of KIND in a note "FILE: KIND: TEXT"; STRID_EMPTY when the note has no file. */
static strid kind_of(struct intern *kinds, const char *line)
{
    const char *kind = strstr(line, ": ");
    size_t len;

    if (!kind || !memchr(line, '.', (size_t)(kind - line)))
        return STRID_EMPTY;
    kind += 2;
    len = strcspn(kind, ":");
    return kind[len] ? intern_put(kinds, kind, len) : STRID_EMPTY;
}

/* True when two notes of a kind refer to the same file. */
static bool is_of_same_file(const char *x, const char *y)
{
    const size_t len = (size_t)(strstr(x, ": ") - x);

    return strncmp(x, y, len) == 0 && strncmp(y + len, ": ", 2) == 0;
}

void report_notes(const struct notes *notes, const char *without, bool quiet)
{
    struct kind_use {
        size_t n_files;
        const char *last;  /* the last note of this kind */
        bool is_reported;
    } *uses = xcalloc(notes->n + 1, sizeof *uses); /* by kind */
    struct intern kinds;

    intern_init(&kinds);
    for (size_t i = 0; i < notes->n; i++) {
        const char *line = notes->lines[i];
        struct kind_use *use = &uses[kind_of(&kinds, line)];

        if (without && strstr(line, without))
            continue;
        use->n_files += !use->last || !is_of_same_file(line, use->last);
        use->last = line;
    }
    for (size_t i = 0; !quiet && i < notes->n; i++) {
        const char *line = notes->lines[i];
        const strid kind = kind_of(&kinds, line);

        if (without && strstr(line, without))
            continue;
        if (kind == STRID_EMPTY || uses[kind].n_files == 1)
            report_line("%s", line);
        else if (!uses[kind].is_reported)
            report_line("%zu files: %s; shown for the first file, `tfprof summary` lists all",
                        uses[kind].n_files, strstr(line, ": ") + 2);
        uses[kind].is_reported = true;
    }
    intern_done(&kinds);
    free(uses);
}
