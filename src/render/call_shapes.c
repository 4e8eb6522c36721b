/* call_shapes.c: input shapes that a trace recorded for an operator (formats-trace.md section
 * 4.6). */
#include "render/row_facts.h"

bool call_has_shapes(const struct profile *p, node_id id)
{
    const node_id node = profile_node_of_part(p, id);

    return p->part_begin && p->part_begin[node] < p->part_begin[node + 1];
}

static int64_t first_start(const struct profile *p, node_id id)
{
    struct exec_walk walk = profile_execs(p, id);
    int64_t start_ticks = INT64_MAX;
    struct exec e;

    while (exec_next(&walk, &e))
        KEEP_MIN(start_ticks, e.start_ticks);
    return start_ticks;
}

/* The dims, as JSON, of the call that began first. */
static strid first_dims(const struct profile *p, node_id node)
{
    int64_t first_ticks = INT64_MAX;
    strid dims = STRID_EMPTY;

    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const int64_t start_ticks = p->call_dims[i] ? first_start(p, p->n_nodes + i) : INT64_MAX;

        if (p->call_dims[i] && (start_ticks < first_ticks || !dims)) {
            first_ticks = start_ticks;
            dims = p->call_dims[i];
        }
    }
    return dims;
}

/* Formats the list of lists at JSON, which the JSON reader has validated: each list at depth 1 is
 * an input. */
static void add_inputs(struct strbuf *sb, const char *json, const char *between)
{
    unsigned depth = 0, n_inputs = 0;
    bool is_list = false; /* the input is a list of tensors */
    char last = '\0';

    for (const char *at = json; *at; at++) {
        if (*at == '[') {
            if (depth == 1)
                sb_addf(sb, "%s%u:", n_inputs ? between : "", n_inputs);
            if (depth == 2)
                sb_addc(sb, is_list ? ',' : '[');
            is_list = depth >= 2;
            depth++;
        } else if (*at == ']' && depth) {
            depth--;
            sb_adds(sb, last == '[' && depth >= 1 ? "[]" : "");
            sb_adds(sb, depth == 1 && is_list ? "]" : "");
            n_inputs += depth == 1;
            is_list &= depth > 1;
        } else if (*at == ',' && last != ']' && depth >= 2) {
            sb_addc(sb, 'x');
        } else if (depth >= 2 && ((*at >= '0' && *at <= '9') || *at == '-')) {
            sb_addc(sb, *at);
        }
        if (*at != ' ' && *at != '\n' && *at != '\t' && *at != '\r')
            last = *at;
    }
}

void call_shapes(struct strbuf *sb, const struct profile *p, node_id id, const char *between)
{
    const strid dims = id < p->n_nodes ? first_dims(p, id) : p->call_dims[id - p->n_nodes];

    add_inputs(sb, profile_text(p, dims), between);
}
