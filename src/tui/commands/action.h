/* action.h: the action table: everything a key, a click or a `:` name can do.
 * The keymap, the footer, the help, the prefix menus and the manual's table
 * come from it.  To add an action, add a row. */
#ifndef TFPROF_TUI_ACTION_H
#define TFPROF_TUI_ACTION_H

#include "tui/app.h"

/* Who has the keys: bits. */
enum context {
    CTX_TREE = 1,
    CTX_DETAILS = 2,
    CTX_OPTIONS = 4,
    CTX_ICICLE = 512,
    CTX_MEMORY = 1024,
    CTX_LANES = 2048,
    CTX_ROOFLINE = 4096,
    CTX_PICTURES = CTX_ICICLE | CTX_MEMORY | CTX_LANES | CTX_ROOFLINE,
    CTX_ROWS = CTX_TREE | CTX_ICICLE, /* a row is under the cursor */
    CTX_PANES = CTX_ROWS | CTX_PICTURES | CTX_DETAILS | CTX_OPTIONS,
    CTX_MENU = 8,
    CTX_TEXT = 16,    /* help, explanations, the summary */
    CTX_PROMPT = 32,  /* a line is typed */
    CTX_EDITOR = 64,  /* the options editor, no line open */
    CTX_VALUE = 128,  /* the options editor, a line open */
    CTX_DIALOG = 256, /* the export dialog */
    CTX_LISTS = CTX_PANES | CTX_MENU | CTX_TEXT | CTX_EDITOR,
    CTX_LINES = CTX_PROMPT | CTX_VALUE | CTX_DIALOG,
    CTX_ALL = CTX_LISTS | CTX_LINES,
};
enum { CONTEXT_COUNT = 13 };
_Static_assert(CTX_ROOFLINE == 1 << (CONTEXT_COUNT - 1), "a bit for each context");
/* "tree", "menu" ... of bit I, for the help, the manual and `bind`. */
extern const char *const context_names[CONTEXT_COUNT];

/* What a key does while there is no profile to act on yet. */
enum urgency {
    WAITS,        /* it is held until the profile is read */
    URGENT_FIRST, /* it acts, unless keys are held: behind one it may be a letter of a text */
    URGENT        /* it acts */
};

struct action {
    const char *name;   /* after `:` and in `bind` */
    const char *help;   /* what it does, a phrase */
    const char *words;  /* other words for it, which the help finds; NULL: none */
    const char *group;  /* the help's headline */
    const char *keys;   /* words of one or two keys: "<right> l zo" */
    const char *footer; /* a word for the footer; NULL: not there */
    unsigned contexts;  /* where the keys work */
    unsigned not_pairs; /* of these, where pairs do not: a picture has their first key; 0: nowhere */
    /* Why it cannot be done now; NULL when it can.  NULL: always. */
    const char *(*disabled)(const struct app *a);
    int offer; /* an enum overlay_offer: the footer has it only where that is offered; 0: always */
    void (*run)(struct app *a, int arg);
    int arg;
    enum urgency urgency;
};

extern const struct action action_table[]; /* ended by a NULL name */

/* The action of a name, or NULL. */
const struct action *action_find(const char *name);
/* Runs ACTION, or says why it cannot be done. */
void action_run(struct app *a, const struct action *action);

#endif
