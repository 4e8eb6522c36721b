/* report.c: standard error: one line each, `tfprof: ...`. */
#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/sinks/escape.h"

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

/* Bytes of "FILE: " at the start of TEXT; 0 when it does not begin with a file. */
static size_t file_len(const char *text)
{
    const size_t len = strcspn(text, ":");

    return text[len] && text[len + 1] == ' ' && memchr(text, '.', len) ? len + 2 : 0;
}

/* Appends the common form of notes that differ only in file and numbers; for kinds whose notes are always
 * grouped, only the kind. */
static void append_form(struct strbuf *form, const struct note *note)
{
    const char *at = note->text + file_len(note->text);

    sb_addc(form, (char)('0' + note->kind));
    for (; note->kind == NOTE_OTHER && *at; at++)
        if (!is_digit(*at) || !is_digit(at[1]))
            sb_addc(form, is_digit(*at) ? '0' : *at);
}

/* The notes of one form. */
struct note_group {
    const struct note *first, *last;
    size_t n, n_files;
};

typedef VEC(struct note_group) note_groups;

/* Groups the notes except those of the kinds WITHOUT (a bit for each), by first occurrence. */
static note_groups group_notes(const struct notes *notes, unsigned without)
{
    note_groups groups = {0};
    struct intern forms; /* the string N is the form of group N - 1 */
    struct strbuf form = {0};

    intern_init(&forms);
    for (size_t i = 0; i < notes->n; i++) {
        const struct note *note = &notes->data[i];
        struct note_group *group;
        strid id;

        if (without >> note->kind & 1)
            continue;
        sb_clear(&form);
        append_form(&form, note);
        id = intern_put(&forms, form.data, form.len);
        if (id > groups.n)
            vec_push(&groups, ((struct note_group){.first = note}));
        group = &groups.data[id - 1];
        group->n++;
        group->n_files += !group->last || file_len(note->text) != file_len(group->last->text) ||
                          strncmp(note->text, group->last->text, file_len(note->text)) != 0;
        group->last = note;
    }
    intern_done(&forms);
    sb_done(&form);
    return groups;
}

static void append_group(struct strbuf *line, const struct note_group *group)
{
    const char *text = group->first->text;

    if (group->n == 1)
        sb_adds(line, text);
    else if (group->n_files == group->n && file_len(text))
        sb_addf(line, "%zu files: %s; shown for the first file, `tfprof summary` lists all",
                group->n, text + file_len(text));
    else
        sb_addf(line, "%s; the first of %zu such notes, `tfprof summary` lists all", text, group->n);
}

void report_notes(const struct notes *notes, unsigned without, bool quiet)
{
    note_groups groups = group_notes(notes, without);
    struct strbuf line = {0};

    for (size_t i = 0; !quiet && i < groups.n; i++) {
        sb_clear(&line);
        append_group(&line, &groups.data[i]);
        report_line("%s", sb_text(&line));
    }
    vec_done(&groups);
    sb_done(&line);
}

void notes_append_json(struct strbuf *sb, const struct notes *notes, unsigned without)
{
    static const char *const kinds[] = {
#define KIND_TEXT(name, text) text,
        NOTE_KINDS(KIND_TEXT)
#undef KIND_TEXT
    };
    note_groups groups = group_notes(notes, without);
    struct strbuf line = {0};

    for (size_t i = 0; i < groups.n; i++) {
        sb_clear(&line);
        append_group(&line, &groups.data[i]);
        sb_addf(sb, "%s{\"kind\":\"%s\",\"text\":", i ? "," : "", kinds[groups.data[i].first->kind]);
        json_add_string(sb, sb_text(&line), line.len);
        sb_addc(sb, '}');
    }
    vec_done(&groups);
    sb_done(&line);
}
