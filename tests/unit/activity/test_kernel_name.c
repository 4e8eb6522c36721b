/* test_kernel_name.c: short names of kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "activity/kernel_name.h"

static const struct {
    const char *name, *wanted;
} cases[] = {
    {"Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD"},
    {"Memset (Device)", "Memset"},
    {"[CUDA memcpy Host-to-Device]", "[CUDA memcpy Host-to-Device]"},
    {"Cijk_Alik_Bljk_BBS_BH_Bias_MT256x192x64_MI16x16x1_SN", "Cijk_Alik_Bljk_BBS_MT256x192x64"},
    {"Cijk_Alik_Bljk_SB", "Cijk_Alik_Bljk_SB"},
    {"triton_poi_fused_add_cos_sin_0", "triton_poi_fused_add_cos_sin"},
    {"sm90_xmma_gemm_f32_tn_n_tilesize128x128x64_stage4_warpgroupsize1x1x1_execute_kernel",
     "sm90_xmma_gemm_f32_tn_n_tilesize128x128x64"},
    {"igemm_bwd_gtcx2_nhwc_bx0_ex1_bt32x128x32_wt16x64x4", "igemm_bwd_gtcx2_nhwc_bx0_ex1_bt32x128x32"},
    {"nvjet_tst_144x128_64x6_2x1_v_bz_bias_TNN", "nvjet_tst_144x128_64x6_2x1_v_bz_bias_TNN"},
    {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", "ncclDevKernel_Generic"},
    {"attn_fwd.kd", "attn_fwd"},
    {"void copy<int>(int*) [clone .kd]", "copy"},
    {"void cutlass::Kernel2<cutlass_80_simt_sgemm_nn>(cutlass_80_simt_sgemm_nn::Params)",
     "cutlass_80_simt_sgemm_nn"},
    {"void other::Kernel2<inner>(int)", "Kernel2"},
    {"void ck_tile::kentry<1, gfx9_t, plain, ck_tile::Rmsnorm2dFwd<int> >(int)", "Rmsnorm2dFwd"},
    {"_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionIiEEEEvT_",
     "ImplicitGemmConvolution"},
    {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdIiEEEEvv", "Rmsnorm2dFwd"},
    {"_ZN5aiter12_GLOBAL__N_124add_rmsnorm_quant_kernelIiEEvv", "add_rmsnorm_quant_kernel"},
    {"_Z3addPfS_", "add"},
    {"_Z99999999999999999999x", "x"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, int>(int)",
     "vectorized_elementwise_kernel<add>"},
    {"void at::native::reduce_kernel<128, 4, at::native::func_wrapper_t<float, "
     "at::native::sum_functor<float>::operator()(int)::{lambda(float)#1}> >(int)",
     "reduce_kernel<sum>"},
    {"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::"
     "direct_copy_kernel_cuda(int)::{lambda()#1}>(int)>(int)", "elementwise_kernel<direct_copy>"},
    {"void at::native::elementwise_kernel<1, BUnaryFunctor<MulFunctor<float> > >(int)",
     "elementwise_kernel<Mul>"},
    {"void (anonymous namespace)::softmax_kernel<long>(long*)", "softmax_kernel"},
    {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, 1>(int)", "gemvx::kernel"},
    {"aten::cat.out-dtype_Float-extraKey_2", "cat.out-dtype_Float"},
    {"(", "("},
    {"<<<<", "<<<<"},
    {"_Z", "_Z"},
    {"", ""},
};

static void names_are_short(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf sb = {0};

        kernel_name_add(&sb, (struct text){cases[i].name, (uint32_t)strlen(cases[i].name)});
        assert_string_equal(sb_text(&sb), cases[i].wanted);
        sb_done(&sb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_short)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
