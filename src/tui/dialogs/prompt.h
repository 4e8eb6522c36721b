/* prompt.h: a line typed in the status row. */
#ifndef TFPROF_TUI_PROMPT_H
#define TFPROF_TUI_PROMPT_H

#include "tui/dialogs/overlay.h"

/* What a kind of prompt does; NULL: nothing. */
struct prompt_ops {
    const char *label; /* before the line: "/" */
    void (*changed)(struct app *a, const char *text);
    /* Enter; the prompt is gone by then unless it returns false. */
    bool (*done)(struct app *a, const char *text);
    void (*cancelled)(struct app *a);
    /* Tab: appends the completed line to SB; false when there is nothing to
     * complete. */
    bool (*complete)(struct app *a, const char *text, size_t caret, struct strbuf *sb);
    bool keeps_history;
};

/* Opens a prompt with TEXT in it. */
void prompt_open(struct app *a, const struct prompt_ops *ops, const char *text);

#endif
