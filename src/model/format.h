/* format.h: formats numbers, times, sizes and shapes (semantics.md section 5). */
#pragma once

#include "base/strbuf.h"
#include "model/metric.h"

void format_number(struct strbuf *sb, int64_t n);       /* 930.58k */
void format_time(struct strbuf *sb, int64_t ps);        /* 1.28ms; <1us */
void format_time_apart(struct strbuf *sb, int64_t ps);  /* 1.28 ms, 600 us: ASCII */
void format_memory(struct strbuf *sb, int64_t bytes);   /* 12.30KB */
/* Picoseconds as microseconds, with as many decimals as needed: 1284.000001, 3. */
void format_micros(struct strbuf *sb, int64_t ps);
/* Formats VALUE according to UNIT. */
void format_value(struct strbuf *sb, enum metric_unit unit, int64_t value);
/* Formats VALUE for the screen: "6.45 s", "12 µs", "53.91 G", "1.16 GB". */
void format_spaced(struct strbuf *sb, enum metric_unit unit, int64_t value);
/* Appends TEXT with the figures of format_value() in it as format_spaced() writes them. */
void format_spaced_text(struct strbuf *sb, const char *text);
/* Appends a rate's unit to the number in SB: with "flop/s" "21.94 G" becomes "21.94 GFLOP/s". */
void format_rate_unit(struct strbuf *sb, const char *unit);
/* A difference with its sign: "+1.28ms", "-12.30KB"; 0 has no sign. */
void format_delta(struct strbuf *sb, enum metric_unit unit, int64_t delta);
/* "3x3x3x16"; nothing for SHAPE_UNKNOWN. */
void format_shape(struct strbuf *sb, struct shape shape);
/* Formats dimensions: "?x20" (-1: unknown); "scalar" for rank 0. */
void format_dims(struct strbuf *sb, const int64_t *dims, uint32_t n_dims);
