/* random_profile.h: small profiles drawn by chance, made to meet the corners
 * of the views: nested and equal names, loops, several devices and steps,
 * gradient names, call stacks. */
#ifndef TFPROF_TESTS_RANDOM_PROFILE_H
#define TFPROF_TESTS_RANDOM_PROFILE_H

#include <string.h>

#include "model/builder.h"
#include "random_options.h"

static inline strid random_pick(struct builder *b, uint64_t *state, const char *const *words,
                                uint32_t n)
{
    const char *word = words[random_below(state, n)];

    return builder_str(b, word, strlen(word));
}

#define RANDOM_PICK(b, state, words) \
    random_pick((b), (state), (words), (uint32_t)(sizeof(words) / sizeof *(words)))

static inline strid random_node_name(struct builder *b, uint64_t *state)
{
    static const char *const parts[] = {"a", "b", "c", "a-b", "a.", "gradients", "a_grad", "b_grad",
                                        "conv", "", "_TFProfRoot", "x"};
    struct strbuf name = {0};
    strid id;

    for (uint32_t i = 0, n = 1 + random_below(state, 4); i < n; i++)
        sb_addf(&name, "%s%s", i ? "/" : "",
                parts[random_below(state, sizeof parts / sizeof *parts)]);
    id = builder_str(b, sb_text(&name), name.len);
    sb_done(&name);
    return id;
}

static inline trace_id random_trace(struct builder *b, uint64_t *state)
{
    static const char *const files[] = {"x/net.py", "run.py", "y/net.py"};
    static const char *const functions[] = {"f", "g", "a_function_of_twenty"};
    struct frame frames[4];
    uint32_t n = random_below(state, 5);

    for (uint32_t i = 0; i < n; i++) {
        frames[i].file = RANDOM_PICK(b, state, files);
        frames[i].function = RANDOM_PICK(b, state, functions);
        frames[i].text = RANDOM_PICK(b, state, functions);
        frames[i].lineno = (int32_t)random_below(state, 2);
        frames[i].func_start_line = -1;
    }
    return builder_trace(b, frames, n);
}

static inline void random_execs(struct builder *b, uint64_t *state, node_id node, strid device)
{
    for (int64_t step = 0; step < 3; step++) {
        struct exec_time time = {device, false, 10, 0};
        struct exec_memory memory = {.memory_us = 10};
        struct exec_record record = {
            .step = step, .times = &time, .memories = &memory, .n_times = 1, .n_memories = 1};

        if (random_below(state, 3) == 0)
            continue;
        time.accelerator = random_below(state, 3) == 0;
        time.dur_us = (int64_t)random_below(state, 50) - (random_below(state, 40) == 0 ? 60 : 0);
        memory.requested_bytes = random_below(state, 100);
        memory.peak_bytes = random_below(state, 100);
        memory.residual_bytes = random_below(state, 10);
        memory.output_bytes = random_below(state, 10);
        record.run_count = random_below(state, 3);
        builder_add_record(b, node, &record);
    }
}

static inline void random_node(struct builder *b, uint64_t *state, strid name)
{
    static const char *const ops[] = {"Conv2D", "Mul", "Const", "VariableV2", "Relu"};
    static const char *const types[] = {"_trainable_variables", "mine", "_kTFScopeParent"};
    static const char *const devices[] = {"/device:cpu:0", "/device:gpu:0", "/device:gpu:1"};
    bool added;
    node_id node = builder_node(b, name, RANDOM_PICK(b, state, ops), &added);

    if (!added)
        return;
    if (random_below(state, 3) == 0)
        builder_add_type(b, node, RANDOM_PICK(b, state, types));
    if (random_below(state, 3) == 0) {
        int64_t dims[2] = {(int64_t)random_below(state, 5) - 1, 2};

        builder_set_shape(b, node, builder_shape(b, dims, 2));
    }
    if (random_below(state, 2))
        builder_set_float_ops(b, node, random_below(state, 1000));
    if (random_below(state, 4))
        builder_set_trace(b, node, random_trace(b, state));
    if (random_below(state, 4)) {
        strid device = RANDOM_PICK(b, state, devices);

        builder_set_device(b, node, device, device);
        builder_add_type(b, node, device);
        random_execs(b, state, node, device);
    }
}

/* A profile of at most MOST nodes and three steps. */
static inline struct profile *random_profile(uint64_t *state, uint32_t most)
{
    struct builder *b = builder_new();
    uint32_t n = random_below(state, most + 1);
    strid *names = malloc((n + 1) * sizeof *names);

    for (int64_t step = 0; step < 3; step++)
        builder_add_step(b, step);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = random_node_name(b, state);
        random_node(b, state, names[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        node_id node = builder_find(b, names[i]);

        for (int32_t k = 0, inputs = (int32_t)random_below(state, 4); k < inputs; k++) {
            /* Mostly later nodes: else nearly all lies in loops. */
            uint32_t source = random_below(state, 8) ? i + 1 + random_below(state, n)
                                                     : random_below(state, n);

            if (source < n)
                builder_add_input(b, node, k, names[source], 0, 0);
        }
    }
    free(names);
    return builder_finish(b);
}

/* Options of a query drawn by chance, also from names of P. */
static inline void random_query_options(struct options *o, uint64_t *state)
{
    static const char *const names[] = {".*", "", "a", ".*conv.*", "a/.*", ".*:1:.*", "Conv2D,Mul",
                                        "b.*,c", "_TFProfRoot", ".*grad.*", ".*/[abc]", "(?i)C.*"};
    static const char *const types[] = {".*", "", "Conv2D", "mine,Mul", ".*gpu.*", "_.*", "Const"};
    static const char *const devices[] = {".*", ".*gpu:0", "", ".*cpu.*", ".*gpu.*,"};
    static const struct {
        const char *option;
        const char *const *words;
        uint32_t n, rarely;
    } lists[] = {
        {"account_type_regexes", types, sizeof types / sizeof *types, 2},
        {"start_name_regexes", names, sizeof names / sizeof *names, 4},
        {"trim_name_regexes", names, sizeof names / sizeof *names, 4},
        {"show_name_regexes", names, sizeof names / sizeof *names, 3},
        {"hide_name_regexes", names, sizeof names / sizeof *names, 4},
        {"device_regexes", devices, sizeof devices / sizeof *devices, 6},
    };
    struct err err = {0};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (random_below(state, lists[i].rarely) == 0)
            option_set(o, option_find(lists[i].option),
                       lists[i].words[random_below(state, lists[i].n)], &err);
    if (random_below(state, 2))
        o->max_depth = (int64_t)random_below(state, 8) - 1;
    for (int m = 0; m < METRIC_COUNT; m++)
        if (random_below(state, 8) == 0)
            o->min[m] = (int64_t)random_below(state, 40) - 5;
    o->step = (int64_t)random_below(state, 4) - 1;
    if (random_below(state, 2))
        o->step = -1;
    o->order_by = (int)random_below(state, ORDER_METRIC + METRIC_COUNT);
    o->account_displayed_op_only = random_below(state, 3) == 0;
    o->hide_unaccounted = random_below(state, 5) == 0;
    o->trace_text = random_below(state, 5) == 0;
    o->min_on = random_below(state, 3) ? MIN_ON_DEFAULT : (int)random_below(state, 3);
    o->flops = FLOPS_LOG;
    o->select = (field_set)random_below(state, 1U << FIELD_COUNT) | FIELD_BIT(FIELD_NUM_HIDDEN_OPS);
    err_done(&err);
}

#endif
