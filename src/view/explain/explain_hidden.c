/* explain_hidden.c: finds the option, and the item of its list, that hides a row, and explains
 * its match. */
#include "view/explain/explain_parts.h"

#include <inttypes.h>
#include <string.h>

#include "model/format.h"
#include "view/delta.h"
#include "view/explain/explain.h"
#include "view/result_priv.h"

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

    if (!text_equals(type, old)) {
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

row_id explain_trimming_row(const struct result *r, row_id row)
{
    const struct columns *c = &r->priv->c;
    const row_id *rows = COLUMN(c->sequence, row_id);
    const char *list = r->options.trim_name_regexes;

    if (r->view->is_list) {
        for (uint32_t i = 0; i < c->n_sequence; i++)
            if (r->why[rows[i]] == WHY_TRIMMED)
                return rows[i];
        return row;
    }
    if (r->view->trim == TRIM_DESCENDANTS)
        row = r->tree->parent[row];
    while (row && !(r->kept[row] && explain_matching_item(list, tree_text(r->tree, row))))
        row = r->tree->parent[row];
    return row;
}

uint32_t explain_display_depth(const struct result *r, row_id row)
{
    const struct columns *c = &r->priv->c;
    const row_id *rows = COLUMN(c->sequence, row_id);
    uint32_t depth = r->view->is_list ? 0 : 1;

    if (r->view->is_list) {
        for (uint32_t i = 0; i < c->n_sequence && rows[i] != row; i++)
            depth += r->why[rows[i]] != WHY_NOT_STARTED;
        return depth;
    }
    for (; row; row = r->tree->parent[row])
        depth += r->kept[row] && r->why[row] != WHY_NOT_STARTED && !tree_n_repeats(r->tree, row);
    return depth;
}

static void add_trimmed(struct strbuf *sb, const struct result *r, row_id row)
{
    row_id by = explain_trimming_row(r, row);

    if (by != row) {
        explain_add_row_name(sb, r, by);
        sb_adds(sb, r->view->is_list ? ", before it, matches " : ", above it, matches ");
    } else {
        sb_adds(sb, "it matches ");
    }
    explain_add_item(sb, "trim_name_regexes", r->options.trim_name_regexes,
             explain_matching_item(r->options.trim_name_regexes, tree_text(r->tree, by)));
}

static void add_too_deep(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "its depth is %" PRIu32 ", -max_depth is %" PRId64, explain_display_depth(r, row),
            r->options.max_depth);
}

static void add_not_kept(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "none of its types%s matches -account_type_regexes",
            r->view->kept == KEPT_WITH_DESCENDANTS && r->tree->end[row] > row + 1 ? ", nor of any row below,"
                                                                           : "");
}

static void add_not_started(struct strbuf *sb, const struct result *r, row_id row UNUSED)
{
    sb_adds(sb, r->view->is_list ? "no ancestor matches -start_name_regexes"
                                 : "neither it nor a row above matches -start_name_regexes");
}

static void add_show(struct strbuf *sb, const struct result *r UNUSED, row_id row UNUSED)
{
    sb_adds(sb, "its whole name does not match -show_name_regexes");
}

static void add_hide(struct strbuf *sb, const struct result *r, row_id row)
{
    const char *list = r->options.hide_name_regexes;

    sb_adds(sb, "it matches ");
    explain_add_item(sb, "hide_name_regexes", list, explain_matching_item(list, tree_text(r->tree, row)));
}

static void add_device(struct strbuf *sb, const struct result *r, row_id row UNUSED)
{
    sb_addf(sb, "%s does not match -device_regexes",
            r->view->is_multi ? "no device of its accounted nodes" : "its device");
}

static void add_unaccounted(struct strbuf *sb, const struct result *r UNUSED, row_id row UNUSED)
{
    sb_adds(sb, "it is not accounted itself, and -hide_unaccounted is set");
}

static void add_delta(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id m = options_compared_metric(&r->options);
    const struct delta d = delta_of(r, m, row);

    if (r->options.min_delta == MIN_DELTA_ANY && r->why[row] == WHY_DELTA) {
        sb_adds(sb, "it does not differ from the baseline");
        return;
    }
    sb_addf(sb, "its %s differs by ", metrics[m].name);
    format_delta(sb, metrics[m].unit, d.delta);
    if (d.base)
        sb_addf(sb, " (%+.1f%%)", delta_percent(d));
    if (r->why[row] == WHY_DELTA)
        sb_addf(sb, ", -min_delta is %" PRId64, r->options.min_delta);
    else
        sb_addf(sb, ", -min_percent is %" PRId64, r->options.min_percent);
}

static void add_repeats(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "fewer than two of its %" PRIu32 " repeated rows are displayed",
            tree_n_repeats(r->tree, row));
}

static void add_min(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id metric = (enum metric_id)(r->why[row] - WHY_MIN);
    const struct columns *c = &r->priv->c;
    const struct query_run run = {.view = r->view, .options = &r->options};
    const enum min_base base = show_min_base(&run, metric);
    int64_t value = base == MIN_OWN    ? r->own[row]
                    : base == MIN_SELF ? COLUMN(c->self[metric], int64_t)[row]
                                       : COLUMN(c->total[metric], int64_t)[row];

    sb_addf(sb, "its %s is ", base == MIN_TOTAL ? "total" : "own figure");
    format_value(sb, metrics[metric].unit, value);
    sb_addf(sb, ", -min_%s is ", metrics[metric].name);
    format_value(sb, metrics[metric].unit,
                 metric_of_named(metric, r->options.min[metric]));
}

void explain_hidden(struct strbuf *sb, const struct result *r, row_id row)
{
    static void (*const add_why[])(struct strbuf *, const struct result *, row_id) = {
        [WHY_NOT_KEPT] = add_not_kept, [WHY_NOT_STARTED] = add_not_started,
        [WHY_TRIMMED] = add_trimmed,   [WHY_TOO_DEEP] = add_too_deep,
        [WHY_SHOW] = add_show,         [WHY_HIDE] = add_hide,
        [WHY_DEVICE] = add_device,     [WHY_UNACCOUNTED] = add_unaccounted,
        [WHY_DELTA] = add_delta,       [WHY_PERCENT] = add_delta,
        [WHY_REPEATS] = add_repeats,
    };

    explain_add_row_name(sb, r, row);
    sb_adds(sb, " is hidden: ");
    if (r->why[row] >= WHY_MIN)
        add_min(sb, r, row);
    else
        add_why[r->why[row]](sb, r, row);
}
