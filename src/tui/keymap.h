/* keymap.h: the actions of keys. Default bindings are texts of the action table, read by the
 * parser of `bind` lines. */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "tui/action.h"

enum { KEYS_MAX = 2 };

struct binding {
    unsigned contexts;
    uint32_t keys[KEYS_MAX]; /* keys[1] is 0 for a single key */
    const struct action *action;
};

struct keymap {
    VEC(struct binding) v; /* later bindings override earlier ones */
};

void keymap_init(struct keymap *m); /* sets the default bindings */
void keymap_done(struct keymap *m);
/* Adds the binding after `bind` in the configuration file: [CONTEXT] KEYS ACTION. Without
 * CONTEXT, the contexts of the action. False with ERR (usage). */
bool keymap_bind_words(struct keymap *m, char *const *words, size_t n, struct err *err);

/* The action of KEY in CONTEXT after the key PREFIX (0: none), or NULL. */
const struct action *keymap_find(const struct keymap *m, unsigned context, uint32_t prefix,
                                 uint32_t key);
/* True when KEY is the first key of a pair in CONTEXT. */
bool keymap_is_prefix(const struct keymap *m, unsigned context, uint32_t key);
/* Appends the label of the first key of ACTION in CONTEXT ("zo", "^R"). False if it has no key. */
bool keymap_label(const struct keymap *m, unsigned context, const struct action *action,
                  struct strbuf *sb);
/* As keymap_label() for all keys of ACTION, separated by blanks. */
bool keymap_labels(const struct keymap *m, unsigned context, const struct action *action,
                   struct strbuf *sb);
