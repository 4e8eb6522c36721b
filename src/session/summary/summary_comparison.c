/* summary_comparison.c: matched and unmatched nodes of a comparison. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/vec.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"

/* A node that only one profile has. */
struct unmatched {
    node_id node; /* in the merged profile */
    int64_t figure;
};

COMPARE_CHAIN(by_figure, struct unmatched, DOWN(figure) || UP(node))

static double percent(double part, double whole)
{
    return whole != 0 ? 100 * part / whole : 0;
}

static void add_pairs(struct summary *s, const char *section, const struct pairs *pairs)
{
    uint32_t n[MATCH_REASONS] = {0};

    for (node_id node = 0; node < pairs->now->n_nodes; node++)
        n[pairs->reason[node]]++;
    for (int reason = MATCH_NAME; reason < MATCH_REASONS; reason++)
        if (n[reason]) {
            struct strbuf *value = &summary_add(s, section, "matched by ")->value;

            sb_adds(&s->lines[s->n - 1].label, match_reasons[reason]);
            sb_addf(value, "%" PRIu32 " node%s", n[reason], n[reason] == 1 ? "" : "s");
        }
}

/* Adds the -rename rules that were used. */
static void add_rules(struct summary *s, const struct pairs *pairs)
{
    vec_each(const struct inferred_rule, rule, &pairs->rules) {
        struct strbuf *value = &summary_add(s, "renames inferred", rule->rename)->value;

        sb_addf(value, "%" PRIu32 " node%s", rule->n_pairs, rule->n_pairs == 1 ? "" : "s");
    }
}

/* Lists the nodes that only SIDE has, by descending value. */
static void add_side(struct summary *s, const char *section, const struct result *r, unsigned side,
                     const int64_t *figures)
{
    const enum metric_id m = options_compared_metric(&r->options);
    const struct profile *p = r->profile;
    VEC(struct unmatched) list = {0};
    double part = 0, whole = 0;
    struct summary_line *line;

    for (node_id node = 0; node < p->n_nodes; node++) {
        whole += (double)figures[node];
        if ((r->comparison->sides[node] & (SIDE_NOW | SIDE_BASE)) != side)
            continue;
        part += (double)figures[node];
        vec_push(&list, ((struct unmatched){node, figures[node]}));
    }
    line = summary_add(s, section, side == SIDE_BASE ? "vanished" : "new");
    sb_addf(&line->value, "%zu nodes, %.1f%% of %s", list.n, percent(part, whole), metrics[m].name);
    if (list.n)
        qsort(list.data, list.n, sizeof *list.data, by_figure);
    for (size_t i = 0; i < list.n && i < SUMMARY_MAX_LINES; i++) {
        line = summary_add_node(s, section, p, list.data[i].node);
        format_value(&line->value, metrics[m].unit, list.data[i].figure);
        sb_addf(&line->value, ", %.1f%%", percent((double)list.data[i].figure, whole));
    }
    summary_add_more(s, section, list.n > SUMMARY_MAX_LINES ? list.n - SUMMARY_MAX_LINES : 0);
    vec_done(&list);
}

void summary_comparison(struct summary *s, struct result *r)
{
    const enum metric_id m = options_compared_metric(&r->options);
    const int64_t *now = result_node_figures(r, m), *base = result_base_figures(r, m);

    if (!r->comparison || !now || !base)
        return;
    add_pairs(s, "comparison", &r->comparison->pairs);
    add_rules(s, &r->comparison->pairs);
    add_side(s, "not matched, of the base", r, SIDE_BASE, base);
    add_side(s, "not matched, current", r, SIDE_NOW, now);
}
