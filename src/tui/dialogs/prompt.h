/* prompt.h: a line that is typed in the status row. */
#pragma once

#include <stdint.h>

#include "tui/dialogs/overlay.h"

/* Operations of a kind of prompt; NULL: none. */
struct prompt_ops {
    const char *label; /* label before the line: "/" */
    const char *text;  /* proposal of an action that opens it; NULL: none */
    void (*changed)(struct app *a, const char *text);
    /* Called by Enter. False keeps the prompt open. */
    bool (*done)(struct app *a, const char *text);
    void (*cancelled)(struct app *a);
    /* Tab: appends the completed line to SB. False if there is nothing to complete. */
    bool (*complete)(struct app *a, const char *text, size_t caret, struct strbuf *sb);
    bool keeps_history;
};

/* Opens a prompt that contains TEXT; NULL: empty. */
void prompt_open(struct app *a, const struct prompt_ops *ops, const char *text);

/* Opens a prompt that moves to the first matching entry of the top overlay while text is typed.
 * Does nothing if the overlay has no list. */
void list_search_open(struct app *a, int arg);
/* Moves to the next matching entry of O. False if KEY does not repeat a search. */
bool list_search_key(struct overlay *o, struct app *a, uint32_t key);
