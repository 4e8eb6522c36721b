/* onnx_attrs.c: decodes attributes of ONNX nodes on demand. */
#include <string.h>

#include "base/wire_out.h"
#include "load/onnx/onnx.h"

enum { A_NAME = 1, A_F = 2, A_I = 3, A_S = 4, A_T = 5, A_G = 6, A_FLOATS = 7, A_INTS = 8,
       A_STRINGS = 9, A_REF = 21 };
/* Values of larger tensors are not decoded, since these cannot be shapes. */
enum { VALUES_MAX = 1024 };

typedef VEC(struct attr) attr_list;

static struct attr_bytes bytes_of(struct span s)
{
    return (struct attr_bytes){s.bytes ? (const char *)s.bytes : "", s.len};
}

/* ---- tensors */

/* The field of TensorFlow's TensorProto for a field of ONNX's; 0: none. */
static uint32_t values_field(uint32_t number, int64_t type)
{
    switch (number) {
    case 4: return 5;                                               /* float_data */
    case 5: return type == ONNX_BOOL ? 11 : type == 10 || type == 16 ? 13 : 7; /* int32_data */
    case 6: return 8;                                               /* string_data */
    case 7: return 10;                                              /* int64_data */
    case 9: return 4;                                               /* raw_data */
    case 10: return 6;                                              /* double_data */
    case 11: return type == 12 ? 16 : 17;                           /* uint64_data */
    default: return 0;
    }
}

/* Converts the values of MESSAGE to TensorFlow's encoding, in ARENA. */
static struct span as_tensor_proto(struct span message, int64_t type, struct arena *arena)
{
    struct strbuf wire = {0};
    struct span made;

    wire_each(f, span_walk(message)) {
        const uint32_t field = values_field(f.number, type);

        if (field && f.type == WIRE_LEN)
            wire_bytes(&wire, field, f.bytes, f.len);
        else if (field && f.type == WIRE_VARINT)
            wire_int_always(&wire, field, (int64_t)f.value);
    }
    made = (struct span){(const uint8_t *)arena_memdupz(arena, sb_text(&wire), wire.len), wire.len};
    sb_done(&wire);
    return made;
}

/* Decodes a TensorProto: shape, type, and the values of small tensors. */
static struct attr_value tensor_value(struct span message, struct arena *arena)
{
    enum { DIMS = 1, TYPE = 2, TF_TYPE = 1, TF_SHAPE = 2, TF_DIM = 2, TF_SIZE = 1 };
    struct attr_value v = {.kind = ATTR_TENSOR};
    struct wire_in in = span_walk(message);
    VEC(int64_t) dims = {0};
    struct wire_field f;
    int64_t n = 1, type = 0;
    bool is_small = true;

    while (wire_next(&in, &f)) {
        const uint8_t *at = NULL;
        uint64_t value;

        if (f.number == TYPE && f.type == WIRE_VARINT)
            type = (int64_t)f.value;
        while (f.number == DIMS && wire_next_number(&f, WIRE_VARINT, &at, &value)) {
            vec_push(&dims, (int64_t)value);
            n = value <= VALUES_MAX && n <= VALUES_MAX ? n * (int64_t)value : VALUES_MAX + 1;
            is_small &= value <= VALUES_MAX;
        }
    }
    v.v.tensor.dtype = onnx_type_of(type)->tf_number;
    v.v.tensor.shape = (struct attr_shape){
        .n_dims = (uint32_t)dims.n, .dims = arena_copy(arena, dims.data, dims.n, sizeof *dims.data)};
    if (is_small && n <= VALUES_MAX) {
        const struct span made = as_tensor_proto(message, type, arena);

        v.v.tensor.message = made.bytes;
        v.v.tensor.len_bytes = made.len;
    }
    vec_done(&dims);
    return v;
}

/* ---- attributes */

static struct attr_value int_list(struct span message, uint32_t number, struct arena *arena)
{
    struct attr_value v = {.kind = ATTR_LIST, .item_kind = ATTR_INT};
    VEC(int64_t) list = {0};

    wire_each(f, span_walk(message)) {
        const uint8_t *at = NULL;
        uint64_t value;

        while (f.number == number && list.n < UINT32_MAX &&
               wire_next_number(&f, WIRE_VARINT, &at, &value))
            vec_push(&list, (int64_t)value);
    }
    v.n_items = (uint32_t)list.n;
    v.v.list_i = arena_copy(arena, list.data, list.n, sizeof *list.data);
    vec_done(&list);
    return v;
}

static struct attr_value float_list(struct span message, struct arena *arena)
{
    struct attr_value v = {.kind = ATTR_LIST, .item_kind = ATTR_FLOAT};
    VEC(double) list = {0};

    wire_each(f, span_walk(message)) {
        const uint8_t *at = NULL;
        uint64_t value;

        while (f.number == A_FLOATS && list.n < UINT32_MAX &&
               wire_next_number(&f, WIRE_I32, &at, &value))
            vec_push(&list, (double)wire_float(value));
    }
    v.n_items = (uint32_t)list.n;
    v.v.list_f = arena_copy(arena, list.data, list.n, sizeof *list.data);
    vec_done(&list);
    return v;
}

static struct attr_value string_list(struct span message, uint32_t number, struct arena *arena)
{
    struct attr_value v = {.kind = ATTR_LIST, .item_kind = ATTR_STRING};
    VEC(struct attr_bytes) list = {0};

