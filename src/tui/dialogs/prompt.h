/* prompt.h: a line that is typed in the status row. */
#pragma once

#include "tui/dialogs/overlay.h"

/* Operations of a kind of prompt; NULL: none. */
struct prompt_ops {
    const char *label; /* label before the line: "/" */
    void (*changed)(struct app *a, const char *text);
    /* Called by Enter. False keeps the prompt open. */
    bool (*done)(struct app *a, const char *text);
    void (*cancelled)(struct app *a);
    /* Tab: appends the completed line to SB. False if there is nothing to complete. */
    bool (*complete)(struct app *a, const char *text, size_t caret, struct strbuf *sb);
    bool keeps_history;
};

/* Opens a prompt that contains TEXT. */
void prompt_open(struct app *a, const struct prompt_ops *ops, const char *text);
