/* err.h: what went wrong, in one line, and the notes that are no errors. */
#ifndef TFPROF_BASE_ERR_H
#define TFPROF_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

/* The kind decides the exit status (cli.md section 4). */
enum err_kind {
    ERR_NONE = 0,
    ERR_INPUT,     /* status 1: an input or output could not be used */
    ERR_USAGE,     /* status 2: the words of the call are off */
    ERR_CANCELLED, /* somebody asked to stop; nothing to say */
    ERR_KIND_COUNT
};

/* A zeroed err is "no error".  Functions that can fail return bool and take a
 * struct err *, never NULL; on false it is set, on true it is untouched. */
struct err {
    enum err_kind kind;
    char *text; /* heap, owned; one line, control bytes written \xNN */
    /* Where in the value that the error is about, as far as that is known, see
     * err_set_place(): an item of a list, from 1 (0: none), and a byte of the value. */
    size_t item, byte;
};

/* Sets ERR (freeing an older text) and returns false, so a caller can write
 * `return err_set(err, ERR_INPUT, "%s: ...", path)`.  Control characters and
 * bytes that are not UTF-8 in the finished text are written \xNN. */
bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts "PREFIX: " before the text of an error that is set. */
void err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says where in a value the error is that was just set; returns false. */
bool err_set_place(struct err *err, size_t item, size_t byte);
/* The text, "" when there is none. */
const char *err_text(const struct err *err);
void err_done(struct err *err);
/* Exit status of a kind: 0, 1 or 2 (130 for ERR_CANCELLED). */
int err_status(enum err_kind kind);

/* Notes: things worth saying that stop nothing.  Collected by the library,
 * printed by cli/ ("tfprof: ..." on standard error) or shown by tui/. */
struct notes {
    char **lines; /* heap, owned; escaped like err.text */
    size_t n;
    size_t capacity;
};

void note_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notes_done(struct notes *notes);

#endif
