/* read_shape.c: decodes the shape of an instruction as a list of arrays (formats-hlo.md section
 * 3), and formats it. */
#include "base/satmath.h"

#include "hlo/fields.h"
#include "hlo/names.h"
#include "hlo/opcode.h"
#include "hlo/read.h"

/* Limit for the bits of an element in a layout. */
enum { MAX_ELEMENT_BITS = 1024 };

static uint64_t element_bits(const struct wire_field *layout, uint64_t bits)
{
    wire_each(f, wire_in_field(layout))
        if (f.number == LAYOUT_ELEMENT_BITS && f.type == WIRE_VARINT)
            bits = f.value <= MAX_ELEMENT_BITS ? f.value : 0;
    return bits;
}

static int64_t bytes_of(int64_t elements, uint64_t bits)
{
    unsigned long long n;

    if (elements <= 0)
        return 0;
    if (bits % 8 == 0)
        return __builtin_umulll_overflow((uint64_t)elements, bits / 8, &n) || n > INT64_MAX
                   ? INT64_MAX
                   : (int64_t)n;
    /* Rounds up; the remainder is less than 8 elements. */
    n = (uint64_t)elements / 8;
    if (__builtin_umulll_overflow(n, bits, &n) || n > INT64_MAX - MAX_ELEMENT_BITS)
        return INT64_MAX;
    return (int64_t)(n + ((uint64_t)elements % 8 * bits + 7) / 8);
}

static void measure(struct hlo_leaf *leaf, const int64_t *dims, uint64_t packed_bits)
{
    const uint32_t bits = hlo_type_bits(leaf->type);
    bool saturated = false;

    if (bits == 0)
        return;
    leaf->elements = 1;
    for (uint32_t i = 0; i < leaf->n_dims; i++) {
        if (dims[i] < 0) {
            leaf->elements = -1;
            return;
        }
        leaf->elements = sat_mul(leaf->elements, dims[i], &saturated);
    }
    leaf->bytes = bytes_of(leaf->elements, packed_bits ? packed_bits : bits);
}

/* Appends the dimensions in F. */
static void read_dimensions(struct hlo_reader *r, const struct wire_field *f)
{
    const uint8_t *at = NULL;
    uint64_t size;

    while (wire_next_number(f, WIRE_VARINT, &at, &size))
        vec_push(&r->dims, (int64_t)size);
}

/* Decodes the ShapeProto IN: appends an array to the leaves, or pushes a tuple on r->shapes. */
static bool read_one(struct hlo_reader *r, struct wire_in in, struct hlo_instruction *instruction)
{
    const struct wire_in again = in;
    struct hlo_leaf leaf = {.first_dim = (uint32_t)r->dims.n};
    uint64_t type = 0, packed_bits = 0;
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == SHAPE_TYPE && f.type == WIRE_VARINT)
            type = f.value;
        else if (f.number == SHAPE_DIMENSIONS)
            read_dimensions(r, &f);
        else if (f.number == SHAPE_LAYOUT && f.type == WIRE_LEN)
            packed_bits = element_bits(&f, packed_bits);
    }
    if (!hlo_ended(r->m, &in, r->err))
        return false;
    if (type == HLO_TYPE_TUPLE) {
        if (r->shapes.n == 0)
            instruction->is_tuple = true;
        r->dims.n = leaf.first_dim;
        vec_push(&r->shapes, again);
        return true;
    }
    leaf.n_dims = (uint32_t)r->dims.n - leaf.first_dim;
    leaf.type = hlo_type_name(type) ? (uint8_t)type : 0;
    measure(&leaf, vec_from(&r->dims, leaf.first_dim), packed_bits);
    vec_push(&r->leaves, leaf);
    return true;
}

bool hlo_read_shape(struct hlo_reader *r, const struct wire_pieces *shape,
                    struct hlo_instruction *instruction)
{
    bool saturated = false;
    struct wire_field f;

    r->shapes.n = 0;
    instruction->first_leaf = (uint32_t)r->leaves.n;
    if (!shape->bytes)
        return true;
    if (!read_one(r, wire_in_pieces(shape), instruction))
        return false;
    while (r->shapes.n) {
        struct wire_in *innermost = &r->shapes.data[r->shapes.n - 1];

        if (!wire_next(innermost, &f)) {
            r->shapes.n--;
            continue;
        }
        if (f.number != SHAPE_TUPLE || f.type != WIRE_LEN)
            continue;
        instruction->n_elements += r->shapes.n == 1;
        if (!read_one(r, wire_in_field(&f), instruction))
            return false;
    }
    instruction->n_leaves = (uint32_t)r->leaves.n - instruction->first_leaf;
    for (size_t k = instruction->first_leaf; k < r->leaves.n; k++)
        instruction->shape_bytes =
            sat_add(instruction->shape_bytes, r->leaves.data[k].bytes, &saturated);
    return true;
}

