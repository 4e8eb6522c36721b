/* generators.c: the table of generators, and cases by number. */
#include "meaning/generators.h"

#include "fixtures/random_options.h"

const struct case_generator generators[] = {
    {.name = "graph", .generate = generate_graph},
    {.name = "functions", .generate = generate_functions},
    {.name = "run", .generate = generate_run},
    {.name = "op log", .generate = generate_op_log},
    {.name = "profile", .generate = generate_profile},
    {.name = "meta graph", .generate = generate_meta_graph},
    {.name = "SavedModel", .generate = generate_saved_model},
    {.name = "events", .generate = generate_events},
    {.name = "checkpoint, version 1", .generate = generate_checkpoint_v1},
    {.name = "checkpoint, version 2", .generate = generate_checkpoint_v2},
    {.name = "compiled program", .generate = generate_hlo},
    {.name = "capture", .generate = generate_capture},
    {.name = "trace", .generate = generate_trace},
    {.name = "ONNX", .generate = generate_onnx},
    {.name = "Nsight Systems", .generate = generate_nsys},
    {.name = "TFLite", .generate = generate_tflite},
    {.name = "ONNX Runtime", .generate = generate_ort},
    {.name = "real model", .generate = generate_real},
};
const size_t generators_n = sizeof generators / sizeof *generators;

const struct case_generator *generator_of(uint64_t number)
{
    return &generators[number % generators_n];
}

struct case_tree generate_case(uint64_t number)
{
    struct case_tree tree = {0};
    struct draw d = {.tree = &tree, .random = number};

    d.n_nodes = 1 + draw_below(&d, DRAW_MAX_NODES);
    d.n_functions = draw_rarely(&d, 3) ? 1 + draw_below(&d, DRAW_MAX_FUNCTIONS) : 0;
    generator_of(number)->generate(&d);
    draw_options(&d);
    case_tree_mutate(&tree, &d.random);
    return tree;
}
