/* summary_graph.c: nodes by operation, inputs and outputs of the graph, and matched nodes of a
 * comparison. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"

struct op_count {
    strid op;
    uint32_t n_nodes;
};

COMPARE_WITH(by_count, struct op_count, struct profile,
             DOWN(n_nodes) || THEN(intern_compare(&with->strings, a->op, b->op)))

void summary_ops(struct summary *s, const struct profile *p)
{
    uint32_t *count_of = xcalloc(p->strings.n, sizeof *count_of);
    VEC(struct op_count) ops = {0};

    for (node_id node = 0; node < p->n_nodes; node++)
        count_of[p->op[node]]++;
    for (strid op = 0; op < p->strings.n; op++)
        if (count_of[op])
            vec_push(&ops, ((struct op_count){op, count_of[op]}));
    if (ops.n)
        qsort_r(ops.data, ops.n, sizeof *ops.data, by_count, (void *)(uintptr_t)p);
    sb_addf(&summary_add(s, "graph", "nodes")->value, "%u of %zu operation types", p->n_nodes,
            ops.n);
    for (size_t i = 0; i < ops.n && i < SUMMARY_MAX_LINES; i++)
        sb_addf(&summary_add(s, "graph", profile_text(p, ops.data[i].op))->value, "%u nodes",
                ops.data[i].n_nodes);
    summary_add_more(s, "graph", ops.n);
    if (p->n_functions)
        sb_addf(&summary_add(s, "graph", "functions")->value,
                "%u; bodies of them in the graph: %u", p->n_functions, p->n_call_sites);
    free(count_of);
    vec_done(&ops);
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static void put_shape(struct strbuf *sb, const struct profile *p, shape_id shape)
{
    if (shape == SHAPE_UNKNOWN)
        sb_adds(sb, "shape unknown");
    else
        format_dims(sb, p->shapes[shape].dims,
                    shape == SHAPE_SCALAR ? 0 : p->shapes[shape].n_dims);
}

/* Appends the shape of the first output: as recorded, else inferred from the inputs. */
static void put_output_shape(struct strbuf *sb, const struct profile *p, const struct flops *flops,
                             node_id node)
{
    shape_id shape = profile_output_shape(p, node, 0);
    const int64_t *dims;
    uint32_t n_dims;

    if (shape == SHAPE_UNKNOWN)
        shape = p->shape[node];
    if (shape == SHAPE_UNKNOWN && flops && flops_output_shape(flops, node, 0, &dims, &n_dims))
        format_dims(sb, dims, n_dims);
    else
        put_shape(sb, p, shape);
}

static void add_end(struct summary *s, const char *section, const struct profile *p,
                    const struct flops *flops, node_id node)
{
    struct summary_line *line = summary_add_node(s, section, p, node);

    put_output_shape(&line->value, p, flops, node);
    sb_addf(&line->value, "  %s", profile_text(p, p->op[node]));
}

/* Inserts NODE into FIRST, which holds the first N nodes in order of their names. */
static void insert_by_name(const struct profile *p, node_id first[SUMMARY_MAX_LINES], size_t n,
                           node_id node)
{
    const char *name = profile_text(p, p->name[node]);
    size_t at = n < SUMMARY_MAX_LINES ? n : SUMMARY_MAX_LINES;

    for (; at > 0 && strcmp(name, profile_text(p, p->name[first[at - 1]])) < 0; at--)
        if (at < SUMMARY_MAX_LINES)
            first[at] = first[at - 1];
    if (at < SUMMARY_MAX_LINES)
        first[at] = node;
}

/* Lists the nodes with WANTED set, by name. */
static void add_ends(struct summary *s, const char *section, const struct profile *p,
                     const struct flops *flops, const uint8_t *wanted)
{
    node_id first[SUMMARY_MAX_LINES];
    size_t n = 0;

    for (node_id node = 0; node < p->n_nodes; node++)
        if (wanted[node])
            insert_by_name(p, first, n++, node);
    for (size_t i = 0; i < n && i < SUMMARY_MAX_LINES; i++)
        add_end(s, section, p, flops, first[i]);
    summary_add_more(s, section, n);
}

/* Unused values of training and saving are no outputs of the model. */
static bool is_side_branch(const struct profile *p, node_id node)
{
    const char *name = profile_text(p, p->name[node]);

    return strstr(profile_text(p, p->op[node]), "Apply") || strstr(name, "gradients/") || strstr(name, "gradient_tape/") ||
           strncmp(name, "save", strlen("save")) == 0;
}

static bool reads_variable(const struct profile *p, node_id node)
{
    static const char *const reads[] = {"Identity", "ReadVariableOp", NULL};
    uint32_t first = p->input_begin[node];

    if (!is_one_of(profile_text(p, p->op[node]), reads) || first == p->input_begin[node + 1] ||
        p->inputs[first].source == NODE_NONE)
        return false;
    return strncmp(profile_text(p, p->op[p->inputs[first].source]), "Var", 3) == 0;
}