/* The enclosing tuples, each at the next element to write. */
typedef VEC(struct wire_in) tuple_list;

/* Appends the numbers of field NUMBER of MESSAGE, separated by commas. */
static void add_numbers(struct strbuf *text, struct wire_in message, uint32_t number)
{
    const char *comma = "";
    struct wire_field f;
    uint64_t value;

    while (wire_next(&message, &f)) {
        const uint8_t *at = NULL;

        while (f.number == number && wire_next_number(&f, WIRE_VARINT, &at, &value)) {
            sb_adds(text, comma);
            sb_add_int(text, (int64_t)value);
            comma = ",";
        }
    }
}

static uint64_t last_number(struct wire_in message, uint32_t number)
{
    struct wire_field f;
    uint64_t value = 0;

    while (wire_next(&message, &f))
        if (f.number == number && f.type == WIRE_VARINT)
            value = f.value;
    return value;
}

/* "{1,0:T(8,128)(2,1)E(4)S(1)}": dimensions from the fastest on, tiles, bits of an element, memory
 * space. */
static void add_layout(struct strbuf *text, struct wire_in layout)
{
    const uint64_t bits = last_number(layout, LAYOUT_ELEMENT_BITS);
    const uint64_t space = last_number(layout, LAYOUT_MEMORY_SPACE);
    const char *lead = ":T";

    sb_addc(text, '{');
    add_numbers(text, layout, LAYOUT_ORDER);
    wire_each_len(f, layout, LAYOUT_TILES) {
        sb_adds(text, lead);
        sb_addc(text, '(');
        add_numbers(text, wire_in_field(&f), TILE_DIMENSIONS);
        sb_addc(text, ')');
        lead = "";
    }
    if (bits || space)
        sb_adds(text, *lead ? ":" : "");
    if (bits)
        sb_addf(text, "E(%llu)", (unsigned long long)bits);
    if (space)
        sb_addf(text, "S(%llu)", (unsigned long long)space);
    sb_addc(text, '}');
}

static void add_array(struct strbuf *text, struct wire_in shape, uint64_t type, bool layouts)
{
    const char *name = hlo_type_name(type);
    struct wire_field f;

    sb_adds(text, name ? name : "?");
    sb_addc(text, '[');
    add_numbers(text, shape, SHAPE_DIMENSIONS);
    sb_addc(text, ']');
    while (layouts && wire_next(&shape, &f))
        if (f.number == SHAPE_LAYOUT && f.type == WIRE_LEN && f.len)
            add_layout(text, wire_in_field(&f));
}

/* Advances to the next element of the innermost tuple that has one, and appends a comma before all
 * but its first; closes finished tuples. */
static bool next_member(tuple_list *tuples, struct strbuf *text, struct wire_in *shape)
{
    struct wire_field f;

    while (tuples->n) {
        while (wire_next(&tuples->data[tuples->n - 1], &f)) {
            if (f.number == SHAPE_TUPLE && f.type == WIRE_LEN) {
                sb_adds(text, text->data[text->len - 1] == '(' ? "" : ", ");
                *shape = wire_in_field(&f);
                return true;
            }
        }
        tuples->n--;
        sb_addc(text, ')');
    }
    return false;
}

void hlo_shape_text(const struct hlo_module *m, uint32_t i, bool layouts, struct strbuf *text)
{
    struct arena arena = {0};
    const struct wire_pieces whole =
        wire_submessage(hlo_walk(m, m->instructions[i].message), INSTRUCTION_SHAPE, &arena);
    struct wire_in shape = wire_in_pieces(&whole);
    tuple_list tuples = {0};

    do {
        const uint64_t type = last_number(shape, SHAPE_TYPE);

        if (type == HLO_TYPE_TUPLE) {
            vec_push(&tuples, shape);
            sb_addc(text, '(');
        } else {
            add_array(text, shape, type, layouts);
        }
    } while (next_member(&tuples, text, &shape));
    vec_done(&tuples);
    arena_done(&arena);
}
