/* shape_text.c: formats shapes in HLO syntax. */
#include "hlo/opcode.h"

#include "hlo/fields.h"
#include "hlo/names.h"
#include "hlo/read.h"

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
    wire_each(f, layout) {
        if (f.number != LAYOUT_TILES || f.type != WIRE_LEN)
            continue;
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
