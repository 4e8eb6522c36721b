/* lanes_filter.c: which nodes pass filters, and how large their figures are. */
#include "view/pictures/lanes_filter.h"

#include "base/xalloc.h"

void lanes_filter_text(struct strbuf *sb, enum view_id view, const struct options *o,
                       enum lane_group_by by)
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
    if (by == LANES_BY_FIGURE) {
        sb_addf(sb, "%s ", metrics[options_compared_metric(o)].name);
        time_range_print(sb, o->time_range);
    }
}

/* Rows that are hidden for what they are called, not for their depth or their figures. */
static bool passes(uint8_t why)
{
    switch (why) {
    case WHY_NOT_KEPT:
    case WHY_NOT_STARTED:
    case WHY_TRIMMED:
    case WHY_SHOW:
    case WHY_HIDE:
    case WHY_DEVICE:
        return false;
    default:
        return true;
    }
}

uint8_t *lanes_passing(const struct result *r)
{
    const struct tree *t = r->tree;
    uint8_t *passing = xcalloc((size_t)r->profile->n_nodes + 1, 1);

    for (row_id row = 1; row < t->n_rows; row++)
        if (passes(r->why[row]) && passes(r->tested[row]))
            for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
                const node_id node = profile_whole(r->profile, t->members[i]);

                passing[node] |= r->node_accounted[node];
            }
    return passing;
}

/* Groups by what part of the largest figure a node has at least. */
static const struct {
    const char *name;
    double part;
} sizes[] = {{"", 0},
             {"half of the most", 0.5},
             {"a quarter", 0.25},
             {"a tenth", 0.1},
             {"a hundredth", 0.01},
             {"less", 0}};
_Static_assert(sizeof sizes / sizeof *sizes <= LANE_GROUPS, "a group for each");

uint8_t *lanes_figure_groups(struct result *r, enum metric_id metric)
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

const char *lanes_figure_group_name(uint32_t g)
{
    return g < sizeof sizes / sizeof *sizes ? sizes[g].name : "";
}
