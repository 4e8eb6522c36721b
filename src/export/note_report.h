/* note_report.h: the notes on rows as a document. */
#pragma once

#include <stddef.h>

#include "export/output.h"
#include "opt/options.h"

/* A note on a row.  Strings are heap memory and may have any bytes. */
struct row_note {
    enum view_id view;
    char *path;    /* identifies the row, see row_note_path() in session/row_notes.h */
    char *name;    /* name of the row */
    char *text;    /* as typed */
    char *command; /* command line that prints the displayed view */
    char *screen;  /* lines of the screen, each with a line end */
};
/* Frees the texts. */
void row_note_done(struct row_note *note);

/* All borrowed. */
struct note_report {
    const char *command; /* command line of the current view; NULL: none */
    const struct row_note *notes;
    size_t n_notes;
    const char *const *summary; /* lines about the comparison */
    size_t n_summary;           /* 0: no comparison */
};

/* Writes the document: the comparison, then each note with its command and screen. */
bool note_report_markdown(const struct note_report *n, struct sink *s, struct err *err);
bool note_report_json(const struct note_report *n, struct sink *s, struct err *err);
bool note_report_html(const struct note_report *n, struct sink *s, struct err *err);
