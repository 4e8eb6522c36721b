/* attributes.c: decodes attributes of an instruction from its message. */
#include "hlo/attributes.h"

#include "hlo/fields.h"
#include "hlo/read.h"

static struct wire_in walk_of(const struct hlo_module *m, uint32_t i)
{
    return hlo_walk(m, m->instructions[i].message);
}

static struct text text_of(const struct wire_field *f)
{
    return (struct text){(const char *)f->bytes, (uint32_t)f->len};
}

struct text hlo_string(const struct hlo_module *m, uint32_t i, uint32_t number)
{
    struct text text = {NULL, 0};

    wire_each_len(f, walk_of(m, i), number)
        text = text_of(&f);
    return text;
}

int64_t hlo_number(const struct hlo_module *m, uint32_t i, uint32_t number)
{
    int64_t value = 0;

    wire_each(f, walk_of(m, i))
        if (f.number == number && f.type == WIRE_VARINT)
            value = (int64_t)f.value;
    return value;
}

struct text hlo_opcode_name(const struct hlo_module *m, uint32_t i)
{
    return hlo_string(m, i, INSTRUCTION_OPCODE);
}

struct text hlo_custom_call_target(const struct hlo_module *m, uint32_t i)
{
    return hlo_string(m, i, INSTRUCTION_CUSTOM_CALL_TARGET);
}

struct text hlo_backend_config(const struct hlo_module *m, uint32_t i)
{
    return hlo_string(m, i, INSTRUCTION_BACKEND_CONFIG);
}

int64_t hlo_tuple_index(const struct hlo_module *m, uint32_t i)
{
    return hlo_number(m, i, INSTRUCTION_TUPLE_INDEX);
}

static void read_metadata(struct hlo_metadata *to, const struct wire_field *f)
{
    if (f->type == WIRE_LEN) {
        if (f->number == METADATA_OP_TYPE)
            to->op_type = text_of(f);
        else if (f->number == METADATA_OP_NAME)
            to->op_name = text_of(f);
        else if (f->number == METADATA_SOURCE_FILE)
            to->source_file = text_of(f);
    } else if (f->type == WIRE_VARINT) {
        if (f->number == METADATA_SOURCE_LINE)
            to->source_line = (int32_t)f->value;
        else if (f->number == METADATA_STACK_FRAME)
            to->stack_frame = (uint32_t)f->value;
    }
}

struct hlo_metadata hlo_metadata(const struct hlo_module *m, uint32_t i)
{
    struct hlo_metadata metadata = {{"", 0}, {"", 0}, {"", 0}, 0, 0};
    struct wire_in walk = walk_of(m, i), message;
    struct wire_field f, part;

    while (wire_next_len(&walk, &f, INSTRUCTION_METADATA)) {
        message = wire_in_field(&f);
        while (wire_next(&message, &part))
            read_metadata(&metadata, &part);
    }
    KEEP_MAX(metadata.source_line, 0);
    if (metadata.stack_frame >= m->n_frames)
        metadata.stack_frame = 0;
    return metadata;
}

/* ---- lists */

struct hlo_list hlo_list(const struct hlo_module *m, uint32_t i, uint32_t outer, uint32_t inner)
{
    struct hlo_list list = {.instruction = walk_of(m, i), .outer = outer, .inner = inner};

    wire_in_init(&list.message, NULL, 0);
    return list;
}

static bool next_field(struct hlo_list *list, struct wire_field *f)
{
    for (;;) {
        while (wire_next(&list->message, f))
            if (f->number == list->inner)
                return true;
        do {
            if (!wire_next(&list->instruction, f))
                return false;
        } while (f->number != list->outer);
        if (list->inner == 0)
            return true;
        if (f->type == WIRE_LEN)
            list->message = wire_in_field(f);
    }
}

bool hlo_next_message(struct hlo_list *list, struct wire_in *message)
{
    struct wire_field f;

    while (next_field(list, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        *message = wire_in_field(&f);
        return true;
    }
    return false;
}

bool hlo_next_number(struct hlo_list *list, int64_t *number)
{
    uint64_t value;

    for (;;) {
        if (list->in_numbers && wire_next_number(&list->numbers, WIRE_VARINT, &list->at, &value)) {
            *number = (int64_t)value;
            return true;
        }
        list->at = NULL;
        list->in_numbers = next_field(list, &list->numbers);
        if (!list->in_numbers)
            return false;
    }
}
