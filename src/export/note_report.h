/* note_report.h: the notes on rows as a document, for outputs to write. */
#ifndef TFPROF_EXPORT_NOTE_REPORT_H
#define TFPROF_EXPORT_NOTE_REPORT_H

#include <stddef.h>

#include "export/output.h"
#include "opt/options.h"

/* A note on a row.  Texts are heap memory and may hold any bytes. */
struct row_note {
    enum view_id view;
    char *path;    /* of the row, see row_note_path() in session/row_notes.h */
    char *name;    /* of the row alone */
    char *text;    /* what was typed */
    char *command; /* prints what the screen showed */
    char *screen;  /* its lines, each ended by \n */
};
/* Frees the texts. */
void row_note_done(struct row_note *note);

/* All borrowed. */
struct note_report {
    const char *command; /* prints what is seen now; NULL: nothing is */
    const struct row_note *notes;
    size_t n_notes;
    const char *const *summary; /* lines about the comparison */
    size_t n_summary;           /* 0: nothing is compared */
};

/* The document: what is compared, then each note with the command and the screen it was made on. */
bool note_report_markdown(const struct note_report *n, struct sink *s, struct err *err);
bool note_report_html(const struct note_report *n, struct sink *s, struct err *err);

#endif
