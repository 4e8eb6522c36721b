/* count_runs.c: operation counts of nodes of other op sets: from the graph, from the shapes that
 * runs recorded, or from compiled programs (formats-hlo.md section 6). */
#include <inttypes.h>

#include "base/satmath.h"
#include "flops/count_table.h"
#include "flops/flops_priv.h"
#include "model/programs.h"

static int64_t weight(int64_t requested)
{
    return requested > 0 ? requested : 1;
}

static bool counts_macs(const struct flops_request *r)
{
    return r->macs && r->rules != FLOPS_RULES_LOG;
}

/* FLOPs of one execution.  Only the full rules count transcendental functions, and weights of
 * divisions other than 1. */
static int64_t count_of(const struct program_cost *cost, const struct flops_request *r)
{
    int64_t count = cost->operations;

    if (counts_macs(r))
        count = clamp_sub(count, cost->multiply_adds);
    if (r->rules != FLOPS_RULES_FULL)
        return count;
    count = clamp_add(count, clamp_mul(cost->transcendentals, weight(r->transcendental)));
    return clamp_add(count, clamp_mul(cost->divisions, clamp_sub(weight(r->division), 1)));
}

/* False when NODE is not part of the capture, or has a definition of its own. */
static bool cost_of(const struct profile *p, node_id node, struct program_cost *cost)
{
    *cost = program_cost_of(p->programs, node);
    return cost->count != PROGRAM_NO_NODE && p->def[node].form == NODE_FORM_NONE;
}

void count_programs(const struct profile *p, const struct flops_request *request, int64_t *count,
                   uint8_t *state)
{
    struct program_cost cost;

    for (node_id i = 0; p->programs && i < p->n_nodes; i++) {
        if (!cost_of(p, i, &cost) || (cost.count == PROGRAM_NO_RULE && p->static_float_ops[i]))
            continue;
        count[i] = cost.count == PROGRAM_NO_RULE ? 0 : count_of(&cost, request);
        if (cost.count == PROGRAM_NO_RULE)
            state[i] = FLOPS_NO_RULE;
        else if (count[i] == 0)
            state[i] = FLOPS_NO_COMPUTE;
        else
            state[i] = cost.per_trip && p->programs->plans ? FLOPS_PER_TRIP : FLOPS_COUNTED;
    }
}

/* Appends " + T * (FORMULA)" for transcendental functions and " + (D - 1) * N" for divisions. */
static void add_weighed(const struct programs *c, node_id node, const struct program_cost *cost,
                        struct strbuf *sb)
{
    if (cost->transcendentals) {
        sb_adds(sb, cost->operations ? " + T * (" : "T * (");
        c->formula(c->context, node, true, sb);
        sb_addc(sb, ')');
    }
    if (cost->divisions)
        sb_addf(sb, " + (D - 1) * %" PRId64, cost->divisions);
}

static void add_formula(const struct programs *c, const struct flops_request *r, node_id node,
                        const struct program_cost *cost, struct strbuf *sb)
{
    const bool full = r->rules == FLOPS_RULES_FULL;

    if (!full && cost->operations == 0) {
        sb_addf(sb, "0; and %" PRId64 " transcendental functions, which -flops full counts",
                cost->transcendentals);
        return;
    }
    c->formula(c->context, node, false, sb);
    if (full)
        add_weighed(c, node, cost, sb);
    if (counts_macs(r) && cost->multiply_adds)
        sb_addf(sb, " - %" PRId64 " multiply-adds", cost->multiply_adds);
    sb_addf(sb, "%s%" PRId64, sb->len ? " = " : "", count_of(cost, r));
    if (full && cost->transcendentals)
        sb_addf(sb, "; T = %" PRId64, weight(r->transcendental));
    if (full && cost->divisions)
        sb_addf(sb, "; D = %" PRId64, weight(r->division));
    if (!full && cost->transcendentals)
        sb_addf(sb, "; and %" PRId64 " transcendental functions, which -flops full counts",
                cost->transcendentals);
}

bool explain_programs(const struct profile *p, const struct flops_request *request, node_id node,
                     struct strbuf *sb)
{
    struct program_cost cost;

    if (!p->programs || !cost_of(p, node, &cost) ||
        (cost.count == PROGRAM_NO_RULE && p->static_float_ops[node]))
        return false;
    if (cost.count == PROGRAM_NO_RULE) {
        const strid name = name_without_rule(p, node);

        sb_addf(sb, "not known: no rule for %s", profile_text(p, name));
    } else if (count_of(&cost, request) || cost.transcendentals) {
        add_formula(p->programs, request, node, &cost, sb);
    } else {
        sb_adds(sb, "computes nothing");
    }
    return true;
}

