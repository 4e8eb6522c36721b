/* own_types.c: op types that -define_type assigns by node name. */
#include "load/graph/own_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"

struct state {
    struct builder *builder;
    struct err *err;
    bool ok;
};

/* Escapes commas, which separate the regexes of a list. */
static void quote_commas(struct strbuf *sb, const char *regex)
{
    for (; *regex; regex++) {
        if (*regex == ',')
            sb_addc(sb, '\\');
        sb_addc(sb, *regex);
    }
}

static void add_type(struct builder *b, strid type, const struct regexes *regexes)
{
    struct profile *p = builder_profile(b);
    const node_id n = builder_n_nodes(b);
    uint8_t *matches = xcalloc((size_t)n + 1, 1);

    for (node_id i = 0; i < n; i++) {
        const strid name = builder_get_name(b, i);

        matches[i] = regexes_match(regexes, intern_text(&p->strings, name),
                                   intern_len(&p->strings, name)) >= 0;
    }
    for (node_id i = 0; i < n && !regexes_gave_up(regexes); i++)
        if (matches[i])
            builder_add_type(b, i, type);
    free(matches);
    regexes_note_undecided(regexes, "-define_type", n, &p->notes);
}

static void add_item(const char *item, size_t len, size_t offset, void *arg)
{
    struct state *state = arg;
    const char *equals = strchr(item, '=');
    struct strbuf list = {0};
    struct regexes *regexes;

    (void)len;
    (void)offset;
    if (!state->ok)
        return;
    if (!equals) {
        state->ok = err_set(state->err, ERR_USAGE, "-define_type: '%s' is not NAME=REGEX", item);
        return;
    }
    quote_commas(&list, equals + 1);
    regexes = regexes_new(sb_text(&list), state->err);
    state->ok = regexes != NULL;
    if (regexes)
        add_type(state->builder, builder_str(state->builder, item, (size_t)(equals - item)),
                 regexes);
    regexes_free(regexes);
    sb_done(&list);
}

bool own_types_add(struct builder *b, const char *list, struct err *err)
{
    struct state state = {.builder = b, .err = err, .ok = true};

    if (list)
        regexes_split(list, add_item, &state);
    return state.ok;
}
