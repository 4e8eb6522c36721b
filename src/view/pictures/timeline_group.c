/* timeline_group.c: assigns spans to colour groups. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/pictures/timeline_filter.h"
#include "view/pictures/timeline_priv.h"

const char *const timeline_group_names[] = {"op type", "scope", "scope of depth 2", "figure"};
_Static_assert(sizeof timeline_group_names / sizeof *timeline_group_names == TIMELINE_BY_COUNT,
               "a name for each");

/* ---- groups */

static struct text text_of(const struct profile *p, strid id)
{
    return (struct text){profile_text(p, id), intern_len(&p->strings, id)};
}

/* The first DEPTH components of the name of NODE, without its last component. */
static struct text scope_of(const struct profile *p, node_id node, int depth)
{
    struct text name = text_of(p, p->name[node]);
    uint32_t len = 0;

    for (; depth; depth--) {
        const char *slash = memchr(name.bytes + len, '/', name.len - len);

        if (!slash)
            break;
        len = (uint32_t)(slash - name.bytes) + (depth > 1);
    }
    if (len && name.bytes[len - 1] == '/')
        len--;
    name.len = len ? len : name.len;
    return name;
}

static struct text group_name(const struct timeline *l, node_id node)
{
    if (l->by == TIMELINE_BY_TYPE)
        return text_of(l->profile, l->profile->op[node]);
    return scope_of(l->profile, node, l->by == TIMELINE_BY_SCOPE ? 1 : 2);
}

/* A distinct group name. */
struct named {
    struct text name;
    int64_t busy_ticks;
    uint32_t group;
};

/* Makes groups of the NAMED that take the most time, in that order; of equals the first found. */
static void choose(struct timeline *l, struct named *named, size_t n)
{
    for (uint32_t g = 1; g < TIMELINE_GROUPS; g++) {
        struct named *best = NULL;

        for (size_t i = 0; i < n; i++)
            if (!named[i].group && (!best || named[i].busy_ticks > best->busy_ticks))
                best = &named[i];
        if (!best)
            return;
        best->group = g;
        l->groups[g] = (struct timeline_group){best->name, best->busy_ticks};
    }
    for (size_t i = 0; i < n; i++)
        if (!named[i].group)
            l->groups[0].busy_ticks = clamp_add(l->groups[0].busy_ticks, named[i].busy_ticks);
}

/* Numbers names from 1 on; names that are strings of the profile are looked up by id. */
struct numbers {
    uint32_t *of_string;
    struct intern names;
    uint32_t n;
};

static uint32_t number_of(struct numbers *numbers, const struct timeline *l, node_id node,
                          struct text name)
{
    uint32_t *number;

    if (l->by != TIMELINE_BY_TYPE)
        return intern_put(&numbers->names, name.bytes, name.len) + 1;
    number = &numbers->of_string[l->profile->op[node]];
    if (!*number)
        *number = ++numbers->n;
    return *number;
}

static bool is_drawn(const struct timeline *l, node_id node)
{
    return !l->passing || l->passing[node];
}

static void group_by_figure(struct timeline *l)
{
    for (uint32_t g = 1; g < TIMELINE_GROUPS; g++) {
        const char *name = timeline_figure_group_name(g);

        l->groups[g].name = (struct text){name, (uint32_t)strlen(name)};
    }
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++) {
        struct timeline_span *s = &l->spans.data[i];

        s->group = is_drawn(l, s->node) && l->figure_groups ? l->figure_groups[s->node] : 0;
        l->groups[s->group].busy_ticks =
            clamp_add(l->groups[s->group].busy_ticks, s->end_ticks - s->start_ticks);
    }
}

static void group_by_name(struct timeline *l)
{
    uint32_t *of_node = xcalloc((size_t)l->profile->n_nodes + 1, sizeof *of_node);
    VEC(struct named) named = {0};
    struct numbers numbers = {.of_string = xcalloc(l->profile->strings.n, sizeof(uint32_t))};

    intern_init(&numbers.names);
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++) {
        struct timeline_span *s = &l->spans.data[i];
        struct named *at;

        if (!is_drawn(l, s->node)) {
            l->groups[0].busy_ticks =
                clamp_add(l->groups[0].busy_ticks, s->end_ticks - s->start_ticks);
            continue;
        }
        if (!of_node[s->node]) {
            const struct text name = group_name(l, s->node);

            of_node[s->node] = number_of(&numbers, l, s->node, name);
            while (named.n < of_node[s->node])
                vec_push(&named, ((struct named){name, 0, 0}));
            named.data[of_node[s->node] - 1].name = name;
        }
        at = &named.data[of_node[s->node] - 1];
        at->busy_ticks = clamp_add(at->busy_ticks, s->end_ticks - s->start_ticks);
    }
    choose(l, named.data, named.n);
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++)
        if (is_drawn(l, l->spans.data[i].node))
            l->spans.data[i].group = named.data[of_node[l->spans.data[i].node] - 1].group;
    intern_done(&numbers.names);
    free(numbers.of_string);
    vec_done(&named);
    free(of_node);
}

void timeline_make_groups(struct timeline *l)
{
    if (l->by == TIMELINE_BY_FIGURE)
        group_by_figure(l);
    else
        group_by_name(l);
}

uint32_t timeline_main_group(const struct timeline *l, const struct timeline_stretch *s)
{
    uint32_t best = 0;

    if (s->group || !*l->filters)
        return s->group;
    for (uint32_t g = 1; g < TIMELINE_GROUPS; g++)
        if (s->groups_ticks[g] > (best ? s->groups_ticks[best] : 0))
            best = g;
    return best;
}
