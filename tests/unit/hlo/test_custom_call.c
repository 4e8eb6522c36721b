/* test_custom_call.c: custom calls with known rules, by their definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_rows.h"

static const char callees[] = "HloModule m\n";

#define GEMM(target, config)                                                                     \
    "a = f32[8,16] parameter(0)\n b = f32[16,32] parameter(1)\n"                                 \
    " ROOT r = (f32[8,32], s8[4096]) custom-call(a, b), custom_call_target=\"" target "\","      \
    " backend_config=" config
#define NUMBERS "\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":"

static void matrix_products_of_libraries_count_as_dot(void **state)
{
    (void)state;
    CHECK({GEMM("__cublas$gemm", "{\"gemm_backend_config\":{" NUMBERS "[\"1\"]}}}"),
           COST(YES, 8192, 0, 2560, 1024, "2 * 8x32 * 16"), .multiply_adds = 4096},
          {GEMM("__cublas$lt$matmul", "{" NUMBERS " [ 1 ] }}"),
           COST(YES, 8192, 0, 2560, 1024, "2 * 8x32 * 16"), .multiply_adds = 4096},
          {GEMM("__cublas$lt$matmul$f8", "{" NUMBERS "[\"0\", \"1\"]}}"),
           COST(YES, 65536, 0, 2560, 1024, "2 * 8x32 * 8 * 16"), .multiply_adds = 32768},
          {GEMM("__cublas$gemm", "{" NUMBERS "[\"2\"]}}"), COST(UNKNOWN, 0, 0, 2560, 1024, "")},
          {GEMM("__cublas$gemm", "{" NUMBERS "[\"1\"}}"), COST(UNKNOWN, 0, 0, 2560, 1024, "")},
          {GEMM("__cublas$gemm", "{" NUMBERS "[\"99999999999999999999\"]}}"),
           COST(UNKNOWN, 0, 0, 2560, 1024, "")},
          {GEMM("__cublas$gemm", "\"\""), COST(UNKNOWN, 0, 0, 2560, 1024, "")},
          {GEMM("__cublas$gemmm", "{" NUMBERS "[\"1\"]}}"), COST(UNKNOWN, 0, 0, 2560, 1024, "")});
}

#define CONVOLUTION(result, operands, target)                                                   \
    operands " ROOT r = (" result ", u8[1000]) custom-call(a, b), window={size=3x3 stride=2x2"   \
             " pad=1_1x1_1}, dim_labels=b01f_01io->b01f, custom_call_target=\"" target "\""
#define INPUT "f32[2,9,9,3]"
#define FILTER "f32[3,3,3,8]"
#define OUTPUT "f32[2,5,5,8]"

/* The result is the same for each of the three arrays: 13 of 15 taps fall on the input. */
static void convolutions_of_libraries_count_the_forward_one(void **state)
{
    (void)state;
    CHECK({CONVOLUTION(OUTPUT, "a = " INPUT " parameter(0)\n b = " FILTER " parameter(1)\n",
                       "__cudnn$convForward"),
           COST(YES, 16224, 0, 2808, 1600, "2 * 3 * 8 * 2 * 13 * 13"), .multiply_adds = 8112},
          {CONVOLUTION(OUTPUT, "a = " INPUT " parameter(0)\n b = " FILTER " parameter(1)\n",
                       "__cudnn$convBiasActivationForward"),
           COST(YES, 16224, 0, 2808, 1600, "2 * 3 * 8 * 2 * 13 * 13"), .multiply_adds = 8112},
          {CONVOLUTION(INPUT, "a = " OUTPUT " parameter(0)\n b = " FILTER " parameter(1)\n",
                       "__cudnn$convBackwardInput"),
           COST(YES, 16224, 0, 2464, 1944, "2 * 3 * 8 * 2 * 13 * 13"), .multiply_adds = 8112},
          {CONVOLUTION(FILTER, "a = " INPUT " parameter(0)\n b = " OUTPUT " parameter(1)\n",
                       "__cudnn$convBackwardFilter"),
           COST(YES, 16224, 0, 3544, 864, "2 * 3 * 8 * 2 * 13 * 13"), .multiply_adds = 8112});
}

#define ATTENTION(target, config)                                                               \
    "a = bf16[2,64,4,32] parameter(0)\n"                                                         \
    " ROOT r = bf16[2,64,4,32] custom-call(a), custom_call_target=\"" target "\","               \
    " backend_config=\"{" config "}\""
#define SIZES                                                                                   \
    "attn_heads = 4 : i64, bias_batch = 0 : i64, input_batch = 2 : i64,"                         \
    " kv_max_seqlen = 128 : i64, mask_type = 0 : i64, q_max_seqlen = 64 : i64,"                  \
    " max_input_batch = 7 : i64"

static void fused_attention_counts_its_matrix_products(void **state)
{
    (void)state;
    CHECK({ATTENTION("te_fused_attn_forward_ffi",
                     SIZES ", qk_head_dim = 32 : i64, v_head_dim = 16 : i64"),
           COST(YES, 6291456, 0, 32768, 32768, "2 * 2 * 4 * 64 * 128 * 48"),
           .multiply_adds = 3145728},
          {ATTENTION("te_fused_attn_backward_ffi",
                     SIZES ", qk_head_dim = 32 : i64, v_head_dim = 16 : i64"),
           COST(YES, 15728640, 0, 32768, 32768, "5 * 2 * 4 * 64 * 128 * 48"),
           .multiply_adds = 7864320},
          {ATTENTION("te_fused_attn_forward_ffi", SIZES), COST(UNKNOWN, 0, 0, 32768, 32768, "")});
}

#define CALL(target)                                                                            \
    "a = f32[8] parameter(0)\n"                                                                  \
    " ROOT r = (f32[8], f32[4]) custom-call(a), custom_call_target=\"" target "\""

static void other_opcodes_have_no_cost(void **state)
{
    (void)state;
    CHECK({CALL("Sharding"), COST(NONE, 0, 0, 32, 48, "")},
          {CALL("SPMDFullToShardShape"), COST(NONE, 0, 0, 32, 48, "")},
          {CALL("AllocateBuffer"), COST(NONE, 0, 0, 32, 48, "")},
          {CALL("MoveToHost"), COST(NONE, 0, 0, 32, 48, "")},
          {CALL("PinToHost"), COST(NONE, 0, 0, 32, 48, "")},
          {CALL("Shardings"), COST(UNKNOWN, 0, 0, 32, 48, "")},
          {CALL("lapack_spotrf_ffi"), COST(UNKNOWN, 0, 0, 32, 48, "")},
          {CALL(""), COST(UNKNOWN, 0, 0, 32, 48, "")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] custom-call(a)",
           COST(UNKNOWN, 0, 0, 32, 32, "")});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_products_of_libraries_count_as_dot),
        cmocka_unit_test(convolutions_of_libraries_count_the_forward_one),
        cmocka_unit_test(fused_attention_counts_its_matrix_products),
        cmocka_unit_test(other_opcodes_have_no_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
