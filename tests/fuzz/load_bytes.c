/* load_bytes.c: any bytes as an input of a given kind. */
#include "load_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/graph/attrs.h"
#include "load/load.h"
#include "memory_file.h"
#include "model/function.h"
#include "model/metric.h"

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "the profile does not hold together: %s\n", what);
    abort();
}

#define EXPECT(condition) expect((condition), #condition)

static void check_list(const uint32_t *begin, uint32_t n)
{
    EXPECT(begin[0] == 0);
    for (uint32_t i = 0; i < n; i++)
        EXPECT(begin[i] <= begin[i + 1]);
}

static void check_node(const struct profile *p, node_id node)
{
    const struct node_def *def = &p->def[node];

    EXPECT(p->name[node] < p->strings.n && p->op[node] < p->strings.n);
    EXPECT(p->device[node] < p->strings.n && p->host_device[node] < p->strings.n);
    EXPECT(p->typeset[node] < p->n_typesets && p->shape[node] < p->n_shapes);
    EXPECT(p->trace[node] < p->n_traces && p->by_name[node] < p->n_nodes);
    EXPECT(profile_node_of(p, p->name[node]) == node);
    EXPECT(!node || intern_compare(&p->strings, p->name[p->by_name[node - 1]],
                                   p->name[p->by_name[node]]) < 0);
    EXPECT(def->form == NODE_FORM_NONE || def->file < p->n_files);
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        EXPECT(p->inputs[i].source == NODE_NONE || p->inputs[i].source < p->n_nodes);
        EXPECT(p->inputs[i].source_name < p->strings.n);
        EXPECT(profile_input_shape(p, &p->inputs[i]) < p->n_shapes);
        EXPECT(i == p->input_begin[node] || p->inputs[i - 1].position < p->inputs[i].position);
    }
    for (uint32_t i = p->output_begin[node]; i < p->output_begin[node + 1]; i++)
        EXPECT(p->outputs[i].shape < p->n_shapes);
    for (uint32_t i = p->run_output_begin[node]; i < p->run_output_begin[node + 1]; i++)
        EXPECT(p->run_outputs[i].shape < p->n_shapes);
}

static void check_execs(const struct profile *p, node_id node, struct exec_lists *lists)
{
    struct exec_walk walk = profile_execs(p, node);
    bool first = true;
    int64_t last = 0;
    struct exec e;

    while (exec_next(&walk, &e)) {
        uint64_t n_buffers = 0;

        EXPECT(first || last < e.step);
        first = false;
        last = e.step;
        profile_exec_lists(p, &e, lists);
        for (size_t i = 0; i < lists->times.n; i++)
            EXPECT(lists->times.data[i].device < p->strings.n);
        for (size_t i = 0; i < lists->memories.n; i++)
            n_buffers += lists->memories.data[i].n_outputs;
        EXPECT(n_buffers == lists->buffers.n);
        for (size_t i = 0; i < lists->devices.n; i++)
            EXPECT(lists->devices.data[i] < p->strings.n);
    }
}

/* Everything that stands behind an id. */
static void check_shared(const struct profile *p)
{
    check_list(p->typeset_begin, p->n_typesets);
    for (uint32_t i = 0; i < p->typeset_begin[p->n_typesets]; i++)
        EXPECT(p->typeset_types[i] < p->strings.n);
    for (uint32_t i = 1; i < p->n_traces; i++)
        for (uint32_t k = 0; k < p->traces[i].n_frames; k++)
            EXPECT(p->traces[i].frames[k].file < p->strings.n &&
                   p->traces[i].frames[k].function < p->strings.n &&
                   p->traces[i].frames[k].text < p->strings.n);
    for (uint32_t i = 1; i < p->n_steps; i++)
        EXPECT(p->steps[i - 1] < p->steps[i]);
}

static void look_at_attrs(const struct profile *p, node_id node)
{
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs = attrs_decode(p, node, &arena, &n);

    for (size_t i = 0; i < n; i++) {
        double values[8];

        if (attrs[i].value.kind == ATTR_TENSOR)
            tensor_doubles(&attrs[i].value.v.tensor, values, 8);
    }
    arena_done(&arena);
}

/* Bodies of functions stand behind the graph, one after the other. */
static void check_calls(const struct profile *p)
{
    node_id last = 0;

    for (uint32_t i = 0; i < p->n_call_sites; i++) {
        const struct call_site *site = &p->call_sites[i];
        const char *name = profile_text(p, site->function);
        const struct function_body *body = p->functions.find(
            p->functions.context, name, intern_len(&p->strings, site->function));

        EXPECT(site->first >= last && site->n_nodes <= p->n_nodes - site->first);
        EXPECT(site->call == NODE_NONE || site->call < site->first);
        EXPECT(body && body->graph->n_nodes == body->n_args + site->n_nodes);
        for (uint32_t k = 0; k < body->n_results; k++)
            EXPECT(body->results[k].node == NODE_NONE ||
                   body->results[k].node < body->graph->n_nodes);
        EXPECT(profile_call_site_of(p, site->first) == site);
        last = site->first + site->n_nodes;
    }
}

static void check_figures(const struct profile *p)
{
    int64_t *values = calloc((size_t)p->n_nodes + 1, sizeof *values);
    node_id saturated[METRIC_COUNT];

    for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
        int64_t *columns[METRIC_COUNT] = {NULL};

        columns[m] = values;
        saturated[m] = NODE_NONE;
        metric_fill(&(struct figures){p, p->static_float_ops, -1}, columns, 0, p->n_nodes,
                    saturated);
        EXPECT(saturated[m] == NODE_NONE || saturated[m] < p->n_nodes);
    }
    free(values);
}

static void check_profile(const struct profile *p)
{
    struct exec_lists lists = {0};

    check_list(p->input_begin, p->n_nodes);
    check_list(p->output_begin, p->n_nodes);
    check_list(p->run_output_begin, p->n_nodes);
    check_list(p->exec_begin, p->n_nodes);
    check_shared(p);
    for (node_id node = 0; node < p->n_nodes; node++) {
        check_node(p, node);
        check_execs(p, node, &lists);
        look_at_attrs(p, node);
    }
    exec_lists_done(&lists);
    check_calls(p);
    check_figures(p);
}

bool load_bytes(enum bytes_kind kind, const uint8_t *bytes, size_t len, struct err *err)
{
    static const char graph[] = "node { name: 'a' op: 'A' } node { name: 'b' op: 'B' input: 'a' }";
    struct memory_file base = memory_file(graph, sizeof graph - 1);
    struct memory_file file = memory_file(bytes, len);
    const char *path = file.path;
    struct load_request request = {0};
    struct cancel_mark never = {0};
    struct profile *p;
    bool done;

    if (kind == BYTES_OP_LOG || kind == BYTES_RUN_META)
        request.graph_path = base.path;
    if (kind == BYTES_GRAPH)
        request.graph_path = path;
    else if (kind == BYTES_OP_LOG)
        request.op_log_path = path;
    else if (kind == BYTES_PROFILE)
        request.profile_path = path;
    request.run_meta_paths = &path;
    request.n_run_meta_paths = kind == BYTES_RUN_META;
    request.files = &path;
    request.n_files = kind == BYTES_FILE;
    p = load_profile(&request, NULL, never, err);
    if (p)
        check_profile(p);
    else
        expect(err->kind == ERR_INPUT && *err_text(err) && !strchr(err_text(err), '\n'),
               "an error is one line");
    done = p != NULL;
    profile_free(p);
    close(base.fd);
    close(file.fd);
    return done;
}
