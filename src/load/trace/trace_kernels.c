/* trace_kernels.c: kernels by launch configuration and node, for the details. */
#include <string.h>

#include "load/trace/trace_build.h"

struct kernel_key {
    int64_t step;
    uint32_t node, config;
    strid name, unused;
};

/* Traces of some accelerators store the configuration with the launch call. */
uint32_t config_of_work(const struct trace_build *b, uint32_t args, const struct launch *launch)
{
    const uint32_t own = trace_args_of(b->log, args).config;

    return own || !launch ? own : trace_args_of(b->log, launch->own_args).config;
}

void note_kernel(struct trace_build *b, const struct trace_slice *work, node_id node, int64_t step,
                 const struct launch *launch)
{
    const struct kernel_key key = {.step = step,
                                   .node = node,
                                   .config = config_of_work(b, work->args, launch),
                                   .name = work->name};
    const uint32_t at = intern_put(&b->kernel_keys, &key, sizeof key) - 1;
    const struct kernel_use fresh = {.step = step,
                                     .min_ns = INT64_MAX,
                                     .node = node,
                                     .name = work->name,
                                     .config = key.config};
    struct kernel_use *use;

    if (at == b->kernel_uses.n)
        vec_push(&b->kernel_uses, fresh);
    use = &b->kernel_uses.data[at];
    use->n++;
    use->dur_ns = clamp_add(use->dur_ns, work->dur_ns);
    if (work->dur_ns < use->min_ns)
        use->min_ns = work->dur_ns;
    if (work->dur_ns > use->max_ns)
        use->max_ns = work->dur_ns;
}

static int by_node_and_time(const void *x, const void *y)
{
    const struct kernel_use *a = x, *b = y;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->dur_ns != b->dur_ns)
        return a->dur_ns > b->dur_ns ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

void keep_kernels(struct trace_build *b)
{
    struct recording *r = b->recording;
    const struct intern *configs = &b->log->configs;

    vec_sort(&b->kernel_uses, by_node_and_time);
    r->n_kernel_uses = (uint32_t)b->kernel_uses.n;
    r->kernel_uses = keep_array(b, b->kernel_uses.data, b->kernel_uses.n, sizeof *r->kernel_uses);
    r->n_configs = (uint32_t)configs->n - 1;
    r->configs =
        arena_calloc(&builder_profile(b->builder)->arena, configs->n, sizeof *r->configs);
    for (uint32_t i = 0; i < r->n_configs; i++)
        memcpy(&r->configs[i], intern_text(configs, i + 1), sizeof *r->configs);
}