strid name_without_rule(const struct profile *p, node_id node)
{
    const struct programs *c = p->programs;
    strid id = STRID_EMPTY;

    if (c && program_cost_of(c, node).count != PROGRAM_NO_NODE) {
        const struct text target = c->target(c->context, node);

        id = intern_find(&p->strings, target.bytes, target.len);
    }
    return id == STRID_NONE || id == STRID_EMPTY ? p->op[node] : id;
}

enum { TENSORS_MAX = 64 };

/* Parses a number at *AT; a negative one means unknown.  False if there is none, or on overflow. */
static bool read_number(const char **at, int64_t *number)
{
    const bool negative = **at == '-';
    const char *from = *at + negative;

    *number = 0;
    for (*at = from; **at >= '0' && **at <= '9'; ++*at)
        if (!append_digit(number, **at))
            return false;
    if (negative)
        *number = DIM_UNKNOWN;
    return *at > from;
}

/* Parses shapes such as [[1,3],[]] into TENSORS, in ARENA; returns their number. */
static uint32_t read_shapes(const char *text, struct tensor *tensors, struct arena *arena)
{
    int64_t d[DIMS_MAX_RANK];
    uint32_t n = 0, rank = 0, depth = 0;

    while (*text) {
        if (*text == '[') {
            depth++;
            rank = 0;
            text++;
        } else if (*text == ']') {
            if (depth-- == 2 && n < TENSORS_MAX)
                tensors[n++] = (struct tensor){.shape = dims_new(arena, rank, d)};
            if (!depth)
                break;
            text++;
        } else if (*text == '-' || (*text >= '0' && *text <= '9')) {
            if (depth != 2 || rank == DIMS_MAX_RANK || !read_number(&text, &d[rank]))
                return 0;
            rank++;
        } else {
            text++;
        }
    }
    return n;
}

/* The counting rule of the op of ID, or NULL. */
static const struct count_rule *rule_of(const struct flops *f, const struct profile *p, node_id id)
{
    const struct op_entry *e =
        op_table_find_of_set(&f->priv->ops, p->op_set, intern_string(&p->strings, p->op[id]));

    return e->id == STRID_NONE ? NULL : count_table_find(&f->priv->rules, e)->full;
}

/* Counts the call of part I from its shapes; attributes have their default values. */
static uint8_t count_call(const struct flops *f, const struct profile *p, uint32_t i, int64_t *count)
{
    const struct count_rule *rule = rule_of(f, p, p->n_nodes + i);
    static const struct node_input nowhere = {.source = NODE_NONE};
    const struct node_input *edges[TENSORS_MAX];
    struct tensor in[TENSORS_MAX], out[TENSORS_MAX];
    uint32_t out_index[TENSORS_MAX];
    struct arena arena = {0};
    struct opctx c = {.keep = &arena, .scratch = &arena, .profile = p, .in = in, .in_edge = edges,
                      .out = out, .out_index = out_index, .has_attrs = true, .stronger = true,
                      .transcendental = 1, .division = 1};
    struct tally t;

    if (!rule || !rule->apply)
        return FLOPS_NO_COMPUTE;
    c.n_in = read_shapes(profile_text(p, p->call_dims[i]), in, &arena);
    c.n_out = c.n_declared = read_shapes(profile_text(p, p->call_values[i]), out, &arena);
    for (uint32_t k = 0; k < TENSORS_MAX; k++) {
        edges[k] = &nowhere;
        out_index[k] = k;
    }
    tally_init(&t, f->priv->request.macs, NULL);
    c.arg = rule->arg;
    rule->apply(&c, &t);
    *count = tally_finish(&t);
    arena_done(&arena);
    return (uint8_t)t.state;
}

void count_runs(struct flops *f, const struct profile *p)
{
    for (node_id node = 0; node < p->n_nodes; node++) {
        const bool is_known = p->def[node].form != NODE_FORM_NONE &&
                              (f->state[node] == FLOPS_COUNTED || f->state[node] == FLOPS_NO_COMPUTE);

        for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
            const node_id id = p->n_nodes + i;

            if (is_known) {
                f->count[id] = f->count[node];
                f->state[id] = f->state[node];
                continue;
            }
            f->state[id] = count_call(f, p, i, &f->count[id]);
            if (f->state[node] != FLOPS_COUNTED)
                f->state[node] = f->state[id];
        }
    }
}
