/* test_fusion.c: computation, reads and writes of fusions.
 *
 * Unless noted, the numbers equal XLA's own cost analysis of the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_rows.h"

static const char callees[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] add(x, y) }\n"
    "mixed { p = f32[8,16] parameter(0)\n q = f32[16,4] parameter(1)\n"
    " d = f32[8,4] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    " e = f32[8,4] exponential(d)\n z = f32[] constant(0)\n"
    " s = f32[8] reduce(e, z), dimensions={1}, to_apply=sum\n"
    " b = f32[8,4] broadcast(s), dimensions={0}\n ROOT r = f32[8,4] divide(e, b) }\n"
    "copies { p = f32[8] parameter(0)\n ROOT r = f32[8] copy(p) }\n"
    "slices { p = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n a = f32[3,7] slice(p), slice={[0:3], [0:7]}\n"
    " b = f32[3,7] slice(p), slice={[4:7], [0:7]}\n"
    " c = f32[3,7] dynamic-slice(p, i, i), dynamic_slice_sizes={3,7}\n"
    " d = f32[3,7] add(a, b)\n ROOT r = f32[3,7] add(c, d) }\n"
    "whole { p = f32[8] parameter(0)\n a = f32[8] negate(p)\n b = f32[8] add(p, a)\n"
    " c = f32[8,8] broadcast(p), dimensions={0}\n d = f32[8,8] broadcast(b), dimensions={1}\n"
    " e = f32[2,4] reshape(p)\n f = f32[8,8] add(c, d)\n"
    " ROOT r = (f32[8,8], f32[2,4]) tuple(f, e) }\n"
    "in_place { p = f32[50,7] parameter(0)\n u = f32[3,7] parameter(1)\n i = s32[] parameter(2)\n"
    " v = f32[3,7] negate(u)\n ROOT r = f32[50,7] dynamic-update-slice(p, v, i, i) }\n"
    "in_places { p = f32[50,7] parameter(0)\n u = f32[3,7] parameter(1)\n i = s32[] parameter(2)\n"
    " v = f32[50,7] dynamic-update-slice(p, u, i, i)\n w = f32[3,7] negate(u)\n"
    " ROOT r = (f32[50,7], f32[3,7]) tuple(v, w) }\n"
    "constants { p = f32[16] parameter(0)\n a = f32[16] constant({0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15})\n"
    " b = f32[8] constant({0,1,2,3,4,5,6,7})\n c = f32[16] add(p, a)\n"
    " d = f32[8] slice(c), slice={[0:8]}\n ROOT r = f32[8] add(d, b) }\n"
    "tuples { t = (f32[8], f32[9]) parameter(0)\n a = f32[8] get-tuple-element(t), index=0\n"
    " b = f32[8] negate(a)\n c = f32[8,2] broadcast(a), dimensions={0}\n"
    " d = f32[9] get-tuple-element(t), index=1\n e = f32[3] slice(d), slice={[0:3]}\n"
    " ROOT r = (f32[8], f32[8,2], f32[3]) tuple(b, c, e) }\n"
    "negated { p = f32[50,7] parameter(0)\n ROOT r = f32[50,7] negate(p) }\n"
    "nested { p = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n"
    " a = f32[3,7] fusion(p, i), kind=kLoop, calls=slices\n"
    " ROOT r = f32[3,7] add(a, a) }\n"
    "sliced { p = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n"
    " a = f32[50,7] fusion(p), kind=kLoop, calls=negated\n"
    " b = f32[3,7] slice(a), slice={[0:3], [0:7]}\n"
    " c = f32[3,7] dynamic-slice(a, i, i), dynamic_slice_sizes={3,7}\n"
    " ROOT r = f32[3,7] add(b, c) }\n"
    "gathers { p = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n"
    " n = f32[50,7] negate(p)\n"
    " ROOT r = f32[9,7] gather(n, i), offset_dims={1}, collapsed_slice_dims={0},"
    " start_index_map={0}, index_vector_dim=1, slice_sizes={1,7} }\n"
    "scatters { p = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n u = f32[9,7] parameter(2)\n"
    " ROOT r = f32[50,7] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0},"
    " scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum }\n"
    "calls { p = f32[8] parameter(0)\n q = f32[8] call(p), to_apply=copies\n"
    " ROOT r = f32[8] add(q, q) }\n"
    "never { p = f32[8] parameter(0)\n ROOT r = pred[] constant(0) }\n"
    "loops { p = f32[8] parameter(0)\n"
    " ROOT r = f32[8] while(p), condition=never, body=copies }\n"
    "foreign { p = f32[8] parameter(0)\n a = f32[8] negate(p)\n"
    " ROOT r = f32[8] custom-call(a), custom_call_target=\"f\" }\n";

static void fusions_count_their_instructions(void **state)
{
    (void)state;
    CHECK({"a = f32[8,16] parameter(0)\n b = f32[16,4] parameter(1)\n"
           " ROOT r = f32[8,4] fusion(a, b), kind=kOutput, calls=mixed",
           COST(YES, 1080, 32, 768, 128, "2 * 8x4 * 16 + 8x4 - 8 + 8x4"), .multiply_adds = 512,
           .divisions = 32},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] fusion(a), kind=kLoop, calls=copies",
           COST(NONE, 0, 0, 32, 32, "")},
          {"a = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n"
           " ROOT r = f32[3,7] fusion(a, i), kind=kLoop, calls=nested",
           COST(YES, 63, 0, 256, 84, "42 + 3x7")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] fusion(a), kind=kLoop, calls=calls",
           COST(YES, 8, 0, 32, 32, "8")});
}

static void fusions_read_what_users_of_parameters_read(void **state)
{
    (void)state;
    CHECK({"a = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n"
           " ROOT r = f32[3,7] fusion(a, i), kind=kLoop, calls=slices",
           COST(YES, 42, 0, 256, 84, "3x7 + 3x7")},
          {"a = f32[8] parameter(0)\n"
           " ROOT r = (f32[8,8], f32[2,4]) fusion(a), kind=kLoop, calls=whole",
           COST(YES, 80, 0, 96, 288, "8 + 8 + 8x8")},
          {"a = f32[50,7] parameter(0)\n b = f32[3,7] parameter(1)\n i = s32[] parameter(2)\n"
           " ROOT r = f32[50,7] fusion(a, b, i), kind=kLoop, calls=in_place",
           COST(YES, 21, 0, 88, 84, "3x7")},
          {"a = f32[50,7] parameter(0)\n b = f32[3,7] parameter(1)\n i = s32[] parameter(2)\n"
           " ROOT r = (f32[50,7], f32[3,7]) fusion(a, b, i), kind=kLoop, calls=in_places",
           COST(YES, 21, 0, 88, 168, "3x7")},
          {"a = (f32[8], f32[9]) parameter(0)\n"
           " ROOT r = (f32[8], f32[8,2], f32[3]) fusion(a), kind=kLoop, calls=tuples",
           COST(YES, 8, 0, 76, 108, "8")});
}

/* All constants except scalars. */
static void fusions_read_large_constants(void **state)
{
    (void)state;
    CHECK({"a = f32[16] parameter(0)\n ROOT r = f32[8] fusion(a), kind=kLoop, calls=constants",
           COST(YES, 24, 0, 160, 32, "16 + 8")});
}

