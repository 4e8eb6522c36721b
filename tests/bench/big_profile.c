/* big_profile.c: generates large profiles. */
#include "big_profile.h"

#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/builder.h"

enum { N_OPS = 80, N_STACKS = 4000, N_FRAMES = 12, NODES_A_LAYER = 24, N_STEPS = 3 };

struct generator {
    struct builder *builder;
    uint64_t random;
    strid ops[N_OPS], devices[2], host;
    stack_id stacks[N_STACKS];
    shape_id shapes[16];
    strid *names;
};

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint32_t next(struct generator *g, uint32_t below)
{
    uint64_t z = (g->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % below);
}

static strid text(struct generator *g, const char *s)
{
    return builder_str(g->builder, s, strlen(s));
}

static void make_words(struct generator *g)
{
    char word[64];

    for (int i = 0; i < N_OPS; i++) {
        snprintf(word, sizeof word, "%s%d", i % 3 ? "Conv" : "MatMul", i);
        g->ops[i] = text(g, word);
    }
    g->host = text(g, "/job:localhost/replica:0/task:0/device:cpu:0");
    g->devices[0] = text(g, "/job:localhost/replica:0/task:0/device:gpu:0");
    g->devices[1] = g->host;
    for (int i = 0; i < 16; i++) {
        int64_t dims[4] = {3, 3, 16 << (i % 5), 16 << (i % 7)};

        g->shapes[i] = builder_shape(g->builder, dims, 4);
    }
    for (int i = 0; i < N_STACKS; i++) {
        struct frame frames[N_FRAMES];

        for (int f = 0; f < N_FRAMES; f++) {
            snprintf(word, sizeof word, "models/file_%d.py", f);
            frames[f].file = text(g, word);
            snprintf(word, sizeof word, "function_%d_%d", f, f < 6 ? i % 3 : i % 200);
            frames[f].function = text(g, word);
            frames[f].text = STRID_EMPTY;
            frames[f].lineno = f < 6 ? f : i / 100 + f;
            frames[f].func_start_line = 1;
        }
        g->stacks[i] = builder_stack(g->builder, frames, N_FRAMES);
    }
}

static size_t name_node(char *name, size_t size, uint32_t i)
{
    static const char *const leaves[] = {"Conv2D", "BiasAdd", "Relu", "moments/mean",
                                         "moments/variance", "weights/read", "AssignMovingAvg/sub",
                                         "batchnorm/mul_1"};
    uint32_t layer = i / NODES_A_LAYER;
    uint32_t at = i % NODES_A_LAYER;

    return (size_t)snprintf(name, size, "%stower_%u/block_%u/unit_%u/conv_%u/%s%s_%u",
                            layer % 3 == 2 ? "gradients/" : "", layer / 4096, layer / 256 % 16,
                            layer / 16 % 16, layer % 16, at % 5 == 4 ? "bn/" : "",
                            leaves[at % 8], at / 8);
}

static void add_execs(struct generator *g, node_id node, int on_host)
{
    for (int64_t step = 0; step < N_STEPS; step++) {
        struct exec_time time = {g->devices[on_host], false, 0, 1000 + node, 1 + next(g, 300)};
        struct exec_memory memory = {.memory_ticks = 1000 + node};
        struct exec_record record = {.step = step,
                                     .run_count = 1,
                                     .start_ticks = time.start_ticks,
                                     .latest_end_ticks = time.start_ticks + time.dur_ticks,
                                     .times = &time,
                                     .memories = &memory,
                                     .n_times = 1,
                                     .n_memories = 1};

        memory.requested_bytes = next(g, 1 << 20);
        memory.peak_bytes = memory.requested_bytes + next(g, 1 << 18);
        memory.residual_bytes = memory.output_bytes = next(g, 1 << 16);
        builder_add_record(g->builder, node, &record);
    }
}

static void add_node(struct generator *g, uint32_t i, const char *name, size_t len)
{
    struct builder *b = g->builder;
    int on_host = next(g, 4) == 0;
    bool added;
    node_id node;

    g->names[i] = builder_str(b, name, len);
    node = builder_node(b, g->names[i], g->ops[next(g, N_OPS)], &added);
    builder_set_devices(b, node, g->devices[on_host], g->host);
    builder_add_type(b, node, g->devices[on_host]);
    if (i % 40 == 0)
        builder_set_shape(b, node, g->shapes[next(g, 16)]);
    if (i % 8 == 0)
        builder_set_static_float_ops(b, node, next(g, 1000000));
    builder_set_stack(b, node, g->stacks[next(g, N_STACKS)]);
    if (i % 3)
        add_execs(g, node, on_host);
}

static struct profile *make(uint32_t n, bool chain)
{
    struct generator g = {.builder = builder_new(), .random = n};
    char name[128];

    g.names = xreallocarray(NULL, n, sizeof *g.names);
    make_words(&g);
    for (int64_t step = 0; step < N_STEPS; step++)
        builder_add_step(g.builder, step);
    for (uint32_t i = 0; i < n; i++)
        add_node(&g, i, name,
                 chain ? (size_t)snprintf(name, sizeof name, "chain/node_%u", i)
                       : name_node(name, sizeof name, i));
    for (uint32_t i = 1; i < n; i++) {
        node_id node = builder_find(g.builder, g.names[i]);
        uint32_t back = 1 + next(&g, 2 * NODES_A_LAYER);

        builder_add_input(g.builder, node, 0, g.names[i - 1], 0, 0);
        if (!chain && i > back)
            builder_add_input(g.builder, node, 1, g.names[i - back], 0, 0);
    }
    free(g.names);
    builder_profile(g.builder)->has_stacks = true;
    return builder_finish(g.builder);
}

struct profile *big_profile(uint32_t n)
{
    return make(n, false);
}

struct profile *chain_profile(uint32_t n)
{
    return make(n, true);
}
