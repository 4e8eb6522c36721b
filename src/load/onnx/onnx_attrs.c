/* onnx_attrs.c: decodes attributes of ONNX nodes on demand. */
#include <string.h>

#include "base/wire_out.h"
#include "load/graph/attrs.h"
#include "load/onnx/onnx.h"

enum { A_NAME = 1, A_T = 5, A_G = 6, A_REF = 21, GRAPH_NAME = 2 };
/* Values of larger tensors are not decoded, since these cannot be shapes. */
enum { VALUES_MAX = 1024 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* Decodes a TensorProto: shape, type and values of small tensors; the shape alone if the values are
 * in another file, or many. */
static struct attr_value tensor_value(struct span message, struct arena *arena)
{
    enum { DIMS = 1, TYPE = 2, TF_TYPE = 1, TF_SHAPE = 2, TF_DIM = 2, TF_SIZE = 1 };
    struct attr_value v = {.kind = ATTR_SHAPE};
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
    v.v.shape = (struct attr_shape){
        .n_dims = (uint32_t)dims.n, .dims = arena_copy(arena, dims.data, dims.n, sizeof *dims.data)};
    vec_done(&dims);
    if (is_small && n <= VALUES_MAX) {
        const struct span made = as_tensor_proto(message, type, arena);

        if (made.len || n == 0)
            v = (struct attr_value){.kind = ATTR_TENSOR,
                                    .v.tensor = {.dtype = onnx_types[onnx_type(type)].tf_number,
                                                 .shape = v.v.shape, .message = made.bytes,
                                                 .len_bytes = made.len}};
    }
    return v;
}

/* ---- attributes */

/* Members of AttributeProto with one value, and with lists. */
static const struct attr_field value_members[] = {[2] = {ATTR_FLOAT, WIRE_I32},
                                                  [3] = {ATTR_INT, WIRE_VARINT},
                                                  [4] = {ATTR_STRING, WIRE_LEN},
                                                  [A_REF] = {ATTR_STRING, WIRE_LEN}};
static const struct attr_field list_members[] = {[7] = {ATTR_FLOAT, WIRE_I32},
                                                 [8] = {ATTR_INT, WIRE_VARINT},
                                                 [9] = {ATTR_STRING, WIRE_LEN}};

/* Decodes a field of an AttributeProto with one value. */
static void decode_field(const struct wire_field *f, struct arena *arena, struct attr_value *v)
{
    if (f->number == A_T && f->type == WIRE_LEN)
        *v = tensor_value(field_span(f), arena);
    else if (f->number == A_G && f->type == WIRE_LEN) /* a graph is shown by its name */
        *v = (struct attr_value){.kind = ATTR_STRING, .v.s = bytes_of(span_part(field_span(f), GRAPH_NAME))};
    else if (f->number < COUNT(value_members) && value_members[f->number].kind != ATTR_NONE &&
             f->type == value_members[f->number].wire)
        attr_field_decode(value_members[f->number].kind, f, arena, v);
}

static void add_attribute(attr_list *list, struct span message, struct arena *arena)
{
    struct attr attr = {.name = bytes_of(span_part(message, A_NAME))};

    wire_each(f, span_walk(message))
        decode_field(&f, arena, &attr.value);
    if (attr.value.kind == ATTR_NONE)
        attr_list_decode(span_walk(message), list_members, COUNT(list_members), arena, &attr.value);
    if (attr.value.kind == ATTR_LIST && attr.value.item_kind == ATTR_NONE)
        attr.value.kind = ATTR_NONE;
    attr.name.bytes = arena_memdupz(arena, attr.name.bytes, attr.name.len);
    vec_push(list, attr);
}

/* Adds the strings in field NUMBER of MESSAGE, 1 or 2. */
static void add_strings(attr_list *list, const char *name, struct span message, uint32_t number,
                        struct arena *arena)
{
    struct attr_field members[3] = {{ATTR_NONE, WIRE_LEN}};
    struct attr_value value;

    members[number] = (struct attr_field){ATTR_STRING, WIRE_LEN};
    attr_list_decode(span_walk(message), members, COUNT(members), arena, &value);
    attr_add(list, name, value);
}

/* Adds a pair of strings as an attribute; PREFIX precedes its key. */
static void add_pair(attr_list *list, const char *prefix, struct span message, struct arena *arena)
{
    struct span key, value;
    struct strbuf name = {0};

    onnx_pair(message, &key, &value);
    sb_adds(&name, prefix);
    sb_add(&name, bytes_of(key).bytes, key.len);
    attr_add_text(list, arena_memdupz(arena, sb_text(&name), name.len), bytes_of(value).bytes, value.len);
    sb_done(&name);
}

/* Adds the string in field NUMBER of MESSAGE. */
static void add_text(attr_list *list, const char *name, struct span message, uint32_t number)
{
    const struct span text = span_part(message, number);

    attr_add_text(list, name, text.bytes, text.len);
}

static void add_node_attrs(attr_list *list, struct span message, struct arena *arena)
{
    enum { INPUT = 1, OUTPUT = 2, NAME = 3, ATTRIBUTE = 5, DOC = 6, DOMAIN = 7, OVERLOAD = 8,
           METADATA = 9 };

    wire_each(f, span_walk(message))
        if (f.number == ATTRIBUTE && f.type == WIRE_LEN)
            add_attribute(list, field_span(&f), arena);
        else if (f.number == METADATA && f.type == WIRE_LEN)
            add_pair(list, "metadata ", field_span(&f), arena);
    add_strings(list, "node inputs", message, INPUT, arena);
    add_strings(list, "node outputs", message, OUTPUT, arena);
    add_text(list, "node name", message, NAME);
    add_text(list, "node domain", message, DOMAIN);
    add_text(list, "node overload", message, OVERLOAD);
    add_text(list, "doc_string", message, DOC);
}

static void add_tensor_attrs(attr_list *list, struct span message, struct arena *arena)
{
    enum { NAME = 8, DOC = 12, EXTERNAL = 13, METADATA = 16 };

    attr_add(list, "value", tensor_value(message, arena));
    wire_each(f, span_walk(message))
        if (f.number == EXTERNAL && f.type == WIRE_LEN)
            add_pair(list, "external ", field_span(&f), arena);
        else if (f.number == METADATA && f.type == WIRE_LEN)
            add_pair(list, "metadata ", field_span(&f), arena);
    add_text(list, "tensor name", message, NAME);
    add_text(list, "doc_string", message, DOC);
}

const struct attr *onnx_attrs_of_def(const struct profile *p, struct node_def def,
                                     struct arena *arena, size_t *n)
{
    const struct span message = {p->files[def.file].bytes + def.offset, def.len_bytes};
    attr_list list = {0};

    if (def.form == NODE_FORM_OWN_TENSOR)
        add_tensor_attrs(&list, message, arena);
    else
        add_node_attrs(&list, message, arena);
    return attr_list_take(&list, arena, n);
}
