/* test_cost.c: operations and bytes of every opcode, one instruction at a time.
 *
 * Unless noted, the numbers also equal XLA's own cost analysis of the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_rows.h"

/* Computations that the rows call. */
static const char callees[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] add(x, y) }\n"
    "max { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] maximum(x, y) }\n"
    "ge { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
    " ROOT r = pred[] compare(x, y), direction=GE }\n"
    "logsum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n e = f32[] exponential(x)\n"
    " f = f32[] exponential(y)\n g = f32[] add(e, f)\n h = f32[] divide(g, y)\n"
    " ROOT r = f32[] log(h) }\n"
    "pairs { a = f32[] parameter(0)\n b = s32[] parameter(1)\n c = f32[] parameter(2)\n"
    " d = s32[] parameter(3)\n e = f32[] add(a, c)\n f = s32[] add(b, d)\n"
    " ROOT r = (f32[], s32[]) tuple(e, f) }\n"
    "second { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
    " ROOT r = f32[] add(y, y) }\n"
    "less { a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = s32[] parameter(2)\n"
    " d = s32[] parameter(3)\n ROOT r = pred[] compare(a, b), direction=LT }\n";

static void matrix_products_count_a_multiply_add_for_each_pair(void **state)
{
    (void)state;
    CHECK({"a = f32[8,16] parameter(0)\n b = f32[16,32] parameter(1)\n"
           " ROOT r = f32[8,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
           COST(YES, 8192, 0, 2560, 1024, "2 * 8x32 * 16"), .multiply_adds = 4096},
          {"a = f32[3,8,4,5] parameter(0)\n b = f32[3,5,4,7] parameter(1)\n"
           " ROOT r = f32[3,8,7] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={3,2},"
           " rhs_batch_dims={0}, rhs_contracting_dims={1,2}",
           COST(YES, 6720, 0, 3600, 672, "2 * 3x8x7 * 5 * 4"), .multiply_adds = 3360},
          {"a = bf16[9] parameter(0)\n b = bf16[9] parameter(1)\n"
           " ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
           COST(YES, 18, 0, 36, 4, "2 * 1 * 9"), .multiply_adds = 9},
          {"a = f32[3] parameter(0)\n b = f32[5] parameter(1)\n"
           " ROOT r = f32[3,5] dot(a, b), lhs_contracting_dims={}, rhs_contracting_dims={}",
           COST(YES, 30, 0, 32, 60, "2 * 3x5"), .multiply_adds = 15},
          {"a = f32[0,16] parameter(0)\n b = f32[16,32] parameter(1)\n"
           " ROOT r = f32[0,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
           COST(NONE, 0, 0, 2048, 0, "")});
}

static void convolutions_count_the_positions_that_meet_the_input(void **state)
{
    (void)state;
    CHECK({"a = f32[2,16,16,3] parameter(0)\n k = f32[3,3,3,8] parameter(1)\n"
           " ROOT r = f32[2,16,16,8] convolution(a, k), window={size=3x3 pad=1_1x1_1},"
           " dim_labels=b01f_01io->b01f",
           COST(YES, 203136, 0, 7008, 16384, "2 * 3 * 8 * 2 * 46 * 46"), .multiply_adds = 101568},
          {"a = f32[2,17,16,3] parameter(0)\n k = f32[3,5,3,8] parameter(1)\n"
           " ROOT r = f32[2,8,4,8] convolution(a, k), window={size=3x5 stride=2x3},"
           " dim_labels=b01f_01io->b01f",
           COST(YES, 46080, 0, 7968, 2048, "2 * 3 * 8 * 2 * 24 * 20"), .multiply_adds = 23040},
          {"a = f32[2,27,16,3] parameter(0)\n k = f32[3,4,3,8] parameter(1)\n"
           " ROOT r = f32[2,17,26,8] convolution(a, k), window={size=3x4 stride=3x2 pad=2_1x4_3"
           " lhs_dilate=2x4 rhs_dilate=3x6}, dim_labels=b01f_01io->b01f",
           COST(YES, 120000, 0, 11520, 28288, "2 * 3 * 8 * 2 * 25 * 50"), .multiply_adds = 60000},
          {"a = f32[4,16,16,8] parameter(0)\n k = f32[3,3,2,12] parameter(1)\n"
           " ROOT r = f32[4,16,16,12] convolution(a, k), window={size=3x3 pad=1_1x1_1},"
           " dim_labels=b01f_01io->b01f, feature_group_count=4",
           COST(YES, 406272, 0, 33632, 49152, "2 * 2 * 12 * 4 * 46 * 46"),
           .multiply_adds = 203136},
          {"a = f32[4,9,8] parameter(0)\n k = f32[3,8,12] parameter(1)\n"
           " ROOT r = f32[2,9,12] convolution(a, k), window={size=3 pad=1_1},"
           " dim_labels=b0f_0io->b0f, batch_group_count=2",
           COST(YES, 9600, 0, 2304, 864, "2 * 8 * 12 * 2 * 25"), .multiply_adds = 4800},
          {"a = f32[2,8] parameter(0)\n k = f32[8,12] parameter(1)\n"
           " ROOT r = f32[2,12] convolution(a, k), dim_labels=bf_io->bf",
           COST(YES, 384, 0, 448, 96, "2 * 8 * 12 * 2"), .multiply_adds = 192},
          {"a = f32[2,7,3] parameter(0)\n k = f32[3,3,8] parameter(1)\n"
           " ROOT r = f32[2,4,8] convolution(a, k), window={size=3 pad=-2_1},"
           " dim_labels=b0f_0io->b0f",
           COST(YES, 1056, 0, 456, 256, "2 * 3 * 8 * 2 * 11"), .multiply_adds = 528});
}

