/* onnx_format.c: ONNX models: detection, header fields, and the summary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/onnx/onnx.h"

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

static bool is_printable(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] < 0x20 || text.bytes[i] == 0x7f)
            return false;
    return true;
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
        if (f.number == PRODUCER && !is_printable(field_span(&f)))
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
    struct wire_pieces graph;
    int64_t ir_version, n_functions;
    VEC(char *) opsets; /* heap */
    bool has_training, has_configuration;
};

static void add_fact(struct onnx *x, const char *key, enum file_fact_kind kind, struct span name,
                     struct span text)
{
    struct file_fact fact = {.key = key, .kind = (uint8_t)kind, .file = x->l->file};

    fact.name = builder_str(x->b, name.len ? name.bytes : (const uint8_t *)"", name.len);
    fact.text = builder_str(x->b, text.len ? text.bytes : (const uint8_t *)"", text.len);
    builder_add_file_fact(x->b, fact);
}

static void add_number(struct onnx *x, const char *key, int64_t number)
{
    const struct file_fact fact = {
        .key = key, .kind = FACT_NUMBER, .file = x->l->file, .number = {number}};

    builder_add_file_fact(x->b, fact);
}

static void add_text(struct onnx *x, const char *key)
{
    add_fact(x, key, FACT_TEXT, (struct span){NULL, 0},
             (struct span){(const uint8_t *)sb_text(&x->text), x->text.len});
}

static void add_metadata(struct onnx *x, struct span message)
{
    struct span key, value;

    onnx_pair(message, &key, &value);
    add_fact(x, "metadata", FACT_MEMBER, key, value);
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
    struct wire_in in = span_walk(x->l->input);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == IR_VERSION && f.type == WIRE_VARINT)
            h->ir_version = (int64_t)f.value;
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == PRODUCER)
            h->producer = field_span(&f);
        else if (f.number == PRODUCER_VERSION)
            h->version = field_span(&f);
        else if (f.number == GRAPH)
            wire_pieces_add(&h->graph, f.bytes, f.len, &x->l->pieces);
        else if (f.number == OPSET)
            add_opset(h, field_span(&f));
        else if (f.number == METADATA)
            add_metadata(x, field_span(&f));
        else if (f.number == FUNCTION) {
            onnx_add_function(x, field_span(&f));
            h->n_functions++;
        }
        h->has_training |= f.number == TRAINING;
        h->has_configuration |= f.number == CONFIGURATION;
    }
    return load_ended(x->l, &in, "model", err);
}

/* ---- the summary */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_head_facts(struct onnx *x, struct head *h)
{
    sb_clear(&x->text);
    if (h->producer.len)
        sb_add(&x->text, h->producer.bytes, h->producer.len);
    if (h->version.len) {
        sb_adds(&x->text, x->text.len ? " " : "");
        sb_add(&x->text, h->version.bytes, h->version.len);
    }
    add_text(x, "producer");
    vec_sort(&h->opsets, by_text);
    sb_clear(&x->text);
    for (size_t i = 0; i < h->opsets.n; i++)
        sb_addf(&x->text, "%s%s", i ? ", " : "", h->opsets.data[i]);
    add_text(x, "opset");
    add_number(x, "ir_version", h->ir_version);
    add_number(x, "functions", h->n_functions);
    add_number(x, "nodes", x->n_nodes);
    add_number(x, "tensors", x->n_tensors);
}

static void add_type_facts(struct onnx *x)
{
    for (int i = 0; i < ONNX_TYPE_COUNT; i++) {
        struct file_fact fact = {.key = "dtypes", .kind = FACT_TENSORS, .file = x->l->file};

        if (!x->of_type[i][0])
            continue;
        fact.name = builder_str(x->b, onnx_type_of(i)->name, strlen(onnx_type_of(i)->name));
        memcpy(fact.number, x->of_type[i], sizeof fact.number);
        builder_add_file_fact(x->b, fact);
    }
}

/* Appends the dimensions of a TensorShapeProto, such as "[batch,3,?]". */
static void put_dims(struct strbuf *sb, struct span shape)
{
    struct wire_in in = span_walk(shape), dim;
    struct wire_field f, g;
    const char *between = "";

    sb_addc(sb, '[');
    while (wire_next(&in, &f)) {
        bool is_known = false;

        if (f.number != 1 || f.type != WIRE_LEN)
            continue;
        sb_adds(sb, between);
        between = ",";
        dim = wire_in_field(&f);
        while (wire_next(&dim, &g) && !is_known) {
            is_known = (g.number == 1 && g.type == WIRE_VARINT) || (g.number == 2 && g.len);
            if (is_known && g.type == WIRE_VARINT)
                sb_add_int(sb, (int64_t)g.value);
            else if (is_known && g.type == WIRE_LEN)
                sb_add(sb, g.bytes, g.len);
        }
        sb_adds(sb, !is_known ? "?" : "");
    }
    sb_addc(sb, ']');
}

