/* figures.c: figures as cells. */
#include "tui/rows/figures.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "model/format.h"
#include "model/profile_kind.h"

enum metric_id figure_primary(const struct options *o)
{
    const enum metric_id ordered = options_order_metric(o);

    return ordered < METRIC_COUNT && !metric_is_ratio((int)ordered) ? ordered
                                                                    : main_metric(o->select);
}

const char *figure_label(enum metric_id m, size_t cols)
{
    return strlen(metrics[m].name) > cols && metrics[m].head ? metrics[m].head : metrics[m].name;
}

/* Why ROW has no count; NULL if it has one, or if 0 is correct. */
static const char *no_count(const struct result *r, row_id row)
{
    static const char *const words[] = {
        [FLOPS_UNKNOWN_SHAPE] = "?",
        [FLOPS_LEFT_OUT] = "left out",
        [FLOPS_NO_RULE] = "no rule",
    };
    _Static_assert(sizeof words / sizeof *words == FLOPS_STATE_COUNT, "a word, or none, for each state");
    const struct flops *flops = result_flops_made(r);
    const struct tree *t = r->tree;
    node_id node = r->view->is_multi ? NODE_NONE : tree_node(t, row);

    if (!flops || !flops_by_rules(flops) || r->self[METRIC_FLOAT_OPS][row])
        return NULL;
    /* Operations of one type behave alike, so the first one decides. */
    for (uint32_t i = t->member_begin[row];
         r->view->is_list && node == NODE_NONE && i < t->member_begin[row + 1]; i++)
        if (r->node_accounted[t->members[i]])
            node = t->members[i];
    return node == NODE_NONE ? NULL : words[flops->state[node]];
}

void figure_self(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m)
{
    const char *why = NULL;

    if (!result_has_self(r, row) || result_is_unknown(r, (int)m) || result_lacks(r, row, (int)m)) {
        sb_adds(sb, "--");
        return;
    }
    if (m == METRIC_FLOAT_OPS)
        why = no_count(r, row);
    if (why) {
        sb_adds(sb, why);
        return;
    }
    if (m == METRIC_OCCURRENCE && r->profile->kind < PROFILE_TRACE) {
        format_number(sb, r->self[m][row]);
        sb_addf(sb, "|%" PRIu32, r->view->is_multi ? r->own[row] : 1);
        return;
    }
    format_spaced(sb, metrics[m].unit, r->self[m][row]);
}

void figure_total(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m)
{
    if (result_is_unknown(r, (int)m) || result_lacks(r, row, (int)m)) {
        sb_adds(sb, "--");
        return;
    }
    if (m == METRIC_OCCURRENCE && r->total_defs && r->profile->kind < PROFILE_TRACE) {
        format_number(sb, r->total[m][row]);
        sb_addc(sb, '|');
        format_number(sb, r->total_defs[row]);
        return;
    }
    format_spaced(sb, metrics[m].unit, r->total[m][row]);
}

void figure_known(struct strbuf *sb, const struct uncounted *uncounted, const struct result *r,
                  row_id row, enum metric_id m)
{
    figure_total(sb, r, row, m);
    sb_adds(sb, m == METRIC_FLOAT_OPS && uncounted_below(uncounted, row) > 0 ? "+" : "");
}

double figure_part(const struct result *r, row_id row, row_id base, enum metric_id m)
{
    const int64_t part = r->view->is_list && row ? r->self[m][row] : r->total[m][row];
    const int64_t whole = r->total[m][base];

    return whole > 0 ? (double)part / (double)whole : 0;
}

enum role figure_heat(double share)
{
    return share > 0.05 ? ROLE_HOT : share < 0.005 ? ROLE_DIM : ROLE_NUMBER;
}

void figure_bar(struct strbuf *sb, double share, int width)
{
    const double full = share * width + 0.5;

    for (int i = 0; i < width; i++)
        utf8_encode(sb, i + 1 <= full ? 0x2587 : 0xb7); /* ▇ and · */
}

const char *figure_doubt(const struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    const int64_t step = r->options.step;
    struct exec e;
    bool ran = step >= 0 && profile_exec(p, node, step, &e);

    if (!p->n_steps || !p->has_runtime)
        return NULL; /* there is no run */
    if (p->misses_accelerator_stream && profile_on_accelerator(p, node))
        return "no stream events of its accelerator";
    if (!profile_ran(p, node))
        return "never ran in a recorded step";
    if (step >= 0 && !ran)
        return "did not run in this step";
    if (ran && e.accelerator_ps > 0 && e.cpu_ps > 0)
        return "CPU and accelerator times are added: they may overlap";
    return NULL;
}

void figure_grouped(struct strbuf *sb, uint64_t n)
{
    char digits[24];
    size_t len = 0;

    do {
        digits[len++] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    while (len) {
        sb_addc(sb, digits[--len]);
        sb_adds(sb, len && len % 3 == 0 ? "," : "");
    }
}
