/* generate_run.c: RunMetadata: devices, times and memory of nodes, some of which are in no graph;
 * and graphs as they were run. */
#include <stdio.h>

#include "meaning/generators.h"
#include "proto/run_meta.pb-c.h"

static void put_allocation(struct draw *d, const char *field)
{
    put_open(d->tree, field);
    put_int(d->tree, "requested_bytes", draw_amount(d));
    put_int(d->tree, "allocated_bytes", draw_amount(d));
    put_text(d->tree, "allocator_name", draw_rarely(d, 2) ? "cpu" : "GPU_0_bfc");
    put_int(d->tree, "ptr", draw_amount(d));
    case_tree_close(d->tree);
}

static void put_memory(struct draw *d)
{
    put_open(d->tree, "memory");
    put_text(d->tree, "allocator_name", draw_rarely(d, 2) ? "cpu" : "GPU_0_bfc");
    put_int(d->tree, "total_bytes", draw_amount(d));
    put_int(d->tree, "peak_bytes", draw_amount(d));
    put_int(d->tree, "live_bytes", draw_amount(d));
    put_int(d->tree, "allocator_bytes_in_use", draw_amount(d));
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(d->tree, "allocation_records");
        put_int(d->tree, "alloc_micros", draw_amount(d));
        put_int(d->tree, "alloc_bytes", draw_int(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_output(struct draw *d)
{
    put_open(d->tree, "output");
    put_int(d->tree, "slot", draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 3));
    put_open(d->tree, "tensor_description");
    put_int(d->tree, "dtype", draw_dtype(d));
    draw_shape(d, "shape");
    put_allocation(d, "allocation_description");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_times(struct draw *d)
{
    const int64_t start = draw_amount(d);

    put_int(d->tree, "all_start_micros", start);
    put_int(d->tree, "op_start_rel_micros", draw_rarely(d, 4) ? draw_amount(d) : 1);
    put_int(d->tree, "op_end_rel_micros", draw_amount(d));
    put_int(d->tree, "all_end_rel_micros", draw_amount(d));
    if (draw_rarely(d, 4)) {
        put_int(d->tree, "all_start_nanos", draw_amount(d));
        put_int(d->tree, "op_end_rel_nanos", draw_amount(d));
    }
    if (draw_rarely(d, 6))
        put_int(d->tree, "scheduled_micros", draw_amount(d));
}

static void put_node_stats(struct draw *d)
{
    static const char *const ends[] = {":Conv2D", ":", ":#id=1,device=/device:GPU:0#", ":MEMCPYHtoD", ":2", "(MatMul)"};
    char name[96];

    put_open(d->tree, "node_stats");
    draw_any_node(d);
    snprintf(name, sizeof name, "%s%s", d->text, draw_rarely(d, 5) ? DRAW_ONE(d, ends) : "");
    put_text(d->tree, "node_name", name);
    put_times(d);
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_memory(d);
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_output(d);
    if (draw_rarely(d, 3))
        put_text(d->tree, "timeline_label",
                 draw_rarely(d, 2) ? "[CPU] n1 = MatMul(n0)" : " = Conv2D() @@scratchpad:1,2");
    if (draw_rarely(d, 6))
        put_allocation(d, "referenced_tensor");
    if (draw_rarely(d, 4)) {
        put_open(d->tree, "memory_stats");
        put_int(d->tree, "temp_memory_size", draw_amount(d));
        put_int(d->tree, "persistent_memory_size", draw_amount(d));
        put_int(d->tree, "device_temp_memory_size", draw_amount(d));
        put_int(d->tree, "device_persistent_memory_size", draw_amount(d));
        put_int(d->tree, "persistent_tensor_alloc_ids", draw_int(d));
        case_tree_close(d->tree);
    }
    if (draw_rarely(d, 4))
        put_int(d->tree, "thread_id", draw_int(d));
    case_tree_close(d->tree);
}

static void put_device(struct draw *d)
{
    put_open(d->tree, "dev_stats");
    put_text(d->tree, "device", draw_device(d));
    for (uint32_t n = draw_below(d, 12); n > 0; n--)
        put_node_stats(d);
    if (draw_rarely(d, 5)) {
        put_open(d->tree, "thread_names");
        put_int(d->tree, "key", draw_int(d));
        put_text(d->tree, "value", draw_any_node(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

void draw_run(struct draw *d)
{
    put_open(d->tree, "step_stats");
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_device(d);
    case_tree_close(d->tree);
    if (draw_rarely(d, 8)) {
        put_open(d->tree, "partition_graphs");
        draw_graph(d);
        case_tree_close(d->tree);
    }
    if (draw_rarely(d, 10)) {
        put_open(d->tree, "function_graphs");
        put_open(d->tree, draw_rarely(d, 2) ? "partition_graphs" : "pre_optimization_graph");
        draw_graph(d);
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
}

void generate_run(struct draw *d)
{
    const uint32_t n = 1 + draw_below(d, 3);
    struct strbuf paths = {0};

    if (!draw_rarely(d, 6))
        generate_graph(d);
    for (uint32_t i = 0; i < n; i++) {
        char name[24];

        snprintf(name, sizeof name, "run_%u.pb", i);
        put_file(d->tree, name, &tfp__run_metadata__descriptor);
        draw_run(d);
        case_tree_close(d->tree);
        sb_addf(&paths, "%s@/%s", i ? "," : "--run_meta_path=", name);
    }
    put_option(d->tree, "%s", sb_text(&paths));
    sb_done(&paths);
}