/* Adds the inputs or outputs in field NUMBER of GRAPH.  Initializers are not listed as inputs. */
static bool add_ends(struct onnx *x, struct span graph, uint32_t number, const struct intern *made,
                     struct err *err)
{
    struct onnx_info info;

    wire_each(f, span_walk(graph)) {
        if (f.number != number || f.type != WIRE_LEN)
            continue;
        if (!onnx_info_read(x, field_span(&f), &info, err))
            return false;
        if (made && intern_find(made, info.name.bytes, info.name.len) != STRID_NONE)
            continue;
        sb_clear(&x->text);
        sb_add(&x->text, info.name.bytes, info.name.len);
        sb_addc(&x->text, ' ');
        if (info.shape_message.bytes)
            put_dims(&x->text, info.shape_message);
        else
            sb_addc(&x->text, '?');
        add_fact(x, number == 11 ? "inputs" : "outputs", FACT_ITEM, (struct span){NULL, 0},
                 (struct span){(const uint8_t *)sb_text(&x->text), x->text.len});
    }
    return true;
}

static bool add_graph_facts(struct onnx *x, struct span graph, struct err *err)
{
    enum { INITIALIZER = 5, INPUT = 11, OUTPUT = 12, SPARSE = 15, TENSOR_NAME = 8 };
    struct intern made;
    bool ok;

    intern_init(&made);
    wire_each(f, span_walk(graph)) {
        struct span tensor = field_span(&f), name;

        if (f.type != WIRE_LEN || (f.number != INITIALIZER && f.number != SPARSE))
            continue;
        if (f.number == SPARSE)
            tensor = span_part(tensor, 1);
        name = tensor.bytes ? span_part(tensor, TENSOR_NAME) : tensor;
        if (name.bytes)
            intern_put(&made, name.bytes, name.len);
    }
    ok = add_ends(x, graph, INPUT, &made, err) && add_ends(x, graph, OUTPUT, NULL, err);
    intern_done(&made);
    return ok;
}

/* ---- loading */

static void note_count(struct onnx *x, int64_t n, const char *what)
{
    if (n)
        note_add(&builder_profile(x->b)->notes, "%s: %" PRId64 " %s", x->l->path, n, what);
}

static void add_notes(struct onnx *x, const struct head *h)
{
    struct notes *notes = &builder_profile(x->b)->notes;

    note_count(x, x->n_undefined, "inputs of nodes have no producer");
    note_count(x, x->n_missing_files, "tensors are in missing files: their values are not shown");
    note_count(x, x->n_closed_calls, "calls of functions are not expanded: there are too many nodes");
    if (x->n_flow)
        note_add(notes, "%s: both branches of If and one iteration of Loop and Scan count", x->l->path);
    if (x->saturated)
        note_add(notes, "%s: the number of elements of a tensor exceeds 64 bits", x->l->path);
    if (h->has_training)
        note_add(notes, "%s: training graphs are not read", x->l->path);
    if (h->has_configuration)
        note_add(notes, "%s: multi-device configurations are not read", x->l->path);
}

static bool load_model(struct onnx *x, struct head *h, struct err *err)
{
    struct span graph;

    if (!read_head(x, h, err))
        return false;
    graph = (struct span){h->graph.bytes, h->graph.len};
    if (!graph.bytes)
        return load_fail(x->l, x->l->input.bytes, err, "model without a graph");
    if (!onnx_add_graph(x, graph, err) || !add_graph_facts(x, graph, err))
        return false;
    add_head_facts(x, h);
    add_type_facts(x);
    add_notes(x, h);
    return true;
}

static void onnx_done(struct onnx *x)
{
    EACH(intern_done, &x->values, &x->function_keys);
    EACH(vec_done, &x->value_of, &x->bound, &x->frames, &x->nodes, &x->functions, &x->batch_dims,
         &x->tensor.dims, &x->dims);
    row_paths_done(&x->paths);
    sb_done(&x->text);
}

static bool load_onnx(struct loader *l, struct err *err)
{
    struct onnx x = {.l = l, .b = l->builder};
    struct head h = {.graph = {0}};
    bool ok;

    if (builder_n_nodes(l->builder))
        return err_set(err, ERR_USAGE, "%s: cannot be combined with another graph", l->path);
    row_paths_init(&x.paths, l->builder);
    EACH(intern_init, &x.values, &x.function_keys);
    builder_profile(l->builder)->op_set = "onnx:";
    builder_profile(l->builder)->attrs_of_def = onnx_attrs_of_def;
    ok = load_model(&x, &h, err);
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
