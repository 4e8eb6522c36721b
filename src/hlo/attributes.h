/* attributes.h: what an instruction has beside opcode, shape and operands, read from its message when
 * somebody asks (formats-hlo.md section 2).
 *
 * A call walks the message of one instruction; none allocates. */
#ifndef TFPROF_HLO_ATTRIBUTES_H
#define TFPROF_HLO_ATTRIBUTES_H

#include "base/wire_in.h"
#include "hlo/module.h"

/* The text in field NUMBER (fields.h) of instruction I; bytes NULL when there is none. */
struct text hlo_string(const struct hlo_module *m, uint32_t i, uint32_t number);
/* The number in field NUMBER; 0, the default of the format, when there is none. */
int64_t hlo_number(const struct hlo_module *m, uint32_t i, uint32_t number);

/* The opcode as written, for those that have no constant too. */
struct text hlo_opcode_name(const struct hlo_module *m, uint32_t i);
/* Of a custom call; bytes NULL when there is none. */
struct text hlo_custom_call_target(const struct hlo_module *m, uint32_t i);
struct text hlo_backend_config(const struct hlo_module *m, uint32_t i);
/* Which element of its operand a get-tuple-element is. */
int64_t hlo_tuple_index(const struct hlo_module *m, uint32_t i);

/* Where an instruction comes from; texts are empty and numbers 0 where the file says nothing. */
struct hlo_metadata {
    struct text op_type, op_name, source_file;
    int32_t source_line;
    uint32_t stack_frame; /* in module->frames; 0: none that is there */
};

struct hlo_metadata hlo_metadata(const struct hlo_module *m, uint32_t i);

/* Repeated messages and numbers of an instruction, in whatever pieces they come:
 *
 *     struct hlo_list list = hlo_list(m, i, INSTRUCTION_WINDOW, WINDOW_DIMENSIONS);
 *     while (hlo_next_message(&list, &dimension)) ...
 *     while (hlo_next_number(&list, &number)) ... */
struct hlo_list {
    struct wire_in instruction, message; /* message: the piece of OUTER at hand */
    uint32_t outer, inner;
    struct wire_field numbers; /* the field at hand */
    const uint8_t *at;
    bool in_numbers;
};

/* Field INNER of the message in field OUTER, or field OUTER itself when INNER is 0. */
struct hlo_list hlo_list(const struct hlo_module *m, uint32_t i, uint32_t outer, uint32_t inner);
bool hlo_next_message(struct hlo_list *list, struct wire_in *message);
bool hlo_next_number(struct hlo_list *list, int64_t *number);

#endif
