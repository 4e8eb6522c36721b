/* generators.h: the table of generators: one row and one file for each kind of input. */
#pragma once

#include "meaning/generate.h"

struct case_generator {
    const char *name;
    /* Adds files and the options that name them. */
    void (*generate)(struct draw *d);
};

extern const struct case_generator generators[];
extern const size_t generators_n;

/* Case NUMBER, mutated; the caller frees it. */
struct case_tree generate_case(uint64_t number);
const struct case_generator *generator_of(uint64_t number);

/* Each in the file generate_*.c of its name. */
void generate_graph(struct draw *d);
void generate_functions(struct draw *d);
void generate_run(struct draw *d);
void generate_op_log(struct draw *d);
void generate_profile(struct draw *d);
void generate_meta_graph(struct draw *d);
void generate_saved_model(struct draw *d);
void generate_events(struct draw *d);
void generate_checkpoint_v1(struct draw *d);
void generate_checkpoint_v2(struct draw *d);
void generate_hlo(struct draw *d);
void generate_capture(struct draw *d);
void generate_trace(struct draw *d);
void generate_onnx(struct draw *d);
void generate_nsys(struct draw *d);
void generate_tflite(struct draw *d);
void generate_ort(struct draw *d);
void generate_real(struct draw *d);
