/* device_peaks.h: peak rates of known accelerator models. */
#pragma once


#include "base/text.h"

/* Operand widths of matrix products; columns of the table. */
enum peak_width { PEAK_16, PEAK_8, PEAK_32, PEAK_64, PEAK_WIDTHS };

/* Peaks of one device without structured sparsity, as frameworks count devices. */
struct device_peaks {
    const char *words;             /* words of the model name, separated by spaces */
    double tera_flops[PEAK_WIDTHS]; /* 10^12 FLOP/s; 0: not in the data sheet */
    double giga_bytes;             /* memory bandwidth, 10^9 bytes per second */
    const char *source;            /* title of the data sheet */
};

/* Returns the first table row all of whose words are in MODEL, such as "NVIDIA A100-SXM4-80GB".
 * Case is ignored; other characters than letters and digits separate words. NULL: none. */
const struct device_peaks *device_peaks_find(struct text model);
/* Returns the column for elements of BITS bits, else that of 16 bits, which MFU refers to. */
enum peak_width device_peaks_width(unsigned bits);
