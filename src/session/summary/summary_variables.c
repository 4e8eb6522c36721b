/* summary_variables.c: variables and their parameters, grouped by use. */
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"

enum use { USE_TRAINABLE, USE_SLOT, USE_OTHER, USE_CONSTANT, USE_COUNT };

struct tally {
    uint32_t n_variables;
    int64_t params;
};

static bool has_type(const struct profile *p, node_id node, strid type)
{
    typeset_id set = p->typeset[node];

    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++)
        if (p->typeset_types[i] == type)
            return true;
    return false;
}

static bool is_variable(const struct profile *p, node_id node)
{
    static const char *const ops[] = {"Variable", "VariableV2", "VarHandleOp",
                                      "AutoReloadVariable"};

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(profile_text(p, p->op[node]), ops[i]) == 0)
            return true;
    return false;
}

static bool names_variable(const struct profile *p, const char *name, size_t len)
{
    node_id node = profile_find(p, name, len);

    return node != NODE_NONE && is_variable(p, node);
}

/* Optimizers name slots VARIABLE/SLOT, OPTIMIZER/SLOT/VARIABLE or OPTIMIZER/VARIABLE/SLOT. A
 * variable is a slot if its name contains another variable's name from the first, second or third
 * component on. */
static bool is_slot(const struct profile *p, node_id node)
{
    const char *name = profile_text(p, p->name[node]);
    const char *end = name + intern_len(&p->strings, p->name[node]);
    const char *start = name;

    for (int skipped = 0; skipped < 3 && start; skipped++) {
        for (const char *cut = end; cut; cut = memrchr(start, '/', (size_t)(cut - start))) {
            if (cut > start && (cut != end || start != name) &&
                names_variable(p, start, (size_t)(cut - start)))
                return true;
            if (cut == start)
                break;
        }
        start = memchr(start, '/', (size_t)(end - start));
        start = start ? start + 1 : NULL;
    }
    return false;
}

static void count(struct tally *tally, int64_t params)
{
    bool saturated = false;

    tally->n_variables++;
    tally->params = sat_add(tally->params, params, &saturated);
}

static void add_tally(struct summary *s, const char *label, const struct tally *tally)
{
    struct summary_line *line = summary_add(s, "variables", label);

    sb_addf(&line->value, "%u, ", tally->n_variables);
    format_number(&line->value, tally->params);
    sb_adds(&line->value, " parameters");
    if (tally->params >= 1000)
        sb_addf(&line->value, " (%lld)", (long long)tally->params);
}

static enum use use_of(const struct profile *p, node_id node, strid trainable, strid constant)
{
    if (!is_variable(p, node))
        return constant != STRID_NONE && has_type(p, node, constant) ? USE_CONSTANT : USE_COUNT;
    if (trainable != STRID_NONE && has_type(p, node, trainable))
        return USE_TRAINABLE;
    return is_slot(p, node) ? USE_SLOT : USE_OTHER;
}

void summary_variables(struct summary *s, const struct profile *p)
{
    static const char *const labels[USE_COUNT] = {
        [USE_TRAINABLE] = "trainable",
        [USE_SLOT] = "optimizer slots",
        [USE_OTHER] = "other",
        [USE_CONSTANT] = "frozen into constants",
    };
    strid trainable = intern_find(&p->strings, "_trainable_variables", 20);
    strid constant = intern_find(&p->strings, "_constant_variables", 19);
    struct figures figures = {
        .profile = p, .static_float_ops = p->static_float_ops, .rank = RANK_AVERAGE, .step = STEP_AVERAGE};
    int64_t *params = xcalloc(p->n_nodes, sizeof *params);
    struct tally tallies[USE_COUNT] = {{0}};
    struct tally all = {0};
    int64_t *columns[METRIC_COUNT] = {[METRIC_PARAMS] = params};
    node_id saturated[METRIC_COUNT] = {0};

    metric_fill(&figures, columns, 0, p->n_nodes, saturated);
    for (node_id node = 0; node < p->n_nodes; node++) {
        enum use use = use_of(p, node, trainable, constant);

        if (use != USE_COUNT)
            count(&tallies[use], params[node]);
        if (use < USE_CONSTANT)
            count(&all, params[node]);
    }
    add_tally(s, "all", &all);
    for (int use = 0; use < USE_COUNT; use++)
        if (tallies[use].n_variables)
            add_tally(s, labels[use], &tallies[use]);
    if (all.n_variables && !tallies[USE_TRAINABLE].n_variables)
        sb_adds(&summary_add(s, "variables", "trainable")->value,
                "unknown; read an op log or a MetaGraph (.meta)");
    free(params);
}
