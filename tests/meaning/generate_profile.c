/* generate_profile.c: ProfileProtos: nodes with inputs of unknown ids, times, memory, strings from
 * a table. */
#include "meaning/generators.h"
#include "proto/tfprof.pb-c.h"

static void put_pair(struct draw *d, const char *field, int64_t key, int64_t value)
{
    put_open(d->tree, field);
    put_int(d->tree, "key", key);
    put_int(d->tree, "value", value);
    case_tree_close(d->tree);
}

static void put_tuple_entry(struct draw *d, const char *field, int64_t key)
{
    put_open(d->tree, field);
    put_int(d->tree, "key", key);
    put_open(d->tree, "value");
    for (uint32_t n = draw_below(d, 5); n > 0; n--)
        put_int(d->tree, "int64_values", draw_size(d));
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_exec_times(struct draw *d, const char *field)
{
    put_entry(d->tree, field, draw_device(d));
    put_open(d->tree, "value");
    for (uint32_t n = draw_below(d, 3); n > 0; n--) {
        put_open(d->tree, "times");
        for (uint32_t k = draw_rarely(d, 400) ? draw_below(d, 4) : 2; k > 0; k--)
            put_int(d->tree, "int64_values", draw_amount(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_exec_memory(struct draw *d)
{
    static const char *const fields[] = {
        "memory_micros", "host_temp_bytes", "host_persistent_bytes", "accelerator_temp_bytes",
        "accelerator_persistent_bytes", "requested_bytes", "peak_bytes", "residual_bytes",
        "output_bytes", "allocator_bytes_in_use",
    };

    put_open(d->tree, "memory_execs");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (draw_rarely(d, 2))
            put_int(d->tree, fields[i], draw_amount(d));
    for (uint32_t n = draw_below(d, 3); n > 0; n--) {
        put_open(d->tree, "output_memory");
        put_int(d->tree, "key", draw_int(d));
        put_open(d->tree, "value");
        put_int(d->tree, "bytes", draw_amount(d));
        put_int(d->tree, "ptr", draw_amount(d));
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_exec(struct draw *d, int64_t step)
{
    put_open(d->tree, "execs");
    put_int(d->tree, "key", step);
    put_open(d->tree, "value");
    put_int(d->tree, "run_count", draw_int(d));
    put_int(d->tree, "all_start_micros", draw_amount(d));
    put_int(d->tree, "latest_end_micros", draw_amount(d));
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_exec_times(d, draw_rarely(d, 2) ? "accelerator_execs" : "cpu_execs");
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_text(d->tree, "devices", draw_device(d));
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_exec_memory(d);
    if (draw_rarely(d, 3)) {
        put_open(d->tree, "allocations");
        put_int(d->tree, "alloc_micros", draw_amount(d));
        put_int(d->tree, "alloc_bytes", draw_int(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static int64_t draw_id(struct draw *d)
{
    return draw_rarely(d, 20) ? draw_int(d) : draw_below(d, d->n_nodes + 1);
}

/* Inputs, outputs and output indices of a node. */
static void put_edges(struct draw *d)
{
    for (uint32_t n = draw_below(d, 4), k = 0; k < n; k++) {
        const int64_t source = draw_id(d);

        put_pair(d, "inputs", draw_rarely(d, 20) ? draw_int(d) : k, source);
        if (draw_rarely(d, 2))
            put_pair(d, "src_output_index", source, draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 3));
    }
    if (draw_rarely(d, 3))
        put_pair(d, "outputs", draw_int(d), draw_id(d));
}

static void put_profile_node(struct draw *d, uint32_t i, bool with_ids)
{
    static const char *const ops[] = {"Conv2D", "Const", "VariableV2", "MatMul", "Placeholder", "While", "Relu"};

    put_open(d->tree, "nodes");
    put_int(d->tree, "key", draw_rarely(d, 30) ? draw_int(d) : i);
    put_open(d->tree, "value");
    put_text(d->tree, "name", draw_rarely(d, 30) ? draw_any_node(d) : draw_node_name(d, i));
    put_text(d->tree, "op", DRAW_ONE(d, ops));
    put_int(d->tree, "id", draw_rarely(d, 30) ? draw_int(d) : i);
    put_edges(d);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_int(d->tree, "shape", draw_size(d));
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_text(d->tree, "op_types", draw_type(d));
    put_text(d->tree, "canonical_device", draw_device(d));
    put_text(d->tree, "host_device", draw_device(d));
    if (draw_rarely(d, 2))
        put_int(d->tree, "float_ops", draw_amount(d));
    draw_trace(d, "trace", with_ids);
    for (uint32_t n = draw_below(d, 3); n > 0; n--)
        put_tuple_entry(d, draw_rarely(d, 2) ? "output_shapes" : "input_shapes", draw_rarely(d, 8) ? draw_int(d) : n);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_exec(d, draw_rarely(d, 10) ? draw_int(d) : n);
    if (draw_rarely(d, 2)) {
        put_entry(d->tree, "attrs", "strides");
        put_open(d->tree, "value");
        put_int(d->tree, "i", draw_int(d));
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void draw_profile(struct draw *d)
{
    const bool with_ids = draw_rarely(d, 2);

    for (uint32_t i = 0; i < d->n_nodes; i++)
        put_profile_node(d, i, with_ids);
    put_int(d->tree, "has_trace", draw_below(d, 2));
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_int(d->tree, "steps", draw_rarely(d, 10) ? draw_int(d) : n);
    if (with_ids)
        draw_strings(d);
    put_int(d->tree, "miss_accelerator_stream", draw_below(d, 2));
}

void generate_profile(struct draw *d)
{
    put_file(d->tree, "profile.pb", &tfp__profile_proto__descriptor);
    draw_profile(d);
    case_tree_close(d->tree);
    put_option(d->tree, "%s@/profile.pb", draw_rarely(d, 2) ? "" : "--profile_path=");
}
