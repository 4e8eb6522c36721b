/* test_flops_random.c: graphs of all op types with random inputs and attributes: inference and
 * counting terminate, and every node has one state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shapes/op_table.h"
#include "fixtures/small_graph.h"

enum { GRAPHS = 400, NODES = 40 };

static uint64_t random_next(uint64_t *state)
{
    /* xorshift64* (Vigna, 2016) */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(random_next(state) >> 33) % n;
}

static const char *pick(uint64_t *state, const char *const *words, size_t n)
{
    return words[below(state, (uint32_t)n)];
}

#define PICK(state, words) pick(state, words, sizeof words / sizeof *words)

static void add_inputs(struct strbuf *sb, uint64_t *state)
{
    for (uint32_t n = below(state, 6); n > 0; n--)
        sb_addf(sb, below(state, 4) ? " n%u" : " n%u:%u", below(state, NODES), below(state, 9));
}

static void add_attributes(struct strbuf *sb, uint64_t *state)
{
    static const char *const names[] = {
        "axis", "N", "num_split", "num", "T", "DstT", "type", "shape", "shapes", "strides",
        "ksize", "ksizes", "rates", "dilations", "padding", "data_format", "explicit_paddings",
        "equation", "squeeze_dims", "block_size", "k", "keep_dims", "output_shapes", "Tout",
        "element_shape", "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
        "shrink_axis_mask", "batch_dims", "num_partitions", "channels", "window_size", "stride",
        "depth_radius", "_output_shapes", "_handle_shapes", "transpose_a", "adj_x", "dtypes",
        "component_types", "dense_shapes", "Nsparse", "num_sparse", "top_paths", "direction",
        "rnn_mode", "num_proj", "time_major", "filter_format", "fused_ops", "num_elements",
        "dimension_numbers", "f", "body", "branches", "pooling_ratio", "num_outs", "tensor_name",
        "shared_name", "Ncontext_sparse", "Nfeature_list_sparse", "batched_input",
    };
    static const char *const values[] = {
        "0", "1", "2", "-1", "7", "9223372036854775807", "-9223372036854775808", "true", "false",
        "0.5", "?", "[]", "[?]", "[2,3]", "[1,8,8,3]", "[0,9223372036854775807]", "()", "(1,1,1,1)",
        "(1,2,2,1)", "(0,-1)", "(1,2,3,4,5,6,7,8)", "(9223372036854775807,2)", "'SAME'", "'VALID'",
        "'EXPLICIT'", "'NCHW'", "'NHWC'", "'NDHWC'", "'NCHW_VECT_C'", "'OIHW_VECT_I'",
        "'ab,bc->ac'", "'...a,a->...'", "'->'", "{#1;#3;#9}", "{[2];?;[?,4]}", "{'BiasAdd';'Relu'}",
        "#3", "#9", "'bidirectional'", "'gru'", "@nothing", "{@nothing}",
    };

    for (uint32_t n = below(state, 7); n > 0; n--) {
        const char *name = PICK(state, names);

        sb_addf(sb, " %s=%s", name, PICK(state, values));
    }
}

static void add_node(struct strbuf *sb, const struct op_table *ops, uint32_t i, uint64_t *state)
{
    static const char *const shapes[] = {
        "?", "[]", "[3]", "[?]", "[2,3]", "[4,3,2]", "[1,8,8,3]", "[3,3,3,4]", "[1,4,8,8,3]",
        "[0,5]", "[?,?,3,?]", "[9223372036854775807,4]",
    };
    static const char *const constants[] = {
        "0", "1", "-1", "5", "()", "(0)", "(1)", "(2)", "(0,1)", "(-1,2)", "(1,1,1)", "(8,8)",
        "(1,8,8,3)", "2x2(0,0,1,1)", "4x2(0,0,1,1,1,1,0,0)", "(2147483647,2147483647)",
    };
    strid op = (strid)(1 + below(state, (uint32_t)ops->names.n - 1));

    sb_addf(sb, "n%u = ", i);
    switch (below(state, 6)) {
    case 0:
        sb_addf(sb, "Placeholder %s\n", PICK(state, shapes));
        return;
    case 1:
        sb_addf(sb, "Const %s\n", PICK(state, constants));
        return;
    default:
        if (op == intern_find(&ops->names, "Const", 5)) /* has a separate notation */
            op = intern_find(&ops->names, "Identity", 8);
        sb_adds(sb, intern_text(&ops->names, op));
        add_inputs(sb, state);
        add_attributes(sb, state);
        sb_addc(sb, '\n');
    }
}

/* The shapes of all outputs at once equal those of each output alone. */
static void shapes_agree(const struct profile *p, const struct flops *f, node_id node)
{
    const struct known_shape *shapes;
    struct arena arena = {0};
    size_t n = flops_shapes(f, p, node, UINT32_MAX, &arena, &shapes);

    for (size_t i = 0; flops_by_rules(f) && i < n && i < SHAPE_OUTPUTS_MAX; i++) {
        const int64_t *dims;
        uint32_t n_dims;

        if (!flops_output_shape(f, node, (int32_t)i, &dims, &n_dims))
            continue;
        assert_int_not_equal(shapes[i].origin, SHAPE_NOT_KNOWN);
        assert_int_equal(shapes[i].n_dims, n_dims);
        if (n_dims > 0)
            assert_memory_equal(shapes[i].dims, dims, n_dims * sizeof *dims);
    }
    arena_done(&arena);
}

static void every_node_gets_one_state(void **state)
{
    struct op_table ops;
    struct strbuf sb = {0};
    uint64_t seed = 20161130;

    (void)state;
    op_table_init(&ops);
    for (unsigned i = 0; i < GRAPHS; i++) {
        struct profile *p;

        sb_clear(&sb);
        for (uint32_t k = 0; k < NODES; k++)
            add_node(&sb, &ops, k, &seed);
        p = small_graph(sb_text(&sb));
        for (int rules = FLOPS_RULES_LOG; rules <= FLOPS_RULES_FULL; rules++) {
            struct flops *f = small_flops(p, (enum flops_rules)rules);
            struct strbuf text = {0};
            uint32_t n = 0;

            for (int s = FLOPS_NO_COMPUTE; s <= FLOPS_NO_RULE; s++)
                n += f->n_state[s];
            assert_int_equal(n, NODES);
            for (node_id node = 0; node < p->n_nodes; node++) {
                if (f->state[node] != FLOPS_COUNTED && f->state[node] != FLOPS_PER_TRIP)
                    assert_int_equal(f->count[node], 0);
                sb_clear(&text);
                flops_explain(f, node, &text);
                assert_true(text.len > 0);
                shapes_agree(p, f, node);
            }
            sb_done(&text);
            flops_free(f);
        }
        profile_free(p);
    }
    sb_done(&sb);
    op_table_done(&ops);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_gets_one_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
