/* row_facts.c: columns, devices, types and input shapes of rows. */
#include "render/row_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/text.h"
#include "flops/flops.h"
#include "model/format.h"

/* True when the input shapes of ID, a node or a part of one, come from the calls in a trace. */
static bool call_has_shapes(const struct profile *p, node_id id)
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

/* Appends "0:32x64|1:16", with BETWEEN instead of the bar.  A node has the shapes of the call that
 * began first.  "[]" is a scalar or not a tensor; a list of tensors is in brackets.  Appends
 * nothing when no shapes were recorded. */
static void call_shapes(struct strbuf *sb, const struct profile *p, node_id id, const char *between)
{
    const strid dims = id < p->n_nodes ? first_dims(p, id) : p->call_dims[id - p->n_nodes];

    add_inputs(sb, profile_text(p, dims), between);
}

size_t row_columns(const struct result *r, int *columns)
{
    const field_set selected = r->options.select;
    const field_set parts = FIELD_BIT(METRIC_ACCELERATOR_MICROS) | FIELD_BIT(METRIC_CPU_MICROS);
    const field_set shown = field_in(selected, METRIC_MICROS) ? selected | parts : selected;
    int order[FIELD_COUNT];
    size_t n = 0;

    field_order(r->view->is_multi, order);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (field_in(shown, order[i]) && field_legend(order[i], r->view->is_multi))
            columns[n++] = order[i];
    return n;
}

field_set row_column_metrics(const struct result *r)
{
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);
    field_set needed = 0;

    for (size_t i = 0; i < n; i++)
        if (columns[i] < METRIC_COUNT)
            needed |= FIELD_BIT(columns[i]);
        else if (columns[i] == FIELD_BOUND)
            needed |= FIELD_BIT(METRIC_ROOF_PERCENT);
    /* Input groups print runs and time. */
    if (r->view->is_list && field_in(r->options.select, FIELD_INPUT_SHAPES))
        needed |= FIELD_BIT(METRIC_OCCURRENCE) | FIELD_BIT(METRIC_MICROS);
    return needed;
}

/* ---- sets of strings */

typedef VEC(strid) strids;

COMPARE_VALUES(by_id, strid)

COMPARE_CHAIN(by_bytes, struct text, THEN(text_compare(*a, *b)))

/* Fills LIST with the distinct strings of IDS, and frees IDS. */
static void list_distinct(const struct profile *p, strids *ids, text_list *list)
{
    vec_sort(ids, by_id);
    for (size_t i = 0; i < ids->n; i++) {
        const strid id = ids->data[i];

        if (!i || id != ids->data[i - 1])
            vec_push(list, intern_string(&p->strings, id));
    }
    vec_sort(list, by_bytes);
    vec_done(ids);
}

/* Adds ID unless it is among the first FEW.  Rows have few distinct devices and types, so this
 * keeps the list of a million nodes short. */
static bool add_id(strids *ids, strid id)
{
    enum { FEW = 16 };

    for (size_t i = 0; i < ids->n && i < FEW; i++)
        if (ids->data[i] == id)
            return false;
    vec_push(ids, id);
    return true;
}

static void add_types(const struct profile *p, typeset_id set, strids *ids)
{
    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++)
        vec_push(ids, p->typeset_types[i]);
}

/* Adds the devices of a node; compiled code may have run on several. */
static void add_devices(const struct profile *p, node_id node, strids *ids)
{
    uint32_t n;
    const strid *devices = profile_devices(p, node, &n);

    for (uint32_t i = 0; i < n; i++)
        add_id(ids, devices[i]);
}

void row_devices(const struct result *r, row_id row, text_list *list)
{
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    strids ids = {0};

    list->n = 0;
    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        const node_id node = t->members[i];

        if (r->view->is_multi ? r->node_accounted[node] : p->device[node] != STRID_EMPTY)
            add_devices(p, node, &ids);
    }
    list_distinct(p, &ids, list);
}

void row_types(const struct result *r, row_id row, text_list *list)
{
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    strids ids = {0}, sets = {0};

    list->n = 0;
    if (!r->view->is_multi && tree_node(t, row) == NODE_NONE) {
        const char *type = r->view->synthetic_type;

        if (type)
            vec_push(list, (text_from(type)));
        return;
    }
    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        const node_id node = t->members[i];

        if (r->view->is_multi && !r->node_accounted[node])
            continue;
        if (add_id(&sets, p->typeset[node]))
            add_types(p, p->typeset[node], &ids);
    }
    vec_done(&sets);
    list_distinct(p, &ids, list);
}

/* ---- input shapes */

