/* action.h: the action table: everything that a key, a click or a `:` name can do. Keymap,
 * footer, help, prefix menus and the table of the manual are generated from it. To add an
 * action, add a row. */
#pragma once

#include "activity/table.h"
#include "tui/app.h"

/* Contexts that receive keys: bits. */
#define PICTURE_CONTEXT(name, id, ...) CTX_##id = 512 << PICTURE_##id,
enum context {
    CTX_TREE = 1,
    CTX_DETAILS = 2,
    CTX_OPTIONS = 4,
    VIEW_LIST(NO_VIEW, NO_VIEW, PICTURE_CONTEXT, NO_VIEW) /* CTX_MEMORY, CTX_FLAME, ... */
    PICTURE_CONTEXT(table, TABLE)
    CTX_PICTURES = (512 << PICTURE_COUNT) - 512,
    CTX_ROWS = CTX_TREE | CTX_FLAME, /* the cursor is on a row */
    CTX_PANES = CTX_ROWS | CTX_PICTURES | CTX_DETAILS | CTX_OPTIONS,
    CTX_MENU = 8,
    CTX_TEXT = 16,    /* help, explanations, the summary */
    CTX_PROMPT = 32,  /* a line is being typed */
    CTX_EDITOR = 64,  /* the options editor without an open line */
    CTX_VALUE = 128,  /* the options editor with an open line */
    CTX_DIALOG = 256, /* the export dialog */
    CTX_LISTS = CTX_PANES | CTX_MENU | CTX_TEXT | CTX_EDITOR,
    CTX_LINES = CTX_PROMPT | CTX_VALUE | CTX_DIALOG,
    CTX_ALL = CTX_LISTS | CTX_LINES,
};
#undef PICTURE_CONTEXT
enum { CONTEXT_COUNT = 9 + PICTURE_COUNT };
_Static_assert(CTX_TABLE == 1 << (CONTEXT_COUNT - 1), "a bit for each context");
/* Name of bit I ("tree", "menu"), for help, manual and `bind`. */
extern const char *const context_names[CONTEXT_COUNT];

/* Effect of a key while no profile is loaded. */
enum urgency {
    WAITS,        /* held until the profile is loaded */
    URGENT_FIRST, /* acts unless keys are held: after a held key it may be part of a text */
    URGENT        /* acts at once */
};

struct action {
    const char *name;   /* name after `:` and in `bind` */
    const char *brief;  /* label on the page of keys, up to 14 columns; NULL: not on the page */
    const char *help;   /* description, a phrase; NULL: that of `table` */
    const struct table *table;
    const char *words;  /* synonyms that the help finds; NULL: none */
    const char *group;  /* see action_group(); NULL: that of the row above */
    const char *keys;   /* keys, one or two a word: "<right> l zo" */
    const char *footer; /* label in the footer; NULL: not in the footer */
    unsigned contexts;  /* where the keys work */
    /* contexts without key pairs, since a picture uses their first key; 0: none */
    unsigned not_pairs;
    /* See action_refusal(). NULL: always available, or with the data of `table`. */
    const char *(*disabled)(const struct app *a);
    bool is_early; /* `disabled` is asked even before there is a result */
    int offer; /* an enum overlay_offer: in the footer only where it is offered; 0: always */
    void (*run)(struct app *a, int arg);
    int arg;
    enum urgency urgency;
};

extern const struct action action_table[]; /* terminated by a NULL name */

const char *action_help(const struct action *action);
/* The headline of ACTION in the help. */
const char *action_group(const struct action *action);
/* The action called NAME, or NULL. */
const struct action *action_find(const char *name);
/* Why ACTION is unavailable; NULL: it is available. */
const char *action_refusal(const struct app *a, const struct action *action);
/* Runs ACTION, or reports why it is unavailable. */
void action_run(struct app *a, const struct action *action);
