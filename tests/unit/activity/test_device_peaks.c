/* test_device_peaks.c: peaks for the device names that frameworks and drivers report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "activity/device_peaks.h"

static const struct {
    const char *model;
    double tera_flops_of_16, giga_bytes; /* 0: not in the table */
} cases[] = {
    {"Tesla V100-SXM2-32GB", 125, 900},
    {"Tesla V100-PCIE-16GB", 112, 900},
    {"Tesla T4", 65, 320},
    {"NVIDIA A100-SXM4-80GB", 312, 2039},
    {"NVIDIA A100 80GB PCIe", 312, 1935},
    {"NVIDIA A100-PG509-200", 312, 1555},
    {"NVIDIA L4", 121, 300},
    {"NVIDIA H100 80GB HBM3", 989.5, 3350},
    {"NVIDIA H100 PCIe", 756.5, 2000},
    {"nvidia h200", 989.5, 4800},
    {"NVIDIA H200 NVL", 835.5, 4800},
    {"NVIDIA B200", 2250, 8000},
    {"AMD Instinct MI210", 181, 1638.4},
    {"AMD Instinct MI250X", 191.5, 1638.4},
    {"AMD Instinct MI300X VF", 1307.4, 5300},
    {"AMD Instinct MI355X", 2516.6, 8000},
    {"TPU v4", 275, 1200},
    {"TPU v5 lite", 197, 819},
    {"TPU v5e", 197, 819},
    {"TPU v5p", 459, 2765},
    {"TPU v6 lite", 918, 1640},
    {"NVIDIA L40S", 0, 0},
    {"NVIDIA T400", 0, 0},
    {"NVIDIA GH200 480GB", 0, 0},
    {"V5E", 0, 0},
    {"", 0, 0},
    {" - ", 0, 0},
};

static void models_are_found_by_whole_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct text model = {cases[i].model, (uint32_t)strlen(cases[i].model)};
        const struct device_peaks *peaks = device_peaks_find(model);

        assert_true(peaks ? peaks->tera_flops[PEAK_16] == cases[i].tera_flops_of_16 &&
                                peaks->giga_bytes == cases[i].giga_bytes
                          : cases[i].giga_bytes == 0);
        assert_true(!peaks || strlen(peaks->source));
    }
}

static void widths_are_columns(void **state)
{
    (void)state;
    assert_int_equal(device_peaks_width(64), PEAK_64);
    assert_int_equal(device_peaks_width(32), PEAK_32);
    assert_int_equal(device_peaks_width(8), PEAK_8);
    assert_int_equal(device_peaks_width(16), PEAK_16);
    assert_int_equal(device_peaks_width(0), PEAK_16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_found_by_whole_words),
        cmocka_unit_test(widths_are_columns),
    };

    return cmocka_run_group_tests_name("tests/unit/activity/test_device_peaks", tests, NULL, NULL);
}
