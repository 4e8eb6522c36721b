/* explain_match.c: explains which node a row of a comparison was matched with, and why. */
#include <inttypes.h>
#include <string.h>

#include "model/format.h"
#include "view/explain/explain.h"

static node_id compared_node(const struct result *r, row_id row)
{
    return r->comparison && !r->view->is_multi ? tree_node(r->tree, row) : NODE_NONE;
}

static void add_rule(struct strbuf *sb, const struct inferred_rule *rule)
{
    sb_adds(sb, ", ");
    explain_add_name(sb, text_from(rule->words));
    sb_addf(sb, " in %" PRIu32 " of them", rule->n_pairs);
}

/* Appends a matched input of both nodes, for matches by neighbours. */
static void add_neighbour(struct strbuf *sb, const struct pairs *pairs, node_id now)
{
    const struct profile *p = pairs->now, *b = pairs->base;
    const node_id base = pairs->base_of[now];
    uint32_t from = p->input_begin[now], at = b->input_begin[base];

    for (; from < p->input_begin[now + 1] && at < b->input_begin[base + 1]; from++, at++) {
        const node_id source = p->inputs[from].source;

        if (source == NODE_NONE || pairs->base_of[source] == NODE_NONE ||
            pairs->base_of[source] != b->inputs[at].source)
            continue;
        sb_adds(sb, ": both have the input ");
        explain_add_name(sb, intern_string(&p->strings, p->name[source]));
        return;
    }
}

/* Appends the differences between both nodes: types, shapes. */
static void add_differences(struct strbuf *sb, const struct pairs *pairs, node_id now)
{
    const struct profile *p = pairs->now, *b = pairs->base;
    const struct text type = intern_string(&p->strings, p->op[now]);
    const struct text old = intern_string(&b->strings, b->op[pairs->base_of[now]]);

    if (type.len != old.len || memcmp(type.bytes, old.bytes, type.len) != 0) {
        sb_adds(sb, "; type was ");
        explain_add_name(sb, old);
    }
    sb_adds(sb, !pairs_shapes_are_equal(pairs, now) ? "; shapes differ" : "");
}

/* Appends steps and medians of the compared figure on both sides. */
static void add_noise(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_unit unit = metrics[options_compared_metric(&r->options)].unit;
    const struct row_noise noise = noise_of_row(&r->noise, row);

    if (!noise.test)
        return;
    sb_addf(sb, "\n%s (test of %s): %" PRIu32 " steps of the baseline, median ",
            noise.verdict == SAMPLES_SIGNIFICANT ? "significant" : "within noise", noise.test,
            noise.n_base);
    format_value(sb, unit, noise.base_median);
    sb_addf(sb, "; %" PRIu32 " current ones, median ", noise.n_now);
    format_value(sb, unit, noise.now_median);
    sb_adds(sb, "; shift ");
    format_delta(sb, unit, noise.shift);
}

void explain_match(struct strbuf *sb, const struct result *r, row_id row)
{
    const node_id node = compared_node(r, row);
    const struct pairs *pairs = r->comparison ? &r->comparison->pairs : NULL;
    node_id base;

    if (node == NODE_NONE)
        return;
    base = r->comparison->base_of[node];
    if (base == NODE_NONE || r->comparison->now_of[node] == NODE_NONE) {
        sb_adds(sb, base == NODE_NONE ? "\nnew: not matched in the baseline"
                                      : "\nvanished: not matched in the current profile");
        return;
    }
    sb_adds(sb, "\nmatched with ");
    explain_add_name(sb, intern_string(&pairs->base->strings, pairs->base->name[base]));
    sb_addf(sb, " of the baseline by %s: %s", match_reasons[pairs->reason[node]],
            match_evidence[pairs->reason[node]]);
    if (pairs->reason[node] == MATCH_RENAME)
        add_rule(sb, &pairs->rules.data[pairs->rule_of[node] - 1]);
    if (pairs->reason[node] == MATCH_NEIGHBOURS)
        add_neighbour(sb, pairs, node);
    sb_addf(sb, "; confidence: %s", match_confidences[pairs->confidence[node]]);
    add_differences(sb, pairs, node);
    add_noise(sb, r, row);
}

bool explain_unmatch(struct strbuf *regexes, const struct result *r, row_id row)
{
    const node_id node = compared_node(r, row);
    struct text name;

    if (node == NODE_NONE || r->comparison->base_of[node] == NODE_NONE ||
        r->comparison->now_of[node] == NODE_NONE)
        return false;
    if (*r->options.unmatch)
        sb_addf(regexes, "%s,", r->options.unmatch);
    name = tree_text(r->tree, row);
    for (uint32_t i = 0; i < name.len; i++) {
        if (strchr("\\^$.|?*+()[]{},", name.bytes[i]))
            sb_addc(regexes, '\\');
        sb_addc(regexes, name.bytes[i]);
    }
    return true;
}