static void add_recorded(struct strbuf *sb, const struct profile *p, const struct node_input *input)
{
    const shape_id shape = profile_input_shape(p, input);

    if (shape == SHAPE_UNKNOWN)
        sb_adds(sb, "unknown");
    else
        format_shape(sb, p->shapes[shape]);
}

static void add_known(struct strbuf *sb, const struct known_shape *shape)
{
    if (shape->origin == SHAPE_NOT_KNOWN)
        sb_adds(sb, "unknown");
    else
        format_dims(sb, shape->dims, shape->n_dims);
}

/* The operation counts, which infer shapes too; NULL when they cannot be computed. */
static const struct flops *flops_of(struct result *r)
{
    struct err err = {0};
    const struct flops *flops = result_flops(r, &err);

    err_done(&err); /* a malformed -bind was reported with the figures */
    return flops;
}

void row_input_shapes(struct strbuf *sb, struct result *r, node_id id, const char *between)
{
    const struct profile *p = r->profile;
    const node_id node = profile_node_of_part(p, id);
    const bool is_of_set = profile_has_op_set(p);
    const bool by_rules =
        r->options.flops == FLOPS_COMPAT || r->options.flops == FLOPS_FULL || is_of_set;
    const struct flops *flops = by_rules ? flops_of(r) : NULL;
    const size_t start = sb->len;

    if (call_has_shapes(p, id)) {
        call_shapes(sb, p, id, between);
        return;
    }
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];
        const bool is_recorded = !flops_has_shapes(flops) || input->own_index == INPUT_CONTROL;
        struct known_shape shape = {0};

        if (!is_recorded)
            shape = flops_input_shape(flops, input);
        if (is_of_set && (shape.origin == SHAPE_NOT_KNOWN || !shape.n_dims))
            continue;
        sb_addf(sb, "%s%d:", sb->len > start ? between : "",
                (int)profile_input_position(p, node, i));
        if (is_recorded)
            add_recorded(sb, p, input);
        else
            add_known(sb, &shape);
    }
}

void row_output_shapes(struct strbuf *sb, struct result *r, node_id node)
{
    const struct known_shape *shapes;
    struct arena arena = {0};
    const size_t n =
        flops_shapes(flops_of(r), r->profile, node, ROW_OUTPUTS_MAX, &arena, &shapes);

    for (size_t i = 0; i < n && i < ROW_OUTPUTS_MAX; i++) {
        sb_addf(sb, "%s%zu:", i ? "|" : "", i);
        add_known(sb, &shapes[i]);
    }
    if (n > ROW_OUTPUTS_MAX)
        sb_addf(sb, "|and %zu more", n - ROW_OUTPUTS_MAX);
    arena_done(&arena);
}

COMPARE_CHAIN(by_shapes, struct input_group, THEN(strcmp(a->shapes, b->shapes)))

COMPARE_CHAIN(by_runs, struct input_group, DOWN(runs) || THEN(by_shapes(a, b)))

/* Merges neighbours with equal shapes. */
static void join(input_groups *groups)
{
    size_t n = 0;
    bool saturated = false;

    for (size_t i = 0; i < groups->n; i++) {
        struct input_group *g = &groups->data[i];

        if (n && strcmp(groups->data[n - 1].shapes, g->shapes) == 0) {
            struct input_group *to = &groups->data[n - 1];

            to->runs = sat_add(to->runs, g->runs, &saturated);
            to->time_ps = sat_add(to->time_ps, g->time_ps, &saturated);
            to->nodes += g->nodes;
            free(g->shapes);
        } else {
            groups->data[n++] = *g;
        }
    }
    groups->n = n;
}

void row_input_groups(struct result *r, row_id row, input_groups *groups)
{
    const struct tree *t = r->tree;
    const int64_t *runs = result_node_figures(r, METRIC_OCCURRENCE);
    const int64_t *times = result_node_figures(r, METRIC_MICROS);
    struct strbuf shapes = {0};

    groups->n = 0;
    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        const node_id node = t->members[i];

        if (!r->node_accounted[node])
            continue;
        row_input_shapes(&shapes, r, node, ",\t");
        sb_adds(&shapes, !shapes.len ? "" : "");
        vec_push(groups, ((struct input_group){sb_take(&shapes), runs[node], times[node], 1}));
    }
    if (!groups->n)
        return;
    vec_sort(groups, by_shapes);
    join(groups);
    vec_sort(groups, by_runs);
}

void input_groups_done(input_groups *groups)
{
    for (size_t i = 0; i < groups->n; i++)
        free(groups->data[i].shapes);
    vec_done(groups);
}
