/* count_runs.c: operation counts of nodes of other op sets: from the graph, else from the shapes
 * that runs recorded. */


#include "flops/count_table.h"
#include "flops/flops_priv.h"

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
