/* generate_attrs.c: attributes: the names that shape and FLOPs rules read, with values of the
 * expected kind or others. */
#include <string.h>

#include "meaning/generate.h"

enum kind { KIND_INT, KIND_SMALL, KIND_BOOL, KIND_TYPE, KIND_TEXT, KIND_SHAPE, KIND_TENSOR, KIND_REAL,
            KIND_FUNC, KIND_INTS, KIND_TYPES, KIND_SHAPES, KIND_TEXTS, KIND_FUNCS, KIND_REALS, KIND_PADS,
            KIND_COUNT };

struct attr_row {
    const char *names; /* separated by single blanks */
    enum kind kind;
    const char *texts; /* for KIND_TEXT: possible values, separated by single blanks */
};

static const struct attr_row rows[] = {
    {"T dtype DstT SrcT out_type output_type Tidx Tshape Tindices key_dtype value_dtype type", KIND_TYPE, NULL},
    {"Tin Tout component_types dtypes Targuments output_types toutput_types Tcond", KIND_TYPES, NULL},
    {"strides ksize dilations ksizes rates pooling_ratio window_strides lhs_dilation rhs_dilation "
     "squeeze_dims reduction_indices dense_shapes_sizes", KIND_INTS, NULL},
    {"explicit_paddings padding_list", KIND_PADS, NULL},
    {"padding", KIND_TEXT, "SAME VALID EXPLICIT same"},
    {"explicit_padding", KIND_PADS, NULL},
    {"data_format", KIND_TEXT, "NHWC NCHW NDHWC NCDHW NCHW_VECT_C CHANNELS_FIRST HWNC"},
    {"filter_format", KIND_TEXT, "HWIO OIHW OIHW_VECT_I"},
    {"equation", KIND_TEXT, "ij,jk->ik ...ij,jk->...ik ii->i a,b-> abc,cd->abd ij->ji aa,a->a ,-> "
                            "...,...->... ij,jk i...j,j->i... abcdefghijklmnopqrstuvwxyz->a ->"},
    {"rnn_mode", KIND_TEXT, "lstm gru rnn_relu rnn_tanh"},
    {"input_mode", KIND_TEXT, "linear_input skip_input auto_select"},
    {"direction", KIND_TEXT, "unidirectional bidirectional LEFT RIGHT"},
    {"activation_mode interpolation method", KIND_TEXT, "None Relu Relu6 NEAREST BILINEAR bilinear area"},
    {"shared_name container", KIND_TEXT, "s0 s1 n0"},
    /* messages in wire form: contracting and batch dimensions of either side */
    {"dimension_numbers", KIND_TEXT, "\n\1\1\22\1\1 \n\1\2\22\1\1\32\1\3\"\1\3 \n\2\1\2\22\2\2\1 \10\1\20\1 \n\1\177 x"},
    {"fused_ops", KIND_TEXTS, "BiasAdd Relu Add Elu FusedBatchNorm"},
    {"_class", KIND_TEXTS, "loc:@n0 loc:@n1 loc:@a/n1 loc:@"},
    {"axis T N num num_split num_proj k batch_dims block_size window_size num_args num_outs stride "
     "shrink_axis_mask new_axis_mask begin_mask end_mask ellipsis_mask top_paths num_true num_sampled "
     "num_partitions num_params num_params_weights num_params_biases num_elements num_replicas "
     "num_side_inputs num_sparse_features num_dense_features num_sparse_features_with_values "
     "reduction_dimension output_ragged_rank desired_samples desired_channels depth_radius channels "
     "dct_coefficient_count batch_group_count feature_group_count RAGGED_RANK OUTPUT_RAGGED_RANK "
     "num_sparse num_dense Nfeature_list_sparse Ncontext_sparse parallel_iterations capacity index "
     "num_features num_groups group_size depth value_index", KIND_SMALL, NULL},
    {"transpose_a transpose_b adj_x adj_y adjoint_a adjoint_b keep_dims is_training is_constant "
     "validate_shape use_nesterov use_peephole full_matrices compute_v compute_uv time_major fast "
     "scale_after_normalization pad_to_max_output_size pad_per_class incompatible_shape_error "
     "identical_element_shapes expand_animations dynamic_size batched_input aggregate_to_topk "
     "update_slots align_corners narrow_range reverse_x sorted exclusive reverse "
     "_disable_call_shape_inference", KIND_BOOL, NULL},
    {"shape element_shape value_shape _shape container_shape", KIND_SHAPE, NULL},
    {"output_shapes shapes Sout dense_shapes _handle_shapes _output_shapes _cloned_output_shapes", KIND_SHAPES, NULL},
    {"value", KIND_TENSOR, NULL},
    {"cell_clip exponential_avg_factor epsilon", KIND_REAL, NULL},
    {"f body cond then_branch else_branch predicate function finalize_func", KIND_FUNC, NULL},
    {"branches other_arguments_funcs", KIND_FUNCS, NULL},
    {"ragged_value_types field_names sparse_keys", KIND_TEXTS, "a b c"},
    {"_grappler _tpu anything", KIND_COUNT, NULL}, /* of any kind */
};

