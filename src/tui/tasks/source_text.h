/* source_text.h: the text of the line of code that the details are about. */
#ifndef TFPROF_TUI_SOURCE_TEXT_H
#define TFPROF_TUI_SOURCE_TEXT_H

#include "base/strbuf.h"
#include "model/profile.h"

struct app;

/* A zeroed struct knows nothing. */
struct source_text {
    const struct frame *wanted; /* NULL: nothing is asked */
    const struct frame *read;   /* the one TEXT is of, empty when its file is not there */
    struct strbuf text;
};

/* Asks for the line of FRAME, of the profile seen, and returns it: NULL when it is not read yet
 * or not there.  The details are filled once more when it comes. */
const char *source_text(struct app *a, const struct frame *frame);
/* What was read is of another profile, or of files that changed. */
void source_text_forget(struct source_text *s);
void source_text_done(struct source_text *s);

#endif
