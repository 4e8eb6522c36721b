/* generate_hlo.c: compiled programs: computations that call each other, instructions with
 * inconsistent operands, shapes and dimension numbers, buffers that no instruction defines. */
#include <stdio.h>

#include "hlo/opcode.h"
#include "meaning/generators.h"
#include "proto/hlo.pb-c.h"

enum { N_TYPES = 35, IDS_PER_COMPUTATION = 100 };

/* What the instructions of computation I of N_COMPUTATIONS may refer to. */
struct program {
    uint32_t n_computations, i;
    uint32_t n_instructions; /* of this computation, so far */
};

static int64_t computation_id(struct draw *d, const struct program *p)
{
    return draw_rarely(d, 20) ? draw_int(d) : draw_below(d, p->n_computations + 1);
}

static int64_t instruction_id(struct draw *d, const struct program *p)
{
    const uint32_t below = p->n_instructions + draw_rarely(d, 12);

    if (draw_rarely(d, 20))
        return draw_int(d);
    return (int64_t)p->i * IDS_PER_COMPUTATION + (below ? draw_below(d, below) : 0);
}

static void put_ints(struct draw *d, const char *field, uint32_t n, uint32_t below)
{
    for (; n > 0; n--)
        put_int(d->tree, field, draw_rarely(d, 10) ? draw_int(d) : draw_below(d, below));
}