enum { N_ROWS = sizeof rows / sizeof *rows };

void draw_attr_open(struct draw *d, const char *name)
{
    put_entry(d->tree, "attr", name);
    put_open(d->tree, "value");
}

void draw_attr_close(struct draw *d)
{
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

void draw_attr_int(struct draw *d, const char *name, int64_t value)
{
    draw_attr_open(d, name);
    put_int(d->tree, "i", value);
    draw_attr_close(d);
}

void draw_attr_type(struct draw *d, const char *name, int dtype)
{
    draw_attr_open(d, name);
    put_int(d->tree, "type", dtype);
    draw_attr_close(d);
}

void draw_attr_text(struct draw *d, const char *name, const char *text)
{
    draw_attr_open(d, name);
    put_text(d->tree, "s", text);
    draw_attr_close(d);
}

void draw_attr_func(struct draw *d, const char *name, const char *function)
{
    draw_attr_open(d, name);
    put_open(d->tree, "func");
    put_text(d->tree, "name", function);
    case_tree_close(d->tree);
    draw_attr_close(d);
}

void draw_attr_tensor(struct draw *d, const char *name)
{
    draw_attr_open(d, name);
    draw_tensor(d, "tensor");
    draw_attr_close(d);
}

static void put_func(struct draw *d)
{
    put_open(d->tree, "func");
    put_text(d->tree, "name", draw_any_function(d));
    if (draw_rarely(d, 4))
        draw_attr_type(d, "T", draw_dtype(d));
    case_tree_close(d->tree);
}

static void put_item(struct draw *d, enum kind kind, const char *texts)
{
    char word[64];

    switch (kind) {
    case KIND_INTS:
        put_int(d->tree, "i", draw_rarely(d, 10) ? draw_int(d) : 1 + draw_below(d, 3));
        break;
    case KIND_PADS:
        put_int(d->tree, "i", draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 3));
        break;
    case KIND_TYPES:
        put_int(d->tree, "type", draw_dtype(d));
        break;
    case KIND_SHAPES:
        draw_shape(d, "shape");
        break;
    case KIND_FUNCS:
        put_func(d);
        break;
    case KIND_REALS:
        put_real(d->tree, "f", (double)draw_int(d) / 4);
        break;
    default:
        put_text(d->tree, "s", texts ? draw_word(d, texts, word, sizeof word) : draw_any_node(d));
        break;
    }
}

static void put_list(struct draw *d, enum kind kind, const char *texts)
{
    static const uint32_t lengths[] = {0, 1, 1, 2, 3, 4, 4, 4, 5, 6, 8};
    uint32_t n = kind == KIND_PADS ? 8 : DRAW_ONE(d, lengths);

    if (kind == KIND_INTS && draw_rarely(d, 2))
        n = 4;
    put_open(d->tree, "list");
    for (; n > 0; n--)
        put_item(d, draw_rarely(d, 40) ? KIND_INTS + draw_below(d, KIND_COUNT - KIND_INTS) : kind, texts);
    case_tree_close(d->tree);
}

static void put_value(struct draw *d, enum kind kind, const char *texts)
{
    char word[64];

    switch (kind) {
    case KIND_INT:
        put_int(d->tree, "i", draw_int(d));
        break;
    case KIND_SMALL:
        put_int(d->tree, "i", draw_rarely(d, 8) ? draw_int(d) : draw_below(d, 5));
        break;
    case KIND_BOOL:
        put_int(d->tree, "b", draw_below(d, 2));
        break;
    case KIND_TYPE:
        put_int(d->tree, "type", draw_dtype(d));
        break;
    case KIND_TEXT:
        put_text(d->tree, "s", texts ? draw_word(d, texts, word, sizeof word) : draw_any_node(d));
        break;
    case KIND_SHAPE:
        draw_shape(d, "shape");
        break;
    case KIND_TENSOR:
        draw_tensor(d, "tensor");
        break;
    case KIND_REAL:
        put_real(d->tree, "f", (double)draw_int(d) / 4);
        break;
    case KIND_FUNC:
        put_func(d);
        break;
    default:
        put_list(d, kind, texts);
        break;
    }
}

void draw_attrs(struct draw *d, uint32_t one_in)
{
    for (size_t r = 0; r < N_ROWS; r++) {
        for (const char *name = rows[r].names; *name; name += strcspn(name, " ")) {
            char word[64];
            size_t len;

            name += *name == ' ';
            len = strcspn(name, " ");
            if (!draw_rarely(d, one_in) || len >= sizeof word)
                continue;
            memcpy(word, name, len);
            word[len] = '\0';
            draw_attr_open(d, word);
            put_value(d, rows[r].kind == KIND_COUNT || draw_rarely(d, 25) ? draw_below(d, KIND_COUNT)
                                                                          : rows[r].kind, rows[r].texts);
            draw_attr_close(d);
        }
    }
}