static void elements_count_one_each(void **state)
{
    (void)state;
    CHECK({"a = f32[33,5] parameter(0)\n ROOT r = f32[33,5] add(a, a)",
           COST(YES, 165, 0, 1320, 660, "33x5")},
          {"a = s32[9] parameter(0)\n ROOT r = s32[9] remainder(a, a)",
           COST(YES, 9, 0, 72, 36, "9"), .divisions = 9},
          {"a = f32[9] parameter(0)\n ROOT r = f32[9] divide(a, a)",
           COST(YES, 9, 0, 72, 36, "9"), .divisions = 9},
          {"a = f32[9] parameter(0)\n ROOT r = c64[9] complex(a, a)",
           COST(YES, 9, 0, 72, 72, "9")},
          {"a = f32[9] parameter(0)\n ROOT r = bf16[9] convert(a)",
           COST(YES, 9, 0, 36, 18, "9")},
          {"a = f32[] parameter(0)\n ROOT r = f32[] negate(a)",
           COST(YES, 1, 0, 4, 4, "1")},
          {"a = f32[9] parameter(0)\n ROOT r = f32[9] tanh(a)",
           COST(NONE, 0, 9, 36, 36, "")},
          {"a = f32[9] parameter(0)\n ROOT r = f32[9] power(a, a)",
           COST(NONE, 0, 9, 72, 36, "")},
          {"a = u64[2] parameter(0)\n"
           " ROOT r = (u64[2], u32[10]) rng-bit-generator(a), algorithm=rng_default",
           COST(NONE, 0, 12, 16, 56, "")},
          {"a = f32[] parameter(0)\n ROOT r = f32[11] rng(a, a), distribution=rng_uniform",
           COST(NONE, 0, 11, 8, 44, "")});
}

