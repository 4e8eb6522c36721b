/* device_peaks.h: peaks of accelerators that are known by the names of their models. */
#pragma once


#include "base/text.h"

/* Widths of the operands of a matrix product; each names a column of the table. */
enum peak_width { PEAK_16, PEAK_8, PEAK_32, PEAK_64, PEAK_WIDTHS };

/* Of one device as frameworks count them, without structured sparsity. */
struct device_peaks {
    const char *words;             /* of the model's name, separated by spaces */
    double tera_flops[PEAK_WIDTHS]; /* 10^12 FLOP/s; 0: the data sheet says nothing */
    double giga_bytes;             /* 10^9 bytes per second of memory */
    const char *source;            /* title of the data sheet */
};

/* The first row of the table all of whose words are words of MODEL, "NVIDIA A100-SXM4-80GB": upper
 * and lower case are equal, other characters than letters and digits separate words. NULL: none. */
const struct device_peaks *device_peaks_find(struct text model);
/* The column for elements of BITS bits; that of 16 bits, of which the usual MFU is, when BITS is 0 or no
 * width of the table. */
enum peak_width device_peaks_width(unsigned bits);
