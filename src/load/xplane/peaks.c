/* peaks.c: peak FLOP/s and memory bandwidth of a device, from stats of its plane (formats-xplane.md
 * section 12). */
#include "load/xplane/stats.h"

#include <string.h>

static const double HZ_PER_KHZ = 1e3, FLOPS_PER_TERAFLOPS = 1e12, BYTES_PER_GIGABYTE = 1e9;

/* FLOPs of one core per cycle; a multiply-add counts as two. */
struct core_rate {
    uint64_t major, minor; /* compute capability */
    const char *name;      /* prefix of gpu_device_name; NULL: any */
    double flops_per_cycle;
};

static const struct core_rate nvidia[] = {
    {10, 0, NULL, 8192}, {9, 0, NULL, 4096}, {8, 9, NULL, 1024}, {8, 6, NULL, 1024},
    {8, 0, NULL, 2048},  {7, 5, NULL, 1024}, {7, 0, NULL, 1024}, {6, 1, NULL, 256},
    {6, 0, NULL, 256},   {5, 0, NULL, 256},  {3, 0, NULL, 384},  {2, 0, NULL, 64},
};

/* Devices with capability 9.0 are distinguished by name. */
static const struct core_rate amd[] = {
    {0, 0, "gfx908", 1024}, {0, 0, "gfx90a", 1024}, {9, 4, "gfx942", 2048}, {9, 5, "gfx950", 4096},
};

/* FLOPs per cycle of all cores; 0 if unknown. */
static double flops_per_cycle(const struct stat_values *about, const struct core_rate *rates,
                              size_t n)
{
    const struct span name = stat_text(about, STAT_GPU_DEVICE_NAME);

    for (size_t i = 0; i < n; i++)
        if (rates[i].name && span_begins(name, rates[i].name))
            return rates[i].flops_per_cycle;
    for (size_t i = 0; i < n; i++)
        if (rates[i].major && rates[i].major == stat_number(about, STAT_COMPUTE_CAP_MAJOR) &&
            rates[i].minor == stat_number(about, STAT_COMPUTE_CAP_MINOR))
            return rates[i].flops_per_cycle;
    return 0;
}

/* An integer or floating-point stat as double. */
static double real_of(const struct stat_values *about, enum xstat stat)
{
    if (!stat_has(about, stat))
        return 0;
    return about->values[stat].real > 0 ? about->values[stat].real
                                        : (double)about->values[stat].number;
}

double peak_flops(const struct stat_values *about)
{
    const bool is_amd = span_begins(stat_text(about, STAT_DEVICE_VENDOR), "AMD");
    const double recorded = real_of(about, STAT_PEAK_TERAFLOPS);

    if (recorded > 0)
        return recorded * FLOPS_PER_TERAFLOPS;
    return real_of(about, STAT_CORE_COUNT) * real_of(about, STAT_CLOCK_RATE) * HZ_PER_KHZ *
           (is_amd ? flops_per_cycle(about, amd, sizeof amd / sizeof *amd)
                   : flops_per_cycle(about, nvidia, sizeof nvidia / sizeof *nvidia));
}

double peak_bytes_per_s(const struct stat_values *about)
{
    const double recorded = real_of(about, STAT_PEAK_HBM_BANDWIDTH);

    return recorded > 0 ? recorded * BYTES_PER_GIGABYTE : real_of(about, STAT_MEMORY_BANDWIDTH);
}
