/* keymap.c: bindings as a list, searched from its end. */
#include "tui/keymap.h"

#include "opt/aliases.h"
#include "term/keyname.h"

static bool parse_keys(const char *text, size_t len, uint32_t keys[KEYS_MAX])
{
    size_t at = 0;
    int n = 0;

    keys[1] = 0;
    while (at < len && n < KEYS_MAX) {
        const size_t used = key_parse(text + at, len - at, &keys[n]);

        if (!used)
            return false;
        keys[n] = key_normal(keys[n]);
        n++;
        at += used;
    }
    return n > 0 && at == len;
}

static bool bind(struct keymap *m, unsigned contexts, const char *text, size_t len,
                 const struct action *action)
{
    struct binding b = {.contexts = contexts, .action = action};

    if (!parse_keys(text, len, b.keys))
        return false;
    if (b.keys[1])
        b.contexts &= ~action->not_pairs;
    vec_push(&m->v, b);
    return true;
}

void keymap_init(struct keymap *m)
{
    memset(m, 0, sizeof *m);
    for (const struct action *action = action_table; action->name; action++)
        for (const char *word = action->keys; *word;) {
            const size_t len = strcspn(word, " ");

            bind(m, action->contexts, word, len, action);
            word += len + strspn(word + len, " ");
        }
}

void keymap_done(struct keymap *m)
{
    vec_done(&m->v);
}

bool keymap_bind_words(struct keymap *m, char *const *words, size_t n, struct err *err)
{
    const struct action *action;
    unsigned contexts = 0;

    if (n != 2 && n != 3)
        return err_set(err, ERR_USAGE, "bind takes [CONTEXT] KEYS ACTION");
    action = action_find(words[n - 1]);
    if (!action)
        return err_set(err, ERR_USAGE, "unknown action '%s'", words[n - 1]);
    for (unsigned i = 0; n == 3 && i < CONTEXT_COUNT; i++)
        if (strcmp(context_names[i], alias_resolve(ALIAS_CONTEXT, words[0])) == 0)
            contexts = 1u << i;
    if (n == 3 && !contexts)
        return err_set(err, ERR_USAGE, "unknown key context '%s'", words[0]);
    if (!bind(m, n == 3 ? contexts : action->contexts, words[n - 2], strlen(words[n - 2]), action))
        return err_set(err, ERR_USAGE, "'%s' is not a key: write a, <c-a>, <f5> or two of them",
                       words[n - 2]);
    return true;
}

const struct action *keymap_find(const struct keymap *m, unsigned context, uint32_t prefix,
                                 uint32_t key)
{
    const uint32_t first = prefix ? prefix : key;
    const uint32_t second = prefix ? key : 0;

    for (size_t i = m->v.n; i-- > 0;) {
        const struct binding *b = &m->v.data[i];

        if ((b->contexts & context) && b->keys[0] == first && b->keys[1] == second)
            return b->action;
    }
    return NULL;
}

bool keymap_is_prefix(const struct keymap *m, unsigned context, uint32_t key)
{
    vec_each(const struct binding, b, &m->v) {
        if ((b->contexts & context) && b->keys[1] && b->keys[0] == key)
            return true;
    }
    return false;
}

static void add_label(struct strbuf *sb, const struct binding *b)
{
    for (int i = 0; i < KEYS_MAX && b->keys[i]; i++)
        key_label(sb, b->keys[i]);
}

/* Appends the labels of at most MAX bindings. */
static bool add_labels(const struct keymap *m, unsigned context, const struct action *action,
                       struct strbuf *sb, int max)
{
    int found = 0;

    for (size_t i = 0; i < m->v.n && found < max; i++) {
        const struct binding *b = &m->v.data[i];
        const uint32_t prefix = b->keys[1] ? b->keys[0] : 0;

        if (!(b->contexts & context) || b->action != action ||
            keymap_find(m, context, prefix, prefix ? b->keys[1] : b->keys[0]) != action)
            continue; /* in another context, or overridden */
        if (found++)
            sb_addc(sb, ' ');
        add_label(sb, b);
    }
    return found > 0;
}

bool keymap_label(const struct keymap *m, unsigned context, const struct action *action,
                  struct strbuf *sb)
{
    return add_labels(m, context, action, sb, 1);
}

bool keymap_labels(const struct keymap *m, unsigned context, const struct action *action,
                   struct strbuf *sb)
{
    return add_labels(m, context, action, sb, 100);
}