/* Slices of an elementwise result of a nested fusion are slices of its operand. */
static void nested_fusions_read_what_their_users_slice(void **state)
{
    (void)state;
    CHECK({"a = f32[50,7] parameter(0)\n i = s32[] parameter(1)\n"
           " ROOT r = f32[3,7] fusion(a, i), kind=kLoop, calls=sliced",
           COST(YES, 371, 0, 172, 84, "350 + 3x7")});
}

static void custom_fusions_cost_like_gather_and_scatter(void **state)
{
    (void)state;
    CHECK({"a = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n"
           " ROOT r = f32[9,7] fusion(a, i), kind=kCustom, calls=gathers",
           COST(NONE, 0, 0, 288, 252, "")},
          {"a = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n"
           " ROOT r = f32[9,7] fusion(a, i), kind=kLoop, calls=gathers",
           COST(YES, 350, 0, 1436, 252, "50x7")},
          {"a = f32[50,7] parameter(0)\n i = s32[9,1] parameter(1)\n u = f32[9,7] parameter(2)\n"
           " ROOT r = f32[50,7] fusion(a, i, u), kind=kCustom, calls=scatters",
           COST(YES, 63, 0, 540, 252, "9x7")});
}

/* XLA counts one iteration for a loop and -1 for a custom call. */
static void fusions_with_unknown_costs_are_unknown(void **state)
{
    (void)state;
    CHECK({"a = f32[8] parameter(0)\n ROOT r = f32[8] fusion(a), kind=kLoop, calls=loops",
           COST(UNKNOWN, 0, 0, 32, 32, "")},
          {"a = f32[8] parameter(0)\n ROOT r = f32[8] fusion(a), kind=kCustom, calls=foreign",
           COST(UNKNOWN, 0, 0, 32, 32, "")});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fusions_count_their_instructions),
        cmocka_unit_test(fusions_read_what_users_of_parameters_read),
        cmocka_unit_test(fusions_read_large_constants),
        cmocka_unit_test(fusions_with_unknown_costs_are_unknown),
        cmocka_unit_test(nested_fusions_read_what_their_users_slice),
        cmocka_unit_test(custom_fusions_cost_like_gather_and_scatter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
