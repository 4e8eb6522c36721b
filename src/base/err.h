/* err.h: one-line error messages, and notes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The kind decides the exit status (cli.md section 4). */
enum err_kind {
    ERR_NONE = 0,
    ERR_INPUT,     /* status 1: an input or output cannot be used */
    ERR_USAGE,     /* status 2: wrong command line */
    ERR_CANCELLED, /* cancelled; no message */
    ERR_KIND_COUNT
};

/* A zeroed err means "no error". Functions that can fail return bool and take a struct err *, never
 * NULL. On false it is set, on true it is unchanged. */
struct err {
    enum err_kind kind;
    char *text; /* heap, owned; one line, control bytes escaped as \xNN */
    /* Position of the error in an option's value, if known (see err_set_position()): an item of a
     * list, from 1 (0: none), and a byte offset in the value. */
    size_t item, byte;
};

/* Sets ERR (freeing an older text) and returns false, so a caller can write
 * `return err_set(err, ERR_INPUT, "%s: ...", path)`.  Control characters and
 * bytes that are not UTF-8 in the finished text are written \xNN. */
bool err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prepends "PREFIX: " to the text of ERR, which must be set. */
void err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets the position in the value of the error that was just set. Returns false. */
bool err_set_position(struct err *err, size_t item, size_t byte);
/* Returns the text, or "" if no error is set. */
const char *err_text(const struct err *err);
void err_done(struct err *err);
/* Returns the exit status of KIND: 0, 1 or 2 (130 for ERR_CANCELLED). */
int err_status(enum err_kind kind);

/* Notes: messages that are not errors. The library collects them; cli/ prints them ("tfprof: ..."
 * on standard error) and tui/ shows them. */
/* The kinds of notes that commands group: X(name, the kind in json). */
#define NOTE_KINDS(X)        \
    X(OTHER, "other")        \
    X(REPAIR, "repair")      \
    X(OUTSIDE, "outside")    \
    X(SKIPPED, "skipped")    \
    X(PROGRAMS, "programs")  \
    X(MATCHING, "matching")  \
    X(EMPTY, "empty")

enum note_kind {
#define NOTE_KIND(name, text) NOTE_##name,
    NOTE_KINDS(NOTE_KIND)
#undef NOTE_KIND
    NOTE_KIND_COUNT,
};

struct note {
    char *text; /* heap, owned; escaped like err.text */
    enum note_kind kind;
};

struct notes {
    struct note *data;
    size_t n;
    size_t capacity;
    bool is_undecided; /* a regex gave up: results of its filter are invalid */
};

/* Adds a note of the kind NOTE_OTHER. */
void note_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void note_add_kind(struct notes *notes, enum note_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds the notes of FROM with PREFIX before each. */
void notes_add_all(struct notes *notes, const struct notes *from, const char *prefix);
void notes_done(struct notes *notes);
