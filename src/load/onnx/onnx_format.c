/* onnx_format.c: ONNX models: detection, header fields, and the summary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/onnx/onnx.h"
#include "load/spans.h"

enum { IR_VERSION = 1, PRODUCER = 2, PRODUCER_VERSION = 3, GRAPH = 7, OPSET = 8, METADATA = 14,
       TRAINING = 20, FUNCTION = 25, CONFIGURATION = 26, IR_VERSION_MAX = 64 };

/* ---- detection */

static bool is_model_field(const struct wire_field *f)
{
    const bool is_number = f->number == IR_VERSION || f->number == 5;

    if (!((f->number >= 1 && f->number <= 8) || f->number == METADATA || f->number == TRAINING ||
          f->number == FUNCTION || f->number == CONFIGURATION))
        return false;
    if (f->number == IR_VERSION && (f->value < 1 || f->value > IR_VERSION_MAX))
        return false;
    return f->type == (is_number ? WIRE_VARINT : WIRE_LEN);
}

static bool fits_graph_proto(struct span graph)
{
    struct wire_in in = span_walk(graph);
    struct wire_field f;

    return graph.len == 0 ||
           (fits_next(&in, &f) && f.type == WIRE_LEN &&
            (f.number == 1 || f.number == 2 || f.number == 5 || (f.number >= 10 && f.number <= 16)));
}

/* Accepts files that are damaged after their first two fields. */
static bool fits_onnx(struct span bytes, struct evidence *e)
{
    enum { LOOK_AT_FIELDS = 64 };
    struct wire_in in = span_walk(bytes);
    bool has_graph = false, has_head = false;
    struct wire_field f;
    unsigned n = 0;

    if (e)
        return false;
    for (; n < LOOK_AT_FIELDS && fits_next(&in, &f); n++) {
        if (!is_model_field(&f))
            return has_head;
        if (f.number == PRODUCER && !span_is_printable(field_span(&f)))
            return has_head;
        if (f.number == GRAPH && !fits_graph_proto(field_span(&f)))
            return has_head;
        has_graph |= f.number == GRAPH;
        has_head |= n == 1 && bytes.bytes[0] == IR_VERSION << 3 &&
                    (f.number == PRODUCER || f.number == GRAPH);
    }
    return has_graph || has_head;
}

/* ---- header fields */

struct head {
    struct span producer, version;
    int64_t ir_version, n_functions;
    VEC(char *) opsets; /* heap */
    bool has_training, has_configuration;
};

static void add_metadata(struct onnx *x, struct span message)
{
    struct span key, value;

    onnx_pair(message, &key, &value);
    model_fact(&x->rows, "metadata", FACT_MEMBER, key, value);
}

static void add_opset(struct head *h, struct span message)
{
    struct span domain = span_part(message, 1);
    struct strbuf text = {0};
    int64_t version = 0;

    wire_each(f, span_walk(message))
        if (f.number == 2 && f.type == WIRE_VARINT)
            version = (int64_t)f.value;
    if (domain.len)
        sb_add(&text, domain.bytes, domain.len);
    else
        sb_adds(&text, "ai.onnx");
    sb_addf(&text, " %" PRId64, version);
    vec_push(&h->opsets, sb_take(&text));
}

static bool read_head(struct onnx *x, struct head *h, struct err *err)
{
    static const struct field_spec fields[] = {
        {IR_VERSION, FIELD_NUMBER, offsetof(struct head, ir_version)},
        {PRODUCER, FIELD_SPAN, offsetof(struct head, producer)},
        {PRODUCER_VERSION, FIELD_SPAN, offsetof(struct head, version)}, {0}};

    if (!load_fields(x->l, x->l->input, "model", fields, h, err))
        return false;
    wire_each(f, span_walk(x->l->input)) {
        h->has_training |= f.number == TRAINING;
        h->has_configuration |= f.number == CONFIGURATION;
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == GRAPH)
            vec_push(&x->graph, field_span(&f));
        else if (f.number == OPSET)
            add_opset(h, field_span(&f));
        else if (f.number == METADATA)
            add_metadata(x, field_span(&f));
        else if (f.number == FUNCTION)
            onnx_add_function(x, field_span(&f));
        h->n_functions += f.number == FUNCTION;
    }
    return true;
}

