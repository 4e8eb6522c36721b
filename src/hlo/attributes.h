/* attributes.h: attributes of instructions other than opcode, shape and operands, decoded from the
 * message on demand (formats-hlo.md section 2).  Each call scans the message of one instruction;
 * none allocates. */
#pragma once

#include "base/wire_in.h"
#include "hlo/module.h"

/* The text of field NUMBER (fields.h) of instruction I; bytes is NULL when it is missing. */
struct text hlo_string(const struct hlo_module *m, uint32_t i, uint32_t number);
/* The number of field NUMBER; 0, the default of the format, when it is missing. */
int64_t hlo_number(const struct hlo_module *m, uint32_t i, uint32_t number);

/* The opcode as written, including opcodes that have no constant. */
struct text hlo_opcode_name(const struct hlo_module *m, uint32_t i);
/* The target of a custom call; bytes is NULL when it is missing. */
struct text hlo_custom_call_target(const struct hlo_module *m, uint32_t i);
struct text hlo_backend_config(const struct hlo_module *m, uint32_t i);
/* The element of its operand that a get-tuple-element selects. */
int64_t hlo_tuple_index(const struct hlo_module *m, uint32_t i);

/* The origin of an instruction; texts are empty and numbers 0 when missing. */
struct hlo_metadata {
    struct text op_type, op_name, source_file;
    int32_t source_line;
    uint32_t stack_frame; /* index in module->frames; 0: none */
};

struct hlo_metadata hlo_metadata(const struct hlo_module *m, uint32_t i);

/* Iterates over repeated messages and numbers of an instruction, however they are split:
 *
 *     struct hlo_list list = hlo_list(m, i, INSTRUCTION_WINDOW, WINDOW_DIMENSIONS);
 *     while (hlo_next_message(&list, &dimension)) ...
 *     while (hlo_next_number(&list, &number)) ... */
struct hlo_list {
    struct wire_in instruction, message; /* message: the current piece of OUTER */
    uint32_t outer, inner;
    struct wire_field numbers; /* the current field */
    const uint8_t *at;
    bool in_numbers;
};

/* Lists field INNER of the message in field OUTER, or field OUTER itself for INNER 0. */
struct hlo_list hlo_list(const struct hlo_module *m, uint32_t i, uint32_t outer, uint32_t inner);
bool hlo_next_message(struct hlo_list *list, struct wire_in *message);
bool hlo_next_number(struct hlo_list *list, int64_t *number);