static void reductions_count_their_computation(void **state)
{
    (void)state;
    CHECK({"a = f32[8,16] parameter(0)\n z = f32[] constant(0)\n"
           " ROOT r = f32[8] reduce(a, z), dimensions={1}, to_apply=sum",
           COST(YES, 120, 0, 516, 32, "8x16 - 8")},
          {"a = f32[8,16] parameter(0)\n z = f32[] constant(0)\n"
           " ROOT r = f32[8] reduce(a, z), dimensions={1}, to_apply=logsum",
           COST(YES, 240, 360, 516, 32, "8x16 * 2 - 8 * 2"), .divisions = 120},
          {"a = f32[8,16] parameter(0)\n b = s32[8,16] parameter(1)\n z = f32[] constant(0)\n"
           " y = s32[] constant(0)\n"
           " ROOT r = (f32[8], s32[8]) reduce(a, b, z, y), dimensions={1}, to_apply=pairs",
           COST(YES, 240, 0, 1032, 64, "8x16 * 2 - 8 * 2")},
          {"a = f32[2,16,16,3] parameter(0)\n z = f32[] constant(0)\n"
           " ROOT r = f32[2,8,8,3] reduce-window(a, z), window={size=1x2x2x1 stride=1x2x2x1},"
           " to_apply=max",
           COST(YES, 1152, 0, 6148, 1536, "2x8x8x3 * 3")},
          {"a = f32[8,8] parameter(0)\n s = f32[4,4] parameter(1)\n z = f32[] constant(0)\n"
           " ROOT r = f32[8,8] select-and-scatter(a, s, z), window={size=2x2 stride=2x2},"
           " select=ge, scatter=sum",
           COST(YES, 64, 0, 324, 256, "4x4 * 3 + 4x4")},
          {"a = f32[9] parameter(0)\n ROOT r = f32[9] map(a, a), dimensions={0}, to_apply=logsum",
           COST(YES, 18, 27, 72, 36, "9 * 2"), .divisions = 9},
          {"a = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n u = f32[9,7] parameter(2)\n"
           " ROOT r = f32[50,7] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0},"
           " scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum",
           COST(YES, 63, 0, 540, 252, "9x7")},
          {"a = f32[50,7] parameter(0)\n b = s32[50,7] parameter(1)\n i = s32[9,1] parameter(2)\n"
           " u = f32[9,7] parameter(3)\n v = s32[9,7] parameter(4)\n"
           " ROOT r = (f32[50,7], s32[50,7]) scatter(a, b, i, u, v), update_window_dims={1},"
           " inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1,"
           " to_apply=pairs",
           COST(YES, 126, 0, 1044, 504, "9x7 * 2")},
          {"a = f32[8,16] parameter(0)\n b = f32[4] parameter(1)\n"
           " ROOT r = (f32[8,16], f32[4]) all-reduce(a, b), replica_groups={}, to_apply=sum",
           COST(YES, 132, 0, 528, 528, "8x16 + 4")});
}

static void other_algorithms_have_formulas(void **state)
{
    (void)state;
    CHECK({"a = c64[8,16] parameter(0)\n ROOT r = c64[8,16] fft(a), fft_type=FFT, fft_length={16}",
           COST(YES, 4096, 0, 1024, 1024, "8 * 4 * 8x16"), .multiply_adds = 2048},
          {"a = c64[4,12,5] parameter(0)\n"
           " ROOT r = c64[4,12,5] fft(a), fft_type=FFT, fft_length={12,5}",
           COST(YES, 11520, 0, 1920, 1920, "8 * 3 * 2 * 4x12x5"), .multiply_adds = 5760},
          {"a = f32[7,7] parameter(0)\n b = f32[7,3] parameter(1)\n"
           " ROOT r = f32[7,3] triangular-solve(a, b), left_side=true, lower=true,"
           " unit_diagonal=false, transpose_a=NO_TRANSPOSE",
           COST(YES, 294, 0, 182, 84, "2 * 7x3 * 7"), .multiply_adds = 147},
          {"a = f32[5,7,7] parameter(0)\n ROOT r = f32[5,7,7] cholesky(a), lower=true",
           COST(YES, 571, 0, 490, 490, "5x7x7 * 7 / 3")},
          {"a = f32[5,20] parameter(0)\n b = s32[5,20] parameter(1)\n"
           " ROOT r = (f32[5,20], s32[5,20]) sort(a, b), dimensions={1}, to_apply=less",
           COST(YES, 700, 0, 800, 800, "5x20 * 7")},
          {"a = f32[1] parameter(0)\n b = s32[1] parameter(1)\n"
           " ROOT r = (f32[1], s32[1]) sort(a, b), dimensions={0}, to_apply=less",
           COST(NONE, 0, 0, 8, 8, "")});
}

