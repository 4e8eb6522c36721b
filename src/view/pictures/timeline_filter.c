/* timeline_filter.c: the parts of a query that determine the colours of spans. */
#include "view/pictures/timeline_filter.h"

#include "base/xalloc.h"

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

const char *timeline_figure_group_name(uint32_t g)
{
    return g < sizeof sizes / sizeof *sizes ? sizes[g].name : "";
}
