/* timeline_group.c: assigns spans to colour groups, by the parts of a query that determine them. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/pictures/timeline_group.h"
#include "view/pictures/timeline_priv.h"

void timeline_filter_text(struct strbuf *sb, enum view_id view, const struct options *o,
                       enum timeline_group_by by)
{
    static const char *const names[] = {"account_type_regexes", "start_name_regexes",
                                        "trim_name_regexes", "show_name_regexes",
                                        "hide_name_regexes", "device_regexes"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct option *opt = option_find(names[i]);

        if (option_is_default(o, opt))
            continue;
        sb_addf(sb, "%s -%s=", view_names[view], names[i]);
        option_print(sb, o, opt);
    }
    if (by == TIMELINE_BY_FIGURE) {
        sb_addf(sb, "%s ", metrics[options_compared_metric(o)].name);
        time_range_print(sb, o->time_range);
    }
}

/* Groups by the minimum share of the largest figure. */
static const struct {
    const char *name;
    double part;
} sizes[] = {{"", 0},
             {"half of the most", 0.5},
             {"a quarter", 0.25},
             {"a tenth", 0.1},
             {"a hundredth", 0.01},
             {"less", 0}};
_Static_assert(sizeof sizes / sizeof *sizes <= TIMELINE_GROUPS, "a group for each");

uint8_t *timeline_figure_groups(struct result *r, enum metric_id metric)
{
    const uint32_t n = r->profile->n_nodes;
    const int64_t *figures = result_node_figures(r, metric);
    uint8_t *groups = xcalloc((size_t)n + 1, 1);
    int64_t most = 0;

    for (node_id node = 0; node < n; node++)
        most = figures[node] > most ? figures[node] : most;
    for (node_id node = 0; node < n; node++) {
        uint8_t g = 1;

        while (sizes[g].part > 0 && (double)figures[node] < (double)most * sizes[g].part)
            g++;
        groups[node] = figures[node] > 0 ? g : 0;
    }
    return groups;
}

const char *const timeline_group_names[] = {"op type", "scope", "scope of depth 2", "figure"};
_Static_assert(sizeof timeline_group_names / sizeof *timeline_group_names == TIMELINE_BY_COUNT,
               "a name for each");

/* ---- groups */

/* The first DEPTH components of the name of NODE, without its last component. */
static struct text scope_of(const struct profile *p, node_id node, int depth)
{
    struct text name = intern_string(&p->strings, p->name[node]);
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

/* A distinct group name. */
struct named {
    struct text name;
    int64_t busy_ticks;
    bool is_of_device;
    uint32_t group;
};

/* Name in NAMED without a group and with the most time, the first of several; NULL: none. */
static struct named *find_busiest(struct named *named, size_t n, bool of_devices)
{
    struct named *best = NULL;

    for (size_t i = 0; i < n; i++)
        if (!named[i].group && (named[i].is_of_device || !of_devices) &&
            (!best || named[i].busy_ticks > best->busy_ticks))
            best = &named[i];
    return best;
}

/* Makes groups from the names with the most time, in that order; names of devices first. */
static void choose(struct timeline *l, struct named *named, size_t n)
{
    for (uint32_t g = 1; g < TIMELINE_GROUPS; g++) {
        struct named *best = g <= TIMELINE_DEVICE_GROUPS ? find_busiest(named, n, true) : NULL;

        if (!best)
            best = find_busiest(named, n, false);
        if (!best)
            return;
        best->group = g;
        l->groups[g] = (struct timeline_group){best->name, best->busy_ticks};
    }
    for (size_t i = 0; i < n; i++)
        if (!named[i].group)
            l->groups[0].busy_ticks = clamp_add(l->groups[0].busy_ticks, named[i].busy_ticks);
}

/* Numbers group names from 1 on. */
struct numbers {
    uint32_t *of_id; /* by name of the span, or by node; 0: not numbered */
    struct intern names; /* scopes */
    VEC(struct named) named;
};

static struct named *named_of(struct numbers *numbers, const struct timeline *l,
                              const struct timeline_span *s)
{
    const bool by_type = l->by == TIMELINE_BY_TYPE;
    uint32_t *number = &numbers->of_id[by_type ? s->name : s->node];

    if (!*number) {
        const struct text name = by_type
                                     ? intern_string(&l->profile->strings, s->name)
                                     : scope_of(l->profile, s->node, l->by == TIMELINE_BY_SCOPE ? 1 : 2);

        *number = by_type ? (uint32_t)numbers->named.n + 1
                          : intern_put(&numbers->names, name.bytes, name.len) + 1;
        while (numbers->named.n < *number)
            vec_push(&numbers->named, ((struct named){.name = name}));
        numbers->named.data[*number - 1].name = name;
    }
    return &numbers->named.data[*number - 1];
}

static bool is_drawn(const struct timeline *l, node_id node)
{
    return !l->passing || l->passing[node];
}

static void group_by_figure(struct timeline *l)
{
    for (size_t g = 1; g < sizeof sizes / sizeof *sizes; g++)
        l->groups[g].name = text_from(sizes[g].name);
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++) {
        struct timeline_span *s = &l->spans.data[i];

        s->group = is_drawn(l, s->node) && l->figure_groups ? l->figure_groups[s->node] : 0;
        l->groups[s->group].busy_ticks =
            clamp_add(l->groups[s->group].busy_ticks, s->end_ticks - s->start_ticks);
    }
}

/* Adds the time of the spans of TRACK to their names. */
static void sum_track(struct timeline *l, struct numbers *numbers,
                      const struct timeline_track *track)
{
    for (uint32_t i = track->first; i < track->first + track->n; i++) {
        const struct timeline_span *s = &l->spans.data[i];
        int64_t *busy_ticks = &l->groups[0].busy_ticks;

        if (is_drawn(l, s->node)) {
            struct named *named = named_of(numbers, l, s);

            named->is_of_device = named->is_of_device || track->is_accelerator;
            busy_ticks = &named->busy_ticks;
        }
        *busy_ticks = clamp_add(*busy_ticks, s->end_ticks - s->start_ticks);
    }
}

static void group_by_name(struct timeline *l)
{
    const size_t n_ids = l->by == TIMELINE_BY_TYPE ? l->profile->strings.n
                                                   : (size_t)l->profile->n_nodes + 1;
    struct numbers numbers = {.of_id = xcalloc(n_ids, sizeof(uint32_t))};

    intern_init(&numbers.names);
    for (size_t i = 0; i < l->tracks.n && !cancel_asked(l->cancel); i++)
        sum_track(l, &numbers, &l->tracks.data[i]);
    choose(l, numbers.named.data, numbers.named.n);
    for (size_t i = 0; i < l->spans.n && !cancel_asked(l->cancel); i++)
        if (is_drawn(l, l->spans.data[i].node))
            l->spans.data[i].group = named_of(&numbers, l, &l->spans.data[i])->group;
    intern_done(&numbers.names);
    vec_done(&numbers.named);
    free(numbers.of_id);
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