static void moving_data_is_no_computation(void **state)
{
    (void)state;
    CHECK({"a = f32[50,7] parameter(0)\n ROOT r = f32[10,6] slice(a), slice={[3:13], [1:7]}",
           COST(NONE, 0, 0, 240, 240, "")},
          {"a = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n"
           " ROOT r = f32[3,5] dynamic-slice(a, i, j), dynamic_slice_sizes={3,5}",
           COST(NONE, 0, 0, 64, 60, "")},
          {"a = f32[50,7] parameter(0)\n u = f32[3,5] parameter(1)\n i = s32[] parameter(2)\n"
           " ROOT r = f32[50,7] dynamic-update-slice(a, u, i, i)",
           COST(NONE, 0, 0, 64, 60, "")},
          {"a = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n"
           " ROOT r = f32[9,7] gather(a, i), offset_dims={1}, collapsed_slice_dims={0},"
           " start_index_map={0}, index_vector_dim=1, slice_sizes={1,7}",
           COST(NONE, 0, 0, 288, 252, "")},
          {"a = f32[8,4]{1,0} parameter(0)\n"
           " ROOT r = f32[4,8]{1,0} transpose(a), dimensions={1,0}",
           COST(NONE, 0, 0, 128, 128, "")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[3,8] broadcast(a), dimensions={1}",
           COST(NONE, 0, 0, 32, 96, "")},
          {"a = f32[8] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[11] pad(a, z), padding=1_2",
           COST(NONE, 0, 0, 36, 44, "")},
          {"ROOT r = u32[8] iota(), iota_dimension=0",
           COST(NONE, 0, 0, 0, 32, "")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] copy(a)",
           COST(NONE, 0, 0, 32, 32, "")},
          {"a = f32[8] parameter(0)\n ROOT r = s32[2,4] bitcast(a)",
           COST(NONE, 0, 0, 0, 0, "")},
          {"ROOT r = f32[8] parameter(0)",
           COST(NONE, 0, 0, 0, 0, "")},
          {"ROOT r = f32[] constant(1)",
           COST(NONE, 0, 0, 0, 0, "")},
          {"t = (f32[8], s32[]) parameter(0)\n ROOT r = f32[8] get-tuple-element(t), index=0",
           COST(NONE, 0, 0, 0, 0, "")},
          {"a = f32[5,20] parameter(0)\n"
           " ROOT r = (f32[5,3], s32[5,3]) topk(a), k=3, largest=true",
           COST(NONE, 0, 0, 400, 120, "")},
          {"a = f32[8,16] parameter(0)\n"
           " ROOT r = f32[16,16] all-gather(a), dimensions={0}, replica_groups={{0,1}}",
           COST(NONE, 0, 0, 512, 1024, "")},
          {"t = token[] after-all()\n ROOT r = ((f32[5], s32[3]), token[]) infeed(t)",
           COST(NONE, 0, 0, 0, 32, "")});
}

static void element_sizes_follow_the_layout(void **state)
{
    (void)state;
    CHECK({"a = s4[9] parameter(0)\n ROOT r = s4[9] negate(a)",
           COST(YES, 9, 0, 9, 9, "9")},
          {"a = s4[9]{0:E(4)} parameter(0)\n ROOT r = s4[9]{0:E(4)} negate(a)",
           COST(YES, 9, 0, 5, 5, "9")},
          {"a = pred[9] parameter(0)\n ROOT r = pred[9] not(a)",
           COST(YES, 9, 0, 9, 9, "9")},
          {"a = f8e4m3fn[9] parameter(0)\n ROOT r = c128[9] convert(a)",
           COST(YES, 9, 0, 9, 144, "9")},
          {"a = f32[8,128]{1,0:T(8,128)S(1)} parameter(0)\n"
           " ROOT r = f32[8,128]{0,1:T(8,128)} abs(a)",
           COST(YES, 1024, 0, 4096, 4096, "8x128")});
}

/* XLA gives 0 for these, or counts them by rules that are not modelled. */
static void opcodes_without_a_rule_have_no_cost(void **state)
{
    (void)state;
    CHECK({"a = f32[5,20] parameter(0)\n s = f32[20] parameter(1)\n"
           " ROOT r = (f32[5,20], f32[20], f32[20]) batch-norm-training(a, s, s), epsilon=0.1,"
           " feature_index=1",
           COST(UNKNOWN, 0, 0, 560, 560, "")});
}