static void put_shape(struct draw *d, const char *field, uint32_t depth)
{
    const uint32_t rank = draw_below(d, 5);
    const bool is_tuple = depth < 3 && draw_rarely(d, 6);

    put_open(d->tree, field);
    put_int(d->tree, "element_type", is_tuple ? TFP__PRIMITIVE_TYPE__TUPLE : draw_below(d, N_TYPES));
    for (uint32_t k = 0; k < rank && !is_tuple; k++)
        put_int(d->tree, "dimensions", draw_size(d));
    for (uint32_t k = is_tuple ? draw_below(d, 4) : 0; k > 0; k--)
        put_shape(d, "tuple_shapes", depth + 1);
    if (draw_rarely(d, 3)) {
        put_open(d->tree, "layout");
        put_ints(d, "minor_to_major", draw_rarely(d, 5) ? draw_below(d, 6) : rank, 5);
        if (draw_rarely(d, 4)) {
            put_open(d->tree, "tiles");
            put_ints(d, "dimensions", draw_below(d, 4), 9);
            case_tree_close(d->tree);
            put_int(d->tree, "element_size_in_bits", draw_rarely(d, 3) ? draw_int(d) : 4);
        }
        put_int(d->tree, "memory_space", draw_below(d, 3));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_window(struct draw *d)
{
    put_open(d->tree, "window");
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(d->tree, "dimensions");
        put_int(d->tree, "size", draw_size(d));
        put_int(d->tree, "stride", draw_rarely(d, 8) ? draw_int(d) : 1 + draw_below(d, 2));
        put_int(d->tree, "padding_low", draw_rarely(d, 4) ? draw_int(d) : 0);
        put_int(d->tree, "padding_high", draw_rarely(d, 4) ? draw_int(d) : 1);
        put_int(d->tree, "window_dilation", draw_rarely(d, 6) ? draw_int(d) : 1);
        put_int(d->tree, "base_dilation", draw_rarely(d, 6) ? draw_int(d) : 1);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_convolution(struct draw *d)
{
    static const char *const one[] = {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
                                      "input_batch_dimension",          "input_feature_dimension",
                                      "output_batch_dimension",         "output_feature_dimension"};
    static const char *const several[] = {"kernel_spatial_dimensions", "input_spatial_dimensions",
                                          "output_spatial_dimensions"};

    put_open(d->tree, "convolution_dimension_numbers");
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        put_ints(d, one[k], 1, 5);
    for (size_t k = 0; k < sizeof several / sizeof *several; k++)
        put_ints(d, several[k], draw_below(d, 4), 5);
    case_tree_close(d->tree);
    put_int(d->tree, "feature_group_count", draw_rarely(d, 3) ? draw_int(d) : 1);
    put_int(d->tree, "batch_group_count", draw_rarely(d, 3) ? draw_int(d) : 1);
}

static void put_dot(struct draw *d)
{
    static const char *const sides[] = {"lhs_contracting_dimensions", "rhs_contracting_dimensions",
                                        "lhs_batch_dimensions", "rhs_batch_dimensions"};

    put_open(d->tree, "dot_dimension_numbers");
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
        put_ints(d, sides[k], draw_below(d, 3), 4);
    case_tree_close(d->tree);
}

static void put_metadata(struct draw *d)
{
    put_open(d->tree, "metadata");
    put_text(d->tree, "op_type", draw_type(d));
    put_text(d->tree, "op_name", draw_any_node(d));
    put_text(d->tree, "source_file", draw_rarely(d, 3) ? "" : "/x/net.py");
    put_int(d->tree, "source_line", draw_int(d));
    put_int(d->tree, "stack_frame_id", draw_rarely(d, 8) ? draw_int(d) : draw_below(d, 6));
    case_tree_close(d->tree);
}

/* Fields that only some opcodes have, now and then for another opcode. */
static void put_details(struct draw *d, const struct program *p, enum hlo_opcode opcode)
{
    static const char *const targets[] = {"__cublas$gemm", "__cudnn$convForward", "custom", "__onednn$matmul", ""};
    static const char *const kinds[] = {"kLoop", "kInput", "kOutput", "kCustom", ""};

    if (opcode == HLO_CONVOLUTION || draw_rarely(d, 20)) {
        put_window(d);
        put_convolution(d);
    }
    if (opcode == HLO_DOT || draw_rarely(d, 20))
        put_dot(d);
    if (opcode == HLO_CUSTOM_CALL || draw_rarely(d, 20)) {
        put_text(d->tree, "custom_call_target", DRAW_ONE(d, targets));
        put_text(d->tree, "backend_config", "{\"gemm_backend_config\":{\"alpha_real\":1}}");
    }
    if (draw_rarely(d, 10))
        put_ints(d, "fft_length", draw_below(d, 4), 64);
    if (draw_rarely(d, 3))
        for (uint32_t n = 1 + draw_below(d, 3); n > 0; n--)
            put_int(d->tree, "called_computation_ids", computation_id(d, p));
    if (draw_rarely(d, 3))
        put_text(d->tree, "fusion_kind", DRAW_ONE(d, kinds));
    if (draw_rarely(d, 6))
        put_int(d->tree, "control_predecessor_ids", instruction_id(d, p));
    put_int(d->tree, "parameter_number", draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 3));
    put_int(d->tree, "tuple_index", draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 3));
}

static void put_instruction(struct draw *d, struct program *p)
{
    static const enum hlo_opcode frequent[] = {HLO_PARAMETER, HLO_DOT,   HLO_CONVOLUTION, HLO_FUSION,
                                               HLO_WHILE,     HLO_TUPLE, HLO_CUSTOM_CALL, HLO_CALL};
    const enum hlo_opcode opcode = draw_rarely(d, 2)
                                       ? DRAW_ONE(d, frequent)
                                       : (enum hlo_opcode)(HLO_OTHER + 1 + draw_below(d, HLO_OPCODES - HLO_OTHER - 1));
    char name[64];

    snprintf(name, sizeof name, "%s.%u", hlo_opcodes[opcode].name, draw_below(d, 60));
    put_open(d->tree, "instructions");
    put_text(d->tree, "name", name);
    put_text(d->tree, "opcode", draw_rarely(d, 30) ? "new-opcode" : hlo_opcodes[opcode].name);
    put_shape(d, "shape", 0);
    put_int(d->tree, "id", draw_rarely(d, 40) ? draw_int(d) : (int64_t)p->i * IDS_PER_COMPUTATION + p->n_instructions);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_int(d->tree, "operand_ids", instruction_id(d, p));
    if (!draw_rarely(d, 4))
        put_metadata(d);
    put_details(d, p, opcode);
    case_tree_close(d->tree);
    p->n_instructions++;
}

static void put_stack_frames(struct draw *d)
{
    put_open(d->tree, "stack_frame_index");
    put_text(d->tree, "file_names", "/x/net.py");
    put_text(d->tree, "function_names", "main");
    put_text(d->tree, "function_names", "a\nb");
    for (uint32_t n = draw_below(d, 5); n > 0; n--) {
        put_open(d->tree, "file_locations");
        put_ints(d, "file_name_id", 1, 3);
        put_ints(d, "function_name_id", 1, 4);
        put_int(d->tree, "line", draw_int(d));
        case_tree_close(d->tree);
    }
    for (uint32_t n = draw_below(d, 6); n > 0; n--) {
        put_open(d->tree, "stack_frames");
        put_ints(d, "file_location_id", 1, 6);
        put_ints(d, "parent_frame_id", 1, 7);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_module(struct draw *d, struct program *p)
{
    put_open(d->tree, "hlo_module");
    put_text(d->tree, "name", "jit_step");
    put_text(d->tree, "entry_computation_name", "main.0");
    put_int(d->tree, "entry_computation_id", computation_id(d, p));
    for (p->i = 0; p->i < p->n_computations; p->i++) {
        char name[32];

        snprintf(name, sizeof name, "%s.%u", p->i ? "region" : "main", p->i);
        put_open(d->tree, "computations");
        put_text(d->tree, "name", name);
        put_int(d->tree, "id", draw_rarely(d, 30) ? draw_int(d) : p->i);
        p->n_instructions = 0;
        for (uint32_t n = draw_below(d, 12); n > 0; n--)
            put_instruction(d, p);
        put_int(d->tree, "root_id", instruction_id(d, p));
        case_tree_close(d->tree);
    }
    if (draw_rarely(d, 2))
        put_stack_frames(d);
    case_tree_close(d->tree);
}

static void put_buffers(struct draw *d, struct program *p)
{
    const uint32_t n_buffers = draw_below(d, 12);

    put_open(d->tree, "buffer_assignment");
    for (uint32_t k = 0; k < n_buffers; k++) {
        p->i = draw_below(d, p->n_computations);
        p->n_instructions = 12;
        put_open(d->tree, "logical_buffers");
        put_int(d->tree, "id", draw_rarely(d, 20) ? draw_int(d) : k);
        put_int(d->tree, "size", draw_amount(d));
        put_open(d->tree, "defined_at");
        put_int(d->tree, "instruction_id", instruction_id(d, p));
        put_ints(d, "shape_index", draw_below(d, 3), 3);
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    for (uint32_t k = draw_below(d, 6); k > 0; k--) {
        put_open(d->tree, "buffer_allocations");
        put_int(d->tree, "index", k);
        put_int(d->tree, "size", draw_amount(d));
        put_int(d->tree, "is_entry_computation_parameter", draw_below(d, 2));
        for (uint32_t n = draw_below(d, 4); n > 0; n--) {
            put_open(d->tree, "assigned");
            put_ints(d, "logical_buffer_id", 1, n_buffers + 1);
            put_int(d->tree, "offset", draw_amount(d));
            put_int(d->tree, "size", draw_amount(d));
            case_tree_close(d->tree);
        }
        case_tree_close(d->tree);
    }
    put_open(d->tree, "heap_simulator_traces");
    for (uint32_t k = draw_below(d, 16); k > 0; k--) {
        put_open(d->tree, "events");
        put_int(d->tree, "kind", draw_below(d, 3));
        put_ints(d, "buffer_id", 1, n_buffers + 1);
        put_ints(d, "share_with_canonical_id", 1, n_buffers + 1);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

void draw_hlo(struct draw *d)
{
    struct program p = {.n_computations = 1 + draw_below(d, 6)};

    put_module(d, &p);
    if (draw_rarely(d, 2))
        put_buffers(d, &p);
}

void generate_hlo(struct draw *d)
{
    put_file(d->tree, "module.hlo_proto.pb", &tfp__hlo_proto__descriptor);
    draw_hlo(d);
    case_tree_close(d->tree);
    put_option(d->tree, "@/module.hlo_proto.pb");
}
