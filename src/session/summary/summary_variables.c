/* summary_variables.c: variables and their parameters, grouped by use, and the tensors of a
 * checkpoint. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "load/checkpoint/checkpoint.h"
#include "load/graph/dtype.h"
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

/* Bytes per element; 0: not numeric. */
static int64_t element_bytes(const struct checkpoint_tensor *t)
{
    const struct dtype *type = dtype_find(t->dtype);

    return type && t->n_elements >= 0 ? type->size_bytes : 0;
}

/* Tensors are stored sorted by name, so the address breaks ties. */
COMPARE_POINTERS(by_size, struct checkpoint_tensor, DOWN(n_elements) || THEN(COMPARE(a, b)))

static void add_sums(struct summary *s, const struct checkpoint *c,
                     const struct checkpoint_tensor *const *numbers, size_t n)
{
    struct summary_line *line = summary_add(s, "checkpoint", "tensors");
    int64_t n_elements = 0, n_bytes = 0;
    bool saturated = false;

    for (size_t i = 0; i < n; i++) {
        n_elements = sat_add(n_elements, numbers[i]->n_elements, &saturated);
        n_bytes = sat_add(n_bytes,
                          sat_mul(numbers[i]->n_elements, element_bytes(numbers[i]), &saturated),
                          &saturated);
    }
    sb_addf(&line->value, "%zu of numbers, %s", n, checkpoint_format(c));
    if (n < checkpoint_n_tensors(c))
        sb_addf(&summary_add(s, "checkpoint", "others")->value, "%zu",
                checkpoint_n_tensors(c) - n);
    format_number(&summary_add(s, "checkpoint", "elements")->value, n_elements);
    sb_addf(&s->lines[s->n - 1].value, " (%" PRId64 ")", n_elements);
    format_memory(&summary_add(s, "checkpoint", "bytes")->value, n_bytes);
    sb_addf(&s->lines[s->n - 1].value, " (%" PRId64 ")", n_bytes);
}

void summary_checkpoint(struct summary *s, const struct profile *p)
{
    const struct checkpoint *c = p->checkpoint;
    const size_t n_all = c ? checkpoint_n_tensors(c) : 0;
    const struct checkpoint_tensor **numbers;
    size_t n = 0;

    if (!c)
        return;
    numbers = xcalloc(n_all, sizeof *numbers);
    for (size_t i = 0; i < n_all; i++)
        if (element_bytes(checkpoint_tensor(c, i)))
            numbers[n++] = checkpoint_tensor(c, i);
    add_sums(s, c, numbers, n);
    if (n)
        qsort(numbers, n, sizeof *numbers, by_size);
    for (size_t i = 0; i < n && i < SUMMARY_MAX_LINES; i++) {
        struct summary_line *line = summary_add(s, "checkpoint", "");

        sb_add(&line->label, numbers[i]->name.bytes, numbers[i]->name.len);
        format_dims(&line->value, numbers[i]->shape.dims, numbers[i]->shape.n_dims);
        sb_addf(&line->value, "  %s", dtype_name(numbers[i]->dtype));
        line->node = profile_find(p, numbers[i]->name.bytes, numbers[i]->name.len);
    }
    summary_add_more(s, "checkpoint", n);
    free(numbers);
}
