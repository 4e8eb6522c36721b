/* err.c: one-line error messages, and notes. */
#include "base/err.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/vec.h"

static char *format_line(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static char *format_line(const char *format, va_list args)
{
    struct strbuf raw = {0};
    struct strbuf line = {0};

    sb_vaddf(&raw, format, args);
    utf8_escape(&line, sb_text(&raw), raw.len);
    sb_done(&raw);
    return sb_take(&line);
}

bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
    va_list args;

    assert(kind != ERR_NONE);
    va_start(args, format);
    free(err->text);
    err->text = format_line(format, args);
    err->kind = kind;
    err->item = err->byte = 0;
    va_end(args);
    return false;
}

bool err_set_position(struct err *err, size_t item, size_t byte)
{
    err->item = item;
    err->byte = byte;
    return false;
}

void err_prefix(struct err *err, const char *format, ...)
{
    struct strbuf line = {0};
    char *prefix;
    va_list args;

    if (err->kind == ERR_NONE)
        return;
    va_start(args, format);
    prefix = format_line(format, args);
    va_end(args);
    sb_addf(&line, "%s: %s", prefix, err_text(err));
    EACH(free, prefix, err->text);
    err->text = sb_take(&line);
}

const char *err_text(const struct err *err)
{
    return err->text ? err->text : "";
}

void err_done(struct err *err)
{
    free(err->text);
    memset(err, 0, sizeof *err);
}

int err_status(enum err_kind kind)
{
    static const int status[] = {
        [ERR_NONE] = 0,
        [ERR_INPUT] = 1,
        [ERR_USAGE] = 2,
        [ERR_CANCELLED] = 130,
    };
    _Static_assert(sizeof status / sizeof *status == ERR_KIND_COUNT, "a status for each kind");

    return status[kind];
}

static void add_note(struct notes *notes, enum note_kind kind, const char *format, va_list args)
{
    if (notes->n == notes->capacity)
        notes->data = vec_grow(notes->data, &notes->capacity, notes->n + 1, sizeof *notes->data);
    notes->data[notes->n++] = (struct note){format_line(format, args), kind};
}

void note_add(struct notes *notes, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_note(notes, NOTE_OTHER, format, args);
    va_end(args);
}

void note_add_kind(struct notes *notes, enum note_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_note(notes, kind, format, args);
    va_end(args);
}

void notes_add_all(struct notes *notes, const struct notes *from, const char *prefix)
{
    for (size_t i = 0; i < from->n; i++)
        note_add_kind(notes, from->data[i].kind, "%s%s", prefix, from->data[i].text);
    notes->is_undecided = notes->is_undecided || from->is_undecided;
}

void notes_done(struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        free(notes->data[i].text);
    free(notes->data);
    memset(notes, 0, sizeof *notes);
}