/* ---- the summary */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_head_facts(struct onnx *x, struct head *h)
{
    const struct span none = {NULL, 0};

    sb_clear(&x->rows.text);
    if (h->producer.len)
        sb_add(&x->rows.text, h->producer.bytes, h->producer.len);
    if (h->version.len) {
        sb_adds(&x->rows.text, x->rows.text.len ? " " : "");
        sb_add(&x->rows.text, h->version.bytes, h->version.len);
    }
    model_fact(&x->rows, "producer", FACT_TEXT, none, model_text(&x->rows));
    vec_sort(&h->opsets, by_text);
    sb_clear(&x->rows.text);
    for (size_t i = 0; i < h->opsets.n; i++)
        sb_addf(&x->rows.text, "%s%s", i ? ", " : "", h->opsets.data[i]);
    model_fact(&x->rows, "opset", FACT_TEXT, none, model_text(&x->rows));
    model_number(&x->rows, "ir_version", h->ir_version);
    model_number(&x->rows, "functions", h->n_functions);
    model_number(&x->rows, "nodes", x->n_nodes);
    model_number(&x->rows, "tensors", x->n_tensors);
}

/* ---- loading */

static void add_notes(struct onnx *x, const struct head *h)
{
    struct notes *notes = &builder_profile(x->b)->notes;

    model_note(&x->rows, x->n_undefined, "input of a node has no producer",
               "inputs of nodes have no producer");
    model_note(&x->rows, x->n_missing_files, "tensor is in a missing file: its values are not shown",
               "tensors are in missing files: their values are not shown");
    model_note(&x->rows, x->n_closed_calls, "call of a function is not expanded: there are too many nodes",
               "calls of functions are not expanded: there are too many nodes");
    if (x->n_flow)
        note_add(notes, "%s: both branches of If and one iteration of Loop and Scan count", x->l->path);
    if (x->rows.saturated)
        note_add(notes, "%s: the number of elements of a tensor exceeds 64 bits", x->l->path);
    if (h->has_training)
        note_add(notes, "%s: training graphs are not read", x->l->path);
    if (h->has_configuration)
        note_add(notes, "%s: multi-device configurations are not read", x->l->path);
}

static bool load_model(struct onnx *x, struct head *h, struct err *err)
{
    if (!read_head(x, h, err))
        return false;
    if (!x->graph.n)
        return load_fail(x->l, x->l->input.bytes, err, "model without a graph");
    if (!onnx_add_graph(x, err))
        return false;
    add_head_facts(x, h);
    model_type_facts(&x->rows);
    add_notes(x, h);
    return true;
}

static void onnx_done(struct onnx *x)
{
    EACH(intern_done, &x->values, &x->function_keys);
    EACH(vec_done, &x->value_of, &x->bound, &x->frames, &x->nodes, &x->functions, &x->batch_dims, &x->graph,
         &x->tensor.dims, &x->dims);
    model_rows_done(&x->rows);
    sb_done(&x->dims_text);
}

static bool load_onnx(struct loader *l, struct err *err)
{
    struct onnx x = {.l = l, .b = l->builder, .budget = budget_share(budget_of(l->input.len, l->cancel), 2)};
    struct head h = {.ir_version = 0};
    bool ok;

    EACH(intern_init, &x.values, &x.function_keys);
    ok = model_rows_init(&x.rows, l, "onnx:", onnx_types, ONNX_TYPE_COUNT, err);
    if (ok) {
        builder_profile(l->builder)->attrs_of_def = onnx_attrs_of_def;
        ok = load_model(&x, &h, err);
    }
    if (!ok && err->kind == ERR_INPUT) {
        char *text = xstrdup(err_text(err));

        err_set(err, ERR_INPUT, "%s; %" PRId64 " nodes read before", text, x.n_nodes);
        free(text);
    }
    for (size_t i = 0; i < h.opsets.n; i++)
        free(h.opsets.data[i]);
    vec_done(&h.opsets);
    onnx_done(&x);
    return ok;
}

const struct format_row format_onnx = {
    .name = "ONNX",
    .help = "a model (*.onnx), as torch.onnx.export and tf2onnx write it",
    .binary_name = "ONNX",
    .contents = CONTAINS_GRAPH,
    .load_order = 26,
    .detect_order = 55,
    .keep_bytes = true,
    .fits = fits_onnx,
    .load = load_onnx,
};
