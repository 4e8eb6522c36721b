/* keymap.h: which keys run which actions.  The defaults are the texts of the
 * action table, read by the parser that reads a user's `bind` lines. */
#ifndef TFPROF_TUI_KEYMAP_H
#define TFPROF_TUI_KEYMAP_H

#include "base/err.h"
#include "base/vec.h"
#include "tui/commands/action.h"

enum { KEYS_MAX = 2 };

struct binding {
    unsigned contexts;
    uint32_t keys[KEYS_MAX]; /* keys[1] 0: a single key */
    const struct action *action;
};

struct keymap {
    VEC(struct binding) v; /* a later one wins */
};

void keymap_init(struct keymap *m); /* the defaults */
void keymap_done(struct keymap *m);
/* What follows `bind` in the config file: [CONTEXT] KEYS ACTION; without a
 * context the action's own.  False with ERR (usage). */
bool keymap_bind_words(struct keymap *m, char *const *words, size_t n, struct err *err);

/* The action of KEY in CONTEXT after the key PREFIX (0: none), or NULL. */
const struct action *keymap_find(const struct keymap *m, unsigned context, uint32_t prefix,
                                 uint32_t key);
/* True when KEY begins a pair of keys in CONTEXT. */
bool keymap_is_prefix(const struct keymap *m, unsigned context, uint32_t key);
/* Appends the label of the first key of ACTION in CONTEXT ("zo", "^R"); false
 * when it has none there. */
bool keymap_label(const struct keymap *m, unsigned context, const struct action *action,
                  struct strbuf *sb);
/* The same for all of its keys, blanks between. */
bool keymap_labels(const struct keymap *m, unsigned context, const struct action *action,
                   struct strbuf *sb);

#endif