    wire_each(f, span_walk(message))
        if (f.number == number && f.type == WIRE_LEN && list.n < UINT32_MAX)
            vec_push(&list, bytes_of(field_span(&f)));
    v.n_items = (uint32_t)list.n;
    v.v.list_s = arena_copy(arena, list.data, list.n, sizeof *list.data);
    vec_done(&list);
    return v;
}

/* A graph attribute is shown by the graph's name. */
static struct attr_value graph_name(struct span graph)
{
    return (struct attr_value){.kind = ATTR_STRING, .v.s = bytes_of(span_part(graph, 2))};
}

/* Decodes one field of an AttributeProto. */
static void decode_field(const struct wire_field *f, struct span message, struct arena *arena,
                       struct attr_value *v)
{
    if (f->number == A_F && f->type == WIRE_I32)
        *v = (struct attr_value){.kind = ATTR_FLOAT, .v.f = (double)wire_float(f->value)};
    else if (f->number == A_I && f->type == WIRE_VARINT)
        *v = (struct attr_value){.kind = ATTR_INT, .v.i = (int64_t)f->value};
    else if ((f->number == A_S || f->number == A_REF) && f->type == WIRE_LEN)
        *v = (struct attr_value){.kind = ATTR_STRING, .v.s = bytes_of(field_span(f))};
    else if (f->number == A_T && f->type == WIRE_LEN)
        *v = tensor_value(field_span(f), arena);
    else if (f->number == A_G && f->type == WIRE_LEN)
        *v = graph_name(field_span(f));
    else if (f->number == A_INTS && !(v->kind == ATTR_LIST))
        *v = int_list(message, A_INTS, arena);
    else if (f->number == A_FLOATS && !(v->kind == ATTR_LIST))
        *v = float_list(message, arena);
    else if (f->number == A_STRINGS && !(v->kind == ATTR_LIST))
        *v = string_list(message, A_STRINGS, arena);
}

static void add_attribute(attr_list *list, struct span message, struct arena *arena)
{
    struct attr attr = {.name = bytes_of(span_part(message, A_NAME))};

    wire_each(f, span_walk(message))
        decode_field(&f, message, arena, &attr.value);
    attr.name.bytes = arena_memdupz(arena, attr.name.bytes, attr.name.len);
    vec_push(list, attr);
}

static void add_text(attr_list *list, const char *name, struct span text)
{
    if (text.bytes)
        vec_push(list, ((struct attr){.name = {name, strlen(name)},
                                      .value = {.kind = ATTR_STRING, .v.s = bytes_of(text)}}));
}

/* Adds a pair of strings as an attribute; PREFIX precedes its key. */
static void add_pair(attr_list *list, const char *prefix, struct span message, struct arena *arena)
{
    struct span key, value;
    struct strbuf name = {0};
    const char *kept;

    onnx_pair(message, &key, &value);
    sb_adds(&name, prefix);
    sb_add(&name, bytes_of(key).bytes, key.len);
    kept = arena_memdupz(arena, sb_text(&name), name.len);
    vec_push(list, ((struct attr){.name = {kept, name.len},
                                  .value = {.kind = ATTR_STRING, .v.s = bytes_of(value)}}));
    sb_done(&name);
}

static void add_node_attrs(attr_list *list, struct span message, struct arena *arena)
{
    enum { INPUT = 1, OUTPUT = 2, NAME = 3, ATTRIBUTE = 5, DOC = 6, DOMAIN = 7, OVERLOAD = 8,
           METADATA = 9 };
    static const struct attr_bytes inputs = {"node inputs", 11}, outputs = {"node outputs", 12};

    wire_each(f, span_walk(message))
        if (f.number == ATTRIBUTE && f.type == WIRE_LEN)
            add_attribute(list, field_span(&f), arena);
        else if (f.number == METADATA && f.type == WIRE_LEN)
            add_pair(list, "metadata ", field_span(&f), arena);
    vec_push(list, ((struct attr){.name = inputs, .value = string_list(message, INPUT, arena)}));
    vec_push(list, ((struct attr){.name = outputs, .value = string_list(message, OUTPUT, arena)}));
    add_text(list, "node name", span_part(message, NAME));
    add_text(list, "node domain", span_part(message, DOMAIN));
    add_text(list, "node overload", span_part(message, OVERLOAD));
    add_text(list, "doc_string", span_part(message, DOC));
}

static void add_tensor_attrs(attr_list *list, struct span message, struct arena *arena)
{
    enum { NAME = 8, DOC = 12, EXTERNAL = 13, METADATA = 16 };

    vec_push(list, ((struct attr){.name = {"value", 5}, .value = tensor_value(message, arena)}));
    wire_each(f, span_walk(message))
        if (f.number == EXTERNAL && f.type == WIRE_LEN)
            add_pair(list, "external ", field_span(&f), arena);
        else if (f.number == METADATA && f.type == WIRE_LEN)
            add_pair(list, "metadata ", field_span(&f), arena);
    add_text(list, "tensor name", span_part(message, NAME));
    add_text(list, "doc_string", span_part(message, DOC));
}

const struct attr *onnx_attrs_of_def(const struct profile *p, struct node_def def,
                                     struct arena *arena, size_t *n)
{
    const struct span message = {p->files[def.file].bytes + def.offset, def.len_bytes};
    attr_list list = {0};
    const struct attr *attrs;

    if (def.form == NODE_FORM_OWN_TENSOR)
        add_tensor_attrs(&list, message, arena);
    else
        add_node_attrs(&list, message, arena);
    *n = list.n;
    attrs = arena_copy(arena, list.data, list.n, sizeof *list.data);
    vec_done(&list);
    return attrs;
}
