/* source_text.h: the text of the source line in the details. */
#pragma once

#include "base/strbuf.h"

struct app;

/* A zeroed struct is empty. */
struct source_text {
    const struct frame *wanted; /* requested frame; NULL: none */
    const struct frame *read;   /* frame of `text`, which is empty if the file is missing */
    struct strbuf text;
};

/* Requests the source line of FRAME and returns it; NULL if it is not read yet or missing. The
 * details are updated when it arrives. */
const char *source_text(struct app *a, const struct frame *frame);
/* Forgets the line, because profile or files have changed. */
void source_text_forget(struct source_text *s);
void source_text_done(struct source_text *s);