/* Marks nodes that compute something and have no consumer. */
static void mark_outputs(const struct profile *p, uint8_t *wanted)
{
    static const char *const no_value[] = {
        "NoOp",   "Const",     "Placeholder",      "_Retval",
        "Assert", "SaveV2",    "RestoreV2",        "_SINK",
        "Assign", "AssignAdd", "AssignVariableOp", "VarIsInitializedOp", NULL};

    for (node_id node = 0; node < p->n_nodes; node++)
        wanted[node] = p->op[node] != p->name[node] && /* else a node of the run only */
                       !is_one_of(profile_text(p, p->op[node]), no_value) &&
                       !is_side_branch(p, node) && !reads_variable(p, node);
    for (uint32_t i = 0; i < p->input_begin[p->n_nodes]; i++)
        if (p->inputs[i].source != NODE_NONE && p->inputs[i].own_index != INPUT_CONTROL)
            wanted[p->inputs[i].source] = 0;
}

/* Nodes in function bodies are neither inputs nor outputs. */
static void drop_bodies(const struct profile *p, uint8_t *wanted)
{
    for (uint32_t i = 0; i < p->n_call_sites; i++)
        memset(wanted + p->call_sites[i].first, 0, p->call_sites[i].n_nodes);
}

void summary_ends(struct summary *s, const struct profile *p, const struct flops *flops)
{
    static const char *const inputs[] = {"Placeholder", "PlaceholderV2", "PlaceholderWithDefault",
                                         "_Arg", NULL};
    uint8_t *wanted = xcalloc(p->n_nodes, 1);

    for (node_id node = 0; node < p->n_nodes; node++)
        wanted[node] = is_one_of(profile_text(p, p->op[node]), inputs);
    drop_bodies(p, wanted);
    add_ends(s, "inputs", p, flops, wanted);
    mark_outputs(p, wanted);
    drop_bodies(p, wanted);
    add_ends(s, "outputs", p, flops, wanted);
    free(wanted);
}

/* Returns the node of tensor "NODE:0", or NODE_NONE. */
static node_id node_of_tensor(const struct profile *p, strid tensor)
{
    const char *name = profile_text(p, tensor);
    const char *colon = memrchr(name, ':', intern_len(&p->strings, tensor));

    return profile_find(p, name, colon ? (size_t)(colon - name) : intern_len(&p->strings, tensor));
}

void summary_signatures(struct summary *s, const struct profile *p)
{
    array_each(const struct signature_end, end, p->signature_ends, p->n_signature_ends) {
        struct summary_line *line = summary_add(s, "signatures", "");

        line->node = node_of_tensor(p, end->tensor);
        sb_add(&line->label, profile_text(p, end->signature),
               intern_len(&p->strings, end->signature));
        sb_adds(&line->label, end->is_output ? " output " : " input ");
        sb_add(&line->label, profile_text(p, end->key), intern_len(&p->strings, end->key));
        put_shape(&line->value, p, end->shape);
        sb_addf(&line->value, "  %s  ", end->dtype);
        sb_add(&line->value, profile_text(p, end->tensor), intern_len(&p->strings, end->tensor));
    }
}

/* Adds facts that the files state: "opset", "inputs", tensors by element type. */
void summary_facts(struct summary *s, const struct profile *p)
{
    size_t n_of_key = 0;

    for (uint32_t i = 0; i < p->n_file_facts; i++) {
        const struct file_fact *f = &p->file_facts[i];
        struct summary_line *line;

        n_of_key = i && strcmp(f[-1].key, f->key) == 0 ? n_of_key + 1 : 1;
        if (n_of_key > SUMMARY_MAX_LINES)
            continue;
        line = summary_add(s, "model", f->key);
        if (f->name != STRID_EMPTY) {
            sb_addc(&line->label, ' ');
            sb_add(&line->label, profile_text(p, f->name), intern_len(&p->strings, f->name));
        }
        if (f->kind == FACT_TENSORS) {
            sb_addf(&line->value, "%lld tensors, %lld parameters, ", (long long)f->number[0],
                    (long long)f->number[1]);
            format_memory(&line->value, f->number[2]);
        } else if (f->kind == FACT_NUMBER || f->kind == FACT_MEMBER_COUNT) {
            sb_add_int(&line->value, f->number[0]);
        } else if (f->kind == FACT_FLAG) {
            sb_adds(&line->value, f->number[0] ? "yes" : "no");
        } else if (f->kind == FACT_EMPTY) {
            sb_adds(&line->value, "none");
        } else {
            sb_add(&line->value, profile_text(p, f->text), intern_len(&p->strings, f->text));
        }
    }
}

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
    summary_add_more(s, section, list.n);
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