/* Asynchronous start and done operations pass a table of pointers, 8 bytes per array. */
static void tuples_are_read_as_tables_of_pointers(void **state)
{
    (void)state;
    CHECK({"a = f32[50] parameter(0)\n"
           " ROOT r = (f32[50], f32[200]) all-gather-start(a), dimensions={0}",
           COST(NONE, 0, 0, 200, 1000, "")},
          {"t = (f32[50], f32[200]) parameter(0)\n ROOT r = f32[200] all-gather-done(t)",
           COST(NONE, 0, 0, 16, 800, "")},
          {"t = (f32[200], f32[200], u32[]) parameter(0)\n ROOT r = f32[200] copy-done(t)",
           COST(NONE, 0, 0, 24, 800, "")},
          {"t = ((f32[50], f32[3]), f32[200], s32[]) parameter(0)\n ROOT r = f32[200] async-done(t)",
           COST(NONE, 0, 0, 24, 800, "")},
          {"t = (f32[9], s32[]) parameter(0)\n ROOT r = (f32[9], s32[]) opt-barrier(t)",
           COST(NONE, 0, 0, 16, 40, "")},
          {"t = (f32[9], s32[]) parameter(0)\n k = token[] after-all()\n"
           " ROOT r = token[] outfeed(t, k)",
           COST(NONE, 0, 0, 40, 0, "")});
}

static void numbers_of_devices_and_sizes_are_no_computation(void **state)
{
    (void)state;
    CHECK({"ROOT r = u32[] partition-id()", COST(NONE, 0, 0, 0, 4, "")},
          {"ROOT r = u32[] replica-id()", COST(NONE, 0, 0, 0, 4, "")},
          {"a = f32[8,4] parameter(0)\n ROOT r = s32[] get-dimension-size(a), dimensions={1}",
           COST(NONE, 0, 0, 128, 4, "")},
          {"a = f32[8] parameter(0)\n k = token[] after-all()\n"
           " ROOT r = f32[8] add-dependency(a, k)",
           COST(NONE, 0, 0, 0, 0, "")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] domain(a)", COST(NONE, 0, 0, 0, 0, "")});
}

/* A transpose whose layout is the permuted layout of its operand moves no data. */
static void transposes_that_move_nothing_access_nothing(void **state)
{
    (void)state;
    CHECK({"a = f32[8,4]{1,0} parameter(0)\n"
           " ROOT r = f32[4,8]{0,1} transpose(a), dimensions={1,0}",
           COST(NONE, 0, 0, 0, 0, "")},
          {"a = f32[8,4]{0,1} parameter(0)\n"
           " ROOT r = f32[4,8]{0,1} transpose(a), dimensions={1,0}",
           COST(NONE, 0, 0, 128, 128, "")},
          {"a = f32[8,4,2]{2,1,0} parameter(0)\n"
           " ROOT r = f32[2,8,4]{0,2,1} transpose(a), dimensions={2,0,1}",
           COST(NONE, 0, 0, 0, 0, "")},
          {"a = f32[8,4,2]{2,1,0} parameter(0)\n"
           " ROOT r = f32[2,8,4]{2,1,0} transpose(a), dimensions={2,0,1}",
           COST(NONE, 0, 0, 256, 256, "")});
}

/* Every output window covers the whole input: one reduction, then a broadcast. */
static void windows_that_reduce_all_count_one_reduction(void **state)
{
    (void)state;
    CHECK({"a = f32[4,16] parameter(0)\n z = f32[] constant(0)\n"
           " ROOT r = f32[4,16] reduce-window(a, z), window={size=1x31 pad=0_0x15_15}, to_apply=sum",
           COST(YES, 19, 0, 260, 256, "4 * 1 + 15 * 1")},
          {"a = f32[4,16] parameter(0)\n z = f32[] constant(0)\n"
           " ROOT r = f32[4,16] reduce-window(a, z), window={size=1x16 pad=0_0x15_0}, to_apply=sum",
           COST(YES, 960, 0, 260, 256, "4x16 * 15")});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_products_count_a_multiply_add_for_each_pair),
        cmocka_unit_test(convolutions_count_the_positions_that_meet_the_input),
        cmocka_unit_test(elements_count_one_each),
        cmocka_unit_test(reductions_count_their_computation),
        cmocka_unit_test(other_algorithms_have_formulas),
        cmocka_unit_test(moving_data_is_no_computation),
        cmocka_unit_test(element_sizes_follow_the_layout),
        cmocka_unit_test(opcodes_without_a_rule_have_no_cost),
        cmocka_unit_test(tuples_are_read_as_tables_of_pointers),
        cmocka_unit_test(numbers_of_devices_and_sizes_are_no_computation),
        cmocka_unit_test(transposes_that_move_nothing_access_nothing),
        cmocka_unit_test(windows_that_reduce_all_count_one_reduction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
