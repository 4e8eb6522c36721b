/* device_peaks.c: the table of peaks, from the vendors' data sheets.
 *
 * Matrix units count where the device has them: 32 bits stand for TF32 on NVIDIA and MI300X, and for
 * products of float32 that a TPU makes in bfloat16; 8 bits for FP8, or INT8 where there is no FP8. The
 * data sheets of NVIDIA from L4 on state twice these figures, "with sparsity". A device of MI250X is
 * one of its two dies. */
#include "activity/device_peaks.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char v100[] = "NVIDIA V100 data sheet", a100[] = "NVIDIA A100 data sheet",
                  h100[] = "NVIDIA H100 data sheet", h200[] = "NVIDIA H200 data sheet",
                  tpu_v4[] = "Cloud TPU documentation, TPU v4",
                  tpu_v5e[] = "Cloud TPU documentation, TPU v5e",
                  tpu_v5p[] = "Cloud TPU documentation, TPU v5p",
                  tpu_v6e[] = "Cloud TPU documentation, TPU v6e";

/* Operands of 16, 8, 32 and 64 bits. */
static const struct device_peaks rows[] = {
    {"V100 PCIe", {112, 0, 14, 7}, 900, v100},
    {"V100", {125, 0, 15.7, 7.8}, 900, v100},
    {"T4", {65, 130, 8.1, 0}, 320, "NVIDIA T4 data sheet"},
    {"A100 80GB PCIe", {312, 624, 156, 19.5}, 1935, a100},
    {"A100 80GB", {312, 624, 156, 19.5}, 2039, a100},
    {"A100", {312, 624, 156, 19.5}, 1555, a100},
    {"L4", {121, 242.5, 60, 0}, 300, "NVIDIA L4 data sheet"},
    {"H100 PCIe", {756.5, 1513, 378, 51}, 2000, h100},
    {"H100 NVL", {835.5, 1670.5, 417.5, 60}, 3900, h100},
    {"H100", {989.5, 1979, 494.5, 67}, 3350, h100},
    {"H200 NVL", {835.5, 1670.5, 417.5, 60}, 4800, h200},
    {"H200", {989.5, 1979, 494.5, 67}, 4800, h200},
    {"B200", {2250, 4500, 1125, 37}, 8000, "NVIDIA DGX B200 and HGX B200 data sheets"},
    {"MI210", {181, 181, 45.3, 45.3}, 1638.4, "AMD Instinct MI210 data sheet"},
    {"MI250X", {191.5, 191.5, 47.85, 47.85}, 1638.4, "AMD Instinct MI250X data sheet"},
    {"MI300X", {1307.4, 2614.9, 653.7, 163.4}, 5300, "AMD Instinct MI300X data sheet"},
    {"MI355X", {2516.6, 5033.2, 157.3, 78.6}, 8000, "AMD Instinct MI355X data sheet"},
    {"TPU v4", {275, 275, 275, 0}, 1200, tpu_v4},
    {"TPU v5e", {197, 393, 197, 0}, 819, tpu_v5e},
    {"TPU v5 lite", {197, 393, 197, 0}, 819, tpu_v5e},
    {"TPU v5p", {459, 918, 459, 0}, 2765, tpu_v5p},
    {"TPU v5", {459, 918, 459, 0}, 2765, tpu_v5p},
    {"TPU v6e", {918, 1836, 918, 0}, 1640, tpu_v6e},
    {"TPU v6 lite", {918, 1836, 918, 0}, 1640, tpu_v6e},
};

static bool has_word(struct text model, const char *word, size_t len)
{
    for (size_t i = 0, end; i < model.len; i = end + 1) {
        for (end = i; end < model.len && is_alphanumeric(model.bytes[end]); end++)
            ;
        if (end - i == len && strncasecmp(model.bytes + i, word, len) == 0)
            return true;
    }
    return false;
}

static bool has_words(struct text model, const char *words)
{
    while (*words) {
        const size_t len = strcspn(words, " ");

        if (!has_word(model, words, len))
            return false;
        words += len + (words[len] == ' ');
    }
    return true;
}

const struct device_peaks *device_peaks_find(struct text model)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (has_words(model, rows[i].words))
            return &rows[i];
    return NULL;
}

enum peak_width device_peaks_width(unsigned bits)
{
    return bits == 8 ? PEAK_8 : bits == 32 ? PEAK_32 : bits == 64 ? PEAK_64 : PEAK_16;
}
